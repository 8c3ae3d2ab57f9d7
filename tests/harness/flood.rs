//! Many clients at once that send one request after the other until they are ended.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

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
        let (ended, refused) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let client = |headers: &&str| {
            let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n");
            let (ended, refused, address) = (ended.clone(), refused.clone(), address.to_owned());
            std::thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    let Ok(connection) = TcpStream::connect(&address) else { continue };
                    talk(connection, &request, &ended, &refused);
                }
            })
        };
        let clients = headers.iter().flat_map(|headers| [headers; CLIENTS]).map(client).collect();
        let flood = Flood { ended, refused, clients };
        let is_refused = || (flood.refused.load(Ordering::Relaxed) > MANY).then_some(());
        eventually(SOON, "the flood is refused", is_refused);
        flood
    }

    /// Ends it; answers how many requests were refused.
    pub fn ends(self) -> usize {
        self.ended.store(true, Ordering::Relaxed);
        for client in self.clients {
            client.join().expect("a client ends");
        }
        self.refused.load(Ordering::Relaxed)
    }
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
