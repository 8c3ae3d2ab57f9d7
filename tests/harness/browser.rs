//! A browser, as a person has one: Debian's `chromium`, which its `chromedriver` drives (WebDriver: JSON over HTTP).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::axe;
use crate::http::dead_port;
use crate::long;
use crate::run::{Background, run};
use crate::site::Site;

/// How long a page may take until it shows what it should.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the driver may take to start, and for one command.
const COMMAND: Duration = Duration::from_secs(120);
/// How long the browser may take to end.
const END: Duration = Duration::from_secs(20);
/// Narrower windows are those of phones.
const PHONE: u32 = 600;
/// The name under which the protocol hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What the browser is started with, beside what each test asks for.
const ARGUMENTS: [&str; 9] = [
    "--headless=new",
    // As root, in containers too.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-component-update",
    "--no-proxy-server",
    "--force-prefers-reduced-motion",
    "--hide-scrollbars",
    "--lang=en-US",
];
/// It reaches the loopback and nobody else; the names of a test's own sites come before this and lead there too.
const LOOPBACK: &str = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";

/// A running browser with one page; it ends with the value.
#[derive(Debug)]
pub struct Browser {
    port: u16,
    /// Empty until the browser runs.
    session: String,
    driver: Background,
    runs_scripts: AtomicBool,
    // Goes after the driver has ended, with all that the browser keeps.
    _folder: TempDir,
}

/// An element of the page that is open.
#[derive(Debug)]
pub struct Element<'a> {
    browser: &'a Browser,
    id: String,
}

/// The authenticator of the browser's person: it makes, keeps and uses passkeys, and its person agrees to everything.
#[derive(Debug)]
pub struct Authenticator<'a> {
    browser: &'a Browser,
    id: String,
}

/// A key that is not a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// To the next element.
    Tab,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
}

impl Browser {
    /// Starts a browser whose page has this size, and whose person prefers dark or light pages. Nothing where none is installed,
    /// which it says.
    ///
    /// # Panics
    /// Where one is installed and does not start.
    #[track_caller]
    pub fn start(width: u32, height: u32, dark: bool) -> Option<Browser> {
        Browser::start_trusting(width, height, dark, &[])
    }

