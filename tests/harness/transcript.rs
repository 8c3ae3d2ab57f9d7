//! What a program has said so far, followed by a thread and read as plain text.

use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A growing text with a place up to which it was read.
#[derive(Debug, Clone)]
pub struct Transcript {
    shared: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Debug, Default)]
struct State {
    raw: Vec<u8>,
    plain: Plain,
    read_to: usize,
    ended: bool,
}

impl Transcript {
    /// Follows a stream to its end.
    pub fn follow(stream: impl Read + Send + 'static) -> Transcript {
        Transcript::follow_with(stream, |_| {})
    }

    /// Follows a stream; each piece is handed to `see` before it is kept.
    pub fn follow_with(
        mut stream: impl Read + Send + 'static,
        mut see: impl FnMut(&[u8]) + Send + 'static,
    ) -> Transcript {
        let transcript = Transcript { shared: Arc::default() };
        let writer = transcript.clone();
        std::thread::spawn(move || {
            let mut buffer = [0_u8; 4096];
            // A terminal whose last program has gone answers with an error instead of an end.
            while let Ok(n @ 1..) = stream.read(&mut buffer) {
                see(&buffer[..n]);
                let mut state = writer.lock();
                state.raw.extend_from_slice(&buffer[..n]);
                state.plain.feed(&buffer[..n]);
                drop(state);
                writer.shared.1.notify_all();
            }
            writer.lock().ended = true;
            writer.shared.1.notify_all();
        });
        transcript
    }

    /// Waits until the text after the last match holds `needle`; hands out what stands before and in the match.
    #[track_caller]
    pub fn expect(&self, needle: &str, limit: Duration) -> String {
        match self.wait_for(&[needle], limit) {
            Some((_, text)) => text,
            None => panic!("after {} s still no `{needle}` in\n{}", limit.as_secs(), self.tail()),
        }
    }

    /// Waits for the first of several texts; hands out which one came, and the text up to it.
    pub fn wait_for(&self, needles: &[&str], limit: Duration) -> Option<(usize, String)> {
        let start = Instant::now();
        let mut state = self.lock();
        loop {
            let unread = &state.plain.text[state.read_to..];
            let places = needles.iter().enumerate();
            let found =
                places.filter_map(|(which, n)| find(unread, n.as_bytes()).map(|at| (at, which))).min();
            if let Some((at, which)) = found {
                let end = at + needles[which].len();
                let text = String::from_utf8_lossy(&unread[..end]).into_owned();
                state.read_to += end;
                return Some((which, text));
            }
            let left = limit.checked_sub(start.elapsed())?;
            if state.ended {
                return None;
            }
            state = self.shared.1.wait_timeout(state, left).expect("no reader panics").0;
        }
    }

    /// Everything so far, as plain text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.lock().plain.text).into_owned()
    }

    /// The exact bytes so far.
    pub fn raw(&self) -> Vec<u8> {
        self.lock().raw.clone()
    }

    /// What was not read by `expect` yet.
    pub fn unread(&self) -> String {
        let state = self.lock();
        String::from_utf8_lossy(&state.plain.text[state.read_to..]).into_owned()
    }

    /// The whole text, once its writer has gone; a grandchild that keeps the stream open is not waited for long.
    pub fn to_end(&self) -> String {
        self.settle(Duration::from_secs(5));
        self.text()
    }

    /// Waits until the writer has gone and all that it said is here, or for a while.
    pub fn settle(&self, limit: Duration) {
        let waits = |state: &mut State| !state.ended;
        drop(self.shared.1.wait_timeout_while(self.lock(), limit, waits).expect("no reader panics"));
    }

    /// The end of the text with a mark at the place that was read to, for a failing test.
    pub fn tail(&self) -> String {
        let state = self.lock();
        let (read, unread) = state.plain.text.split_at(state.read_to);
        let read = &read[read.len().saturating_sub(4000)..];
        format!("{}\n>>> unread >>>\n{}", String::from_utf8_lossy(read), String::from_utf8_lossy(unread))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.0.lock().expect("no writer panics")
    }
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len().max(1)).position(|window| window == needle)
}

/// Text without escape sequences, carriage returns and bells; fed piece by piece.
#[derive(Debug, Default)]
struct Plain {
    text: Vec<u8>,
    within: Within,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Within {
    #[default]
    Text,
    Escape,
    Control,
    SystemCommand,
    SystemCommandEscape,
    Charset,
}

impl Plain {
    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.within = match (self.within, byte) {
                (Within::Text, 0x1b) => Within::Escape,
                (Within::Text, b'\r' | 0x07 | 0x08) => Within::Text,
                (Within::Text, _) => {
                    self.text.push(byte);
                    Within::Text
                }
                (Within::Escape, b'[') => Within::Control,
                (Within::Escape, b']' | b'P' | b'_' | b'^') => Within::SystemCommand,
                (Within::Escape, b'(' | b')') => Within::Charset,
                (Within::Control, 0x40..=0x7e) => Within::Text,
                (Within::Control, _) => Within::Control,
                (Within::SystemCommand, 0x07) => Within::Text,
                (Within::SystemCommand, 0x1b) => Within::SystemCommandEscape,
                (Within::SystemCommand, _) => Within::SystemCommand,
                (Within::Escape | Within::Charset | Within::SystemCommandEscape, _) => Within::Text,
            };
        }
    }
}

#[cfg(test)]
mod tests;
