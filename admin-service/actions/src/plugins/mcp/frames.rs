//! What crosses the pipes between the service and the confined child that reads a server's messages.
//!
//! A frame begins with a byte that says what it is; its fields follow in order. A number has 1, 2, 4 or 8 bytes, little-endian;
//! a text or a row of bytes is its length (u32) and that number of bytes, at most as many as its field may have. A frame that
//! has another form, or bytes after its last field, is refused.

use shared_types::action::MAX_OUTPUT;
use shared_types::id::Digest;

use crate::plugins::form::MOST_TOOLS;
use crate::plugins::mirrored;

/// The longest message that is taken from a server, in bytes.
pub const MOST_MESSAGE: usize = 1 << 20;
/// The versions of the protocol that are spoken, the newest first.
pub const VERSIONS: [&str; 5] = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The version without a greeting: each request says all that its answer depends on.
pub const STATELESS: &str = "2026-07-28";
/// The media type of a stream of events.
pub const EVENTS: &str = "text/event-stream";
/// The most tools that a list may have, those that are left out included.
pub const MOST_LISTED: usize = MOST_TOOLS * 8;
/// The longest name of a tool that is taken, in bytes.
pub const MOST_NAME: usize = 256;
/// The longest description, in bytes; a person sees 200 characters of it.
pub const MOST_DESCRIPTION: usize = 4 << 10;
/// The longest schema of one tool, in bytes of JSON.
pub const MOST_SCHEMA: usize = 16 << 10;
/// The longest words of an error, in bytes.
pub const MOST_WORDS: usize = 8 << 10;
/// The longest name of an event, in bytes.
pub const MOST_EVENT_ID: usize = 256;
/// The longest media type, in bytes.
const MOST_KIND: usize = 16 << 10;
/// The wait that stands for the whole time of an order.
const WHOLE: u32 = u32::MAX;

/// What the service tells the child: an order, or what an errand of the child brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToReader {
    /// Greet the server, which is spoken to by lines or by posts.
    Greet {
        /// Whether by lines.
        lines: bool,
    },
    /// List its tools.
    List,
    /// Say whether its tools may be others now.
    Changed,
    /// Call a tool.
    Call {
        /// The server's name for it.
        tool: String,
        /// The arguments, as JSON.
        args: String,
    },
    /// A line of the server.
    Line(Vec<u8>),
    /// No line came in the time that was given.
    Silence,
    /// A part of a stream of events.
    Part(Vec<u8>),
    /// The end of an answer.
    Body {
        /// The media type.
        kind: String,
        /// The body; nothing where it came in parts.
        bytes: Vec<u8>,
    },
    /// The server answered with a status that says that it does not take this.
    Refused(u16),
}

/// What the child tells: an errand, or what came of the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FromReader {
    /// Say this line to the server.
    Say(Vec<u8>),
    /// Bring its next line, within this many milliseconds; without a number, within the time of the order.
    Hear(Option<u32>),
    /// Post this; what comes back is wanted.
    Post(Post),
    /// Ask for the rest of a stream of events that ended before the answer.
    Resume(Resume),
    /// Whether enough of a stream was seen.
    Enough(bool),
    /// The server was greeted.
    Greeted,
    /// One tool of its list.
    Tool(Tool),
    /// The list is whole; SHA-256 of it.
    Listed(Digest),
    /// Whether its tools may be others now.
    Changed(bool),
    /// What a call brought.
    Answered(Answer),
    /// The server answers with an error.
    Error {
        /// The number.
        code: i64,
        /// Its words.
        message: String,
    },
    /// The server does not keep to the protocol; how.
    Misspoke(String),
    /// The server takes neither greeting; the status of its first refusal.
    Refused(u16),
}

/// One request to a server elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    /// The version that was agreed on: its place in [`VERSIONS`].
    pub version: Option<u8>,
    /// What is asked.
    pub method: Method,
    /// The message.
    pub body: Vec<u8>,
    /// Arguments of a call that stand in headers as well, by the names of those.
    pub mirrored: Vec<(String, String)>,
}

/// The rest of a stream of events (versions from 2025-03-26 to 2025-11-25, "Resumability and Redelivery").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// The version that was agreed on: its place in [`VERSIONS`].
    pub version: Option<u8>,
    /// The last event that came.
    pub after: String,
    /// How long the server wants to be left alone before, in milliseconds.
    pub wait: u32,
}

/// What a server is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The greeting.
    Initialize,
    /// The end of the greeting.
    Initialized,
    /// What it speaks.
    Discover,
    /// Its tools.
    List,
    Call,
}