    /// As [`Browser::start`], for these sites as well: their names lead to the loopback, and their authorities are trusted. Every
    /// port of a name leads to its site, so `https://name` is a second origin with the same pages. Certificates are checked as
    /// ever: a page whose certificate is not valid shows the browser's warning instead. Nothing where `certutil` is missing,
    /// which it says.
    ///
    /// # Panics
    /// Where a browser is installed and does not start.
    #[track_caller]
    pub fn start_trusting(width: u32, height: u32, dark: bool, sites: &[&Site]) -> Option<Browser> {
        let (Some(chromium), Some(driver)) = (installed("chromium"), installed("chromedriver")) else {
            crate::skip("chromium-driver is not installed");
            return None;
        };
        let folder =
            tempfile::Builder::new().prefix("tameclaw-browser-").tempdir().expect("a temporary folder");
        if !sites.is_empty() {
            let Some(certutil) = installed("certutil") else {
                crate::skip("libnss3-tools is not installed");
                return None;
            };
            trust(&certutil, folder.path(), sites);
        }
        let (driver, port) = start_driver(&driver, folder.path());
        let mut browser =
            Browser { port, session: String::new(), driver, runs_scripts: true.into(), _folder: folder };
        let mut arguments: Vec<String> = ARGUMENTS.map(str::to_owned).to_vec();
        arguments.push(format!("--window-size={width},{height}"));
        let names = sites.iter().map(|site| format!("MAP {} 127.0.0.1:{}, ", site.host(), site.port()));
        arguments.push(format!("--host-resolver-rules={}{LOOPBACK}", names.collect::<String>()));
        let wanted = json!({
            "browserName": "chrome",
            "timeouts": {"implicit": 0, "pageLoad": 60_000, "script": 30_000},
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": chromium, "args": arguments},
        });
        let body = json!({"capabilities": {"alwaysMatch": wanted}});
        // On a busy machine a browser sometimes ends before its driver has found it.
        let mut why = String::new();
        let begun = (0..3)
            .find_map(|_| ask(port, "POST", "/session", &body, COMMAND).map_err(|error| why = error).ok());
        let begun = begun.unwrap_or_else(|| panic!("chromium does not start: {why}"));
        browser.session = begun["sessionId"].as_str().expect("a session has an identifier").to_owned();
        // The window has a frame besides; the page alone has the size that was asked for.
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < PHONE});
        browser.devtools("Emulation.setDeviceMetricsOverride", &size);
        let scheme = if dark { "dark" } else { "light" };
        // What was emulated before is void with each call.
        let preferences = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]});
        browser.devtools("Emulation.setEmulatedMedia", &preferences);
        Some(browser)
    }

    /// Gives the person an authenticator whose passkeys stay on the one device.
    #[track_caller]
    pub fn authenticator(&self) -> Authenticator<'_> {
        self.authenticates(false)
    }

    /// Gives the person an authenticator whose passkeys are copied to other devices.
    #[track_caller]
    pub fn synced_authenticator(&self) -> Authenticator<'_> {
        self.authenticates(true)
    }

    #[track_caller]
    fn authenticates(&self, synced: bool) -> Authenticator<'_> {
        let wanted = json!({
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": true,
            "hasUserVerification": true,
            "isUserConsenting": true,
            "isUserVerified": true,
            "defaultBackupEligibility": synced,
            "defaultBackupState": synced,
        });
        let id = self.tell("POST", "/webauthn/authenticator", &wanted);
        Authenticator {
            browser: self,
            id: id.as_str().expect("an authenticator has an identifier").to_owned(),
        }
    }

    /// Opens an address, and waits until the page is loaded.
    #[track_caller]
    pub fn open(&self, url: &str) {
        self.tell("POST", "/url", &json!({"url": url}));
    }

    /// Continues in the window that was opened last; answers the name of the one that it leaves.
    #[track_caller]
    pub fn in_the_new_window(&self) -> String {
        let here = self.tell("GET", "/window", &Value::Null);
        let handles = crate::eventually(crate::world::PATIENCE, "a window opens", || {
            let handles = self.tell("GET", "/window/handles", &Value::Null);
            handles.as_array().filter(|all| all.len() > 1).cloned()
        });
        let other = handles.iter().find(|handle| **handle != here);
        self.in_window(other.and_then(Value::as_str).expect("a window has a name"));
        here.as_str().expect("a window has a name").to_owned()
    }

    /// Continues in a window of this name.
    #[track_caller]
    pub fn in_window(&self, handle: &str) {
        self.tell("POST", "/window", &json!({"handle": handle}));
    }

    /// The address of the page that is open.
    #[track_caller]
    pub fn address(&self) -> String {
        self.tell("GET", "/url", &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// The first element that a selector names; waits until there is one.
    #[track_caller]
    pub fn find(&self, css: &str) -> Element<'_> {
        let body = json!({"using": "css selector", "value": css});
        let id = self.waits(&format!("an element `{css}`"), || {
            let found = self.ask("POST", "/element", &body).ok()?;
            found[ELEMENT].as_str().map(str::to_owned)
        });
        Element { browser: self, id }
    }

    /// Clicks on the first element that a selector names.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.find(css).click();
    }

    /// Presses a key in the element that has the focus.
    #[track_caller]
    pub fn press(&self, key: Key) {
        self.keys(match key {
            Key::Tab => "\u{e004}",
            Key::Enter => "\u{e007}",
            Key::Escape => "\u{e00c}",
        });
    }

    /// Types a text into the element that has the focus.
    #[track_caller]
    pub fn keys(&self, text: &str) {
        let strokes: Vec<Value> = text
            .chars()
            .flat_map(|c| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": c})))
            .collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": strokes});
        self.tell("POST", "/actions", &json!({"actions": [keyboard]}));
    }

    /// The text that is seen of the first element that a selector names; waits until there is one.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        self.wait_for(css, "")
    }

    /// Waits until the first element that a selector names shows a text; answers all that it shows then.
    #[track_caller]
    pub fn wait_for(&self, css: &str, text: &str) -> String {
        let script = format!("return document.querySelector({})?.innerText ?? null", json!(css));
        self.waits(&format!("`{text}` in `{css}`"), || {
            let shown = self.evaluate(&script).ok()?;
            shown.as_str().filter(|shown| shown.contains(text)).map(str::to_owned)
        })
    }

    /// Waits until the body of a function returns true in the page.
    #[track_caller]
    pub fn until(&self, script: &str) {
        self.waits(script, || (self.evaluate(script).ok()? == true).then_some(()));
    }

    /// What the body of a function returns in the page.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        self.evaluate(script).unwrap_or_else(|why| panic!("{script}: {why}\n{}", self.seen()))
    }

    /// The page as it is now, as HTML.
    #[track_caller]
    pub fn source(&self) -> String {
        self.tell("GET", "/source", &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// The cookies that the browser would send to the page that is open, with `name`, `value`, `httpOnly`, `sameSite` ...
    #[track_caller]
    pub fn cookies(&self) -> Vec<Value> {
        self.tell("GET", "/cookie", &Value::Null).as_array().cloned().unwrap_or_default()
    }

    /// A picture of what is seen, as PNG.
    #[track_caller]
    pub fn screenshot(&self) -> Vec<u8> {
        let picture = self.tell("GET", "/screenshot", &Value::Null);
        STANDARD.decode(picture.as_str().unwrap_or_default()).expect("a picture in base64")
    }

    /// Keeps a picture of what is seen in `target/pictures`, for a person who looks through them; answers its path. A long run insists
    /// that axe-core finds nothing wrong with a page that runs scripts.
    #[track_caller]
    pub fn keep(&self, name: &str) -> PathBuf {
        let me = std::env::current_exe().expect("this test program has a path");
        let target = me.ancestors().nth(3).expect("it lies in target/<profile>/deps");
        let folder = target.join("pictures");
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, self.screenshot()).expect("a picture can be written");
        if long()
            && self.runs_scripts.load(Ordering::Relaxed)
            && let Some(script) = axe::script()
        {
            assert_eq!(self.run(script), json!([]), "{name}: what axe-core finds");
        }
        path
    }

    /// The errors that the browser noted since this was asked last: of scripts, of what was refused or did not load. A missing
    /// picture for the page's tab does not count.
    #[track_caller]
    pub fn console_errors(&self) -> Vec<String> {
        let noted = self.tell("POST", "/se/log", &json!({"type": "browser"}));
        let noted = noted.as_array().cloned().unwrap_or_default();
        let errors = noted.iter().filter(|entry| entry["level"] == "SEVERE");
        let messages = errors.filter_map(|entry| entry["message"].as_str().map(str::to_owned));
        messages.filter(|message| !message.contains("/favicon.ico")).collect()
    }

    /// Has the pages that are opened from now on run no script; [`Browser::run`] and what stands on it still work.
    #[track_caller]
    pub fn without_scripts(&self) {
        self.devtools("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
        self.runs_scripts.store(false, Ordering::Relaxed);
    }

    /// A command of the browser's own tools for developers.
    #[track_caller]
    fn devtools(&self, command: &str, parameters: &Value) {
        self.tell("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": parameters}));
    }

    fn evaluate(&self, script: &str) -> Result<Value, String> {
        self.ask("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        ask(self.port, method, &format!("/session/{}{path}", self.session), body, COMMAND)
    }

    #[track_caller]
    fn tell(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, path, body).unwrap_or_else(|why| panic!("{path} {body}: {why}\n{}", self.seen()))
    }

    /// Asks again and again until there is an answer; a failure tells what the page shows instead.
    #[track_caller]
    fn waits<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(answer) = look() {
                return answer;
            }
            let seconds = PATIENCE.as_secs();
            assert!(begun.elapsed() < PATIENCE, "after {seconds} s still not: {what}\n{}", self.seen());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What a person would see, for a failing test.
    fn seen(&self) -> String {
        let script = "return location.href + '\\n---\\n' + document.body?.innerText";
        match self.evaluate(script) {
            Ok(seen) => format!("--- {}\n---", seen.as_str().unwrap_or_default()),
            Err(why) => format!("--- the page shows nothing: {why}\n---"),
        }
    }
}

