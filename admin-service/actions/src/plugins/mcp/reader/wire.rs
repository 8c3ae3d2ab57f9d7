//! The two ways to a server, by errands of the service: lines and posts.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use builder::children::talk::{read_frame, write_frame};
use models::sse::Parser;
use serde_json::Value;
use shared_types::text::cut;

use super::fault::{ProtocolFault, Spoken};
use super::message::{Heard, sort};
use crate::plugins::mcp::frames::{FromReader, MOST_MESSAGE, Method, Post, ToReader};

/// The most other messages that a server may send before an answer.
const MOST_BESIDE: usize = 1000;

/// The pipes to the service.
pub struct Pipes<'a> {
    input: &'a mut dyn Read,
    output: &'a mut dyn Write,
}

impl<'a> Pipes<'a> {
    /// Takes both ends.
    pub fn new(input: &'a mut dyn Read, output: &'a mut dyn Write) -> Pipes<'a> {
        Pipes { input, output }
    }

    /// The next order; none where the service is done.
    ///
    /// # Errors
    /// The service says what it does not say.
    pub fn order(&mut self) -> io::Result<Option<ToReader>> {
        let Some(frame) = read_frame(self.input)? else { return Ok(None) };
        ToReader::decode(&frame).map(Some).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
    }

    /// Tells the service something.
    ///
    /// # Errors
    /// The service is gone.
    pub fn tell(&mut self, told: &FromReader) -> io::Result<()> {
        write_frame(self.output, &told.encode())
    }

    /// Has an errand done.
    fn errand(&mut self, errand: &FromReader) -> io::Result<ToReader> {
        self.tell(errand)?;
        self.order()?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// The way to the server.
pub enum Way {
    /// By lines; whether it said that its tools changed.
    Lines {
        /// Since this was asked last.
        changed: bool,
    },
    /// By posts, in the version that was agreed on.
    Posts {
        /// Its place in [`crate::plugins::mcp::frames::VERSIONS`].
        version: Option<u8>,
    },
}

impl Way {
    /// Sends a request and waits for the result of that very request.
    ///
    /// # Errors
    /// See [`Spoken`].
    pub fn ask(
        &mut self,
        pipes: &mut Pipes<'_>,
        method: Method,
        id: u64,
        request: &Value,
    ) -> Result<Value, Spoken> {
        match self {
            Way::Posts { version } => post(pipes, *version, method, request, Some(id)),
            Way::Lines { changed } => {
                say(pipes, request)?;
                for _ in 0..MOST_BESIDE {
                    let Some(line) = hear(pipes, None)? else { continue };
                    if line.iter().all(u8::is_ascii_whitespace) {
                        continue;
                    }
                    match sort(&line, id)? {
                        Heard::Answer(answer) => return answer,
                        Heard::Reply(reply) => say(pipes, &reply)?,
                        Heard::Changed => *changed = true,
                        Heard::Nothing => {}
                    }
                }
                Err(ProtocolFault::Beside(MOST_BESIDE).into())
            }
        }
    }

    /// Sends what has no answer.
    ///
    /// # Errors
    /// See [`Spoken`].
    pub fn tell(
        &mut self,
        pipes: &mut Pipes<'_>,
        method: Method,
        notification: &Value,
    ) -> Result<(), Spoken> {
        match self {
            Way::Lines { .. } => say(pipes, notification),
            Way::Posts { version } => post(pipes, *version, method, notification, None).map(drop),
        }
    }

    /// Whether it said that its tools changed, since this was asked last; listens for so long.
    ///
    /// # Errors
    /// See [`Spoken`].
    pub fn changed(&mut self, pipes: &mut Pipes<'_>, wait: Duration) -> Result<bool, Spoken> {
        let Way::Lines { changed } = self else { return Ok(false) };
        let until = Instant::now() + wait;
        for _ in 0..MOST_BESIDE {
            let left = until.saturating_duration_since(Instant::now());
            let left = u32::try_from(left.as_millis()).unwrap_or_default();
            let Some(line) = hear(pipes, Some(left))? else { return Ok(std::mem::take(changed)) };
            // Nothing is asked now, so no answer has this number.
            match sort(&line, u64::MAX)? {
                Heard::Changed => *changed = true,
                Heard::Reply(reply) => say(pipes, &reply)?,
                Heard::Answer(_) | Heard::Nothing => {}
            }
        }
        Err(ProtocolFault::Flood(MOST_BESIDE).into())
    }

    /// Learns which version was agreed on.
    pub fn agreed(&mut self, place: u8) {
        if let Way::Posts { version } = self {
            *version = Some(place);
        }
    }
}

fn say(pipes: &mut Pipes<'_>, message: &Value) -> Result<(), Spoken> {
    Ok(pipes.tell(&FromReader::Say(sent(message)?))?)
}

/// The next line; none where none came in this time.
fn hear(pipes: &mut Pipes<'_>, wait: Option<u32>) -> Result<Option<Vec<u8>>, Spoken> {
    match pipes.errand(&FromReader::Hear(wait))? {
        ToReader::Line(line) => Ok(Some(line)),
        ToReader::Silence => Ok(None),
        _ => Err(unexpected()),
    }
}

/// Posts a message; `id` is that of the answer that is waited for, if any is.
fn post(
    pipes: &mut Pipes<'_>,
    version: Option<u8>,
    method: Method,
    message: &Value,
    id: Option<u64>,
) -> Result<Value, Spoken> {
    let mut parser = Parser::default();
    let mut found: Option<Result<Value, Spoken>> = None;
    let mut told = pipes.errand(&FromReader::Post(Post { version, method, body: sent(message)? }))?;
    let (kind, bytes) = loop {
        match told {
            ToReader::Body { kind, bytes } => break (kind, bytes),
            ToReader::Refused(status) => return Err(Spoken::Refused(status)),
            ToReader::Part(part) => {
                if let Some(id) = id {
                    follow(&mut parser, &part, id, &mut found);
                }
                told = pipes.errand(&FromReader::Enough(found.is_some()))?;
            }
            _ => return Err(unexpected()),
        }
    };
    let (Some(id), None) = (id, &found) else { return found.unwrap_or(Ok(Value::Null)) };
    if kind != "application/json" {
        return Err(ProtocolFault::Kind(cut(&kind, 60)).into());
    }
    match sort(&bytes, id)? {
        Heard::Answer(answer) => answer,
        Heard::Reply(_) | Heard::Changed | Heard::Nothing => Err(ProtocolFault::NoResult.into()),
    }
}

/// Follows a stream of events until the answer.
fn follow(parser: &mut Parser, part: &[u8], id: u64, found: &mut Option<Result<Value, Spoken>>) {
    let fed = parser.feed(part, &mut |event| {
        if found.is_none() {
            *found = match sort(event.as_bytes(), id) {
                Ok(Heard::Answer(answer)) => Some(answer),
                // What it asks of us over a stream gets no answer: nothing of it is offered.
                Ok(Heard::Reply(_) | Heard::Changed | Heard::Nothing) => None,
                Err(fault) => Some(Err(fault)),
            };
        }
    });
    if let Err(e) = fed {
        found.get_or_insert(Err(ProtocolFault::Stream(e).into()));
    }
}

/// A message as it is sent.
fn sent(message: &Value) -> Result<Vec<u8>, Spoken> {
    let bytes = message.to_string().into_bytes();
    if bytes.len() > MOST_MESSAGE {
        return Err(ProtocolFault::Sent(MOST_MESSAGE).into());
    }
    Ok(bytes)
}

fn unexpected() -> Spoken {
    io::Error::from(io::ErrorKind::InvalidData).into()
}