impl Method {
    const ALL: [Method; 5] =
        [Method::Initialize, Method::Initialized, Method::Discover, Method::List, Method::Call];

    /// Its name in the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Initialize => "initialize",
            Method::Initialized => "notifications/initialized",
            Method::Discover => "server/discover",
            Method::List => "tools/list",
            Method::Call => "tools/call",
        }
    }
}

/// A tool as a server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The server's name for it.
    pub name: String,
    /// What it says about it.
    pub description: String,
    /// Its parameters, as JSON; nothing where they are longer than [`MOST_SCHEMA`].
    pub schema: Option<String>,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its text; content of another kind is named there.
    pub text: String,
    /// Whether the text was longer.
    pub cut: bool,
    /// Whether it calls that a failure.
    pub failed: bool,
}

/// Bytes that are not a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("what it says is not a frame")]
pub struct Malformed;

impl ToReader {
    /// Its frame.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            ToReader::Greet { lines } => Frame::of(0).byte(u8::from(*lines)),
            ToReader::List => Frame::of(1),
            ToReader::Changed => Frame::of(2),
            ToReader::Call { tool, args } => Frame::of(3).sized(tool.as_bytes()).sized(args.as_bytes()),
            ToReader::Line(line) => Frame::of(4).sized(line),
            ToReader::Silence => Frame::of(5),
            ToReader::Part(part) => Frame::of(6).sized(part),
            ToReader::Body { kind, bytes } => Frame::of(7).sized(kind.as_bytes()).sized(bytes),
            ToReader::Refused(status) => Frame::of(8).put(&status.to_le_bytes()),
        }
        .0
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// Bytes that are not one.
    pub fn decode(frame: &[u8]) -> Result<ToReader, Malformed> {
        let mut fields = Fields(frame);
        let told = match fields.byte()? {
            0 => ToReader::Greet { lines: fields.flag()? },
            1 => ToReader::List,
            2 => ToReader::Changed,
            3 => ToReader::Call { tool: fields.text(MOST_MESSAGE)?, args: fields.text(MOST_MESSAGE)? },
            4 => ToReader::Line(fields.bytes(MOST_MESSAGE)?),
            5 => ToReader::Silence,
            6 => ToReader::Part(fields.bytes(MOST_MESSAGE)?),
            7 => ToReader::Body { kind: fields.text(MOST_KIND)?, bytes: fields.bytes(MOST_MESSAGE)? },
            8 => ToReader::Refused(u16::from_le_bytes(fields.array()?)),
            _ => return Err(Malformed),
        };
        fields.end(told)
    }
}

impl FromReader {
    /// Its frame.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            FromReader::Say(line) => Frame::of(0).sized(line),
            FromReader::Hear(wait) => Frame::of(1).put(&wait.unwrap_or(WHOLE).to_le_bytes()),
            FromReader::Post(Post { version, method, body, mirrored }) => {
                let method = Method::ALL.iter().position(|known| known == method).unwrap_or_default();
                let method = u8::try_from(method).unwrap_or_default();
                let count = u8::try_from(mirrored.len()).unwrap_or(u8::MAX);
                let post = Frame::of(2).byte(version.unwrap_or(u8::MAX)).byte(method).sized(body).byte(count);
                mirrored
                    .iter()
                    .fold(post, |frame, (name, value)| frame.sized(name.as_bytes()).sized(value.as_bytes()))
            }
            FromReader::Resume(Resume { version, after, wait }) => Frame::of(12)
                .byte(version.unwrap_or(u8::MAX))
                .sized(after.as_bytes())
                .put(&wait.to_le_bytes()),
            FromReader::Enough(enough) => Frame::of(3).byte(u8::from(*enough)),
            FromReader::Greeted => Frame::of(4),
            FromReader::Tool(Tool { name, description, schema }) => Frame::of(5)
                .sized(name.as_bytes())
                .sized(description.as_bytes())
                .byte(u8::from(schema.is_some()))
                .sized(schema.as_deref().unwrap_or_default().as_bytes()),
            FromReader::Listed(digest) => Frame::of(6).sized(digest.as_str().as_bytes()),
            FromReader::Changed(changed) => Frame::of(7).byte(u8::from(*changed)),
            FromReader::Answered(Answer { text, cut, failed }) => {
                Frame::of(8).sized(text.as_bytes()).byte(u8::from(*cut)).byte(u8::from(*failed))
            }
            FromReader::Error { code, message } => {
                Frame::of(9).put(&code.to_le_bytes()).sized(message.as_bytes())
            }
            FromReader::Misspoke(words) => Frame::of(10).sized(words.as_bytes()),
            FromReader::Refused(status) => Frame::of(11).put(&status.to_le_bytes()),
        }
        .0
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// Bytes that are not one.
    pub fn decode(frame: &[u8]) -> Result<FromReader, Malformed> {
        let mut fields = Fields(frame);
        let told = match fields.byte()? {
            0 => FromReader::Say(fields.bytes(MOST_MESSAGE)?),
            1 => FromReader::Hear(Some(u32::from_le_bytes(fields.array()?)).filter(|wait| *wait != WHOLE)),
            2 => FromReader::Post(fields.post()?),
            3 => FromReader::Enough(fields.flag()?),
            4 => FromReader::Greeted,
            5 => FromReader::Tool(fields.tool()?),
            6 => FromReader::Listed(fields.text(64)?.parse().map_err(|_| Malformed)?),
            7 => FromReader::Changed(fields.flag()?),
            8 => FromReader::Answered(Answer {
                text: fields.text(MAX_OUTPUT)?,
                cut: fields.flag()?,
                failed: fields.flag()?,
            }),
            9 => FromReader::Error {
                code: i64::from_le_bytes(fields.array()?),
                message: fields.text(MOST_WORDS)?,
            },
            10 => FromReader::Misspoke(fields.text(MOST_WORDS)?),
            11 => FromReader::Refused(u16::from_le_bytes(fields.array()?)),
            12 => FromReader::Resume(Resume {
                version: fields.version()?,
                after: fields.text(MOST_EVENT_ID)?,
                wait: u32::from_le_bytes(fields.array()?),
            }),
            _ => return Err(Malformed),
        };
        fields.end(told)
    }
}