impl Element<'_> {
    /// Clicks on it, and waits for the page that this opens.
    #[track_caller]
    pub fn click(&self) {
        self.tell("click", &json!({}));
    }

    /// Types a text into it; into a field for files, the path of a file.
    #[track_caller]
    pub fn type_text(&self, text: &str) {
        self.tell("value", &json!({"text": text}));
    }

    /// The text that is seen of it.
    #[track_caller]
    pub fn text(&self) -> String {
        let path = format!("/element/{}/text", self.id);
        self.browser.tell("GET", &path, &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    fn tell(&self, what: &str, body: &Value) {
        self.browser.tell("POST", &format!("/element/{}/{what}", self.id), body);
    }
}

impl Authenticator<'_> {
    /// Whether it recognises the person from now on, by a finger or a PIN; at first it does.
    #[track_caller]
    pub fn verified(&self, succeeds: bool) {
        self.tell("POST", "/uv", &json!({"isUserVerified": succeeds}));
    }

    /// Adds a passkey that [`Authenticator::passkeys`] told of, as the same device has it in another window.
    #[track_caller]
    pub fn takes(&self, passkey: &Value) {
        self.tell("POST", "/credential", passkey);
    }

    /// The passkeys that it keeps, with `credentialId`, `rpId`, `signCount` ...
    #[track_caller]
    pub fn passkeys(&self) -> Vec<Value> {
        self.tell("GET", "/credentials", &Value::Null).as_array().cloned().unwrap_or_default()
    }

    /// Takes it away, with all of its passkeys.
    #[track_caller]
    pub fn remove(self) {
        self.tell("DELETE", "", &Value::Null);
    }

    #[track_caller]
    fn tell(&self, method: &str, what: &str, body: &Value) -> Value {
        self.browser.tell(method, &format!("/webauthn/authenticator/{}{what}", self.id), body)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && self.driver.runs() {
            // Asked to end, the browser takes its processes along; what is left of them goes with the driver's group.
            let _ = ask(self.port, "DELETE", &format!("/session/{}", self.session), &Value::Null, END);
        }
    }
}

