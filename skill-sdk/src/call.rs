//! What reaches a skill: a tool call or an event; and how it says no.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::{float, lower, Date, Value};

/// What a tool call comes to: text for the person, or a refusal.
pub type Answer = Result<String, Refusal>;

/// Why a tool gives no answer. Anything printable becomes one with `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Failed(String),
    NotMine,
}

impl Refusal {
    /// The tool cannot do it, and says why in a sentence for the person.
    pub fn failed(why: impl Into<String>) -> Refusal {
        Refusal(Kind::Failed(why.into()))
    }

    /// The sentence is not meant for this tool: another skill may try.
    pub fn not_mine() -> Refusal {
        Refusal(Kind::NotMine)
    }

    /// The skill has no tool of the call's name.
    pub fn unknown_tool(call: &Call) -> Refusal {
        Refusal::failed(format!("this skill has no tool `{}`", call.tool()))
    }

    /// The reason, or nothing if the sentence was not meant for this tool.
    pub fn reason(&self) -> Option<&str> {
        match &self.0 {
            Kind::Failed(why) => Some(why),
            Kind::NotMine => None,
        }
    }
}

// Refusal itself is not printable, so this covers every error type, texts included.
impl<E: fmt::Display> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::failed(error.to_string())
    }
}

/// One call of one tool.
#[derive(Debug, Clone)]
pub struct Call {
    tool: String,
    arguments: Vec<Argument>,
    line: String,
}

#[derive(Debug, Clone)]
struct Argument {
    name: String,
    value: Value,
    text: Option<String>,
}

impl Call {
    /// Makes a call by hand, for a skill's own tests.
    pub fn new(tool: &str) -> Call {
        Call { tool: tool.to_owned(), arguments: Vec::new(), line: String::new() }
    }

    /// Adds an argument.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Call {
        self.add(name.to_owned(), value.into());
        self
    }

    /// Sets the person's line.
    pub fn said(mut self, line: &str) -> Call {
        self.line = line.to_owned();
        self
    }

    /// The name of the tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// What the person typed, or an empty text.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// An argument as it came; nothing if it is missing or null.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.argument(name).map(|argument| &argument.value)
    }

    /// A text argument, without surrounding blanks.
    pub fn text(&self, name: &str) -> Result<&str, Refusal> {
        required(name, self.opt_text(name)?)
    }

    /// A text argument that may be missing; an empty text counts as missing.
    pub fn opt_text(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.argument(name) {
            None => Ok(None),
            Some(Argument { text: Some(text), .. }) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(_) => Err(wrong(name, "a text")),
        }
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> Result<i64, Refusal> {
        required(name, self.opt_int(name)?)
    }

    /// A whole number that may be missing.
    pub fn opt_int(&self, name: &str) -> Result<Option<i64>, Refusal> {
        self.converted(name, "a whole number", |value| match value {
            Value::Text(text) => {
                let text = text.trim();
                text.parse().ok().or_else(|| Value::Float(number(text)?).as_int())
            }
            _ => value.as_int(),
        })
    }

    /// A number.
    pub fn number(&self, name: &str) -> Result<f64, Refusal> {
        required(name, self.opt_number(name)?)
    }

    /// A number that may be missing.
    pub fn opt_number(&self, name: &str) -> Result<Option<f64>, Refusal> {
        self.converted(name, "a number", |value| match value {
            Value::Text(text) => number(text.trim()),
            _ => value.as_number().filter(|number| number.is_finite()),
        })
    }

    /// A yes or no; a missing one is no.
    pub fn flag(&self, name: &str) -> Result<bool, Refusal> {
        let flag = self.converted(name, "yes or no", |value| match value {
            Value::Text(text) => match lower(text.trim()).as_str() {
                "true" | "yes" | "on" | "1" | "ja" => Some(true),
                "false" | "no" | "off" | "0" | "nein" => Some(false),
                _ => None,
            },
            Value::Int(0) => Some(false),
            Value::Int(1) => Some(true),
            _ => value.as_flag(),
        })?;
        Ok(flag.unwrap_or(false))
    }

    /// Several texts; one text is split at its commas, a missing argument is an empty list.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, Refusal> {
        let texts = self.converted(name, "a list of texts", |value| match value {
            Value::List(items) => items.iter().map(as_text).collect(),
            other => as_text(other).map(|text| text.split(',').map(ToOwned::to_owned).collect()),
        })?;
        let texts: Vec<String> = texts.unwrap_or_default();
        Ok(texts.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect())
    }

    /// A date, such as 2030-01-31, 31.1.2030 or 31 January 2030.
    pub fn date(&self, name: &str) -> Result<Date, Refusal> {
        required(name, self.opt_date(name)?)
    }

    /// A date that may be missing.
    pub fn opt_date(&self, name: &str) -> Result<Option<Date>, Refusal> {
        self.converted(name, "a date such as 2030-01-31", |value| Date::parse(value.as_text()?))
    }

    pub(crate) fn from_message(mut message: Value) -> Option<Call> {
        let arguments = match message.take("args") {
            Value::Null => Vec::new(),
            Value::Map(arguments) => arguments,
            _ => return None,
        };
        let tool = message.take("tool").into_text()?;
        let line = message.take("text").into_text().unwrap_or_default();
        let mut call = Call { tool, arguments: Vec::new(), line };
        for (name, value) in arguments {
            call.add(name, value);
        }
        Some(call)
    }

    fn add(&mut self, name: String, value: Value) {
        let text = as_text(&value);
        self.arguments.push(Argument { name, value, text });
    }

    fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name == name && !argument.value.is_null())
    }

    fn converted<T>(
        &self,
        name: &str,
        wanted: &str,
        convert: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Text(text)) if text.trim().is_empty() => Ok(None),
            Some(value) => convert(value).map(Some).ok_or_else(|| wrong(name, wanted)),
        }
    }
}

/// Something that happened, for [`crate::Skill::handle`].
#[derive(Debug, Clone)]
pub struct Event {
    kind: String,
    payload: Value,
    source: String,
    session_id: String,
    profile_id: String,
}

impl Event {
    /// The type, such as `timer.rang`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What the event carries.
    pub fn payload(&self) -> &Value {
        &self.payload
    }

    /// The skill that sent it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The conversation it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The profile it belongs to.
    pub fn profile_id(&self) -> &str {
        &self.profile_id
    }

    pub(crate) fn from_message(mut message: Value) -> Option<Event> {
        let mut event = message.take("event");
        Some(Event {
            kind: event.take("type").into_text()?,
            payload: event.take("payload"),
            source: event.take("source").into_text().unwrap_or_default(),
            session_id: event.take("session_id").into_text().unwrap_or_default(),
            profile_id: event.take("profile_id").into_text().unwrap_or_default(),
        })
    }
}

/// Reads a number with a point or a comma before its fraction. `1,000` can mean two things and is refused.
fn number(text: &str) -> Option<f64> {
    match text.split_once(',') {
        Some((_, fraction)) if fraction.len() == 3 || fraction.contains(',') => None,
        Some((whole, fraction)) => float::parse(&format!("{whole}.{fraction}")),
        None => float::parse(text),
    }
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(float::plain(*number)),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

fn required<T>(name: &str, value: Option<T>) -> Result<T, Refusal> {
    value.ok_or_else(|| Refusal::failed(format!("`{name}` is missing")))
}

fn wrong(name: &str, wanted: &str) -> Refusal {
    Refusal::failed(format!("`{name}` should be {wanted}"))
}

#[cfg(test)]
mod tests;
