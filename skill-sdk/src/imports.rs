//! The calls by which a skill reaches the world, each belonging to a capability token.
//!
//! One function per need: the linker drops what a skill does not use, so that a module's imports say
//! what it can do. Outside the agent every call fails with a [`HostError`].

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use crate::{abi, Value};

/// Why the host refused a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError(String);

impl HostError {
    pub(crate) fn new(why: impl Into<String>) -> HostError {
        HostError(why.into())
    }

    pub(crate) fn unexpected() -> HostError {
        HostError::new("the host gave an unexpected answer")
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Asks the person a question and waits for the line. Needs `user:input`.
pub fn ask(question: &str) -> Result<String, HostError> {
    into_text(abi::ask(&Value::map([("question", question.into())]))?)
}

/// Shows the person a line beside the tool's answer. Needs `user:output`.
pub fn say(text: &str) -> Result<(), HostError> {
    abi::say(&Value::map([("text", text.into())])).map(drop)
}

/// Log, clock and chance: every skill has them.
pub mod host {
    use super::*;
    use crate::Date;

    /// A moment.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Now {
        /// Milliseconds since 1970-01-01, universal time.
        pub unix_ms: i64,
        /// Seconds that the person's clock is ahead of universal time.
        pub utc_offset_s: i64,
    }

    /// Writes a line to the skill's log; a host that does not listen is not a failure.
    pub fn log(text: &str) {
        // Nothing a skill could do about it.
        let _ = abi::log(&Value::map([("text", text.into())]));
    }

    /// Reads the clock.
    pub fn now() -> Result<Now, HostError> {
        let answer = abi::now(&Value::map([]))?;
        let number = |key| answer.get(key).and_then(Value::as_int).ok_or_else(HostError::unexpected);
        Ok(Now { unix_ms: number("unix_ms")?, utc_offset_s: number("utc_offset_s")? })
    }

    /// The person's date today.
    pub fn today() -> Result<Date, HostError> {
        let now = now()?;
        let seconds = now.unix_ms.div_euclid(1000).saturating_add(now.utc_offset_s);
        Date::from_days(seconds.div_euclid(86_400)).ok_or_else(HostError::unexpected)
    }

    /// A random number of 64 bits.
    pub fn random_u64() -> Result<u64, HostError> {
        let answer = abi::random(&Value::map([]))?;
        answer.get("u64").and_then(Value::as_int).map(|bits| bits as u64).ok_or_else(HostError::unexpected)
    }

    /// A random number from 0 to `n - 1`, all equally likely.
    pub fn random_below(n: u64) -> Result<u64, HostError> {
        if n == 0 {
            return Err(HostError::new("there is no random number below 0"));
        }
        // The top of the range, which would favour small numbers, is thrown away.
        let fair = u64::MAX - u64::MAX % n;
        loop {
            let number = random_u64()?;
            if number < fair {
                return Ok(number % n);
            }
        }
    }

    /// A random number from `low` to `high`, both included.
    pub fn random_between(low: i64, high: i64) -> Result<i64, HostError> {
        if low > high {
            return Err(HostError::new("the range of random numbers is empty"));
        }
        match (high.wrapping_sub(low) as u64).checked_add(1) {
            Some(size) => Ok(low.wrapping_add(random_below(size)? as i64)),
            None => Ok(random_u64()? as i64),
        }
    }

    /// A random item of a list that is not empty.
    pub fn pick<T>(items: &[T]) -> Result<&T, HostError> {
        let index = random_below(items.len() as u64)?;
        Ok(&items[index as usize])
    }
}

/// The skill's own records, kept between conversations.
pub mod memory {
    use alloc::vec::Vec;

    use super::*;

    /// One record.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Record {
        /// Its name.
        pub key: String,
        /// What it holds.
        pub text: String,
    }

    /// The records whose key starts with `prefix`, in order of their keys. Needs `memory:read`.
    pub fn query(prefix: &str) -> Result<Vec<Record>, HostError> {
        let answer = abi::memory_query(&Value::map([("key", prefix.into())]))?;
        let record = |value: &Value| {
            let text = |key| Some(value.get(key)?.as_text()?.to_owned());
            Some(Record { key: text("key")?, text: text("text")? })
        };
        let records: Option<Vec<Record>> =
            answer.as_list().and_then(|items| items.iter().map(record).collect());
        records.ok_or_else(HostError::unexpected)
    }

    /// The text of the record `key`, if there is one. Needs `memory:read`.
    pub fn get(key: &str) -> Result<Option<String>, HostError> {
        Ok(query(key)?.into_iter().find(|record| record.key == key).map(|record| record.text))
    }

    /// Keeps a record, replacing one of the same key. Needs `memory:write`.
    pub fn store(key: &str, text: &str) -> Result<(), HostError> {
        abi::memory_store(&Value::map([("key", key.into()), ("text", text.into())])).map(drop)
    }

    /// Removes a record. Needs `memory:write`.
    pub fn remove(key: &str) -> Result<(), HostError> {
        abi::memory_store(&Value::map([("key", key.into()), ("text", Value::Null)])).map(drop)
    }
}

/// The language model.
pub mod llm {
    use super::*;

    /// Asks the model and waits for its text. Needs `llm:call`.
    pub fn chat(prompt: &str) -> Result<String, HostError> {
        into_text(abi::llm_chat(&Value::map([("prompt", prompt.into())]))?)
    }
}

/// The skill's own folder.
pub mod files {
    use alloc::vec::Vec;

    use super::*;