/// Where a program is installed.
fn installed(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Has a browser with this home trust the authorities of these sites, as a person does by importing their certificates.
#[track_caller]
fn trust(certutil: &Path, home: &Path, sites: &[&Site]) {
    let folder = home.join(".pki/nssdb");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let database = format!("sql:{}", folder.display());
    let call = |arguments: &[&str]| {
        let mut command = Command::new(certutil);
        command.args(["-d", &database]).args(arguments).env("HOME", home);
        run(command, b"", COMMAND).done();
    };
    call(&["-N", "--empty-password"]);
    for site in sites {
        let (name, file) = (site.origin(), site.ca());
        let file = file.to_str().expect("a temporary folder's path is text");
        call(&["-A", "-t", "C,,", "-n", &name, "-i", file]);
    }
}

/// Starts a driver, with its port. Somebody else may take a port that was free; then it is another one.
fn start_driver(program: &Path, folder: &Path) -> (Background, u16) {
    let mut said = String::new();
    for _ in 0..5 {
        let port = dead_port();
        let mut command = Command::new(program);
        command.arg(format!("--port={port}")).env("HOME", folder).env("TMPDIR", folder);
        let mut driver = Background::start(command);
        let begun = Instant::now();
        while driver.runs() && begun.elapsed() < COMMAND {
            let status = ask(port, "GET", "/status", &Value::Null, COMMAND);
            if status.is_ok_and(|status| status["ready"] == true) && driver.runs() {
                return (driver, port);
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        said = driver.stdout.text() + &driver.stderr.text();
    }
    panic!("chromedriver does not start: {said}");
}

/// One command: the value of the driver's answer, or what went wrong.
fn ask(port: u16, method: &str, path: &str, body: &Value, limit: Duration) -> Result<Value, String> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let (status, answer) =
        exchange(port, method, path, &body, limit).map_err(|e| format!("{method} {path}: {e}"))?;
    let mut answer: Value = serde_json::from_slice(&answer).map_err(|e| format!("{method} {path}: {e}"))?;
    let value = answer["value"].take();
    if status == 200 {
        return Ok(value);
    }
    let part = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    Err(format!("{status} {}: {}", part("error"), part("message")))
}

fn exchange(
    port: u16,
    method: &str,
    path: &str,
    body: &str,
    limit: Duration,
) -> std::io::Result<(u16, Vec<u8>)> {
    let mut connection = TcpStream::connect(("127.0.0.1", port))?;
    connection.set_read_timeout(Some(limit))?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok((status, body))
}
