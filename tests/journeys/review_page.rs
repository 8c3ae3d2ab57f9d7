//! The review in a browser: a parent reads a package on the phone, signs it at the signing page, and the service installs it.

use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shared_types::id::ProposalId;
use tameclaw_tests::browser::{Browser, Key};
use tameclaw_tests::eventually;
use tameclaw_tests::http::{Response, Server, dead_port};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::site::Site;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

use crate::notifiers::{Inbox, configure};
use crate::pages::{HARM, attack, fits, tab_to};
use crate::passkeys::{honest_request, opens};
use crate::settings::{admin_asks, as_source, asks_for_source, fixture};

const HOST: &str = "sign.family.example";
/// A page of somebody else that shows a message with a link, as a mail client in the browser does.
const MAIL: &str = "mail.family.example";
/// The most taps between a notification and a decision on record, the touch of the finger included.
const MOST_TAPS: u32 = 4;

/// The signing page on a site of its own.
fn signing_site() -> Site {
    let page = fs::read(workspace().join("packaging/signing-page/index.html")).expect("the signing page");
    Site::serve(HOST, &[("/", page, "text/html; charset=utf-8")])
}

/// A home with a package, and the approver `mum`, whose passkey the phone makes at the signing page; the passkey, and mum's token of
/// the page.
fn household(phone: &Browser, site: &Site) -> (World, Value, String) {
    let fingerprint = phone.synced_authenticator();
    phone.open(&site.origin());
    phone.find("#name").type_text("mum");
    phone.click("#make");
    let line = phone.wait_for("#made", "passkey ");
    let passkey = fingerprint.passkeys().remove(0);
    let world = World::with_package("learn to roll dice");
    let file = world.outside().join("mum.passkey");
    fs::write(&file, line.trim()).expect("a file");
    world.admin(&["approver", "add", "mum", "--passkey", &file.display().to_string()]).done();
    let token = world.page_token("mums-phone", "mum");
    (world, passkey, token)
}

/// The way to a decision.
struct Way<'a> {
    phone: &'a Browser,
    taps: u32,
    /// The machine's time: from each tap until the person can continue.
    waited: Duration,
}

impl Way<'_> {
    /// Taps, and waits until the page is ready for the next tap.
    fn tap(&mut self, css: &str, ready: impl FnOnce(&Browser)) {
        let begun = Instant::now();
        self.phone.click(css);
        ready(self.phone);
        let waited = begun.elapsed();
        println!("tap at `{css}`: ready after {} ms", waited.as_millis());
        self.waited += waited;
        self.taps += 1;
    }
}

/// Waits until the button that signs can be tapped.
fn can_sign(phone: &Browser) {
    phone
        .until("const sign = document.querySelector('#sign'); return !!sign?.offsetParent && !sign.disabled");
}

/// From the queue to the decision: the review hands the request to the signing page of another origin, which shows and checks it
/// on its own, and the touch there installs the skill. No file is carried, and no line pasted.
#[test]
fn a_parent_approves_on_the_phone_from_the_page_of_the_review() {
    if compiler_is_missing() {
        return;
    }
    let site = signing_site();
    let Some(phone) = Browser::start_trusting(390, 844, false, &[&site]) else { return };
    let (world, passkey, token) = household(&phone, &site);
    let review = world.shows_the_review(&[]);

    // A link of a notification leads to the package, after the log-in.
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    phone.open(&format!("http://{}/item/{id}", review.address));
    phone.find("[name=token]").type_text(&token);
    phone.click("form:has([name=token]) button[type=submit]");
    let shown = phone.wait_for("main", "roll-dice");
    assert!(shown.contains("mum") || phone.text("header").contains("mum"), "{shown}");
    phone.keep("review-page-phone");
    phone.click("#sign");
    let here = phone.in_the_new_window();
    phone.synced_authenticator().takes(&passkey);
    let facts = phone.wait_for("#facts", "roll-dice");
    assert!(facts.contains("version 1") && phone.text("#brought").contains(&review.address), "{facts}");
    phone.keep("signing-page-brought");
    phone.click("#sign");
    phone.wait_for("#done", "signature");
    phone.in_window(&here);
    phone.wait_for("#result", "is installed");
    phone.keep("review-page-done");
    assert_eq!(phone.console_errors(), Vec::<String>::new());
    world.bot(&["skill", "list"]).done().prints("roll-dice");
    let asked: Vec<String> = site.requests().into_iter().filter(|line| !line.contains("favicon")).collect();
    assert!(asked.iter().all(|line| line == "GET /"), "the signing page asks for nothing: {asked:?}");
}

