//! Attacks on the tool for pages: addresses that disguise themselves, servers that lead astray, answers without end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tameclaw_tests::calls::{profile, told};
use tameclaw_tests::http::{Response, Server, dead_port};
use tameclaw_tests::world::{Program, World};

use crate::canary::Canary;

const SECRET: &str = "what-only-this-machine-may-see";

/// A world that grants these hosts, with its configuration's local ones.
fn world(granted: &[&str]) -> World {
    let world = World::new();
    let granted: Vec<String> = granted.iter().map(|host| format!("\"{host}\"")).collect();
    profile(&world, &format!("autonomy: full\ngrants: {{hosts: [{}]}}\n", granted.join(", ")));
    world
}

fn fetch(world: &World, urls: &[String], local: &[&str]) -> Vec<String> {
    let local: Vec<String> = local.iter().map(|host| format!("\"{host}\"")).collect();
    let more = format!("network: {{local: [{}]}}", local.join(", "));
    let calls: Vec<(&str, Value)> = urls.iter().map(|url| ("http_get", json!({"url": url}))).collect();
    let (heard, ran) = told(world, &calls, &more);
    assert_eq!(heard.len(), urls.len(), "{}", ran.report());
    heard
}

fn found(location: &str) -> Response {
    Response::Bytes(
        format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n").into_bytes(),
    )
}

/// A server of this machine that nobody may see, and how often it was asked.
fn inner() -> (Server, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Server::start(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Response::Proper { status: 200, kind: "text/plain", body: SECRET.into() }
    });
    (server, asked)
}

