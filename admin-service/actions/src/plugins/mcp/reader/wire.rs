//! The two ways to a server, by errands of the service: lines and posts.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use builder::workers::talk::{read_frame, write_frame};
use models::sse::Parser;
use serde_json::Value;
use shared_types::text::cut;

use super::fault::{ProtocolFault, Spoken};
use super::message::{Heard, sort};
use crate::plugins::mcp::frames::{
    EVENTS, FromReader, MOST_EVENT_ID, MOST_MESSAGE, Method, Post, Resume, STATELESS, ToReader, VERSIONS,
};

/// The most other messages that a server may send before an answer.
const MOST_BESIDE: usize = 1000;

/// The most times that a server may end a stream before the answer.
const MOST_STREAMS: usize = 100;
/// How long a server is left alone that says nothing of it, in milliseconds.
const WAIT: u32 = 1000;

/// What is asked of a server.
pub struct Request<'a> {
    pub method: Method,
    /// The number of the answer.
    pub id: u64,
    /// All of it.
    pub message: &'a Value,
    /// Arguments that stand in headers as well.
    pub mirrored: Vec<(String, String)>,
}

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
    pub fn ask(&mut self, pipes: &mut Pipes<'_>, request: Request<'_>) -> Result<Value, Spoken> {
        let Request { method, id, message, mirrored } = request;
        match self {
            Way::Posts { version } => {
                post(pipes, Post { version: *version, method, body: sent(message)?, mirrored }, Some(id))
            }
            Way::Lines { changed } => {
                say(pipes, message)?;
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
            Way::Posts { version } => {
                let body = sent(notification)?;
                post(pipes, Post { version: *version, method, body, mirrored: vec![] }, None).map(drop)
            }
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

/// Posts a message; `id` is that of the answer that is waited for, if any is. A stream that ends before the answer is gone on with,
/// where its events have names.
fn post(pipes: &mut Pipes<'_>, post: Post, id: Option<u64>) -> Result<Value, Spoken> {
    let version = post.version;
    let mut stream = Stream::default();
    let mut told = pipes.errand(&FromReader::Post(post))?;
    for streams in 1.. {
        let (kind, bytes) = stream.read(pipes, told, id)?;
        let (Some(id), None) = (id, &stream.found) else { return stream.found.unwrap_or(Ok(Value::Null)) };
        if kind == EVENTS {
            let resume = stream.rest(version).ok_or(ProtocolFault::Broken)?;
            if streams == MOST_STREAMS {
                break;
            }
            told = pipes.errand(&FromReader::Resume(resume))?;
            continue;
        }
        if kind != "application/json" {
            return Err(ProtocolFault::Kind(cut(&kind, 60)).into());
        }
        return match sort(&bytes, id)? {
            Heard::Answer(answer) => answer,
            Heard::Reply(_) | Heard::Changed | Heard::Nothing => Err(ProtocolFault::NoResult.into()),
        };
    }
    Err(ProtocolFault::Streams(MOST_STREAMS).into())
}

/// What was read of the streams of one request.
#[derive(Default)]
struct Stream {
    found: Option<Result<Value, Spoken>>,
    /// The last event with a name.
    after: Option<String>,
    wait: Option<u32>,
}

impl Stream {
    /// Reads to the end of what the service brings; answers the media type and the body of what was not a stream.
    fn read(
        &mut self,
        pipes: &mut Pipes<'_>,
        mut told: ToReader,
        id: Option<u64>,
    ) -> Result<(String, Vec<u8>), Spoken> {
        let mut parser = Parser::default();
        loop {
            match told {
                ToReader::Body { kind, bytes } => return Ok((kind, bytes)),
                ToReader::Refused(status) => return Err(Spoken::Refused(status)),
                ToReader::Part(part) => {
                    if let Some(id) = id {
                        follow(&mut parser, &part, id, &mut self.found);
                    }
                    self.after = parser.last_id().map(str::to_owned).or(self.after.take());
                    self.wait = parser.retry().or(self.wait);
                    told = pipes.errand(&FromReader::Enough(self.found.is_some()))?;
                }
                _ => return Err(unexpected()),
            }
        }
    }

    /// How the rest is asked for; nothing where the server names no event, or speaks a version without this.
    fn rest(&self, version: Option<u8>) -> Option<Resume> {
        let after = self.after.clone().filter(|after| !after.is_empty() && after.len() <= MOST_EVENT_ID)?;
        let speaks = version.and_then(|place| VERSIONS.get(usize::from(place))) != Some(&STATELESS);
        speaks.then(|| Resume { version, after, wait: self.wait.unwrap_or(WAIT) })
    }
}

/// Follows a stream of events until the answer.
fn follow(parser: &mut Parser, part: &[u8], id: u64, found: &mut Option<Result<Value, Spoken>>) {
    let fed = parser.feed(part, &mut |event| {
        // A server begins a stream with an event that holds a name and nothing else.
        if found.is_none() && !event.trim().is_empty() {
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