/// From a message on a page of somebody else to a decision on record: the link opens the package in one tap for a person who is logged
/// in, and three more taps sign and record. A form on that page changes nothing.
#[test]
fn a_parent_comes_from_a_notification_to_a_decision() {
    if compiler_is_missing() {
        return;
    }
    let site = signing_site();
    let mail = Site::serve(MAIL, &[("/", vec![], "text/html; charset=utf-8")]);
    let Some(phone) = Browser::start_trusting(390, 844, false, &[&site, &mail]) else { return };
    let (world, passkey, token) = household(&phone, &site);
    let inbox = Inbox::start(&[200]);
    let listen = format!("127.0.0.1:{}", dead_port());
    configure(
        &world,
        &format!(
            "review_page: http://{listen}\nnotifiers:\n  - {{name: phone, kind: ntfy, url: \"http://{}/topic\"}}\n",
            inbox.server.host()
        ),
    );
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    let _review = world.shows_the_review_at(&listen, &[]);
    let link = eventually(PATIENCE, "the notification arrives with a link", || {
        inbox.seen().first().and_then(|push| push.header("click").map(str::to_owned))
    });
    assert_eq!(link, format!("http://{listen}/item/{id}"));
    phone.open(&format!("http://{listen}/"));
    phone.find("[name=token]").type_text(&token);
    phone.click("form:has([name=token]) button[type=submit]");
    phone.wait_for("main", "roll-dice");

    mail.replace(
        "/",
        format!(
            "<!doctype html><title>Mail</title><p><a id=\"open\" href=\"{link}\">1 proposal waits for you</a></p>\
             <form method=\"post\" action=\"{link}/reject\"><input name=\"reason\" value=\"a forged reason\">\
             <button id=\"forge\">Win a prize</button></form>"
        ),
    );
    phone.open(&mail.origin());
    phone.click("#forge");
    phone.wait_for("[role=alert]", "");
    assert_eq!(phone.address(), format!("{link}/reject"));
    assert_eq!(world.newest()["status"], "human-review", "a form of another page rejects nothing");

    phone.open(&mail.origin());
    phone.console_errors();
    let mut way = Way { phone: &phone, taps: 0, waited: Duration::ZERO };
    way.tap("#open", can_sign);
    assert_eq!(phone.address(), link, "no log-in stands between");
    assert!(phone.text("main").contains("roll-dice"));
    let mut here = String::new();
    way.tap("#sign", |phone| {
        here = phone.in_the_new_window();
        phone.synced_authenticator().takes(&passkey);
        phone.wait_for("#facts", "roll-dice");
        can_sign(phone);
    });
    // The finger on the sensor is the last tap; the authenticator of this browser agrees at once.
    way.tap("#sign", |phone| {
        phone.wait_for("#done", "signature");
        phone.in_window(&here);
        phone.wait_for("#result", "is installed");
    });
    way.taps += 1;
    println!(
        "from the notification to the decision: {} taps, {} ms of the machine",
        way.taps,
        way.waited.as_millis()
    );
    assert!(way.taps <= MOST_TAPS, "{} taps", way.taps);
    assert_eq!(world.newest()["status"], "accepted");
    assert_eq!(phone.console_errors(), Vec::<String>::new());
    world.bot(&["skill", "list"]).done().prints("roll-dice");
}

