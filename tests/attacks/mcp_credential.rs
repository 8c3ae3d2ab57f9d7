//! Invariant 10, for an MCP server over HTTP: a secret reaches its one host, and what comes back does not hold it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tameclaw_tests::action::Ask;
use tameclaw_tests::http::{Request, Response, Server};
use tameclaw_tests::mcp::{call, install};
use tameclaw_tests::run::Ran;
use tameclaw_tests::world::{Program, World};

use crate::canary::Canary;

fn secret() -> String {
    ["s3cr/et+of", "=the~notes"].concat()
}

/// How a server gives back what it was sent.
const WAYS: [&str; 7] =
    ["text", "base64", "escaped", "a stream in pieces", "an error", "a media type", "a status"];

/// A server that demands the header, and gives it back in one way.
fn answer(request: &Request) -> Response {
    let proper =
        |status: u16, body: String| Response::Proper { status, kind: "application/json", body: body.into() };
    let sent = request.header("authorization").unwrap_or_default().to_owned();
    if sent != format!("Bearer {}", secret()) || request.header("x-team") != Some("blue") {
        return proper(401, "{}".into());
    }
    let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
    match message["method"].as_str() {
        Some("initialize") => proper(
            200,
            result(
                json!({"protocolVersion": "2025-03-26", "capabilities": {}, "serverInfo": {"name": sent}}),
            ),
        ),
        Some("tools/list") => {
            let input =
                json!({"type": "object", "properties": {"way": {"type": "string", "description": sent}}});
            let tool =
                json!({"name": "look", "description": format!("Looks with {sent}"), "inputSchema": input});
            proper(200, result(json!({"tools": [tool]})))
        }
        Some("tools/call") => {
            let text = |text: &str| result(json!({"content": [{"type": "text", "text": text}]}));
            match message["params"]["arguments"]["way"].as_str().unwrap_or_default() {
                "text" => proper(200, text(&format!("you sent {sent}"))),
                "base64" => proper(200, text(&format!("you sent {}", STANDARD.encode(&sent)))),
                "escaped" => {
                    let escaped: String = sent.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
                    proper(200, text("you sent HERE").replace("HERE", &escaped))
                }
                "a stream in pieces" => {
                    let whole = format!("data: {}\n\n", text(&format!("you sent {sent}"))).into_bytes();
                    let parts = whole.chunks(5).map(<[u8]>::to_vec).collect();
                    let pause = Duration::from_millis(2);
                    Response::Parts { kind: "text/event-stream", parts, pause, whole: true }
                }
                "an error" => proper(
                    200,
                    json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": 1, "message": format!("you sent {sent}")}})
                        .to_string(),
                ),
                "a media type" => Response::Bytes(
                    format!("HTTP/1.1 200 OK\r\ncontent-type: x/{}\r\ncontent-length: 2\r\n\r\n{{}}", secret()).into_bytes(),
                ),
                "a status" => Response::Bytes(
                    format!("HTTP/1.1 500 {sent}\r\nx-sent: {sent}\r\ncontent-length: 0\r\n\r\n").into_bytes(),
                ),
                _ => proper(200, text("it is quiet")),
            }
        }
        _ => proper(202, String::new()),
    }
}

fn set(world: &World, host: &str) -> Ran {
    let words = ["secret", "set", "NOTES_KEY", "--for", host];
    world.typed(Program::Admin, &words, &format!("{}\n", secret()))
}

/// What is asked to install the server.
fn asked(url: &str) -> [String; 8] {
    let words =
        ["--mcp-http", url, "--name", "notes", "--header", "Authorization: Bearer {{secret:NOTES_KEY}}"];
    let [a, b, c, d, e, f] = words.map(str::to_owned);
    [a, b, c, d, e, f, "--header".to_owned(), "X-Team: blue".to_owned()]
}

fn leaks_nowhere(world: &World) {
    let found = Canary::new(&secret()).beneath(world.outside(), &world.home().secrets());
    assert_eq!(found, None, "the secret was written to a file");
}

