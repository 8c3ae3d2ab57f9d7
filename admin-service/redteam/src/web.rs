//! Two small servers of this machine: one that a skill may reach, and one that it may not.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::error::Error;

/// A server that keeps what it was sent.
#[derive(Debug)]
pub(super) struct Server {
    /// Its address as `host:port`.
    pub(super) host: String,
    seen: Arc<Mutex<String>>,
}

impl Server {
    /// Starts a server; `/echo` repeats the request, `/redirect` sends on to `onward`.
    pub(super) fn start(onward: &str) -> Result<Server, Error> {
        let trouble = |e| Error::Io { path: "a loopback address".into(), source: e };
        let listener = TcpListener::bind("127.0.0.1:0").map_err(trouble)?;
        let host = listener.local_addr().map_err(trouble)?.to_string();
        let seen: Arc<Mutex<String>> = Arc::default();
        let (kept, onward) = (Arc::clone(&seen), onward.to_owned());
        // It ends with the program; there is nothing to tidy up.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = answer(stream, &kept, &onward);
            }
        });
        Ok(Server { host, seen })
    }

    /// Everything that was sent so far.
    pub(super) fn seen(&self) -> String {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(mut stream: TcpStream, seen: &Mutex<String>, onward: &str) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_millis(300)))?;
    let mut request = Vec::new();
    let mut chunk = [0_u8; 4096];
    while request.len() < 1 << 16 {
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(n) => request.extend_from_slice(&chunk[..n]),
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    seen.lock().unwrap_or_else(PoisonError::into_inner).push_str(&request);
    let path = request.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let (status, more, body) = if path.starts_with("/redirect") {
        ("302 Found", format!("location: http://{onward}/?from=redirect\r\n"), String::new())
    } else if path.starts_with("/echo") {
        ("200 OK", String::new(), request)
    } else {
        ("200 OK", String::new(), "fine".to_owned())
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{more}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}