/// On a phone and on a large screen, light and dark, the log-in, the queue and a package of the review fit their width, and so does the
/// signing page, empty and with that package. Pictures are kept; a long run has axe-core look at each of them.
#[test]
fn the_review_and_the_signing_page_fit_their_screen_in_light_and_dark() {
    if compiler_is_missing() {
        return;
    }
    let site = signing_site();
    let Some(phone) = Browser::start_trusting(390, 844, false, &[&site]) else { return };
    let (world, _, token) = household(&phone, &site);
    drop(phone);
    let request = honest_request(&world);
    let review = world.shows_the_review(&[]);
    let at = |path: &str| format!("http://{}{path}", review.address);
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    for (width, height) in [(390, 844), (1280, 800)] {
        for dark in [false, true] {
            let Some(browser) = Browser::start_trusting(width, height, dark, &[&site]) else { return };
            let theme = if dark { "dark" } else { "light" };
            let fits = |name: &str| fits(&browser, &format!("{name}-{width}x{height}-{theme}"), width, dark);
            browser.open(&at("/login"));
            browser.find("[name=token]");
            fits("review-login");
            browser.find("[name=token]").type_text(&token);
            browser.click("form:has([name=token]) button[type=submit]");
            browser.wait_for("main", "roll-dice");
            fits("review-queue");
            browser.open(&at(&format!("/item/{id}")));
            can_sign(&browser);
            browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))");
            fits("review-item");
            browser.open(&site.origin());
            browser.find("#make");
            fits("signing-page");
            opens(&world, &browser, &site, &request);
            browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))");
            fits("signing-page-package");
            assert_eq!(browser.console_errors(), Vec::<String>::new(), "{width} {theme}");
        }
    }
}

/// The keyboard is enough for the review and for the signing page: Tab reaches each field and each button, in the order in which they
/// are seen, and Enter logs in.
#[test]
fn the_keyboard_is_enough_for_a_review() {
    if compiler_is_missing() {
        return;
    }
    let site = signing_site();
    let Some(browser) = Browser::start_trusting(1280, 800, false, &[&site]) else { return };
    let (world, _, token) = household(&browser, &site);
    let request = honest_request(&world);
    let review = world.shows_the_review(&[]);
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    browser.open(&format!("http://{}/item/{id}", review.address));
    browser.find("[name=token]");
    tab_to(&browser, "[name=token]");
    browser.keys(&token);
    browser.press(Key::Enter);
    browser.wait_for("main", "roll-dice");
    can_sign(&browser);
    in_order(&browser);
    tab_to(&browser, "#sign");
    opens(&world, &browser, &site, &request);
    in_order(&browser);
    tab_to(&browser, "#sign");
}

/// Nothing that a pointer reaches is out of the keyboard's reach, and Tab goes through the page as it is written.
#[track_caller]
fn in_order(browser: &Browser) {
    let wrong = browser.run(
        "return [...document.querySelectorAll('[tabindex], a, button, input, textarea, select')].filter((one) => \
         one.tabIndex > 0 || (one.tabIndex < 0 && one.matches('a,button,input,textarea,select'))).map((one) => one.outerHTML)",
    );
    assert_eq!(wrong, json!([]));
}

