use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bot_base::config::{Engine, Search};
use models::{ModelsConfig, Part, ProviderConfig, Rank, Transport, TransportError};
use serde_json::json;
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Described;
use shared_types::grants::HostPattern;
use shared_types::id::Digest;
use shared_types::manifest::Learned;
use shared_types::signed::Signed;

use super::frames::{self, Answer, Ask, Chat, FailureKind, Fetch, FrameError};
use super::*;

/// Answers with what it was asked: `METHOD PATH authorization body`; `/slow` takes a while, `/long` is endless.
fn server() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
            thread::spawn(move || answer(stream.unwrap()));
        }
    });
    (port, asked)
}

fn answer(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut first, mut length, mut key) = (String::new(), 0, String::new());
    reader.read_line(&mut first).unwrap();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        let line = line.trim_end();
        if let Some(n) = line.strip_prefix("content-length: ") {
            length = n.parse().unwrap();
        }
        if let Some(k) = line.strip_prefix("authorization: ") {
            key = k.to_owned();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    if first.contains("/slow") {
        thread::sleep(Duration::from_secs(5));
    }
    let key = if key.is_empty() { "no key".to_owned() } else { format!("a key of {} bytes", key.len()) };
    let told = format!("{} {key} {}", first.trim_end(), String::from_utf8_lossy(&body));
    let told = if first.contains("/long") { "x".repeat(600 * 1024) } else { told };
    let status = if first.contains("/missing") { "404 Not Found" } else { "200 OK" };
    let length = told.len();
    let _ =
        write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{told}");
}

fn provider(port: u16, path: &str) -> ProviderConfig {
    let value = json!({"providers": [{"name": "local", "kind": "openai-compatible", "model": "m",
        "base_url": format!("http://127.0.0.1:{port}{path}"), "api_key": "${KEY}"}]});
    ModelsConfig::parse(value).unwrap().providers.remove(0)
}

fn skill(name: &str, tokens: &[Token], hosts: &[String]) -> Learned {
    Learned {
        name: name.parse().unwrap(),
        version: 1,
        description: "A skill".to_owned(),
        module_sha256: Digest::of(b"module"),
        capabilities: tokens.iter().copied().collect::<TokenSet>(),
        network: hosts.iter().map(|h| h.parse().unwrap()).collect(),
        secrets: vec![],
        memory_scope: Default::default(),
        file_scope: Default::default(),
        dependencies: vec![],
        emits_events: vec![],
        handles_events: vec![],
        recipients: Default::default(),
        described: Described { description: "A test".into(), tools: vec![], handles: vec![], emits: vec![] },
        decision: Signed::unchecked(String::new(), String::new()),
    }
}

fn start(port: u16, path: &str) -> (Client, JoinHandle<u8>) {
    let (mind, net) = pair().unwrap();
    let client = Client::new(mind);
    (client, serve_on(net, port, path))
}

fn serve_on(net: OwnedFd, port: u16, path: &str) -> JoinHandle<u8> {
    let here = format!("127.0.0.1:{port}");
    let hosts = [here.clone()];
    let learned = [
        skill("reader", &[Token::NetworkRead], &hosts),
        skill("writer", &[Token::NetworkWrite], &hosts),
        skill("elsewhere", &[Token::NetworkRead], &["api.example.org".to_owned()]),
        skill("offline", &[], &hosts),
    ];
    let providers = vec![provider(port, path)];
    let keys = keys::Keys::read(&providers, None, |_| Some("sk-1234567890".to_owned()));
    let dir = tempfile::tempdir().unwrap();
    let home = shared_types::home::Home::new(dir.path().to_owned(), Some(dir.path().to_owned()));
    let files = records::RecordFiles::open(&home, &"default".parse().unwrap(), None).unwrap();
    let records = records::Records::new(files);
    let setting = NetSetting::new(
        providers,
        keys,
        &learned.each_ref(),
        vec![here.parse().unwrap()],
        records,
        secrets::Secrets::default(),
    );
    assert!(setting.is_needed());
    // The profile grants this one host.
    let setting = setting.reading(vec![HostPattern::parse(&format!("127.0.0.1:{port}")).unwrap()]);
    let engine = Search {
        engine: Engine::Searxng,
        endpoint: format!("http://127.0.0.1:{port}").parse().unwrap(),
        // Beside the usual path it is a host that the profile does not grant.
        host: if path == "/v1" { here } else { "search.example.org".to_owned() }.parse().unwrap(),
        secret: None,
    };
    let setting = setting.searching(Some(engine));
    thread::spawn(move || serve(net, setting))
}

