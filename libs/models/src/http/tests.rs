use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use shared_types::secret::Secret;

use super::blocking::Direct;
use super::*;
use crate::Rank;
use crate::config::{ModelsConfig, ProviderConfig};
use crate::transport::Transport;

/// A server that answers every connection by `answer`, and hands on each request's head and body.
fn server(answer: fn(&mut TcpStream)) -> (u16, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut request = String::new();
            let mut length = 0;
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
                    break;
                }
                if let Some(n) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                    length = n.trim().parse().unwrap();
                }
                request += &line;
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            request += &format!("\r\n{}", String::from_utf8_lossy(&body));
            if sender.send(request).is_err() {
                break;
            }
            answer(&mut stream);
        }
    });
    (port, requests)
}

fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    // A client that has seen enough may be gone already.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
}

fn fine(stream: &mut TcpStream) {
    respond(stream, "200 OK", "", "hello");
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

const CAPS: Caps = Caps { timeout: Duration::from_secs(5), max_bytes: 1000 };

fn get(url: String) -> Fetch {
    Fetch { method: Method::Get, url, headers: Vec::new(), body: Vec::new() }
}

fn hosts(names: &[String]) -> Vec<HostName> {
    names.iter().map(|n| n.parse().unwrap()).collect()
}

fn denied(result: Result<Exchange, TransportError>) -> String {
    match result {
        Err(TransportError::Denied(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn provider(port: u16, seconds: u64) -> ProviderConfig {
    let value = serde_json::json!({"providers": [{"name": "local", "kind": "openai-compatible", "model": "m",
        "base_url": format!("http://127.0.0.1:{port}/v1"), "timeout_seconds": seconds, "max_response_bytes": 1024}]});
    ModelsConfig::parse(value).unwrap().providers.remove(0)
}

fn ignore(_: crate::transport::Part<'_>) -> std::ops::ControlFlow<()> {
    std::ops::ControlFlow::Continue(())
}

/// All that comes of one chat.
fn chat(provider: &ProviderConfig, key: Option<&Secret>, body: &[u8]) -> Result<Vec<Batch>, TransportError> {
    run(async {
        let client = Client::new(vec![]);
        let mut answer = client.chat(provider, key, body.to_vec()).await?;
        let mut batches = Vec::new();
        while let Some(batch) = answer.next().await? {
            batches.push(batch);
        }
        Ok(batches)
    })
}

fn events(batches: &[Batch]) -> Vec<&str> {
    fn of(batch: &Batch) -> impl Iterator<Item = &str> {
        let Batch::Events(events) = batch else { panic!("{batch:?}") };
        events.iter().map(String::as_str)
    }
    batches.iter().flat_map(of).collect()
}

/// Begins a stream of events.
fn stream(s: &mut TcpStream) {
    let _ = write!(s, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\r\n");
}

#[test]
fn a_stream_is_handed_over_event_by_event_with_the_key_blanked_wherever_it_was_cut() {
    let (port, _requests) = server(|s| {
        stream(s);
        for part in ["data: your key is sk-1", "2345, yes sk-12345\n", "\ndata: [DO", "NE]\n\n"] {
            let _ = s.write_all(part.as_bytes());
            let _ = s.flush();
            thread::sleep(Duration::from_millis(30));
        }
    });
    let key = Secret::new("sk-12345".to_owned());
    let told = chat(&provider(port, 5), Some(&key), b"{}").unwrap();
    assert_eq!(events(&told), ["your key is ********, yes ********", "[DONE]"]);
}

#[test]
fn a_server_that_forgets_to_close_after_the_last_event_is_not_waited_for() {
    let done: fn(&mut TcpStream) = |s| {
        stream(s);
        let _ = s.write_all(b"data: [DONE]\n\n");
        thread::sleep(Duration::from_secs(20));
    };
    let stop: fn(&mut TcpStream) = |s| {
        stream(s);
        let _ = s.write_all(b"event: message_stop\ndata: {\"type\": \"message_stop\"}\n\n");
        thread::sleep(Duration::from_secs(20));
    };
    for answer in [done, stop] {
        let (port, _requests) = server(answer);
        let start = Instant::now();
        assert_eq!(chat(&provider(port, 30), None, b"{}").unwrap().len(), 1);
        assert!(start.elapsed() < Duration::from_secs(3));
    }
}

#[test]
fn an_endless_stream_ends_at_the_cap_and_one_below_it_does_not() {
    let (port, _requests) = server(|s| {
        stream(s);
        while s.write_all(b"data: again\n\n").is_ok() {}
    });
    assert_eq!(chat(&provider(port, 5), None, b"{}"), Err(TransportError::TooLarge(1024)));
    let exactly: fn(&mut TcpStream) = |s| {
        stream(s);
        let _ = s.write_all(format!("data: {}\n\n", "x".repeat(1024 - 8)).as_bytes());
    };
    let (port, _requests) = server(exactly);
    assert_eq!(events(&chat(&provider(port, 5), None, b"{}").unwrap())[0].len(), 1016);
    let (port, _requests) = server(|s| respond(s, "200 OK", "", &"x".repeat(1024)));
    assert!(chat(&provider(port, 5), None, b"{}").is_ok());
    let (port, _requests) = server(|s| respond(s, "200 OK", "", &"x".repeat(1025)));
    assert_eq!(chat(&provider(port, 5), None, b"{}"), Err(TransportError::TooLarge(1024)));
}

#[test]
fn silence_before_the_first_byte_or_between_two_is_a_timeout_and_slow_drops_are_not() {
    let in_time = |error: Result<Vec<Batch>, TransportError>, part: &str| match error {
        Err(TransportError::Timeout(why)) => assert!(why.contains(part), "{why}"),
        other => panic!("{other:?}"),
    };
    let (port, _requests) = server(|_| thread::sleep(Duration::from_secs(20)));
    in_time(chat(&provider(port, 1), None, b"{}"), "sent nothing for 1 s (timeout_seconds)");
    let (port, _requests) = server(|s| {
        stream(s);
        let _ = s.write_all(b"data: a\n\n");
        thread::sleep(Duration::from_secs(20));
    });
    in_time(chat(&provider(port, 1), None, b"{}"), "sent nothing for 1 s (timeout_seconds)");
    let drops: fn(&mut TcpStream) = |s| {
        stream(s);
        for _ in 0..6 {
            let _ = s.write_all(b"data: a\n\n");
            thread::sleep(Duration::from_millis(300));
        }
    };
    let (port, _requests) = server(drops);
    assert_eq!(events(&chat(&provider(port, 1), None, b"{}").unwrap()).len(), 6);
    let (port, _requests) = server(drops);
    let short = ProviderConfig { total: Duration::from_secs(1), ..provider(port, 1) };
    in_time(chat(&short, None, b"{}"), "was not done after 1 s (total_seconds)");
}

#[test]
fn the_key_of_each_kind_travels_in_its_own_header_to_its_own_endpoint() {
    let (port, requests) = server(fine);
    let key = Secret::new("sk-12345".to_owned());
    for path in ["", "/v1"] {
        let base_url = format!("http://127.0.0.1:{port}{path}").parse().unwrap();
        let config =
            ProviderConfig { kind: crate::Kind::Anthropic, base_url: Some(base_url), ..provider(port, 5) };
        chat(&config, Some(&key), b"{}").unwrap();
        let request = requests.recv().unwrap();
        assert!(request.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{request}");
        assert!(request.contains("x-api-key: sk-12345\r\n"), "{request}");
        assert!(request.contains("anthropic-version: 2023-06-01\r\n"), "{request}");
        assert!(!request.contains("authorization"), "{request}");
    }
}

#[test]
fn a_body_goes_to_the_chat_endpoint_with_the_key_which_is_blanked_in_the_answer() {
    let (port, requests) = server(|s| respond(s, "200 OK", "", "your key is sk-12345, yes sk-12345"));
    let key = Secret::new("sk-12345".to_owned());
    let told = chat(&provider(port, 5), Some(&key), b"{\"a\":1}").unwrap();
    assert_eq!(told, [Batch::Whole("your key is ********, yes ********".to_owned())]);
    let request = requests.recv().unwrap();
    assert!(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer sk-12345\r\n"), "{request}");
    assert!(request.contains("content-type: application/json\r\n"), "{request}");
    assert!(request.ends_with("\r\n{\"a\":1}"), "{request}");
    assert!(!request.contains("accept-encoding"), "{request}");
}

#[test]
fn an_error_status_is_an_answer_with_its_body() {
    let (port, _requests) =
        server(|s| respond(s, "429 Too Many Requests", "retry-after: 7\r\n", "slow down"));
    let direct = Direct::new(vec![(provider(port, 5), None)], vec![]).unwrap();
    let error = direct.chat("local", b"{}", Rank::Person, &mut ignore, &AtomicBool::new(false)).unwrap_err();
    let retry_after = Some(Duration::from_secs(7));
    assert_eq!(error, TransportError::Status { status: 429, body: b"slow down".to_vec(), retry_after });
    let error = direct.chat("other", b"{}", Rank::Person, &mut ignore, &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, TransportError::Denied(_)));
}

#[test]
fn a_server_that_is_not_there_is_a_network_error() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = chat(&provider(port, 5), None, b"").unwrap_err();
    assert!(
        matches!(&error, TransportError::Unconnected(m) if m.contains("Connection refused")),
        "{error:?}"
    );
}

#[test]
fn plain_http_and_private_addresses_are_for_named_hosts_only() {
    let (port, requests) = server(fine);
    let url = format!("http://127.0.0.1:{port}/x?y=1");
    let here = format!("127.0.0.1:{port}");
    let granted = hosts(std::slice::from_ref(&here));
    let named = Client::new(granted.clone());
    assert_eq!(run(named.fetch(get(url.clone()), &granted, CAPS)).unwrap().body, b"hello");
    assert!(requests.recv().unwrap().starts_with("GET /x?y=1 HTTP/1.1\r\n"));

    let why = denied(run(Client::new(vec![]).fetch(get(url.clone()), &granted, CAPS)));
    assert!(why.contains(&format!("plain http needs `{here}` in network.local")), "{why}");
    let why = denied(run(named.fetch(get(url), &hosts(&["api.example.org".to_owned()]), CAPS)));
    assert_eq!(why, "`127.0.0.1` is not a host of this skill; allowed: api.example.org");
    // Over https too, an address of this machine is refused unless it is named.
    let why =
        denied(run(Client::new(vec![]).fetch(get(format!("https://127.0.0.1:{port}/")), &granted, CAPS)));
    assert_eq!(why, "127.0.0.1 is this machine");
    assert!(requests.try_recv().is_err(), "nothing was sent");
}

#[test]
fn urls_that_disguise_their_host_are_refused() {
    let granted = hosts(&["api.example.org".to_owned(), "127.0.0.1".to_owned(), "127.0.0.1:80".to_owned()]);
    let client = Client::new(vec![]);
    for url in [
        "https://api.example.org@evil.example/",
        "https://user:pass@api.example.org/",
        "https://evil.example\\@api.example.org/",
        "https://evil.example#api.example.org",
        "https://api.example.org.evil.example/",
        "https://api.example.org:8443/",
        "http://api.example.org/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "ftp://api.example.org/",
        "file:///etc/passwd",
        "data:text/plain,x",
        "not a url",
        "",
    ] {
        denied(run(client.fetch(get(url.to_owned()), &granted, CAPS)));
    }
}

/// Answers as a name server would that somebody else controls.
struct Answers(&'static [&'static str]);

impl Lookup for Answers {
    fn addresses(&self, _: &str, port: u16) -> Resolving {
        let addresses = self.0.iter().map(|a| SocketAddr::new(a.parse().unwrap(), port)).collect();
        Box::pin(async move { Ok(addresses) })
    }
}

#[test]
fn a_name_that_resolves_to_a_private_address_is_refused() {
    let granted = hosts(&["api.example.org".to_owned()]);
    for (answers, why) in [
        (&["127.0.0.1"][..], "127.0.0.1, which is this machine"),
        (&["10.1.2.3"], "10.1.2.3, which is a private network"),
        (&["169.254.169.254"], "169.254.169.254, which is link-local"),
        (&["93.184.216.34", "192.168.0.1"], "192.168.0.1, which is a private network"),
        (&["::ffff:127.0.0.1"], "::ffff:127.0.0.1, which is an IPv4 address in IPv6 clothing"),
        (&["fd00::1"], "fd00::1, which is a private network"),
    ] {
        let client = Client::with_lookup(vec![], Arc::new(Answers(answers)));
        let told = denied(run(client.fetch(get("https://api.example.org/".to_owned()), &granted, CAPS)));
        assert!(told.contains(&format!("`api.example.org` resolves to {why}")), "{told}");
    }
}

#[test]
fn a_named_host_is_reached_at_the_address_that_was_vetted() {
    let (port, requests) = server(fine);
    let name = format!("weather.local:{port}");
    let client = Client::with_lookup(hosts(std::slice::from_ref(&name)), Arc::new(Answers(&["127.0.0.1"])));
    let url = format!("http://{name}/");
    let exchange = run(client.fetch(get(url), &hosts(std::slice::from_ref(&name)), CAPS)).unwrap();
    assert_eq!(exchange.status, 200);
    assert!(requests.recv().unwrap().contains(&format!("host: {name}\r\n")));
}

#[test]
fn localhost_is_known_without_a_name_server() {
    let (port, _requests) = server(fine);
    let name = format!("localhost:{port}");
    let client = Client::new(hosts(std::slice::from_ref(&name)));
    let exchange = run(client.fetch(get(format!("http://{name}/")), &hosts(&[name]), CAPS)).unwrap();
    assert_eq!(exchange.body, b"hello");
}

#[test]
fn a_redirect_is_not_followed() {
    let (port, requests) = server(|s| respond(s, "302 Found", "location: /elsewhere\r\n", ""));
    let here = hosts(&[format!("127.0.0.1:{port}")]);
    let exchange =
        run(Client::new(here.clone()).fetch(get(format!("http://127.0.0.1:{port}/")), &here, CAPS)).unwrap();
    assert_eq!(exchange.status, 302);
    requests.recv().unwrap();
    assert!(requests.recv_timeout(Duration::from_millis(100)).is_err(), "no second request");
}

#[test]
fn an_answer_beyond_the_cap_is_an_error() {
    let with_length: fn(&mut TcpStream) = |s| respond(s, "200 OK", "", &"x".repeat(1001));
    let without_end: fn(&mut TcpStream) = |s| {
        let _ = write!(s, "HTTP/1.1 200 OK\r\n\r\n");
        while s.write_all(&[b'x'; 512]).is_ok() {}
    };
    for answer in [with_length, without_end] {
        let (port, _requests) = server(answer);
        let here = hosts(&[format!("127.0.0.1:{port}")]);
        let result =
            run(Client::new(here.clone()).fetch(get(format!("http://127.0.0.1:{port}/")), &here, CAPS));
        assert_eq!(result, Err(TransportError::TooLarge(1000)));
    }
}

#[test]
fn a_slow_server_is_a_timeout() {
    let slow: fn(&mut TcpStream) = |s| {
        let _ = write!(s, "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n");
        for _ in 0..100 {
            thread::sleep(Duration::from_millis(50));
            if s.write_all(b"x").is_err() {
                break;
            }
        }
    };
    let (port, _requests) = server(slow);
    let here = hosts(&[format!("127.0.0.1:{port}")]);
    let caps = Caps { timeout: Duration::from_millis(300), ..CAPS };
    let start = Instant::now();
    let result = run(Client::new(here.clone()).fetch(get(format!("http://127.0.0.1:{port}/")), &here, caps));
    assert!(matches!(result, Err(TransportError::Timeout(_))), "{result:?}");
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[test]
fn a_cancel_ends_the_wait() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let (port, requests) = server(|_| thread::sleep(Duration::from_secs(30)));
    let direct = Direct::new(vec![(provider(port, 60), None)], vec![]).unwrap();
    thread::spawn(move || {
        requests.recv().unwrap();
        STOP.store(true, Ordering::Relaxed);
        requests
    });
    let start = Instant::now();
    assert_eq!(direct.chat("local", b"{}", Rank::Person, &mut ignore, &STOP), Err(TransportError::Cancelled));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn garbage_in_place_of_http_is_a_network_error() {
    let (port, _requests) = server(|s| {
        let _ = s.write_all(b"SSH-2.0-nonsense\r\n\x1b[31m");
    });
    let error = chat(&provider(port, 5), None, b"").unwrap_err();
    assert!(matches!(&error, TransportError::Network(m) if !m.contains('\u{1b}')), "{error:?}");
}

#[test]
fn a_skill_sets_no_header_that_shapes_the_connection() {
    let (port, requests) = server(fine);
    let here = hosts(&[format!("127.0.0.1:{port}")]);
    let client = Client::new(here.clone());
    let with = |name: &str, value: &str| Fetch {
        headers: vec![(name.to_owned(), value.to_owned())],
        ..get(format!("http://127.0.0.1:{port}/"))
    };
    for (name, value) in [
        ("Host", "evil.example"),
        ("connection", "close"),
        ("Transfer-Encoding", "chunked"),
        ("content-length", "5"),
        ("Proxy-Authorization", "x"),
        ("bad name", "x"),
        ("x", "a\r\nHost: evil"),
        ("x", "\u{0}"),
    ] {
        denied(run(client.fetch(with(name, value), &here, CAPS)));
    }
    assert!(requests.try_recv().is_err(), "nothing was sent");
    run(client.fetch(with("Accept", "text/plain"), &here, CAPS)).unwrap();
    assert!(requests.recv().unwrap().contains("accept: text/plain\r\n"));
}

/// A server that answers the first request of its first connection and closes at the second.
fn forgetful() -> (u16, mpsc::Receiver<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, connections) = mpsc::channel();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let _ = sender.send(number);
            for nth in 0.. {
                let mut buffer = [0; 4096];
                if stream.read(&mut buffer).unwrap_or(0) == 0 || (number == 0 && nth == 1) {
                    break;
                }
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
            }
        }
    });
    (port, connections)
}

#[test]
fn a_kept_connection_that_is_closed_is_no_failure_of_a_chat() {
    let (port, connections) = forgetful();
    let provider = provider(port, 5);
    run(async {
        let client = Client::new(vec![]);
        for _ in 0..3 {
            let mut answer = client.chat(&provider, None, b"{}".to_vec()).await.unwrap();
            assert_eq!(answer.next().await.unwrap(), Some(Batch::Whole("ok".to_owned())));
            assert_eq!(answer.next().await.unwrap(), None);
        }
    });
    assert_eq!(connections.try_iter().collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn a_client_that_is_prepared_sends_nothing_and_its_first_request_is_not_repeated() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let provider = provider(listener.local_addr().unwrap().port(), 5);
    run(async {
        let client = Client::new(vec![]);
        client.prepare(&provider);
        assert!(listener.accept().is_err(), "nothing was sent");
        let closing = async {
            loop {
                match listener.accept() {
                    Ok(connection) => break drop(connection),
                    Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
                }
            }
        };
        let (answer, ()) = tokio::join!(client.chat(&provider, None, b"{}".to_vec()), closing);
        assert!(answer.is_err(), "the server closed the connection");
    });
    assert!(listener.accept().is_err(), "the request was sent again");
}

#[test]
fn an_origin_that_the_configuration_names_for_a_chat_is_not_named_for_a_skill() {
    let client = Client::new(vec![]);
    client.prepare(&provider(9, 5));
    let origin = || Origin { tls: false, host: "127.0.0.1".to_owned(), port: 9 };
    assert!(client.origins().contains_key(&(origin(), true)));
    let _ = client.client(origin(), false).unwrap();
    assert_eq!(client.origins().len(), 2);
}

#[test]
fn what_a_skill_sends_is_never_sent_twice() {
    let (port, connections) = forgetful();
    let here = hosts(&[format!("127.0.0.1:{port}")]);
    let client = Client::new(here.clone());
    let results = run(async {
        let once = || client.fetch(get(format!("http://127.0.0.1:{port}/")), &here, CAPS);
        [once().await.is_ok(), once().await.is_ok(), once().await.is_ok()]
    });
    assert_eq!(results, [true, false, true]);
    assert_eq!(connections.try_iter().collect::<Vec<_>>(), [0, 1]);
}
