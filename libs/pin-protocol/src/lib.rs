//! What a client and `cl-pins` say to each other: one JSON object a line, and an answer for each question in turn.
//!
//! | question | answer |
//! |---|---|
//! | `{"ask": "list"}` | `{"lines": [{"name": "lamp", "out": true}]}` |
//! | `{"ask": "read", "line": "lamp"}` | `{"on": true}` |
//! | `{"ask": "write", "line": "lamp", "on": true}` | `{"on": true}` |
//! | `{"ask": "wait", "line": "button", "edge": "any", "ms": 500, "new": true}` | `{"on": true}`, or `{"on": null}` where nothing came |
//!
//! In place of an answer there may be `{"error": "why, and what to do"}`. A line is named by its name, or by `pin 17` where one line has
//! that number alone.
#![forbid(unsafe_code)]

use std::io::{self, BufRead, Read, Write};

use serde_json::{Map, Value, json};

/// The longest line, in bytes, its end included.
pub const LONGEST: u64 = 8 * 1024;
/// The longest name of a line of a chip, in bytes.
pub const LONGEST_NAME: usize = 32;
/// The most lines that there are.
pub const MOST_LINES: usize = 32;
/// The longest wait for an edge, in milliseconds.
pub const LONGEST_WAIT: u64 = 30_000;

/// What a client waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// From off to on.
    Rising,
    /// From on to off.
    Falling,
    /// Either.
    Any,
}

impl Edge {
    const ALL: [(Edge, &str); 3] = [(Edge::Rising, "rising"), (Edge::Falling, "falling"), (Edge::Any, "any")];

    /// The edge of that spelling.
    pub fn parse(word: &str) -> Option<Edge> {
        Edge::ALL.into_iter().find(|(_, spelling)| *spelling == word).map(|(edge, _)| edge)
    }

    /// Its spelling.
    pub fn as_str(self) -> &'static str {
        Edge::ALL.into_iter().find(|(edge, _)| *edge == self).map_or("any", |(_, spelling)| spelling)
    }

    /// Whether a change to this level is one.
    pub fn is_to(self, on: bool) -> bool {
        match self {
            Edge::Rising => on,
            Edge::Falling => !on,
            Edge::Any => true,
        }
    }
}

/// What a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Which lines there are.
    List,
    /// The level of a line.
    Read(String),
    /// Switches a line.
    Write(String, bool),
    /// Waits until a line changes.
    Wait {
        line: String,
        /// Which change.
        edge: Edge,
        /// At most so many milliseconds.
        ms: u64,
        /// Whether a change before this question does not count.
        new: bool,
    },
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The lines by name, each with whether it is an output.
    Lines(Vec<(String, bool)>),
    /// The level; nothing where no change came in time.
    Level(Option<bool>),
    /// Why not, and what to do.
    Refused(String),
}

/// Why a line is not a question or an answer.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The stream cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It ends within a line, or the line is too long.
    #[error("a line has at most {LONGEST} bytes and ends")]
    Torn,
    /// It is something else.
    #[error("a line is one JSON object with the keys of its question or answer, and no others")]
    Malformed,
}

/// Reads the next question; nothing at the end of the stream.
///
/// # Errors
/// See [`Fault`].
pub fn read_ask(input: &mut impl BufRead) -> Result<Option<Ask>, Fault> {
    let Some(map) = object(input)? else { return Ok(None) };
    ask(&map).map(Some).ok_or(Fault::Malformed)
}

/// Reads the next answer; nothing at the end of the stream.
///
/// # Errors
/// See [`Fault`].
pub fn read_told(input: &mut impl BufRead) -> Result<Option<Reply>, Fault> {
    let Some(map) = object(input)? else { return Ok(None) };
    told(&map).map(Some).ok_or(Fault::Malformed)
}

/// Writes a question.
///
/// # Errors
/// The stream cannot be written.
pub fn write_ask(output: &mut impl Write, ask: &Ask) -> io::Result<()> {
    let object = match ask {
        Ask::List => json!({ "ask": "list" }),
        Ask::Read(line) => json!({ "ask": "read", "line": line }),
        Ask::Write(line, on) => json!({ "ask": "write", "line": line, "on": on }),
        Ask::Wait { line, edge, ms, new } => {
            json!({ "ask": "wait", "line": line, "edge": edge.as_str(), "ms": ms, "new": new })
        }
    };
    write(output, &object)
}

/// Writes an answer.
///
/// # Errors
/// The stream cannot be written.
pub fn write_told(output: &mut impl Write, told: &Reply) -> io::Result<()> {
    let object = match told {
        Reply::Lines(lines) => {
            let lines: Vec<Value> =
                lines.iter().map(|(name, out)| json!({ "name": name, "out": out })).collect();
            json!({ "lines": lines })
        }
        Reply::Level(on) => json!({ "on": on }),
        Reply::Refused(why) => json!({ "error": why }),
    };
    write(output, &object)
}

/// Whether this can name a line: letters and digits of ASCII, `-`, `_` and blanks between them.
pub fn is_name(name: &str) -> bool {
    let is_mark = |byte: u8| matches!(byte, b'-' | b'_' | b' ');
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
        && !name.starts_with(' ')
        && !name.ends_with(' ')
}

fn write(output: &mut impl Write, object: &Value) -> io::Result<()> {
    output.write_all(format!("{object}\n").as_bytes())?;
    output.flush()
}

fn object(input: &mut impl BufRead) -> Result<Option<Map<String, Value>>, Fault> {
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        return Err(Fault::Torn);
    }
    match serde_json::from_slice(&line) {
        Ok(Value::Object(map)) => Ok(Some(map)),
        _ => Err(Fault::Malformed),
    }
}

fn ask(map: &Map<String, Value>) -> Option<Ask> {
    let name = || map.get("line")?.as_str().filter(|name| is_name(name)).map(str::to_owned);
    let flag = |key| map.get(key).and_then(Value::as_bool);
    let (ask, keys) = match map.get("ask")?.as_str()? {
        "list" => (Ask::List, 1),
        "read" => (Ask::Read(name()?), 2),
        "write" => (Ask::Write(name()?, flag("on")?), 3),
        "wait" => {
            let edge = Edge::parse(map.get("edge")?.as_str()?)?;
            let ms = map.get("ms")?.as_u64().filter(|ms| *ms <= LONGEST_WAIT)?;
            (Ask::Wait { line: name()?, edge, ms, new: flag("new")? }, 5)
        }
        _ => return None,
    };
    (map.len() == keys).then_some(ask)
}

fn told(map: &Map<String, Value>) -> Option<Reply> {
    let (key, value) = map.iter().next().filter(|_| map.len() == 1)?;
    match (key.as_str(), value) {
        ("on", Value::Null) => Some(Reply::Level(None)),
        ("on", Value::Bool(on)) => Some(Reply::Level(Some(*on))),
        ("error", Value::String(why)) => Some(Reply::Refused(why.clone())),
        ("lines", Value::Array(lines)) if lines.len() <= MOST_LINES => {
            let line = |line: &Value| {
                let name = line.get("name")?.as_str().filter(|name| is_name(name))?;
                Some((name.to_owned(), line.get("out")?.as_bool()?))
            };
            lines.iter().map(line).collect::<Option<_>>().map(Reply::Lines)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