fn fetch(skill: &str, method: &str, url: String) -> Fetch {
    Fetch { skill: skill.to_owned(), method: method.to_owned(), url, headers: vec![], body: String::new() }
}

/// One chat whose answer comes at once.
fn chat(client: &Client, provider: &str, body: &[u8]) -> Result<String, TransportError> {
    let mut told = None;
    client.chat(
        provider,
        body,
        Rank::Person,
        &mut |part| {
            assert_eq!(told, None, "one whole part");
            let Part::Whole(text) = part else { panic!("{part:?}") };
            told = Some(text.to_owned());
            ControlFlow::Continue(())
        },
        &GO,
    )?;
    Ok(told.expect("a part came"))
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

static GO: AtomicBool = AtomicBool::new(false);

#[test]
fn a_chat_goes_out_with_the_key_that_only_net_knows() {
    let (port, _) = server();
    let (client, net) = start(port, "/v1");
    let answer = chat(&client, "local", b"{\"model\":\"m\"}").unwrap();
    assert_eq!(answer, "POST /v1/chat/completions HTTP/1.1 a key of 20 bytes {\"model\":\"m\"}");
    let error = chat(&client, "ghost", b"{}").unwrap_err();
    assert_eq!(error, TransportError::Denied("the network process knows no provider `ghost`".to_owned()));
    drop(client);
    assert_eq!(net.join().unwrap(), 0, "net ends when mind has gone");
}

#[test]
fn a_page_is_read_from_granted_hosts_whatever_mind_asks() {
    let (port, asked) = server();
    let (client, _net) = start(port, "/v1");
    let visited = client.visit(&format!("http://127.0.0.1:{port}/a?b#c"), soon(), &GO).unwrap();
    assert_eq!((visited.status, visited.body.as_str()), (200, "GET /a?b HTTP/1.1 no key "));
    assert_eq!(visited.sheet.url, format!("http://127.0.0.1:{port}/a?b"));
    let before = asked.load(Ordering::SeqCst);
    for url in ["http://127.0.0.1/", "https://example.org/", "http://localhost/", "file:///etc/passwd", ""] {
        let other = client.visit(url, soon(), &GO);
        assert!(matches!(other, Err(TransportError::Denied(_))), "{url}: {other:?}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), before, "nothing was sent");
}

#[test]
fn a_search_goes_to_the_configured_engine_where_the_profile_grants_its_host() {
    let (port, asked) = server();
    let (client, _net) = start(port, "/v1");
    let found = client.search("old maps & more", soon(), &GO).unwrap();
    assert_eq!(found.body, "GET /search?format=json&q=old+maps+%26+more HTTP/1.1 no key ");
    // The words are words, regardless of what they look like: no secret is put in for them, and no parameter is added.
    let found = client.search("{{secret:KEY}}&format=html#", soon(), &GO).unwrap();
    assert_eq!(
        found.body,
        "GET /search?format=json&q=%7B%7Bsecret%3AKEY%7D%7D%26format%3Dhtml%23 HTTP/1.1 no key "
    );
    let before = asked.load(Ordering::SeqCst);
    let (client, _net) = start(port, "/missing");
    let refused = client.search("old maps", soon(), &GO);
    let why = "no grant names `search.example.org`".to_owned();
    assert_eq!(refused, Err(TransportError::Denied(why)));
    assert_eq!(asked.load(Ordering::SeqCst), before, "nothing was sent");
}

#[test]
fn an_error_status_of_a_chat_keeps_its_status() {
    let (port, _) = server();
    let (client, _net) = start(port, "/missing");
    let error = chat(&client, "local", b"{}").unwrap_err();
    assert!(matches!(error, TransportError::Status { status: 404, .. }), "{error:?}");
}

#[test]
fn a_skill_reaches_its_own_hosts_by_its_own_tokens_only() {
    let (port, asked) = server();
    let (client, _net) = start(port, "/v1");
    let url = format!("http://127.0.0.1:{port}/w?q=Berlin");
    let got = client.fetch(fetch("reader", "GET", url.clone()), soon(), &GO).unwrap();
    assert_eq!((got.status, got.body.as_str()), (200, "GET /w?q=Berlin HTTP/1.1 no key "));
    let post = Fetch { body: "hello".to_owned(), ..fetch("writer", "POST", url.clone()) };
    assert_eq!(client.fetch(post, soon(), &GO).unwrap().body, "POST /w?q=Berlin HTTP/1.1 no key hello");
    let before = asked.load(Ordering::SeqCst);
    for (skill, method, part) in [
        ("reader", "POST", "`reader` was not given network:write"),
        ("writer", "GET", "`writer` was not given network:read"),
        ("reader", "DELETE", "only GET and POST"),
        ("elsewhere", "GET", "`127.0.0.1` is not a host of this skill; allowed: api.example.org"),
        ("offline", "GET", "`offline` has no network"),
        ("ghost", "GET", "`ghost` has no network"),
        ("local", "GET", "`local` has no network"),
    ] {
        match client.fetch(fetch(skill, method, url.clone()), soon(), &GO) {
            Err(TransportError::Denied(why)) => assert!(why.contains(part), "{why}"),
            other => panic!("{skill} {method}: {other:?}"),
        }
    }
    assert_eq!(asked.load(Ordering::SeqCst), before, "nothing was sent");
}

#[test]
fn too_long_an_answer_is_an_error_with_its_limit() {
    let (port, _) = server();
    let (client, _net) = start(port, "/v1");
    let url = format!("http://127.0.0.1:{port}/long");
    let result = client.fetch(fetch("reader", "GET", url), soon(), &GO);
    assert_eq!(result, Err(TransportError::TooLarge(512 * 1024)));
}

#[test]
fn a_deadline_and_a_cancel_end_the_wait_and_the_line_stays_in_step() {
    let (port, _) = server();
    let (client, _net) = start(port, "/v1");
    let url = |path: &str| format!("http://127.0.0.1:{port}{path}");
    let start = Instant::now();
    let late = client.fetch(fetch("reader", "GET", url("/slow")), start + Duration::from_millis(200), &GO);
    assert!(matches!(late, Err(TransportError::Timeout(_))), "{late:?}");
    let stop = Arc::new(AtomicBool::new(false));
    let setter = Arc::clone(&stop);
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(150));
        setter.store(true, Ordering::Relaxed);
    });
    assert_eq!(
        client.fetch(fetch("reader", "GET", url("/slow")), soon(), &stop),
        Err(TransportError::Cancelled)
    );
    assert!(start.elapsed() < Duration::from_secs(3));
    let next = client.fetch(fetch("reader", "GET", url("/next")), soon(), &GO).unwrap();
    assert_eq!(next.body, "GET /next HTTP/1.1 no key ");
}

