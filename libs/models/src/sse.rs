//! Server-sent events: bytes as they come in, the data of whole events out.
//!
//! The parser returns the data of each event and keeps the last event id and the retry time; event names and comments are skipped. A
//! line ends with CR, LF or both, and the input may be split anywhere, inside a character too.

/// The longest line, in bytes.
pub const MAX_LINE: usize = 256 * 1024;
/// The longest data of one event, in bytes.
pub const MAX_EVENT: usize = 512 * 1024;

/// A stream that cannot be followed any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SseError {
    /// A line without end.
    #[error("a line of the stream is longer than {MAX_LINE} bytes")]
    Line,
    /// An event without end.
    #[error("an event of the stream is longer than {MAX_EVENT} bytes")]
    Event,
}

/// Reads one stream.
#[derive(Debug, Default)]
pub struct Parser {
    /// The line so far.
    line: Vec<u8>,
    /// The data of the event so far, each line followed by LF.
    data: String,
    /// The id that the next event has, and that of the last one that ended.
    id: Option<String>,
    last_id: Option<String>,
    retry: Option<u32>,
    /// Whether the last byte was CR: an LF after it ends no second line.
    after_cr: bool,
    /// Whether the first line was seen; only it may begin with a byte order mark.
    begun: bool,
}

impl Parser {
    /// Takes the next bytes, and hands the data of each event that is now whole to `event`.
    ///
    /// # Errors
    /// A line or an event beyond its limit; the stream is to be given up then.
    pub fn feed(&mut self, mut bytes: &[u8], event: &mut dyn FnMut(String)) -> Result<(), SseError> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + part.len() > MAX_LINE {
                return Err(SseError::Line);
            }
            self.line.extend_from_slice(part);
            let Some(end) = end else { return Ok(()) };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            self.end_of_line(event)?;
        }
        Ok(())
    }

    /// The id of the last event that had one.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// How long to wait before a stream that ended is asked for again, in milliseconds, where the server says so.
    pub fn retry(&self) -> Option<u32> {
        self.retry
    }

    /// Ends the stream: an event whose lines are whole counts although the empty line after it is missing.
    pub fn finish(mut self, event: &mut dyn FnMut(String)) {
        self.dispatch(event);
    }

    fn end_of_line(&mut self, event: &mut dyn FnMut(String)) -> Result<(), SseError> {
        let mut line = self.line.as_slice();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            self.line.clear();
            self.dispatch(event);
            return Ok(());
        }
        let (field, value) = match line.iter().position(|b| *b == b':') {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if field == b"data" {
            if self.data.len() + value.len() > MAX_EVENT {
                return Err(SseError::Event);
            }
            self.data.push_str(&String::from_utf8_lossy(value));
            self.data.push('\n');
        } else if field == b"id" && !value.contains(&0) {
            self.id = Some(String::from_utf8_lossy(value).into_owned());
        } else if field == b"retry" && value.iter().all(u8::is_ascii_digit) {
            self.retry =
                std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok()).or(self.retry);
        }
        self.line.clear();
        Ok(())
    }

    fn dispatch(&mut self, event: &mut dyn FnMut(String)) {
        // An event without data counts here: a server sends one so that its stream can be continued.
        self.last_id.clone_from(&self.id);
        let mut data = std::mem::take(&mut self.data);
        if data.pop().is_some() {
            event(data);
        }
    }
}

/// Whether an event is the last one of a chat, after which there is no reason to wait for the server to close.
pub fn is_last(data: &str) -> bool {
    data.trim() == "[DONE]" || (data.len() < 100 && data.contains("\"message_stop\""))
}

#[cfg(test)]
mod tests;
