//! Many clients at once that send one request after the other until they are ended.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use socket2::{Domain, Socket, Type};

use crate::eventually;

/// How many clients send the same headers.
const CLIENTS: usize = 32;
/// How many refusals show that it is more than is answered.
const MANY: usize = 50;
/// How long that may take.
const SOON: Duration = Duration::from_secs(60);
/// How long a client waits for an answer.
const WAIT: Duration = Duration::from_secs(5);

/// The clients; they end with [`Flood::ends`].
#[derive(Debug)]
pub struct Flood {
    ended: Arc<AtomicBool>,
    refused: Arc<AtomicUsize>,
    clients: Vec<JoinHandle<()>>,
}

impl Flood {
    /// Starts clients that ask an address for a path, with each of these headers, and keep their connections while they may. It is
    /// ready when requests are refused.
    pub fn of(address: &str, path: &str, headers: &[&str]) -> Flood {
        let request = |headers: &&str| format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n");
        Flood::from("127.0.0.1", address, &headers.iter().map(request).collect::<Vec<_>>())
    }

    /// The same with clients at another address of the loopback, and with these requests.
    pub fn from(source: &str, address: &str, requests: &[String]) -> Flood {
        let (ended, refused) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let client = |request: &String| {
            let (ended, refused, request) = (ended.clone(), refused.clone(), request.clone());
            let (source, address) = (source.to_owned(), address.to_owned());
            std::thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    let Ok(connection) = connected(&source, &address) else { continue };
                    talk(connection, &request, &ended, &refused);
                }
            })
        };
        let clients = requests.iter().flat_map(|request| [request; CLIENTS]).map(client).collect();
        let flood = Flood { ended, refused, clients };
        let is_refused = || (flood.refused.load(Ordering::Relaxed) > MANY).then_some(());
        eventually(SOON, "the flood is refused", is_refused);
        flood
    }

    /// Ends it; answers how many requests were refused.
    pub fn ends(mut self) -> usize {
        self.ended.store(true, Ordering::Relaxed);
        for client in std::mem::take(&mut self.clients) {
            client.join().expect("a client ends");
        }
        self.refused.load(Ordering::Relaxed)
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        // A test that fails leaves no flood behind.
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// A connection from one address of the loopback to another one.
///
/// # Errors
/// Nobody listens there.
pub fn connected(source: &str, address: &str) -> io::Result<TcpStream> {
    let at = |text: String| text.parse::<SocketAddr>().map_err(io::Error::other);
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&at(format!("{source}:0"))?.into())?;
    socket.connect(&at(address.to_owned())?.into())?;
    Ok(socket.into())
}

/// Sends bytes from an address of the loopback on a connection of their own; the whole answer.
pub fn asked_from(source: &str, address: &str, bytes: &str) -> String {
    let mut connection = connected(source, address).expect("somebody listens");
    connection.set_read_timeout(Some(SOON)).expect("a time can be set");
    // It may have answered before all was sent.
    let _ = connection.write_all(bytes.as_bytes());
    let mut answer = Vec::new();
    let _ = connection.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// A form that is sent to the log-in of a server, with more headers, each with its end.
pub fn login(address: &str, typed: &str, more: &str) -> String {
    format!(
        "POST /login HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: close\r\n{more}\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{typed}",
        typed.len()
    )
}

/// The cookies of an answer, as a browser sends them back: a header with its end.
pub fn cookies(answer: &str) -> String {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    let cookies = head.lines().filter_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
    format!("Cookie: {}\r\n", cookies.collect::<Vec<_>>().join("; "))
}

/// Sends a request again and again on one connection, and counts those that are refused.
fn talk(mut connection: TcpStream, request: &str, ended: &AtomicBool, refused: &AtomicUsize) {
    if connection.set_read_timeout(Some(WAIT)).is_err() {
        return;
    }
    let mut answer = [0; 4096];
    while !ended.load(Ordering::Relaxed) && connection.write_all(request.as_bytes()).is_ok() {
        let Ok(read @ 1..) = connection.read(&mut answer) else { return };
        let is_refused = answer[..read].starts_with(b"HTTP/1.1 429 ");
        refused.fetch_add(usize::from(is_refused), Ordering::Relaxed);
    }
}