#[test]
fn two_threads_may_ask_at_once() {
    let (port, _) = server();
    let (client, _net) = start(port, "/v1");
    let client = Arc::new(client);
    let threads: Vec<_> = (0..4)
        .map(|i| {
            let client = Arc::clone(&client);
            thread::spawn(move || {
                for j in 0..5 {
                    let body = format!("{i}/{j}");
                    let answer = chat(&client, "local", body.as_bytes()).unwrap();
                    assert!(answer.ends_with(&body));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
}

#[test]
fn a_net_that_has_died_is_an_error_each_time() {
    let (mind, net) = pair().unwrap();
    let client = Client::new(mind);
    drop(net);
    for _ in 0..2 {
        match chat(&client, "local", b"{}") {
            Err(TransportError::Network(why)) => {
                assert!(why.contains("the network process has ended"), "{why}")
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn garbage_from_net_ends_the_line_without_a_panic() {
    let (mind, net) = pair().unwrap();
    let client = Client::new(mind);
    let mut net = std::fs::File::from(net);
    net.write_all(&[4, 0, 0, 0]).unwrap();
    net.write_all(b"oops").unwrap();
    assert!(matches!(chat(&client, "local", b"{}"), Err(TransportError::Network(_))));
    assert!(matches!(chat(&client, "local", b"{}"), Err(TransportError::Network(_))));
}

#[test]
fn garbage_from_mind_ends_net() {
    let (mind, net) = pair().unwrap();
    let running = serve_on(net, 1, "/v1");
    let mut mind = std::fs::File::from(mind);
    mind.write_all(&u32::MAX.to_le_bytes()).unwrap();
    assert_eq!(running.join().unwrap(), 1);
}

/// `net` as a test plays it: takes requests off the line and answers them in any order.
struct ByHand {
    line: std::fs::File,
    received: Vec<u8>,
}

impl ByHand {
    fn pair() -> (Arc<Client>, ByHand) {
        let (mind, net) = pair().unwrap();
        (Arc::new(Client::new(mind)), ByHand { line: net.into(), received: vec![] })
    }

    /// What comes within a moment.
    fn heard(&mut self) -> Option<Ask> {
        let end = Instant::now() + Duration::from_millis(400);
        loop {
            if let Some(ask) = frames::decode::<Ask>(&mut self.received).unwrap() {
                return Some(ask);
            }
            let mut chunk = [0; 4096];
            match self.line.read(&mut chunk) {
                Ok(0) => return None,
                Ok(n) => self.received.extend_from_slice(&chunk[..n]),
                Err(_) if Instant::now() < end => thread::sleep(Duration::from_millis(2)),
                Err(_) => return None,
            }
        }
    }

    /// The number and the body of the next chat.
    fn chat(&mut self) -> (u64, String) {
        match self.heard() {
            Some(Ask::Chat { id, chat }) => (id, chat.body),
            other => panic!("{other:?}"),
        }
    }

    fn answer(&mut self, id: u64, body: &str) {
        let ok =
            frames::Reply { status: 200, body: Some(body.to_owned()), retry_after_ms: None, sheet: None };
        self.line.write_all(&frames::encode(&Answer::Ok { id, ok }).unwrap()).unwrap();
    }
}

/// Asks in a thread of its own.
fn ask_beside(
    client: &Arc<Client>,
    body: String,
    rank: Rank,
    cancel: &'static AtomicBool,
) -> JoinHandle<Result<String, TransportError>> {
    let client = Arc::clone(client);
    thread::spawn(move || {
        let mut told = String::new();
        let mut take = |part: Part<'_>| {
            let (Part::Whole(text) | Part::Event(text)) = part;
            told.push_str(text);
            ControlFlow::Continue(())
        };
        client.chat("local", body.as_bytes(), rank, &mut take, cancel)?;
        Ok(told)
    })
}

#[test]
fn answers_reach_who_asked_in_whatever_order_they_come() {
    let (client, mut net) = ByHand::pair();
    let asking: Vec<_> = (0..4).map(|n| ask_beside(&client, format!("q{n}"), Rank::Person, &GO)).collect();
    let mut asked: Vec<(u64, String)> = (0..4).map(|_| net.chat()).collect();
    asked.reverse();
    for (id, body) in &asked {
        let piece = Answer::Events { id: *id, events: vec![format!("{body}: ")] };
        net.line.write_all(&frames::encode(&piece).unwrap()).unwrap();
    }
    asked.rotate_left(1);
    asked.iter().for_each(|(id, body)| net.answer(*id, &format!("answer to {body}")));
    for (n, asking) in asking.into_iter().enumerate() {
        assert_eq!(asking.join().unwrap(), Ok(format!("q{n}: answer to q{n}")));
    }
}

#[test]
fn a_cancel_ends_one_request_and_the_others_go_on() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let (client, mut net) = ByHand::pair();
    let one = ask_beside(&client, "one".to_owned(), Rank::Person, &STOP);
    let (first, _) = net.chat();
    let other = ask_beside(&client, "other".to_owned(), Rank::Person, &GO);
    let (second, _) = net.chat();
    STOP.store(true, Ordering::Relaxed);
    assert_eq!(net.heard(), Some(Ask::Cancel { cancel: first }));
    assert_eq!(one.join().unwrap(), Err(TransportError::Cancelled));
    // What was under way already answers nobody.
    net.answer(first, "late");
    net.answer(second, "in time");
    assert_eq!(other.join().unwrap(), Ok("in time".to_owned()));
}

#[test]
fn no_more_run_at_once_than_may_and_the_next_begins_when_one_ends() {
    let (client, mut net) = ByHand::pair();
    let all = frames::MOST_AT_ONCE + 3;
    let asking: Vec<_> = (0..all).map(|n| ask_beside(&client, n.to_string(), Rank::Person, &GO)).collect();
    let mut running: Vec<_> = (0..frames::MOST_AT_ONCE).map(|_| net.chat()).collect();
    assert_eq!(net.heard(), None, "the others wait for a place");
    for left in (0..all).rev() {
        let (id, body) = running.remove(0);
        net.answer(id, &body);
        if left >= frames::MOST_AT_ONCE {
            running.push(net.chat());
        }
    }
    for (n, asking) in asking.into_iter().enumerate() {
        assert_eq!(asking.join().unwrap(), Ok(n.to_string()));
    }
}

#[test]
fn what_runs_behind_leaves_the_last_place_to_the_person() {
    let (client, mut net) = ByHand::pair();
    let behind: Vec<_> = (0..frames::MOST_AT_ONCE)
        .map(|_| ask_beside(&client, "behind".to_owned(), Rank::Behind, &GO))
        .collect();
    let mut running: Vec<_> = (1..frames::MOST_AT_ONCE).map(|_| net.chat().0).collect();
    assert_eq!(net.heard(), None, "the last place stays free");
    let person = ask_beside(&client, "person".to_owned(), Rank::Person, &GO);
    let (id, body) = net.chat();
    assert_eq!(body, "person");
    net.answer(id, "now");
    assert_eq!(person.join().unwrap(), Ok("now".to_owned()));
    net.answer(running.remove(0), "then");
    running.push(net.chat().0);
    running.into_iter().for_each(|id| net.answer(id, "then"));
    behind.into_iter().for_each(|asking| assert_eq!(asking.join().unwrap(), Ok("then".to_owned())));
}

#[test]
fn the_death_of_net_ends_all_that_are_open_with_the_same_words() {
    let (client, mut net) = ByHand::pair();
    let rank = |n| if n == 2 { Rank::Behind } else { Rank::Person };
    let asking: Vec<_> = (0..3).map(|n| ask_beside(&client, n.to_string(), rank(n), &GO)).collect();
    (0..3).for_each(|_| _ = net.chat());
    drop(net);
    let gone = "the network process has ended (closed); start the program again";
    for asking in asking {
        assert_eq!(asking.join().unwrap(), Err(TransportError::Network(gone.to_owned())));
    }
}

#[test]
fn a_reader_that_is_slow_holds_up_what_it_gets_and_no_more_is_taken_in() {
    let (client, mut net) = ByHand::pair();
    let slow = {
        let client = Arc::clone(&client);
        thread::spawn(move || {
            let mut wait = |_: Part<'_>| {
                thread::sleep(Duration::from_millis(5));
                ControlFlow::Continue(())
            };
            client.chat("local", b"slow", Rank::Person, &mut wait, &GO)
        })
    };
    let (id, _) = net.chat();
    let other = ask_beside(&client, "other".to_owned(), Rank::Person, &GO);
    let (second, _) = net.chat();
    for _ in 0..100 {
        let piece = Answer::Events { id, events: vec!["x".to_owned()] };
        net.line.write_all(&frames::encode(&piece).unwrap()).unwrap();
    }
    net.answer(second, "behind all of it");
    net.answer(id, "");
    assert_eq!(other.join().unwrap(), Ok("behind all of it".to_owned()));
    assert_eq!(slow.join().unwrap(), Ok(()));
}

/// The next answer on a line that is read by hand.
fn heard(mind: &mut UnixStream) -> Answer {
    let mut length = [0; 4];
    mind.read_exact(&mut length).unwrap();
    let mut frame = length.to_vec();
    frame.resize(4 + u32::from_le_bytes(length) as usize, 0);
    mind.read_exact(&mut frame[4..]).unwrap();
    frames::decode(&mut frame).unwrap().unwrap()
}

fn asking(id: u64) -> Vec<u8> {
    let chat = Chat { provider: "local".to_owned(), body: format!("{{\"n\":{id}}}") };
    frames::encode(&Ask::Chat { id, chat }).unwrap()
}

/// An owned `mind` writes frames of its own: a number that is in use names one request, the first, and no other.
#[test]
fn a_number_that_is_in_use_is_refused_and_the_first_request_goes_on() {
    let (port, asked) = server();
    let (mind, net) = pair().unwrap();
    let running = serve_on(net, port, "/slow");
    let mut mind = UnixStream::from(mind);
    mind.set_nonblocking(false).unwrap();
    for _ in 0..20 {
        mind.write_all(&asking(7)).unwrap();
    }
    for _ in 0..19 {
        let Answer::Err { id: 7, err } = heard(&mut mind) else { panic!("the first is still asked") };
        assert_eq!((err.kind, err.message.contains('7')), (FailureKind::Repeated, true));
    }
    let Answer::Ok { id: 7, .. } = heard(&mut mind) else { panic!("the first is answered") };
    assert_eq!(asked.load(Ordering::SeqCst), 1, "nothing else left");
    drop(mind);
    assert_eq!(running.join().unwrap(), 0);
}

/// An owned `mind` asks without end and reads nothing: what is over the limit is refused in turn and heaps up nowhere.
#[test]
fn requests_over_the_limit_are_refused_and_do_not_pile_up() {
    let (port, asked) = server();
    let (mind, net) = pair().unwrap();
    let running = serve_on(net, port, "/slow");
    let mut mind = UnixStream::from(mind);
    let all: Vec<u8> = (0..100_000).flat_map(asking).collect();
    // While nothing is read, `net` takes no more after a while.
    let (mut poured, mut still) = (0, Instant::now());
    while poured < all.len() && still.elapsed() < Duration::from_secs(2) {
        match mind.write(&all[poured..]) {
            Ok(more) => (poured, still) = (poured + more, Instant::now()),
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => thread::sleep(Duration::from_millis(5)),
            Err(e) => panic!("{e}"),
        }
    }
    assert!(poured < all.len(), "all {poured} bytes of requests were taken in");
    mind.set_nonblocking(false).unwrap();
    for _ in 0..500 {
        match heard(&mut mind) {
            Answer::Err { err, .. } => assert_eq!(err.kind, FailureKind::Busy),
            answered => assert!(matches!(answered, Answer::Ok { .. }), "{answered:?}"),
        }
    }
    assert!(asked.load(Ordering::SeqCst) < 100, "the limit holds for what leaves");
    drop(mind);
    running.join().unwrap();
}

#[test]
fn frames_survive_being_cut_anywhere() {
    let asks = [
        Ask::Chat { id: 1, chat: Chat { provider: "p".to_owned(), body: "{\"ü\":\"\\n\"}".to_owned() } },
        Ask::Fetch { id: 2, fetch: fetch("s", "GET", "https://x/".to_owned()) },
        Ask::Cancel { cancel: 2 },
    ];
    let bytes: Vec<u8> = asks.iter().flat_map(|a| frames::encode(a).unwrap()).collect();
    for step in [1, 2, 3, 7, 1000] {
        let (mut buffer, mut read) = (Vec::new(), Vec::new());
        for chunk in bytes.chunks(step) {
            buffer.extend_from_slice(chunk);
            while let Some(ask) = frames::decode::<Ask>(&mut buffer).unwrap() {
                read.push(ask);
            }
        }
        assert_eq!(read, asks);
        assert!(buffer.is_empty());
    }
}

#[test]
fn the_wire_format_is_what_is_written_down() {
    let json = |ask: &Ask| serde_json::to_value(ask).unwrap();
    let chat = Ask::Chat { id: 7, chat: Chat { provider: "p".to_owned(), body: "{}".to_owned() } };
    assert_eq!(json(&chat), json!({"id": 7, "chat": {"provider": "p", "body": "{}"}}));
    assert_eq!(json(&Ask::Cancel { cancel: 7 }), json!({"cancel": 7}));
    let answer: Answer =
        serde_json::from_value(json!({"id": 7, "err": {"kind": "too-large", "message": "m", "limit": 5}}))
            .unwrap();
    assert!(matches!(answer, Answer::Err { id: 7, err } if err.limit == Some(5)));
}

#[test]
fn a_frame_that_is_too_long_is_neither_sent_nor_read() {
    let ask =
        Ask::Chat { id: 1, chat: Chat { provider: "p".to_owned(), body: "x".repeat(frames::MAX_FRAME) } };
    assert!(matches!(frames::encode(&ask), Err(FrameError::TooLarge(_))));
    let mut buffer = u32::try_from(frames::MAX_FRAME + 1).unwrap().to_le_bytes().to_vec();
    assert!(matches!(frames::decode::<Ask>(&mut buffer), Err(FrameError::TooLarge(_))));
    let (mind, _net) = pair().unwrap();
    let body = "x".repeat(frames::MAX_FRAME);
    assert!(matches!(chat(&Client::new(mind), "p", body.as_bytes()), Err(TransportError::Denied(_))));
}

/// A server that streams what `write` writes, and tells how long it took until the other side closed.
fn streaming(write: fn(&mut TcpStream) -> std::io::Result<()>) -> (u16, mpsc::Receiver<Duration>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, closed) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, sender) = (stream.unwrap(), sender.clone());
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                while reader.read_line(&mut line).unwrap_or(0) > 2 {
                    line.clear();
                }
                let start = Instant::now();
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
                stream.write_all(head.as_bytes()).unwrap();
                let _ = write(&mut stream);
                let _ = sender.send(start.elapsed());
            });
        }
    });
    (port, closed)
}