    /// The names in a folder; an empty text is the skill's own folder itself. Needs `file:read`.
    pub fn list(folder: &str) -> Result<Vec<String>, HostError> {
        let answer = abi::file_list(&Value::map([("folder", folder.into())]))?;
        let name = |value: &Value| value.as_text().map(ToOwned::to_owned);
        let names: Option<Vec<String>> = answer.as_list().and_then(|items| items.iter().map(name).collect());
        names.ok_or_else(HostError::unexpected)
    }

    /// The text of a file. Needs `file:read`.
    pub fn read(path: &str) -> Result<String, HostError> {
        into_text(abi::file_read(&Value::map([("path", path.into())]))?)
    }

    /// Writes a file, replacing one of the same name. Needs `file:write`.
    pub fn write(path: &str, text: &str) -> Result<(), HostError> {
        abi::file_write(&Value::map([("path", path.into()), ("text", text.into())])).map(drop)
    }
}

/// The hosts that the proposal names. In a header's value or in the query, `{{secret:NAME}}` stands for a secret that the
/// proposal names; the skill never sees its value.
pub mod http {
    use super::*;

    /// What a server answered.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Response {
        /// The status, such as 200.
        pub status: i64,
        /// The body.
        pub body: String,
    }

    impl Response {
        /// The body of a successful answer; any other status is an error.
        pub fn ok(self) -> Result<String, HostError> {
            if (200..300).contains(&self.status) {
                Ok(self.body)
            } else {
                Err(HostError::new(alloc::format!("the server answered with status {}", self.status)))
            }
        }
    }

    /// Fetches a URL. Needs `network:read`.
    pub fn get(url: &str, headers: &[(&str, &str)]) -> Result<Response, HostError> {
        response(abi::http_get(&Value::map([("url", url.into()), ("headers", header_map(headers))]))?)
    }

    /// Sends a body to a URL. Needs `network:write`.
    pub fn post(url: &str, headers: &[(&str, &str)], body: &str) -> Result<Response, HostError> {
        response(abi::http_post(&Value::map([
            ("url", url.into()),
            ("headers", header_map(headers)),
            ("body", body.into()),
        ]))?)
    }

    /// Makes text fit for a URL's path or query.
    pub fn encode(text: &str) -> String {
        let mut encoded = String::new();
        for byte in text.bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    encoded.push(byte.into())
                }
                _ => {
                    encoded.push('%');
                    for digit in [byte >> 4, byte & 15] {
                        encoded.push(HEX[usize::from(digit)].into());
                    }
                }
            }
        }
        encoded
    }

    const HEX: &[u8; 16] = b"0123456789ABCDEF";

    fn header_map(headers: &[(&str, &str)]) -> Value {
        Value::map(headers.iter().map(|(name, value)| (*name, Value::from(*value))))
    }

    fn response(mut answer: Value) -> Result<Response, HostError> {
        let status = answer.get("status").and_then(Value::as_int).ok_or_else(HostError::unexpected)?;
        Ok(Response { status, body: into_text(answer.take("body"))? })
    }
}

/// Speech, in a conversation by voice; elsewhere both calls fail with a sentence that says how to begin one.
pub mod audio {
    use super::*;

    /// Has a text spoken before the tool's answer. Needs `audio:write`. At most 500 bytes, and 20 texts a minute.
    pub fn say(text: &str) -> Result<(), HostError> {
        abi::audio_say(&Value::map([("text", text.into())])).map(drop)
    }

    /// Waits for what somebody says next, at most so many seconds, from 1 to 30; `None` where nothing was understood.
    /// Needs `audio:read`. At most 10 times a minute.
    pub fn listen(seconds: i64) -> Result<Option<String>, HostError> {
        let answer = abi::audio_listen(&Value::map([("seconds", seconds.into())]))?;
        if answer.is_null() {
            return Ok(None);
        }
        into_text(answer).map(Some)
    }
}

/// Lines of a GPIO chip, as `cl-pins` names them: `lamp`, or `pin 17` by its number.
pub mod gpio {
    use super::*;

    /// Whether a line is on. Needs `gpio:read`.
    pub fn read(line: &str) -> Result<bool, HostError> {
        abi::gpio_read(&Value::map([("line", line.into())])).map(|on| on.as_flag().unwrap_or_default())
    }

    /// Switches a line; it stays so until the conversation ends. Needs `gpio:write`. At most 60 times a minute.
    pub fn write(line: &str, on: bool) -> Result<(), HostError> {
        abi::gpio_write(&Value::map([("line", line.into()), ("on", on.into())])).map(drop)
    }

    /// Waits until a line changes, at most 30,000 milliseconds; the edge is `rising`, `falling` or `any`. The level after it, or
    /// `None` where no change came. Needs `gpio:read`.
    pub fn wait(line: &str, edge: &str, milliseconds: i64) -> Result<Option<bool>, HostError> {
        let request = Value::map([("line", line.into()), ("edge", edge.into()), ("ms", milliseconds.into())]);
        abi::gpio_wait(&request).map(|on| on.as_flag())
    }
}

/// Events for other skills.
pub mod events {
    use super::*;

    /// Sends an event of a type that the skill `emits`; the answer of its handler, if one answers.
    pub fn dispatch(kind: &str, payload: Value) -> Result<Option<Value>, HostError> {
        let answer = abi::dispatch(&Value::map([("type", kind.into()), ("payload", payload)]))?;
        Ok(Some(answer).filter(|answer| !answer.is_null()))
    }
}

fn into_text(value: Value) -> Result<String, HostError> {
    value.into_text().ok_or_else(HostError::unexpected)
}

#[cfg(test)]
mod tests;