/// However an address is written, it is judged by the host that would be asked, and this machine is not.
#[test]
fn addresses_that_disguise_their_host_are_refused_before_anything_is_sent() {
    let (server, asked) = inner();
    let port = server.port();
    let world =
        world(&["example.org", "*.example.org", "127.0.0.1", &format!("127.0.0.1:{port}"), "localhost"]);
    let urls: Vec<String> = [
        format!("http://127.0.0.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f000001:{port}/"),
        format!("http://0177.0.0.1:{port}/"),
        format!("http://127.1:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://example.org@127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}\\@example.org/"),
        format!("http://127.0.0.1:{port}#.example.org"),
        "file:///etc/passwd".to_owned(),
        "data:text/plain,hello".to_owned(),
        "http://example.org.evil.example/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://example.org:8443/".to_owned(),
    ]
    .into();
    for (url, told) in urls.iter().zip(fetch(&world, &urls, &[])) {
        assert!(!told.contains(SECRET) && !told.contains("HTTP 200"), "{url}: {told}");
        let because = ["no grant names", "is this machine", "user name is refused", "is not https"];
        assert!(because.iter().any(|why| told.contains(why)), "{url}: {told}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0, "nothing was sent");
}

/// Each hop of a redirect is judged like the first: no other host, no local port without its name, no other scheme.
#[test]
fn a_redirect_leads_nowhere_that_could_not_be_asked_directly() {
    let (server, asked) = inner();
    let hidden = server.host();
    let hops = Arc::new(AtomicUsize::new(0));
    let (to, count) = (hidden.clone(), Arc::clone(&hops));
    let open = Server::start(move |request| match request.path.as_str() {
        "/inner" => found(&format!("http://{to}/")),
        "/name" => found(&format!("http://localhost:{}/", to.rsplit(':').next().unwrap_or_default())),
        "/file" => found("file:///etc/passwd"),
        "/user" => found(&format!("http://a:b@{to}/")),
        "/other" => found("http://evil.example/?stolen"),
        "/six" => found("http://[::1]/"),
        _ => {
            count.fetch_add(1, Ordering::SeqCst);
            found("/again")
        }
    });
    let host = open.host();
    // The hidden one is granted, and yet no local host: being named in one list is not enough.
    let world = world(&[&host, &hidden]);
    let urls: Vec<String> = ["inner", "name", "file", "user", "other", "six", "circle"]
        .iter()
        .map(|path| format!("http://{host}/{path}"))
        .collect();
    let heard = fetch(&world, &urls, &[&host]);
    for (url, told) in urls.iter().zip(&heard) {
        assert!(!told.contains(SECRET) && !told.contains("root:"), "{url}: {told}");
    }
    assert!(heard[0].contains("is this machine"), "{}", heard[0]);
    assert!(heard[1].contains("no grant names"), "{}", heard[1]);
    assert!(heard[2].contains("not a web address") && heard[3].contains("not a web address"), "{heard:?}");
    assert!(heard[4].contains("no grant names `evil.example:80`"), "{}", heard[4]);
    assert!(heard[6].contains("more than 5 redirects"), "{}", heard[6]);
    assert_eq!(hops.load(Ordering::SeqCst), 6, "the page and five redirects");
    assert_eq!(asked.load(Ordering::SeqCst), 0, "the hidden server was asked");
}

/// Answers that are long, compressed, no text or full of control characters end in a bounded, clean text or a sentence.
#[test]
fn answers_without_end_or_sense_are_bounded() {
    let bomb = Server::start(|request| {
        match request.path.as_str() {
        "/endless" => Response::Parts {
            kind: "text/plain",
            parts: vec![vec![b'x'; 256 * 1024]; 40],
            pause: Duration::ZERO,
            whole: false,
        },
        "/claims" => Response::Bytes(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1073741824\r\n\r\nshort".to_vec(),
        ),
        "/gzip" => Response::Bytes(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n\x1f\x8b\x08"
                .to_vec(),
        ),
        "/image" => Response::Proper { status: 200, kind: "image/svg+xml", body: b"<svg/>".to_vec() },
        "/nul" => Response::Proper { status: 200, kind: "text/plain", body: b"a\0b".to_vec() },
        "/escape" => Response::Proper {
            status: 200,
            kind: "text/html",
            body: "<p>\u{1b}[2J\u{202e}evil\u{7}<title>\u{9b}31m</title>".into(),
        },
        "/headers" => Response::Bytes(
            [b"HTTP/1.1 200 OK\r\n".to_vec(), vec![b'h'; 2 << 20], b": x\r\n\r\n".to_vec()].concat(),
        ),
        _ => Response::Bytes(b"\x00\xff no http".to_vec()),
    }
    });
    let host = bomb.host();
    let world = world(&[&host]);
    let paths = ["endless", "claims", "gzip", "image", "nul", "escape", "headers", "garbage"];
    let urls: Vec<String> = paths.iter().map(|path| format!("http://{host}/{path}")).collect();
    let begun = Instant::now();
    let heard = fetch(&world, &urls, &[&host]);
    assert!(begun.elapsed() < Duration::from_secs(20), "it took {:?}", begun.elapsed());
    assert!(
        heard[0].contains("the page is longer than 1 MB") && heard[0].len() < 20_000,
        "{}",
        heard[0].len()
    );
    for (n, part) in [(2, "compressed (gzip)"), (3, "`image/svg+xml`"), (4, "binary")] {
        assert!(heard[n].contains(part), "{}", heard[n]);
    }
    for (path, told) in paths.iter().zip(&heard) {
        assert!(!told.chars().any(|c| c.is_control() && c != '\n'), "{path}: {told:?}");
        assert!(!told.contains('\u{202e}'), "{path}: {told:?}");
    }
    assert!(heard[5].contains("evil"), "{}", heard[5]);
}

/// Nothing of the person goes along: no cookie, key, referrer or header that a page or a model chose.
#[test]
fn a_request_carries_nothing_but_its_address() {
    let heads = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&heads);
    let server = Server::start(move |request| {
        kept.lock().expect("no panic").push(request.clone());
        match request.path.as_str() {
            "/first" => Response::Bytes(
                b"HTTP/1.1 302 Found\r\nset-cookie: id=1\r\nlocation: /second\r\ncontent-length: 0\r\n\r\n"
                    .to_vec(),
            ),
            _ => Response::Proper { status: 200, kind: "text/plain", body: b"fine".to_vec() },
        }
    });
    let host = server.host();
    let world = world(&[&host]);
    let urls = [
        format!("http://{host}/first#fragment"),
        format!("http://{host}/x\r\nX-Injected: 1"),
        format!("http://{host}/{{{{secret:KEY}}}}"),
    ];
    fetch(&world, &urls, &[&host]);
    let heads = heads.lock().expect("no panic");
    assert_eq!(heads.len(), 4, "{heads:?}");
    for request in heads.iter() {
        let mut names: Vec<&str> = request.headers.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"], "{request:?}");
        assert!(!request.path.contains("fragment"), "{request:?}");
    }
}

/// A server that never answers costs its limit, and the turn continues.
#[test]
fn a_server_that_does_not_answer_ends_with_the_limit() {
    let server = Server::start(|_| Response::Hang);
    let host = server.host();
    let world = world(&[&host]);
    let more = format!("network: {{local: [\"{host}\"]}}\nlimits: {{tool_timeout_seconds: 1}}");
    let dead = format!("http://127.0.0.1:{}/", dead_port());
    let calls = [("http_get", json!({"url": format!("http://{host}/")})), ("http_get", json!({"url": dead}))];
    let begun = Instant::now();
    let (heard, ran) = told(&world, &calls, &more);
    ran.exited(3).prints("that is all");
    assert!(heard[0].contains("no answer before the deadline"), "{heard:?}");
    assert!(heard[1].contains("no grant names"), "{heard:?}");
    assert!(begun.elapsed() < Duration::from_secs(15), "it took {:?}", begun.elapsed());
}

/// The engine alone gets its key: it stands in no answer, no file and no log, a redirect does not carry it on, and another
/// host's key is not sent.
#[test]
fn the_key_of_a_search_engine_reaches_the_engine_alone() {
    let key = ["k3y-of", "-the-engine"].concat();
    let (elsewhere, asked) = inner();
    let (to, seen) = (format!("http://{}/", elsewhere.host()), Arc::new(Mutex::new(vec![])));
    let record = Arc::clone(&seen);
    let engine = Server::start(move |request| {
        let sent = request.header("authorization").unwrap_or_default().to_owned();
        record.lock().expect("no answer panics").push(sent.clone());
        if request.path.contains("moved") {
            return found(&to);
        }
        let row = json!({"title": sent, "url": "https://example.org/", "content": "found"});
        let body = json!({"results": [row]}).to_string().into_bytes();
        Response::Proper { status: 200, kind: "application/json", body }
    });
    let (host, other) = (engine.host(), elsewhere.host());
    let world = world(&[&host, &other]);
    let more = format!(
        "network: {{local: [\"{host}\", \"{other}\"]}}\n\
         web_search: {{engine: searxng, url: \"http://{host}\", secret: ENGINE_KEY}}"
    );
    let search = |words: &str| {
        let (mut heard, ran) = told(&world, &[("web_search", json!({"query": words}))], &more);
        ran.hides(&key);
        heard.remove(0)
    };
    let set = |host: &str| {
        world
            .typed(Program::Admin, &["secret", "set", "ENGINE_KEY", "--for", host], &format!("{key}\n"))
            .done()
            .hides(&key);
    };
    let unset = search("maps");
    assert!(unset.contains("`cl-admin secret set ENGINE_KEY --for HOST`"), "{unset}");
    set(&other);
    let bound = search("maps");
    assert!(bound.contains(&format!("is for {other} only")), "{bound}");
    assert!(seen.lock().expect("no answer panics").is_empty(), "nothing was sent so far");

    set(&host);
    let blanked = search("maps");
    assert!(blanked.contains("1. Bearer ****") && !blanked.contains(&key), "{blanked}");
    let moved = search("moved");
    assert!(moved.contains("HTTP 302") && !moved.contains(&key), "{moved}");
    assert_eq!(*seen.lock().expect("no answer panics"), vec![format!("Bearer {key}"); 2]);
    assert_eq!(asked.load(Ordering::SeqCst), 0, "no redirect is followed");
    let found = Canary::new(&key).beneath(world.outside(), &world.home().secrets());
    assert_eq!(found, None, "the key was written to a file");
}
