//! Invariant 5 at the page of the review: an attacker who owns the page's process can look, note and reject with the tokens
//! that pass through it, and can neither approve nor ask for anything else. These tests are that process: they send lines to
//! its socket.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use tameclaw_tests::authenticator::{Passkey, altered};
use tameclaw_tests::eventually;
use tameclaw_tests::flood::{Flood, asked_from, cookies, login};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, World};

use crate::forge;

const SITE: &str = "https://sign.family.example";
/// An identifier that nothing in a home has.
const ID: &str = "01930000-0000-7000-8000-000000000001";

/// A home with a package that waits, whose approvers are `owner` (a key on the machine) and mum's passkey.
fn household() -> Option<(World, Passkey, String)> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::with_package("learn to roll dice");
    let mum = Passkey::new(SITE);
    world.adds_passkey("mum", &mum);
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    Some((world, mum, id))
}

/// Why a request is refused: what kind of no.
#[track_caller]
fn refused(answer: &Value) -> &str {
    answer["refused"]["why"].as_str().unwrap_or_else(|| panic!("it is not refused: {answer}"))
}

/// What the page may sign for a package: the text, and the digest of what was shown.
#[track_caller]
fn to_sign(world: &World, token: &str, id: &str) -> String {
    let shown = world.page_asks(Some(token), &json!({"ask": "show", "id": id}));
    let seen = shown["package"]["yes"]["there"]["seen"].clone();
    assert!(seen.is_string(), "{shown}");
    let answer = world.page_asks(Some(token), &json!({"ask": "to-sign", "id": id, "seen": seen}));
    let request: Value =
        serde_json::from_str(answer["to-sign"].as_str().unwrap_or_else(|| panic!("{answer}")))
            .expect("a request is JSON");
    request["statements"][0]["text"].as_str().expect("a text").to_owned()
}

/// The whole list of what the page may ask; a request of the console, and one that is new, is not on it.
#[test]
fn the_page_may_ask_for_what_its_list_has_and_for_nothing_else() {
    let world = World::without_kit();
    let token = world.page_token("phone", "owner");
    let _service = world.serves();
    let answer = world.page_asks(Some(&token), &json!({"ask": "nothing-like-this"}));
    let words = answer["refused"]["message"].as_str().expect("it says why").to_owned();
    let (_, listed) = words.split_once("expected one of").expect("it lists what it knows");
    let known: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
    assert_eq!(
        known,
        ["language", "known", "queue", "show", "try", "note", "reject", "to-sign", "decide"],
        "a new row of the list is a new power of the page"
    );
    for ask in
        ["approve", "allow-action", "reopen", "edit", "people", "door", "install-plugin", "remove-skill"]
    {
        let answer = world.page_asks(Some(&token), &json!({"ask": ask, "id": ID, "by": "owner"}));
        assert_eq!(refused(&answer), "invalid", "{ask}");
    }
    // Who asks is the token's to say, not the request's.
    let answer = world.page_asks(Some(&token), &json!({"ask": "note", "id": ID, "text": "x", "by": "mum"}));
    assert_eq!(refused(&answer), "invalid");
}