/// A frame that is being written.
struct Frame(Vec<u8>);

impl Frame {
    fn of(what: u8) -> Frame {
        Frame(vec![what])
    }

    fn byte(self, byte: u8) -> Frame {
        self.put(&[byte])
    }

    fn put(mut self, bytes: &[u8]) -> Frame {
        self.0.extend_from_slice(bytes);
        self
    }

    /// A length that does not fit its field is one that no reader takes.
    fn sized(self, bytes: &[u8]) -> Frame {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.put(&length.to_le_bytes()).put(bytes)
    }
}

/// What is left of a frame.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (field, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(field)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take(N)?.try_into().map_err(|_| Malformed)
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    fn flag(&mut self) -> Result<bool, Malformed> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed),
        }
    }

    fn bytes(&mut self, most: usize) -> Result<Vec<u8>, Malformed> {
        let length = usize::try_from(u32::from_le_bytes(self.array()?)).map_err(|_| Malformed)?;
        if length > most {
            return Err(Malformed);
        }
        Ok(self.take(length)?.to_vec())
    }

    fn text(&mut self, most: usize) -> Result<String, Malformed> {
        String::from_utf8(self.bytes(most)?).map_err(|_| Malformed)
    }

    fn version(&mut self) -> Result<Option<u8>, Malformed> {
        let version = Some(self.byte()?).filter(|version| *version != u8::MAX);
        if version.is_some_and(|version| usize::from(version) >= VERSIONS.len()) {
            return Err(Malformed);
        }
        Ok(version)
    }

    fn post(&mut self) -> Result<Post, Malformed> {
        let version = self.version()?;
        let method = *Method::ALL.get(usize::from(self.byte()?)).ok_or(Malformed)?;
        let (body, count) = (self.bytes(MOST_MESSAGE)?, usize::from(self.byte()?));
        if count > mirrored::MOST {
            return Err(Malformed);
        }
        let header = |_| {
            let name = self.text(mirrored::PREFIX.len() + mirrored::MOST_NAME)?;
            // Nothing else is a header of the server's choice.
            if !name.starts_with(mirrored::PREFIX) {
                return Err(Malformed);
            }
            Ok((name, self.text(mirrored::MOST_VALUE)?))
        };
        let mirrored = (0..count).map(header).collect::<Result<_, _>>()?;
        Ok(Post { version, method, body, mirrored })
    }

    fn tool(&mut self) -> Result<Tool, Malformed> {
        let (name, description) = (self.text(MOST_NAME)?, self.text(MOST_DESCRIPTION)?);
        let has_schema = self.flag()?;
        let schema = self.text(if has_schema { MOST_SCHEMA } else { 0 })?;
        Ok(Tool { name, description, schema: has_schema.then_some(schema) })
    }

    /// What was read, where nothing is left.
    fn end<T>(self, told: T) -> Result<T, Malformed> {
        if self.0.is_empty() { Ok(told) } else { Err(Malformed) }
    }
}

#[cfg(test)]
mod tests;
