//! A running `cl-bot serve`, and a client that sends what a test gives it, well-formed or not.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::run::{Background, Ran};
use crate::tls::{self, Trust};
use crate::world::{PATIENCE, Program, World};

/// How long an answer may take.
const WAIT: Duration = Duration::from_secs(120);

/// A running door; it ends with the value.
#[derive(Debug)]
pub struct Door {
    running: Background,
    place: Place,
}

/// Where it listens.
#[derive(Debug, Clone)]
pub enum Place {
    /// A socket file.
    File(PathBuf),
    /// An address, as `127.0.0.1:8787`.
    Address(String),
    /// An address by TLS, with the fingerprint of the certificate that it said.
    Tls(String, String),
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Insists on a status.
    #[track_caller]
    pub fn has(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// The events of a stream: their names and data.
    pub fn events(&self) -> Vec<(String, String)> {
        let blocks = self.body.split("\n\n").filter(|block| !block.trim().is_empty());
        blocks
            .map(|block| {
                let field = |name: &str| {
                    let lines = block.lines().filter_map(|line| line.strip_prefix(name));
                    lines.map(str::trim).collect::<Vec<_>>().join("\n")
                };
                (field("event:"), field("data:"))
            })
            .collect()
    }
}

impl Door {
    /// Starts `cl-bot serve` with the default socket file.
    pub fn open(world: &World, more: &[&str]) -> Door {
        Door::start(world, &[&["serve"], more].concat())
    }

    /// Starts it at a free port of the loopback.
    pub fn at_port(world: &World, more: &[&str]) -> Door {
        Door::start(world, &[&["serve", "--listen", "127.0.0.1:0"], more].concat())
    }

    /// Starts it with these arguments.
    pub fn start(world: &World, arguments: &[&str]) -> Door {
        let mut running = world.start(Program::Bot, arguments);
        let line = running.said("it says where it listens", |said| {
            let (_, rest) = said.split_once("listening at ")?;
            rest.split_once('\n').map(|(line, _)| line.trim().to_owned())
        });
        let place = match (line.strip_prefix("http://"), line.strip_prefix("https://")) {
            (Some(address), _) => Place::Address(address.to_owned()),
            (None, Some(address)) => {
                let fingerprint = running.said("it says its certificate", |said| {
                    let (_, rest) = said.split_once("certificate SHA-256 ")?;
                    rest.split_once('\n').map(|(line, _)| line.trim().to_owned())
                });
                Place::Tls(address.to_owned(), fingerprint)
            }
            (None, None) => Place::File(line.trim_end_matches(" (this user alone)").into()),
        };
        let door = Door { running, place };
        door.get("/health", None).has(200);
        door
    }

    /// Where it listens.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The socket file.
    pub fn file(&self) -> &Path {
        match &self.place {
            Place::File(path) => path,
            Place::Address(address) | Place::Tls(address, _) => panic!("it listens at {address}"),
        }
    }

    /// The starter, whose child is `mind`, whose children are the door and the process that has the network.
    pub fn starter(&self) -> u32 {
        self.running.pid()
    }

    /// What it said on standard error so far.
    pub fn said(&self) -> String {
        self.running.stderr.text()
    }

    /// Ends it as a service manager does, and waits for its end.
    pub fn end(self) -> Ran {
        self.running.signal(nix::sys::signal::Signal::SIGTERM);
        self.running.ended(Duration::from_secs(30))
    }

    /// Waits until it ends on its own.
    pub fn ended(self) -> Ran {
        self.running.ended(PATIENCE)
    }

    fn host(&self) -> &str {
        match &self.place {
            Place::File(_) => "localhost",
            Place::Address(address) | Place::Tls(address, _) => address,
        }
    }

    /// Asks by `GET`.
    pub fn get(&self, path: &str, token: Option<&str>) -> Answer {
        self.send(&self.head("GET", path, token, ""))
    }

    /// Sends JSON by `POST`.
    pub fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Answer {
        self.send(&self.posted(path, token, body))
    }

    /// The bytes of such a request.
    pub fn posted(&self, path: &str, token: Option<&str>, body: &Value) -> String {
        let body = body.to_string();
        let more = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        self.head("POST", path, token, &more) + &body
    }

    /// The bytes of a head, with more headers, each with its end.
    pub fn head(&self, method: &str, path: &str, token: Option<&str>, more: &str) -> String {
        let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{token}{more}\r\n", self.host())
    }

    /// Sends bytes on a connection of their own, and reads the answer to its end.
    pub fn send(&self, bytes: &str) -> Answer {
        let mut connection = self.connect();
        // It may have answered before all was sent.
        let _ = connection.write_all(bytes.as_bytes());
        read(BufReader::new(connection))
    }

    /// Sends bytes, and hands the connection out.
    pub fn begin(&self, bytes: &str) -> BufReader<Box<dyn ReadWrite>> {
        let mut connection = self.connect();
        connection.write_all(bytes.as_bytes()).expect("the door reads");
        BufReader::new(connection)
    }

    /// A connection.
    pub fn connect(&self) -> Box<dyn ReadWrite> {
        match &self.place {
            Place::File(path) => {
                let socket = UnixStream::connect(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                socket.set_read_timeout(Some(WAIT)).expect("a time can be set");
                Box::new(socket)
            }
            Place::Address(address) => Box::new(tcp(address)),
            Place::Tls(address, fingerprint) => {
                Box::new(tls::connect(tcp(address), "localhost", Trust::Fingerprint(fingerprint.clone())))
            }
        }
    }

    /// A connection on which nothing was said, not even the first word of TLS.
    pub fn bare(&self) -> TcpStream {
        tcp(self.host())
    }
}

fn tcp(address: &str) -> TcpStream {
    let socket = TcpStream::connect(address).unwrap_or_else(|e| panic!("{address}: {e}"));
    socket.set_read_timeout(Some(WAIT)).expect("a time can be set");
    socket
}

/// A connection.
pub trait ReadWrite: Read + Write + Send {}
impl<T: Read + Write + Send> ReadWrite for T {}

/// Reads an answer to the end of the connection; a body in chunks is put together.
pub(crate) fn read(mut reader: BufReader<Box<dyn ReadWrite>>) -> Answer {
    let mut line = String::new();
    reader.read_line(&mut line).expect("the door answers");
    let status =
        line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{line:?}"));
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).expect("a header") == 0 || line == "\r\n" {
            break;
        }
        let (name, value) = line.split_once(':').expect("a header");
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let mut body = Vec::new();
    // A client of its own making may be cut off.
    let _ = reader.read_to_end(&mut body);
    let in_chunks = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if in_chunks { whole(&body) } else { body };
    Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() }
}

fn whole(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunks.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&chunks[..end]), 16).expect("a size");
        body.extend_from_slice(&chunks[end + 2..end + 2 + size]);
        chunks = &chunks[end + 4 + size..];
        if size == 0 {
            break;
        }
    }
    body
}