/// Strangers who flood the page, without a token and with wrong ones, take no room from an approver, who is answered from the first
/// request on.
#[test]
fn strangers_who_flood_the_page_lock_no_approver_out() {
    let world = World::without_kit();
    let token = world.page_token("phone", "owner");
    let review = world.shows_the_review(&[]);
    let flood =
        Flood::of(&review.address, "/page/style.css", &["", "Cookie: tameclaw_review=tameclaw_0\r\n"]);
    for _ in 0..20 {
        let mut connection = TcpStream::connect(&review.address).expect("the page listens");
        let host = &review.address;
        let head = format!(
            "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nCookie: tameclaw_review={token}\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).expect("the page reads");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("the page answers");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    assert!(flood.ends() > 100, "nobody was refused meanwhile");
}

/// An approver logs in while strangers flood the page: the log-in has a bucket of its own.
#[test]
fn an_approver_logs_in_while_strangers_flood_the_page() {
    let world = World::without_kit();
    let typed = format!("token={}", world.page_token("phone", "owner"));
    let review = world.shows_the_review(&[]);
    let host = &review.address;
    let flood = Flood::of(host, "/", &["", "Cookie: tameclaw_review=tameclaw_0\r\n"]);
    let post = format!(
        "POST /login HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{typed}",
        typed.len()
    );
    let get = format!("GET /login HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    for (request, status) in [(&get, "200"), (&post, "303"), (&get, "200"), (&post, "303")] {
        let mut connection = TcpStream::connect(host).expect("the page listens");
        connection.write_all(request.as_bytes()).expect("the page reads");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("the page answers");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
    assert!(flood.ends() > 100, "nobody was refused meanwhile");
}

/// Strangers who flood the log-in of the page from one address keep neither an approver at another one nor a browser that logged in
/// before from logging in. Behind a proxy that is named, clients are distinguished by what it adds, and from nobody else is that
/// believed.
#[test]
fn a_flood_at_the_log_in_keeps_no_approver_elsewhere_out() {
    let world = World::without_kit();
    let typed = format!("token={}", world.page_token("phone", "owner"));
    let review = world.shows_the_review(&["--proxy", "127.0.0.9"]);
    let host = &review.address;
    let enters = |from: &str, more: &str| asked_from(from, host, &login(host, &typed, more));
    let is = |status: &str, answer: &str| {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    };
    let entered = enters("127.0.0.1", "");
    is("303", &entered);
    let known = cookies(&entered).replace("tameclaw_review=", "other=");
    let guess = |more: &str| login(host, "token=tameclaw_0", more);
    let by_proxy = |last: u8| format!("X-Forwarded-For: 203.0.113.{last}\r\n");
    let floods = [
        Flood::from("127.0.0.1", host, &[guess(""), guess(&by_proxy(7))]),
        Flood::from("127.0.0.9", host, &[guess(&by_proxy(5))]),
    ];
    for _ in 0..5 {
        is("303", &enters("127.0.0.2", ""));
        is("303", &enters("127.0.0.1", &known));
        is("303", &enters("127.0.0.9", &by_proxy(6)));
    }
    let refused = |from: &str, more: &str| (0..20).any(|_| enters(from, more).starts_with("HTTP/1.1 429 "));
    assert!(refused("127.0.0.1", "") && refused("127.0.0.1", &by_proxy(8)), "its own address has a limit");
    assert!(refused("127.0.0.9", &by_proxy(5)), "so has the one that the proxy names");
    for flood in floods {
        assert!(flood.ends() > 100, "nobody was refused meanwhile");
    }
}

/// Without the token of a present approver nothing is shown and nothing is done, and the socket is the admin's alone.
#[test]
fn nobody_looks_without_the_token_of_a_present_approver() {
    let Some((world, mum, id)) = household() else { return };
    let (mums, owners) = (world.page_token("mums-phone", "mum"), world.page_token("laptop", "owner"));
    let journal =
        std::fs::read(world.home().journal()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if let Ok(journal) = journal {
        assert!(!journal.contains(&mums), "the journal has the token's digest alone");
    }
    let service = world.serves();
    let mode =
        std::fs::metadata(world.home().admin().join("page.sock")).expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let asks = [
        json!({"ask": "queue"}),
        json!({"ask": "show", "id": id}),
        json!({"ask": "try", "id": id, "tool": "roll", "args": "{}"}),
        json!({"ask": "note", "id": id, "text": "x"}),
        json!({"ask": "reject", "id": id, "reason": "because"}),
        json!({"ask": "to-sign", "id": id, "seen": "0".repeat(64)}),
        json!({"ask": "decide", "id": id, "text": "{}", "signature": "x"}),
        json!({"ask": "known"}),
    ];
    for ask in &asks {
        for token in [None, Some(""), Some("tameclaw_guess"), Some(&mums[1..])] {
            assert_eq!(refused(&world.page_asks(token, ask)), "unauthorized", "{ask} with {token:?}");
        }
    }
    assert!(world.page_asks(Some(&mums), &asks[0])["queue"]["items"][0]["id"] == json!(id));
    // A token that was removed is refused at once, and so is that of an approver who left.
    world.admin(&["page", "remove", "laptop"]).done();
    assert_eq!(refused(&world.page_asks(Some(&owners), &asks[0])), "unauthorized");
    world.admin(&["approver", "remove", "mum", "--approver", "owner"]).done();
    assert_eq!(refused(&world.page_asks(Some(&mums), &asks[0])), "unauthorized");
    drop((mum, service));
    assert_eq!(world.newest()["status"], "human-review");
}

/// The page hands in what a person signed. Nothing else is a yes: not another text, another signature, another person's token, a
/// text for another package, or a signature that was used before.
#[test]
fn the_page_approves_nothing_that_nobody_signed() {
    let Some((world, mum, id)) = household() else { return };
    let (token, owners) = (world.page_token("phone", "mum"), world.page_token("laptop", "owner"));
    let _service = world.serves();
    let text = to_sign(&world, &token, &id);
    let signature = mum.sign(&[&text]);
    let decide = |token: &str, id: &str, text: &str, signature: &str| {
        world
            .page_asks(Some(token), &json!({"ask": "decide", "id": id, "text": text, "signature": signature}))
    };
    let stranger = Passkey::new(SITE);
    let unsigned = text.replace("\"memory_scope\":\"own\"", "\"memory_scope\":\"profile\"");
    assert_ne!(unsigned, text, "{text}");
    for (text, signature) in [
        (text.as_str(), ""),
        (text.as_str(), "x"),
        (text.as_str(), stranger.sign(&[&text]).as_str()),
        (text.as_str(), altered(&signature, "signature", |bytes| bytes[40] ^= 1).as_str()),
        (unsigned.as_str(), signature.as_str()),
        (text.replace("\"approver\":\"mum\"", "\"approver\":\"owner\"").as_str(), signature.as_str()),
        ("{}", signature.as_str()),
        ("", ""),
    ] {
        let answer = decide(&token, &id, text, signature);
        assert!(["refused", "invalid"].contains(&refused(&answer)), "{answer}");
    }
    // It is for another package, and a yes to it is not a yes to an action.
    assert!(["invalid", "not-found"].contains(&refused(&decide(&token, ID, &text, &signature))));
    assert_eq!(world.newest()["status"], "human-review", "nothing was decided");
    // The owner's key is on the machine: the page makes no request for it, and shows the command.
    let shown = world.page_asks(Some(&owners), &json!({"ask": "show", "id": id}));
    let at = &shown["package"]["yes"]["at-the-machine"];
    assert_eq!(at["why"], "key-is-there", "{shown}");
    assert!(at["command"].as_str().is_some_and(|command| command.starts_with("cl-admin approve ")), "{at}");
    let seen = json!({"ask": "to-sign", "id": id, "seen": "0".repeat(64)});
    assert_eq!(refused(&world.page_asks(Some(&owners), &seen)), "refused");
    // While everything is stopped, what was signed waits.
    world.admin(&["estop", "--reason", "a trial"]).done();
    assert_eq!(refused(&decide(&token, &id, &text, &signature)), "refused");
    world.admin(&["estop", "--clear"]).done();
    let answer = decide(&token, &id, &text, &signature);
    assert!(answer["done"].as_str().is_some_and(|words| words.contains("is installed")), "{answer}");
    assert!(
        ["refused", "failed", "invalid"].contains(&refused(&decide(&token, &id, &text, &signature))),
        "once"
    );
}

/// What is signed is what was shown: a digest of something else gets no request.
#[test]
fn the_page_gets_no_request_for_what_was_not_shown() {
    let Some((world, _mum, id)) = household() else { return };
    let token = world.page_token("phone", "mum");
    let _service = world.serves();
    let ask = json!({"ask": "to-sign", "id": id, "seen": "0".repeat(64)});
    assert_eq!(refused(&world.page_asks(Some(&token), &ask)), "refused");
    let ask = json!({"ask": "to-sign", "id": id, "seen": "0".repeat(64), "recipients": ["profile:nobody"]});
    assert!(["refused", "invalid"].contains(&refused(&world.page_asks(Some(&token), &ask))));
    // A reason is words, a note has some, and a tool is one that the package has.
    let asks = [
        json!({"ask": "reject", "id": id, "reason": "?"}),
        json!({"ask": "note", "id": id, "text": " "}),
        json!({"ask": "try", "id": id, "tool": "rm", "args": "{}"}),
        json!({"ask": "try", "id": id, "tool": "roll", "args": "[]"}),
    ];
    for ask in asks {
        let answer = world.page_asks(Some(&token), &ask);
        assert!(["refused", "invalid"].contains(&refused(&answer)), "{answer}");
    }
    assert_eq!(refused(&world.page_asks(Some(&token), &json!({"ask": "show", "id": ID}))), "not-found");
}

/// A line that is too long, or is not a request, ends at most its own connection; the service continues.
#[test]
fn the_page_cannot_end_the_service() {
    let world = World::without_kit();
    let token = world.page_token("phone", "owner");
    let _service = world.serves();
    let path = world.home().admin().join("page.sock");
    let connect = || std::os::unix::net::UnixStream::connect(&path).expect("it listens");
    let silent: Vec<_> = (0..40).map(|_| connect()).collect();
    drop(silent);
    for line in [vec![b'x'; 1 << 20], b"\n\n\n{}\n[]\nnull\n\xff\n".to_vec()] {
        use std::io::Write;
        let mut stream = connect();
        // The service may close before all of it is sent.
        let _ = stream.write_all(&line);
    }
    let queue = tameclaw_tests::eventually(tameclaw_tests::world::PATIENCE, "it answers again", || {
        use std::io::{BufRead, BufReader, Write};
        let mut stream = std::os::unix::net::UnixStream::connect(&path).ok()?;
        writeln!(stream, "{}", json!({"token": token, "ask": {"ask": "queue"}})).ok()?;
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).ok()?;
        serde_json::from_str::<Value>(&line).ok()
    });
    assert_eq!(queue["queue"]["items"], json!([]));
    assert!(forge::ask(&world, &json!({"ask": "nothing-like-this"}))["failed"].is_object());
}

/// The page's own process: a table of calls holds it, it has no variable, and it has no file of the home open.
#[test]
fn the_page_is_confined_and_holds_nothing_of_the_home() {
    let world = World::without_kit();
    let review = world.shows_the_review(&[]);
    let of = |what: &str| format!("/proc/{}/{what}", review.page.pid());
    // It says where it listens before it is confined, since it may write to no file afterwards.
    eventually(PATIENCE, "the page is confined", || {
        let status = std::fs::read_to_string(of("status")).expect("the page runs");
        (status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n")).then_some(())
    });
    let variables = std::fs::read(of("environ")).expect("root reads it");
    assert!(variables.is_empty(), "{}", String::from_utf8_lossy(&variables));
    let home = world.home().root().to_owned();
    let open = std::fs::read_dir(of("fd")).expect("root reads it").flatten();
    for file in open.filter_map(|entry| std::fs::read_link(entry.path()).ok()) {
        assert!(!file.starts_with(&home), "{} is open", file.display());
    }
    // Without the service there is no page.
    review.service.signal(nix::sys::signal::Signal::SIGTERM);
    let ended = review.page.ended(PATIENCE);
    ended.exited(1).says("the service has ended");
}

/// The page is called by its address or a name that it was given, from its own pages alone, and never beyond this machine.
#[test]
fn a_page_of_the_web_reaches_nothing_behind_the_review() {
    let world = World::without_kit();
    world.admin(&["page", "serve", "--listen", "0.0.0.0:0"]).exited(1).says("the service does not answer");
    let review = world.shows_the_review(&["--host", "review.example"]);
    world.admin(&["page", "serve", "--listen", "0.0.0.0:0"]).exited(2).says("other machines");
    let ask = |host: &str, more: &str, path: &str| {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(&review.address).expect("it listens");
        write!(stream, "{path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let fine = ask(&review.address, "", "GET /login");
    assert!(fine.starts_with("HTTP/1.1 200"), "{fine}");
    for part in ["content-security-policy: default-src 'none'", "cache-control: no-store"] {
        assert!(fine.to_lowercase().contains(part), "{fine}");
    }
    assert!(ask("review.example", "", "GET /login").starts_with("HTTP/1.1 200"));
    assert!(ask("evil.example", "", "GET /login").starts_with("HTTP/1.1 421"));
    let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n";
    for origin in ["", "Origin: http://evil.example\r\n", "Origin: null\r\n"] {
        let answer = ask(&review.address, &format!("{origin}{form}"), "POST /login");
        assert!(answer.starts_with("HTTP/1.1 403"), "{origin}: {answer}");
    }
}

/// After the log-in a person comes to the item that a link named, or to the list, and to no other place: not to another host, path or
/// scheme in any spelling, and with no header of a stranger's.
#[test]
fn the_login_leads_nowhere_else() {
    let world = World::without_kit();
    let token = world.page_token("phone", "owner");
    let review = world.shows_the_review(&[]);
    let ask = |line: &str, more: &str, body: &str| {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(&review.address).expect("it listens");
        let host = &review.address;
        let length = body.len();
        write!(
            stream,
            "{line} HTTP/1.1\r\nHost: {host}\r\n{more}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let form =
        format!("Origin: http://{}\r\nContent-Type: application/x-www-form-urlencoded\r\n", review.address);
    // Where a log-in leads to, and every header that says so.
    let leads = |to: &str| {
        let answer = ask("POST /login", &form, &format!("token={token}&to={to}"));
        assert!(answer.starts_with("HTTP/1.1 303"), "{to}: {answer}");
        let (head, _) = answer.split_once("\r\n\r\n").expect("a head");
        let of = |name: &str| {
            let lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect()
        };
        let cookies: Vec<&str> = of("set-cookie");
        let names: Vec<&str> = cookies.iter().filter_map(|cookie| Some(cookie.split_once('=')?.0)).collect();
        assert_eq!(names, ["tameclaw_review", "tameclaw_review_browser"], "{to}: {cookies:?}");
        let places: Vec<&str> = of("location");
        assert_eq!(places.len(), 1, "{to}: {head}");
        places[0].to_owned()
    };
    let item = format!("/item/{ID}");
    assert_eq!(leads(&item), item);
    assert_eq!(leads(&format!("%2Fitem%2F{ID}")), item, "as a form of a browser sends it");
    assert_eq!((leads("").as_str(), leads("/").as_str()), ("/", "/"));
    let forms = [
        "//evil.example".to_owned(),
        "///evil.example".to_owned(),
        "/\\evil.example".to_owned(),
        "\\\\evil.example".to_owned(),
        "/%5Cevil.example".to_owned(),
        "%2F%2Fevil.example".to_owned(),
        "%252F%252Fevil.example".to_owned(),
        "/%09/evil.example".to_owned(),
        "https:evil.example".to_owned(),
        "https://evil.example/".to_owned(),
        "HTTPS://evil.example/".to_owned(),
        "javascript:alert(1)".to_owned(),
        "data:text/html,x".to_owned(),
        "%E2%81%84%E2%81%84evil.example".to_owned(),
        "/item//evil.example".to_owned(),
        "/item/..//evil.example".to_owned(),
        "/item/%2E%2E/%2Fevil.example".to_owned(),
        format!("{item}/../../logout"),
        format!("{item}/request"),
        format!("{item}?to=//evil.example"),
        format!("{item}@evil.example"),
        format!("{item}%0D%0ALocation:%20https://evil.example"),
        format!("{item}%0D%0ASet-Cookie:%20tameclaw_review=theirs"),
        format!("%20{item}"),
        format!("//evil.example{item}"),
        format!("https://{}{item}", review.address),
        "/login".to_owned(),
    ];
    for to in &forms {
        assert_eq!(leads(to), "/", "{to}");
    }
    // The page of the log-in carries none of them along, and a stranger at an address is led to the log-in of this page.
    for to in &forms {
        let query: String = to.replace('\\', "%5C");
        let shown = ask(&format!("GET /login?to={query}"), "", "");
        assert!(shown.starts_with("HTTP/1.1 200") && !shown.contains("evil.example"), "{to}: {shown}");
        assert!(!shown.contains("name=\"to\""), "{to}: {shown}");
    }
    let led = ask(&format!("GET {item}"), "", "");
    assert!(led.contains(&format!("location: /login?to={item}\r\n")), "{led}");
    for path in
        ["/item/%2F%2Fevil.example", "/item/x%0D%0ALocation:%20https:%2F%2Fevil.example", "//evil.example"]
    {
        let answer = ask(&format!("GET {path}"), "", "");
        assert!(
            answer.starts_with("HTTP/1.1 404") && !answer.to_lowercase().contains("\r\nlocation:"),
            "{answer}"
        );
    }
}