/// The signing page that a site serves is compared with the published one, by the address or by a file; another page, a site
/// that does not answer, and one that sends elsewhere are reported with exit code 1, and no home is needed.
#[test]
fn an_altered_signing_page_is_told_from_the_published_one() {
    let world = World::empty();
    let published = workspace().join("packaging/signing-page/index.html");
    let page = fs::read(&published).expect("the signing page");
    let altered = String::from_utf8(page.clone()).expect("it is text").replacen("</script>", " </script>", 1);
    let answers = [("/", page), ("/altered", altered.into_bytes())];
    let server = Server::start(move |request| match answers.iter().find(|(path, _)| *path == request.path) {
        Some((_, body)) => Response::Proper { status: 200, kind: "text/html", body: body.clone() },
        None if request.path == "/moved" => {
            Response::Bytes(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n".to_vec())
        }
        None => Response::Proper { status: 404, kind: "text/plain", body: vec![] },
    });
    let at = |path: &str| format!("http://{}{path}", server.host());
    let verify = |place: &str| world.admin(&["page", "verify", place]);
    let done = verify(&at("/")).done().stdout;
    let digest = done.split("SHA-256 ").nth(1).expect("a digest").trim().to_owned();
    verify(&published.display().to_string()).done().prints(&digest);
    let wrong = verify(&at("/altered")).exited(1).says(&digest).says("sign nothing there");
    let digests = wrong.stderr.split(|c: char| !c.is_ascii_hexdigit()).filter(|word| word.len() == 64);
    assert_eq!(digests.collect::<std::collections::BTreeSet<_>>().len(), 2, "{}", wrong.stderr);
    verify(&at("/moved")).exited(1).says("status 302");
    verify(&at("/nothing")).exited(1).says("status 404");
    verify(&format!("http://127.0.0.1:{}/", dead_port())).exited(1).says("cannot be fetched");
    verify("http://sign.family.example/").exited(2);
    verify("sign.family.example").exited(1).says("begins with https://");
    let file = world.outside().join("index.html");
    fs::write(&file, "<!doctype html>").expect("a file");
    verify(&file.display().to_string()).exited(1).says("the published one is");
    verify(&world.outside().display().to_string()).exited(1).says("is not a regular file");
}

/// A note, a try and a no need no script; who is not logged in sees nothing, and an address of another site is not followed.
#[test]
fn without_scripts_a_person_notes_tries_and_rejects() {
    if compiler_is_missing() {
        return;
    }
    let Some(browser) = Browser::start(1280, 800, true) else { return };
    browser.without_scripts();
    let world = World::with_package("learn to roll dice");
    let token = world.page_token("laptop", "owner");
    let review = world.shows_the_review(&[]);
    let at = |path: &str| format!("http://{}{path}", review.address);
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    browser.open(&at("/login?to=https://evil.example/"));
    browser.find("[name=token]").type_text("tameclaw_guess");
    browser.click("form:has([name=token]) button[type=submit]");
    assert!(!browser.source().contains("roll-dice"), "a stranger sees nothing");
    browser.open(&at("/login?to=https://evil.example/"));
    browser.find("[name=token]").type_text(&token);
    browser.click("form:has([name=token]) button[type=submit]");
    browser.wait_for("main", "roll-dice");
    assert_eq!(browser.address(), at("/"));
    browser.keep("review-page-queue");
    browser.open(&at(&format!("/item/{id}")));
    // The owner's key is stored on the machine: the command stands there, and no button.
    assert!(browser.text("main").contains(&format!("cl-admin approve {id} --approver owner")));
    assert!(!browser.source().contains("id=\"sign\""), "no button signs");
    browser.keep("review-page-item");
    browser.open(&at(&format!("/item/{id}")));
    browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    browser.find("form[action$='/note'] [name=text]").type_text("looks fine to me");
    browser.click("form[action$='/note'] button[type=submit]");
    browser.wait_for("main", "looks fine to me");
    browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    browser.find("form[action$='/reject'] [name=reason]").type_text("no gambling");
    browser.click("form[action$='/reject'] button[type=submit]");
    browser.wait_for("main", "is rejected");
    world.admin(&["show", &id]).done().prints("no gambling").prints("looks fine to me");
}

/// What a program says, and its exit code, to which a service manager hands a socket over.
fn given(program: Command, socket: OwnedFd) -> (Option<i32>, String) {
    let mut command = Command::new("timeout");
    command.args(["60", "sh", "-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\" 3<&0 </dev/null", "sh"]);
    command.arg(program.get_program()).args(program.get_args()).env_clear();
    command
        .envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdin(Stdio::from(socket));
    let ended = command.output().expect("it starts");
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// A socket of another kind than its unit names is refused: by the service one of TCP, by the page a socket file.
#[test]
fn a_socket_of_another_kind_is_not_taken() {
    let world = World::new();
    let port = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (code, said) = given(world.command(Program::Admin, &["run"]), port.into());
    assert!(code == Some(1) && said.contains("is not a socket file"), "{code:?} {said}");
    let _service = world.serves();
    let path = world.home().admin().join("page.sock").display().to_string();
    let file = UnixListener::bind(world.outside().join("s")).expect("a socket");
    let (code, said) = given(world.command(Program::Review, &["--service", &path]), file.into());
    assert!(code == Some(2) && said.contains("is not one of TCP"), "{code:?} {said}");
}

/// Texts and source of a package that were written to mislead: markup, a name of the greatest length, and words that imitate the page.
/// All of it stays text on the page of the review and on the signing page; nothing runs, and nothing is loaded.
#[test]
fn what_a_package_says_stays_text_on_both_pages() {
    if compiler_is_missing() {
        return;
    }
    let site = signing_site();
    let Some(phone) = Browser::start_trusting(390, 844, false, &[&site]) else { return };
    let (tell, told) = std::sync::mpsc::channel();
    let elsewhere = Server::start(move |request| {
        let _ = tell.send(request.path);
        Response::Proper { status: 200, kind: "text/html", body: b"elsewhere".to_vec() }
    });
    let (world, _, token) = household(&phone, &site);
    // The intake refuses a proposal with letters that turn the text.
    let is_invisible = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let attack = attack(&elsewhere.host()).replace(is_invisible, "");
    let imitation =
        "<section class=facts><h2>Facts</h2>no rights at all</section><button id=sign>Approve</button>";
    let source = fixture("leap")
        .replace("Yes, {} is a leap year.", &format!("Yes, {{}}. {imitation}<img src=x onerror=alert(1)>"));
    let model =
        ModelServer::start(
            move |chat| {
                if asks_for_source(chat) { as_source(&source) } else { Reply::text("Fine.") }
            },
        );
    admin_asks(&world, "scripted", &model.url());
    let (id, name) = (ProposalId::generate(), "l".repeat(63));
    let quoted = |text: &str| serde_json::to_string(text).expect("a text is JSON");
    let proposal = format!(
        "proposal:\n  id: {id}\n  kind: skill\n  name: {name}\n  description: {}\n  capabilities: []\n  tools:\n    - name: leap\n      \
         description: {}\n      parameters: {{type: object, properties: {{year: {{type: integer}}}}, required: [year]}}\n      \
         examples: [{{args: {{year: 1900}}, expect: \"not a leap year\"}}]\n  rationale: {}\n  user_context: {}\n  \
         generated_by: proposer\n  generated_at: \"2026-02-07T14:30:00Z\"\n  profile_id: default\nstatus: new\nhistory: \
         [{{timestamp: \"2026-02-07T14:30:00Z\", status: new, actor: proposer}}]\n",
        quoted("Tells leap years <script>window.__owned = 1</script>"),
        quoted(&format!("Tells it {imitation}")),
        quoted(&attack),
        quoted(&format!("learn to tell leap years {}", attack.replace('\n', " "))),
    );
    let folder = world.home().proposals(&world.profile());
    fs::write(folder.join(format!("{name}-{id}.yaml")), proposal).expect("a proposal can be written");
    world.admin(&["run", "--once"]).done();
    assert_eq!(world.newest()["status"], "human-review", "{}", world.newest());
    let review = world.shows_the_review(&[]);
    let page = format!("http://{}", review.address);
    let unharmed = |place: &str| {
        phone.keep(place);
        assert_eq!(phone.run(HARM), json!([]), "{place}");
        let fits = phone.run("return document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(fits, json!(true), "{place} is wider than its window");
    };
    phone.open(&format!("{page}/item/{id}"));
    phone.find("[name=token]").type_text(&token);
    phone.click("form:has([name=token]) button[type=submit]");
    phone.wait_for("main", &name);
    unharmed("review-page-hostile");
    phone.click("#sign");
    phone.in_the_new_window();
    phone.wait_for("#facts", &name);
    unharmed("signing-page-hostile");
    assert_eq!(phone.run("return document.querySelectorAll('#sign').length"), json!(1));
    assert_eq!(
        told.try_iter().collect::<Vec<_>>(),
        Vec::<String>::new(),
        "a page asked another place for something"
    );
}
