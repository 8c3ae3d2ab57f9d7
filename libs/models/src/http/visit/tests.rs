use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::*;
use crate::http::{Lookup, Resolving};

const CAPS: Caps = Caps { timeout: Duration::from_secs(5), max_bytes: 1000 };

/// A server that answers each request with what `answer` makes of its path, and counts.
fn server(answer: fn(&str) -> Vec<u8>) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut first = String::new();
            if reader.read_line(&mut first).unwrap_or(0) == 0 {
                continue;
            }
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap_or(0) > 2 {
                line.clear();
            }
            count.fetch_add(1, Ordering::SeqCst);
            // A client that has seen enough may be gone already.
            let _ = stream.write_all(&answer(first.split(' ').nth(1).unwrap_or_default()));
        }
    });
    (port, asked)
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn patterns(texts: &[&str]) -> Vec<HostPattern> {
    texts.iter().map(|text| HostPattern::parse(text).unwrap()).collect()
}

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

fn denied<T: std::fmt::Debug>(result: Result<T, TransportError>) -> String {
    match result {
        Err(TransportError::Denied(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn answer(path: &str) -> Vec<u8> {
    let head = |status: &str, more: &str, body: &str| {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
            .into_bytes()
    };
    match path {
        "/page" => head("200 OK", "content-type: text/html; charset=utf-8\r\n", "<p>hé"),
        "/image" => head("200 OK", "content-type: image/png\r\n", "x"),
        "/zip" => head("200 OK", "content-type: text/html\r\ncontent-encoding: gzip\r\n", "x"),
        "/long" => head("200 OK", "content-type: text/plain\r\n", &"x".repeat(5000)),
        "/claims" => b"HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\nshort".to_vec(),
        "/next" => head("302 Found", "location: /page?x=1#here\r\n", ""),
        "/nowhere" => head("302 Found", "", ""),
        "/file" => head("301 Moved", "location: file:///etc/passwd\r\n", ""),
        "/user" => head("301 Moved", "location: http://me:secret@example.org/\r\n", ""),
        _ => head("404 Not Found", "content-type: text/plain\r\n", "not here"),
    }
}

#[test]
fn an_address_says_its_host_as_grants_name_it_or_is_refused() {
    for (text, host) in [
        ("https://Example.ORG/a#b", Some("example.org")),
        ("https://example.org:443/", Some("example.org")),
        ("https://example.org:8443/", Some("example.org:8443")),
        ("http://example.org:443/", Some("example.org:443")),
        ("https://xn--bcher-kva.example/", Some("xn--bcher-kva.example")),
        ("https://example.org/bücher", Some("example.org")),
        ("http://2130706433/", Some("127.0.0.1")),
        ("http://0x7f.1/", Some("127.0.0.1")),
        ("http://[::1]/", None),
        ("https:example.org", Some("example.org")),
    ] {
        assert_eq!(address(text).host().as_ref().map(HostName::as_str), host, "{text}");
    }
    for text in [
        "file:///etc/passwd",
        "ftp://example.org/",
        "data:text/html,x",
        "javascript:alert(1)",
        "https://user@example.org/",
        "https://example.org@evil.example/",
        "//example.org",
        "example.org",
        "",
    ] {
        denied(Address::parse(text));
    }
    denied(Address::parse(&format!("https://example.org/{}", "x".repeat(5000))));
    for text in ["https://bücher.example/", "https://Bücher.example/"] {
        let why = denied(Address::parse(text));
        assert!(why.contains("`xn--`"), "{why}");
    }
}

#[test]
fn a_page_of_a_granted_host_is_read_as_text() {
    let (port, asked) = server(answer);
    let here = format!("127.0.0.1:{port}");
    let (client, granted) = (Client::new(vec![here.parse().unwrap()]), patterns(&[&here]));
    let visit = |path: &str| run(client.visit(&address(&format!("http://{here}{path}")), &granted, CAPS));
    let page = Page { status: 200, kind: "text/html".into(), body: "<p>hé".into(), cut: false };
    assert_eq!(visit("/page").unwrap(), Hop::Page(page));
    let Hop::Page(missing) = visit("/missing").unwrap() else { panic!("no page") };
    assert_eq!((missing.status, missing.body.as_str()), (404, "not here"));
    let Hop::Page(long) = visit("/long").unwrap() else { panic!("no page") };
    assert_eq!((long.body.len(), long.cut), (1000, true));
    for (path, part) in [("/image", "`image/png`"), ("/zip", "compressed (gzip)")] {
        let why = denied(visit(path));
        assert!(why.contains(part), "{why}");
    }
    assert!(matches!(visit("/claims"), Err(TransportError::Network(_))), "the promised bytes do not come");
    let before = asked.load(Ordering::SeqCst);
    let none = run(client.visit(&address(&format!("http://{here}/page")), &[], CAPS));
    assert!(denied(none).contains("no grant names"));
    let other = patterns(&["example.org", "127.0.0.1", "*.0.0.1"]);
    denied(run(client.visit(&address(&format!("http://{here}/page")), &other, CAPS)));
    assert_eq!(asked.load(Ordering::SeqCst), before, "nothing was sent");
}

#[test]
fn a_redirect_is_told_and_only_to_a_web_address_and_never_down_from_https() {
    let (port, _) = server(answer);
    let here = format!("127.0.0.1:{port}");
    let (client, granted) = (Client::new(vec![here.parse().unwrap()]), patterns(&[&here]));
    let visit = |path: &str| run(client.visit(&address(&format!("http://{here}{path}")), &granted, CAPS));
    let to = address(&format!("http://{here}/page?x=1"));
    assert_eq!(visit("/next").unwrap(), Hop::Moved { status: 302, to });
    assert!(matches!(visit("/nowhere"), Err(TransportError::Network(_))));
    for path in ["/file", "/user"] {
        assert!(denied(visit(path)).contains("not a web address"), "{path}");
    }
    let secure = address("https://example.org/");
    let why = denied(onward(&secure, "http://example.org/"));
    assert!(why.contains("from https down"), "{why}");
    assert_eq!(onward(&secure, "//other.example/x").unwrap(), address("https://other.example/x"));
}

/// A name server that answers otherwise each time: first an address of the internet, then one of this machine.
struct Rebinding(AtomicUsize);

impl Lookup for Rebinding {
    fn addresses(&self, _: &str, port: u16) -> Resolving {
        let first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
        let address = if first { "192.0.2.1" } else { "127.0.0.1" };
        let address = SocketAddr::new(address.parse().unwrap(), port);
        Box::pin(async move { Ok(vec![address]) })
    }
}

#[test]
fn a_granted_name_that_leads_to_this_machine_is_refused_however_often_it_is_asked() {
    let granted = patterns(&["*.example.org"]);
    let client = Client::with_lookup(vec![], Arc::new(Rebinding(AtomicUsize::new(0))));
    for _ in 0..3 {
        let why = denied(run(client.visit(&address("http://a.example.org/"), &granted, CAPS)));
        assert!(why.contains("`a.example.org` resolves to"), "{why}");
    }
    for text in ["http://127.0.0.1/", "http://2130706433/", "http://0177.0.0.1/", "http://169.254.169.254/"] {
        let granted = patterns(&["127.0.0.1", "169.254.169.254"]);
        denied(run(client.visit(&address(text), &granted, CAPS)));
    }
}
