//! A small HTTP/1.1 server on the loopback; each connection has a thread.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST` ...
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// What a server sends back.
#[derive(Debug, Clone)]
pub enum Response {
    /// A well-formed answer.
    Proper {
        /// The status code.
        status: u16,
        /// The content type.
        kind: &'static str,
        /// The body.
        body: Vec<u8>,
    },
    /// A well-formed answer without a length, part by part.
    Parts {
        /// The content type.
        kind: &'static str,
        /// The parts.
        parts: Vec<Vec<u8>>,
        /// How long to wait after each part.
        pause: Duration,
        /// Whether the answer is whole; otherwise the connection breaks after the last part.
        whole: bool,
    },
    /// These bytes in place of an HTTP answer; then the connection is closed.
    Bytes(Vec<u8>),
    /// Nothing, for as long as the server lives.
    Hang,
}

/// A server; it stops with the value.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
}

impl Server {
    /// Starts a server on a free port.
    pub fn start(answer: impl Fn(Request) -> Response + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("the loopback has a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let stopped = Arc::new(AtomicBool::new(false));
        let (answer, stop) = (Arc::new(answer), Arc::clone(&stopped));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (Ok(stream), answer, stop) = (stream, Arc::clone(&answer), Arc::clone(&stop)) else {
                    continue;
                };
                // What a client does to its connection is the client's matter.
                std::thread::spawn(move || _ = serve(stream, &*answer, &stop));
            }
        });
        Server { address, stopped }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Its address as `host:port`.
    pub fn host(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the accepting thread so that it sees the mark.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

/// What a server on the loopback answers to a method and a path, with a further header and a body; nothing if that is not JSON.
pub fn asked(port: u16, what: &str, header: &str, body: &str) -> Option<Value> {
    let request = format!(
        "{what} HTTP/1.0\r\nHost: localhost\r\n{header}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()
}

/// A port on which nobody listens.
pub fn dead_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("the loopback has a free port");
    listener.local_addr().expect("a listener has an address").port()
}

fn serve(
    stream: TcpStream,
    answer: &(dyn Fn(Request) -> Response + Send + Sync),
    stop: &AtomicBool,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    while let Some(request) = read_request(&mut reader)? {
        match answer(request) {
            Response::Proper { status, kind, body } => {
                let head = format!(
                    "HTTP/1.1 {status} scripted\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                writer.write_all(&[head.as_bytes(), &body].concat())?;
            }
            Response::Parts { kind, parts, pause, whole } => {
                let head = format!(
                    "HTTP/1.1 200 scripted\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n"
                );
                writer.write_all(head.as_bytes())?;
                for part in parts {
                    let chunk = [format!("{:x}\r\n", part.len()).as_bytes(), &part, b"\r\n"].concat();
                    writer.write_all(&chunk)?;
                    std::thread::sleep(pause);
                }
                if !whole {
                    return Ok(());
                }
                writer.write_all(b"0\r\n\r\n")?;
            }
            Response::Bytes(bytes) => {
                writer.write_all(&bytes)?;
                return Ok(());
            }
            Response::Hang => {
                while !stop.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(50));
                }
                return Ok(());
            }
        }
    }
    Ok(())
}

fn read_request(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { method, path, headers, body: Vec::new() };
    if request.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        request.body = read_chunks(reader)?;
    } else {
        let length = request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
        request.body = vec![0; length];
        reader.read_exact(&mut request.body)?;
    }
    Ok(Some(request))
}

fn read_chunks(reader: &mut BufReader<TcpStream>) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(std::io::Error::other)?;
        let start = body.len();
        body.resize(start + length, 0);
        reader.read_exact(&mut body[start..])?;
        reader.read_line(&mut String::new())?;
        if length == 0 {
            return Ok(body);
        }
    }
}
