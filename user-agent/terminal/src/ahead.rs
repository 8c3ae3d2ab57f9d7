//! What was typed or pasted before the prompt stood there: a queue of lines behind which the next question waits.
//!
//! The line editor reads in blocks and drops what stands behind the first line of one; so what is there already is read here.
//! Of keys that only move or complete nothing is kept.

use std::collections::VecDeque;

use super::input::MAX_LINE;

/// How a terminal marks the beginning and the end of a paste.
const PASTE: (&[u8], &[u8]) = (b"\x1b[200~", b"\x1b[201~");

/// Lines that were typed ahead, and the one that has been begun.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Bytes that are not a whole key yet.
    raw: Vec<u8>,
    lines: VecDeque<String>,
    begun: Vec<u8>,
    in_paste: bool,
    /// The person left behind these lines.
    left: bool,
}

impl Ahead {
    /// Takes what a terminal handed out.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        let raw = std::mem::take(&mut self.raw);
        let mut rest = raw.as_slice();
        while let Some((&first, behind)) = rest.split_first() {
            if first == 0x1b {
                let Some(length) = sequence(rest) else { break };
                match &rest[..length] {
                    begin if begin == PASTE.0 => self.in_paste = true,
                    end if end == PASTE.1 => self.in_paste = false,
                    _ => {}
                }
                rest = &rest[length..];
                continue;
            }
            match first {
                b'\r' | b'\n' if self.in_paste => self.begun.push(b'\n'),
                b'\r' | b'\n' => {
                    let line = self.take_begun();
                    self.lines.push_back(line);
                }
                0x7f | 0x08 => drop_last(&mut self.begun),
                0x15 => self.begun.clear(),
                0x03 => self.left = true,
                // Ctrl-D, or the zero that Linux hands out for one that its own line editing had taken already.
                0x04 | 0x00 => self.left |= self.begun.is_empty(),
                b'\t' => self.begun.push(b' '),
                0..0x20 => {}
                // As of every line, the rest of a longer one is thrown away.
                byte if self.begun.len() <= MAX_LINE => self.begun.push(byte),
                _ => {}
            }
            rest = behind;
        }
        self.raw = rest.to_vec();
    }

    /// The next line.
    pub(super) fn line(&mut self) -> Option<String> {
        self.lines.pop_front()
    }

    /// What has been begun and not sent.
    pub(super) fn take_begun(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.begun)).into_owned()
    }

    /// Whether there is a line, or a part of one.
    pub(super) fn has_some(&self) -> bool {
        !self.lines.is_empty() || !self.begun.is_empty() || self.left
    }

    /// Whether there is nothing but a line that has been begun.
    pub(super) fn is_begun(&self) -> bool {
        self.lines.is_empty() && !self.begun.is_empty()
    }

    /// Whether the person left, once all lines are taken.
    pub(super) fn has_left(&self) -> bool {
        self.left && self.lines.is_empty()
    }
}

/// The length of the key that begins with an escape; none where it is not whole.
fn sequence(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? {
        b'[' => bytes[2..].iter().position(|b| (0x40..=0x7e).contains(b)).map(|at| at + 3),
        b'O' => bytes.get(2).map(|_| 3),
        _ => Some(2),
    }
}

/// Takes the last character away, regardless of its length.
fn drop_last(text: &mut Vec<u8>) {
    while text.pop().is_some_and(|byte| (byte & 0xc0) == 0x80) {}
}

#[cfg(test)]
mod tests;