fn words(stream: &mut TcpStream) -> std::io::Result<()> {
    for i in 0..40 {
        write!(stream, "data: {i} sk-12345\n\n")?;
        stream.flush()?;
        thread::sleep(Duration::from_millis(5));
    }
    stream.write_all(b"data: [DONE]\n\n")
}

fn endless(stream: &mut TcpStream) -> std::io::Result<()> {
    loop {
        stream.write_all(b"data: on and on\n\n")?;
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_stream_arrives_whole_and_in_order_in_few_frames_and_the_line_can_be_used_again() {
    let (port, _closed) = streaming(words);
    let (mind, net) = pair().unwrap();
    let _net = serve_on(net, port, "/v1");
    let client = Client::new(mind);
    for _ in 0..2 {
        let (mut told, mut moments) = (Vec::new(), Vec::<Instant>::new());
        client
            .chat(
                "local",
                b"{}",
                Rank::Person,
                &mut |part| {
                    let Part::Event(event) = part else { panic!("{part:?}") };
                    told.push(event.to_owned());
                    moments.push(Instant::now());
                    ControlFlow::Continue(())
                },
                &GO,
            )
            .unwrap();
        let mut expected: Vec<String> = (0..40).map(|i| format!("{i} sk-12345")).collect();
        expected.push("[DONE]".to_owned());
        assert_eq!(told, expected);
        let frames = moments.windows(2).filter(|w| w[1] - w[0] > Duration::from_millis(10)).count();
        assert!(frames < 25, "{frames} frames for 41 events over 200 ms");
        assert!(
            moments[40] - moments[0] > Duration::from_millis(100),
            "the first words do not wait for the last"
        );
    }
}

#[test]
fn giving_up_a_stream_closes_its_connection_at_once() {
    let (port, closed) = streaming(endless);
    let (mind, net) = pair().unwrap();
    let _net = serve_on(net, port, "/v1");
    let client = Client::new(mind);
    let stop = AtomicBool::new(false);
    let mut seen = 0;
    let mut cancelled = |_: Part<'_>| {
        seen += 1;
        stop.store(seen >= 50, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    assert_eq!(
        client.chat("local", b"{}", Rank::Person, &mut cancelled, &stop),
        Err(TransportError::Cancelled)
    );
    assert!(closed.recv_timeout(Duration::from_secs(3)).unwrap() < Duration::from_secs(3));
    assert_eq!(client.chat("local", b"{}", Rank::Person, &mut |_| ControlFlow::Break(()), &GO), Ok(()));
    assert!(closed.recv_timeout(Duration::from_secs(3)).unwrap() < Duration::from_secs(3));
}

#[test]
fn a_watcher_that_is_slow_blocks_nobody_for_ever_and_a_cancel_still_arrives() {
    fn flood(stream: &mut TcpStream) -> std::io::Result<()> {
        let event = format!("data: {}\n\n", "x".repeat(10_000));
        loop {
            stream.write_all(event.as_bytes())?;
        }
    }
    let (port, closed) = streaming(flood);
    let (mind, net) = pair().unwrap();
    let _net = serve_on(net, port, "/v1");
    let client = Client::new(mind);
    let mut slow = |_: Part<'_>| {
        thread::sleep(Duration::from_millis(700));
        ControlFlow::Break(())
    };
    assert_eq!(client.chat("local", b"{}", Rank::Person, &mut slow, &GO), Ok(()));
    closed.recv_timeout(Duration::from_secs(3)).unwrap();
    let mut events = 0;
    let mut count = |_: Part<'_>| {
        events += 1;
        ControlFlow::Continue(())
    };
    let result = client.chat("local", b"{}", Rank::Person, &mut count, &GO);
    assert_eq!(
        result,
        Err(TransportError::TooLarge(1024 * 1024)),
        "an endless stream ends with a clear error"
    );
    assert!(events <= 105, "{events}");
}