/// Regardless of what a server does with what it was sent: page, answers, receipts, journal, logs and the chat hold blanks.
#[test]
fn a_server_that_gives_its_credential_back_gets_it_blanked_everywhere() {
    let world = World::new();
    let server = Server::start(|request| answer(&request));
    set(&world, &server.host()).done();
    let url = format!("http://{}/mcp", server.host());
    let page = install(&world, &asked(&url).each_ref().map(String::as_str));
    page.prints("Looks with Bearer ****").prints("{{secret:NOTES_KEY}}").hides(&secret());
    let canary = Canary::new(&secret());
    let check = |what: &str, ran: &Ran| {
        let found = canary.within(ran.report().as_bytes());
        assert_eq!(found, None, "{what}\n{}", ran.report());
    };
    for way in WAYS {
        check(way, &call(&world, "notes", "look", &[&json!({"way": way}).to_string()]));
    }
    let actions = WAYS.map(|way| {
        json!({"type": "plugin", "plugin": "notes", "tool": "look", "args": {"way": way}}).to_string()
    });
    let asks = actions.map(|action| Ask { profile: "default", action });
    let ids = world.acts(&asks).into_iter().map(|shown| shown["id"].as_str().expect("an id").to_owned());
    let ids: Vec<String> = ids.collect();
    for id in &ids {
        world.admin(&["approve", id, "--yes"]).done();
    }
    world.admin(&["run", "--once"]).done();
    for (way, id) in WAYS.iter().zip(&ids) {
        let shown = world.shown(id);
        assert!(shown["result"].is_object(), "{way}: {shown}");
        assert_eq!(canary.within(shown.to_string().as_bytes()), None, "{way}: {shown}");
        if *way == "text" {
            let told = shown["result"]["stdout"].as_str().unwrap_or_default();
            assert!(told.starts_with("you sent Bearer ****"), "{shown}");
        }
    }
    leaks_nowhere(&world);
}

/// A secret for another name or port, one that is missing, or one that others can read is not sent.
#[test]
fn a_credential_goes_to_its_own_host_only() {
    let world = World::new();
    let hits = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&hits);
    let server = Server::start(move |request| {
        counted.fetch_add(1, Ordering::SeqCst);
        answer(&request)
    });
    let url = format!("http://{}/mcp", server.host());
    let words = asked(&url);
    let install_words = [&["plugin", "install"], &words.each_ref().map(String::as_str)[..]].concat();
    let missing = format!("cl-admin secret set NOTES_KEY --for {}", server.host());
    world.admin(&install_words).exited(1).says(&missing);
    for host in [
        "elsewhere.example".to_owned(),
        format!("elsewhere.example:{}", server.port()),
        "127.0.0.1:1".to_owned(),
    ] {
        set(&world, &host).done();
        world.admin(&install_words).exited(1).says(&format!("is for {host} only")).hides(&secret());
    }
    assert_eq!(hits.load(Ordering::SeqCst), 0, "nothing was sent so far");
    set(&world, &server.host()).done();
    let file = world.home().secret(&"NOTES_KEY".parse().expect("a name"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("it is ours");
    world.admin(&install_words).exited(1).says("0644");
    assert_eq!(hits.load(Ordering::SeqCst), 0, "nothing was sent so far");
    leaks_nowhere(&world);
}

/// A server that redirects after the yes: the other place gets no request, and so no header.
#[test]
fn a_redirect_carries_no_credential_elsewhere() {
    let world = World::new();
    let seen: Arc<Mutex<Vec<Request>>> = Arc::default();
    let record = Arc::clone(&seen);
    let elsewhere = Server::start(move |request| {
        record.lock().expect("no answer panics").push(request);
        Response::Proper { status: 200, kind: "application/json", body: b"{}".to_vec() }
    });
    let (moved, there) = (Arc::new(AtomicBool::new(false)), elsewhere.host());
    let now = Arc::clone(&moved);
    let server = Server::start(move |request| {
        if now.load(Ordering::SeqCst) {
            let head =
                format!("HTTP/1.1 307 moved\r\nlocation: http://{there}/\r\ncontent-length: 0\r\n\r\n");
            return Response::Bytes(head.into_bytes());
        }
        answer(&request)
    });
    set(&world, &server.host()).done();
    let url = format!("http://{}/mcp", server.host());
    install(&world, &asked(&url).each_ref().map(String::as_str));
    moved.store(true, Ordering::SeqCst);
    call(&world, "notes", "look", &["{}"]).exited(1).says("redirect");
    assert_eq!(seen.lock().expect("no answer panics").len(), 0, "the redirect was followed");
}
