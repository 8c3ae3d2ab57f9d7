//! The keyboard: bytes of a terminal become keys.
//!
//! The event reader of the drawing library is not used: it never returns once the terminal is gone, and it keeps keys of
//! its own that a question could not throw away.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::time::Duration;

use base::error::Error;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{FlushArg, tcflush};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// A letter with the control key.
    Ctrl(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    Tab,
    /// Tab with shift.
    BackTab,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// To the start.
    Home,
    End,
    PageUp,
    PageDown,
    /// Takes back the character before the cursor.
    Backspace,
    /// Takes away the character at the cursor.
    Delete,
}

/// The longest sequence that is waited for, in bytes; a longer one is not a key.
const LONGEST: usize = 32;

/// Bytes that are not a whole key yet.
#[derive(Debug, Default)]
pub struct Decoder {
    pending: Vec<u8>,
}

impl Decoder {
    /// The keys that these bytes complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Key> {
        let mut keys = vec![];
        for byte in bytes {
            self.pending.push(*byte);
            match parse(&self.pending) {
                Parsed::More if self.pending.len() < LONGEST => {}
                Parsed::Key(key) => {
                    keys.push(key);
                    self.pending.clear();
                }
                Parsed::Nothing | Parsed::More => self.pending.clear(),
            }
        }
        keys
    }

    /// Whether something has begun that the next bytes would complete.
    pub fn is_within(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Nothing more came: an escape that stands alone is the key; anything else is dropped.
    pub fn settle(&mut self) -> Option<Key> {
        let alone = self.pending == [0x1b];
        self.pending.clear();
        alone.then_some(Key::Esc)
    }
}

enum Parsed {
    Key(Key),
    More,
    Nothing,
}

fn parse(bytes: &[u8]) -> Parsed {
    match bytes {
        [b'\r' | b'\n'] => Parsed::Key(Key::Enter),
        [b'\t'] => Parsed::Key(Key::Tab),
        [8 | 127] => Parsed::Key(Key::Backspace),
        [0x1b] | [0x1b, b'[' | b'O'] => Parsed::More,
        [0] => Parsed::Nothing,
        [control @ 1..=26] => Parsed::Key(Key::Ctrl(char::from(b'a' + control - 1))),
        [0x1b, b'O', b'M'] => Parsed::Key(Key::Enter),
        [0x1b, b'O', last] => named(*last),
        [0x1b, b'[', parameters @ .., last] => match last {
            b'0'..=b'9' | b';' | b'?' | b'<' | b'>' | b'=' | b'[' => Parsed::More,
            // What has other parameters is a report of the terminal, and no key.
            _ if parameters.iter().any(|b| !b.is_ascii_digit() && *b != b';') => Parsed::Nothing,
            b'~' => numbered(parameters),
            last => named(*last),
        },
        // Escape and then another key: neither.
        [0x1b, ..] => Parsed::Nothing,
        bytes => match std::str::from_utf8(bytes) {
            Ok(text) => match text.chars().next() {
                Some(c) if !shared_types::text::is_unsafe(c) => Parsed::Key(Key::Char(c)),
                _ => Parsed::Nothing,
            },
            Err(e) if e.error_len().is_none() => Parsed::More,
            Err(_) => Parsed::Nothing,
        },
    }
}

fn named(last: u8) -> Parsed {
    Parsed::Key(match last {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'H' => Key::Home,
        b'F' => Key::End,
        b'Z' => Key::BackTab,
        _ => return Parsed::Nothing,
    })
}

fn numbered(parameters: &[u8]) -> Parsed {
    let number = parameters.split(|b| *b == b';').next().unwrap_or_default();
    Parsed::Key(match number {
        b"1" | b"7" => Key::Home,
        b"4" | b"8" => Key::End,
        b"3" => Key::Delete,
        b"5" => Key::PageUp,
        b"6" => Key::PageDown,
        _ => return Parsed::Nothing,
    })
}

/// The keyboard of the terminal on stdin.
pub struct Keyboard {
    input: File,
    decoder: Decoder,
}

/// What waiting for a key came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// These keys; none when the time was up.
    Keys(Vec<Key>),
    /// The terminal is gone.
    Gone,
}

/// How long the rest of a sequence may take, in milliseconds; a slow line needs that.
const REST: Duration = Duration::from_millis(60);

impl Keyboard {
    /// The keyboard of the terminal on stdin.
    ///
    /// # Errors
    /// A descriptor that cannot be copied.
    pub fn open() -> Result<Keyboard, Error> {
        let input = std::io::stdin().as_fd().try_clone_to_owned().map_err(super::terminal::trouble)?;
        Ok(Keyboard { input: File::from(input), decoder: Decoder::default() })
    }

    /// Waits for keys; a signal ends the wait.
    pub fn wait(&mut self, limit: Duration) -> Heard {
        let limit = if self.decoder.is_within() { limit.min(REST) } else { limit };
        let limit = PollTimeout::try_from(limit).unwrap_or(PollTimeout::ZERO);
        let mut fds = [PollFd::new(self.input.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, limit) {
            Ok(0) => return Heard::Keys(self.decoder.settle().into_iter().collect()),
            Ok(_) => {}
            Err(nix::errno::Errno::EINTR) => return Heard::Keys(vec![]),
            Err(_) => return Heard::Gone,
        }
        let mut bytes = [0; 1024];
        match self.input.read(&mut bytes) {
            Ok(0) => Heard::Gone,
            Ok(n) => Heard::Keys(self.decoder.feed(&bytes[..n])),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => Heard::Keys(vec![]),
            Err(_) => Heard::Gone,
        }
    }

    /// Throws away what was typed and not looked at yet.
    pub fn drain(&mut self) {
        self.decoder = Decoder::default();
        // Without a terminal there is nothing to throw away, and the next wait says so.
        let _ = tcflush(self.input.as_fd(), FlushArg::TCIFLUSH);
    }
}

#[cfg(test)]
mod tests;
