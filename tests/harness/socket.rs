//! A client of the door's WebSocket that sends what a test gives it, well-formed or not.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::door::{self, Answer, Door, ReadWrite};

/// What a frame holds.
pub const TEXT: u8 = 0x1;
/// Bytes.
pub const BINARY: u8 = 0x2;
/// The end, with a code.
pub const CLOSE: u8 = 0x8;
/// Asks for a sign of life.
pub const PING: u8 = 0x9;
/// A sign of life.
pub const PONG: u8 = 0xA;
/// The bit of a frame that is the last of its message.
const LAST: u8 = 0x80;
/// The bit of a frame whose payload is masked.
const MASKED: u8 = 0x80;
/// The mask of every frame; a constant one serves here.
const MASK: [u8; 4] = [0x37, 0xFA, 0x21, 0x3D];

/// An open socket.
pub struct Socket(BufReader<Box<dyn ReadWrite>>);

/// The head of a handshake, with more headers, each with its end.
pub fn handshake(door: &Door, token: Option<&str>, more: &str) -> String {
    let upgrade =
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    door.head("GET", "/chat/ws", token, &format!("{upgrade}{more}"))
        .replace("Connection: close", "Connection: Upgrade")
}

/// A handshake that is refused.
pub fn refused(door: &Door, token: Option<&str>, more: &str) -> Answer {
    // Without a body of its own the connection would stay open after the answer.
    let words = handshake(door, token, more).replace("Connection: Upgrade", "Connection: close, Upgrade");
    let mut connection = door.begin(&words);
    // A socket that is opened all the same stays open, too: its end is not waited for.
    let begun = connection.fill_buf().expect("the door answers");
    assert!(!begun.starts_with(b"HTTP/1.1 101 "), "the socket is open: {}", String::from_utf8_lossy(begun));
    door::read(connection)
}

impl Socket {
    /// Opens one.
    #[track_caller]
    pub fn open(door: &Door, token: Option<&str>, more: &str) -> Socket {
        let mut socket = Socket(door.begin(&handshake(door, token, more)));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(socket.0.read_line(&mut head).expect("the door answers") > 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
        let accept = "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=";
        assert!(head.to_lowercase().contains(accept), "the example of RFC 6455: {head}");
        assert!(!head.to_lowercase().contains("sec-websocket-extensions"), "{head}");
        socket
    }

    /// Sends bytes.
    pub fn send(&mut self, bytes: &[u8]) {
        // It may have been closed before all was sent.
        let _ = self.0.get_mut().write_all(bytes);
    }

    /// Sends a whole message.
    pub fn send_frame(&mut self, kind: u8, payload: &[u8]) {
        self.send(&frame(LAST | kind, payload));
    }

    /// Sends JSON as a text message.
    pub fn say(&mut self, message: &Value) {
        self.send_frame(TEXT, message.to_string().as_bytes());
    }

    /// The next frame: its kind and payload. Nothing where the connection has ended.
    pub fn frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).ok()?;
        assert_eq!(head[0] & 0x70, 0, "no bit of an extension is set");
        assert_eq!(head[1] & MASKED, 0, "a server masks nothing");
        let length = match head[1] {
            126 => u64::from(u16::from_be_bytes(self.bytes())),
            127 => u64::from_be_bytes(self.bytes()),
            length => u64::from(length),
        };
        let mut payload = vec![0; usize::try_from(length).expect("a length")];
        self.0.read_exact(&mut payload).expect("a whole frame");
        Some((head[0] & 0x0F, payload))
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).expect("a whole frame");
        bytes
    }

    /// The next event: its name and data. A ping in between is answered.
    #[track_caller]
    pub fn event(&mut self) -> (String, Value) {
        loop {
            match self.frame() {
                Some((PING, payload)) => self.send_frame(PONG, &payload),
                Some((TEXT, payload)) => {
                    let mut read: Value = serde_json::from_slice(&payload).expect("JSON");
                    let name = read["event"].as_str().expect("a name").to_owned();
                    return (name, read["data"].take());
                }
                other => panic!("no event: {other:?}"),
            }
        }
    }

    /// The next event of this name, past others.
    #[track_caller]
    pub fn until(&mut self, name: &str) -> Value {
        let mut before = Vec::new();
        loop {
            let (found, data) = self.event();
            if found == name {
                return data;
            }
            assert!(!["done", "error"].contains(&found.as_str()), "before {name}: {data} after {before:?}");
            before.push((found, data));
        }
    }

    /// Waits until the door closes the socket, past anything that it sends before, without a sign of life; answers the code,
    /// and how long it took.
    #[track_caller]
    pub fn closed(&mut self) -> (u16, Duration) {
        let begun = Instant::now();
        loop {
            match self.frame() {
                Some((CLOSE, payload)) if payload.len() >= 2 => {
                    return (u16::from_be_bytes([payload[0], payload[1]]), begun.elapsed());
                }
                Some(_) => {}
                None => panic!("the connection has ended without a code"),
            }
        }
    }

    /// Whether the connection has ended.
    pub fn has_ended(&mut self) -> bool {
        match self.0.read(&mut [0]) {
            Ok(0) => true,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
            Ok(_) => false,
        }
    }
}

/// A masked frame with this first byte.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..126 => bytes.push(MASKED | length as u8),
        length @ 126..0x1_0000 => {
            bytes.push(MASKED | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(MASKED | 127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend(MASK);
    bytes.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}
