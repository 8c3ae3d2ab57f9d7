//! What is remembered: facts with their provenance, and the turns of conversations.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest text of a fact, in bytes.
pub const MAX_FACT: usize = 500;
/// The longest line of a log, in bytes.
pub const MAX_LINE: usize = 4 * 1024 * 1024;

/// For how long what was remembered is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keep {
    /// Until somebody forgets it.
    #[default]
    Forever,
    /// For this number of days, from 1 to [`Keep::MOST_DAYS`].
    Days(u32),
}

/// A text that says no period.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a period; write `forever`, or a whole number of days from 1 to {most}, as in `90 days` or `90d`",
    most = Keep::MOST_DAYS
)]
pub struct InvalidKeep(String);

impl Keep {
    /// The longest period, in days: a hundred years.
    pub const MOST_DAYS: u32 = 36_525;

    /// Whether nothing goes automatically.
    pub fn is_forever(&self) -> bool {
        *self == Keep::Forever
    }
}

impl std::str::FromStr for Keep {
    type Err = InvalidKeep;

    fn from_str(text: &str) -> Result<Keep, InvalidKeep> {
        let text = text.trim();
        if text == "forever" {
            return Ok(Keep::Forever);
        }
        let number = ["days", "day", "d"].iter().find_map(|unit| text.strip_suffix(unit)).map(str::trim_end);
        let days = number.filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        match days.and_then(|days| days.parse().ok()) {
            Some(days @ 1..=Keep::MOST_DAYS) => Ok(Keep::Days(days)),
            _ => Err(InvalidKeep(crate::text::cut(text, 40))),
        }
    }
}

impl std::fmt::Display for Keep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Keep::Forever => f.write_str("forever"),
            Keep::Days(1) => f.write_str("1 day"),
            Keep::Days(days) => write!(f, "{days} days"),
        }
    }
}

impl Serialize for Keep {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What kind of thing a fact is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something that is so.
    #[default]
    Fact,
    /// Something that the person likes or wants.
    Preference,
}

/// Something worth remembering, with where it comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// The identifier.
    pub id: String,
    /// What kind of thing it is.
    #[serde(default)]
    pub kind: Kind,
    /// The fact, as it was said.
    pub text: String,
    /// Who said it.
    #[serde(default)]
    pub said_by: String,
    /// When, in RFC 3339.
    #[serde(default)]
    pub at: String,
    /// The skill or event that stored it.
    #[serde(default)]
    pub source: String,
    /// The conversation in which it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// The turn in which it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// What found it in the person's line, `rules` or `model`; none where the person asked to remember it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extracted_by: Option<String>,
    /// How sure that is, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Whether it came from outside content; a conversation that recalls it inherits that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// What it is about: a later fact about the same takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The fact whose place it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
}

/// One message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The conversation.
    pub conversation_id: String,
    /// The turn: a line of the person, and all that answers it.
    #[serde(default)]
    pub turn_id: String,
    /// When, in RFC 3339.
    #[serde(default)]
    pub timestamp: String,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// The text.
    #[serde(default)]
    pub content: String,
    /// The tools that were called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Value>,
    /// What they answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_results: Vec<Value>,
    /// The provider that answered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub provider: String,
    /// Its model.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Whether outside content was in the conversation when it was said; a conversation that recalls it inherits that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// Whether private content was in it then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub metadata: Value,
}

/// One line of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Record {
    /// A fact.
    Fact(Fact),
    /// A message of a conversation.
    Turn(Turn),
}

/// A conversation as it stands in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The conversation.
    pub id: String,
    /// When its first message was written.
    pub at: String,
    /// Its first line.
    pub first: String,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Its line is too long.
    #[error("longer than {MAX_LINE} bytes")]
    Line,
    /// Its line is another JSON, or none.
    #[error("not a record such as {{\"fact\": {{..}}}} or {{\"turn\": {{..}}}}: {0}")]
    Form(#[from] serde_json::Error),
    /// An identifier of this name.
    #[error("`{0}` is not 1 to 128 visible ASCII characters")]
    Identifier(&'static str),
    /// A fact that says nothing.
    #[error("`text` is empty")]
    EmptyText,
    /// A fact that says too much.
    #[error("`text` has more than {MAX_FACT} bytes")]
    LongText,
    /// A fact that is more than sure.
    #[error("`confidence` is not between 0 and 1")]
    Confidence,
    /// A message of nobody.
    #[error("`role` is `{0:.20}`, not user, assistant, tool or system")]
    Role(String),
}

impl Record {
    /// Reads one line of an export and checks it.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn parse(line: &[u8]) -> Result<Record, Fault> {
        if line.len() > MAX_LINE {
            return Err(Fault::Line);
        }
        let record: Record = serde_json::from_slice(line)?;
        record.check()?;
        Ok(record)
    }

    fn check(&self) -> Result<(), Fault> {
        match self {
            Record::Fact(fact) => fact.check(),
            Record::Turn(turn) => turn.check(),
        }
    }
}

impl Fact {
    /// Checks what no type checks.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn check(&self) -> Result<(), Fault> {
        identifier("id", &self.id)?;
        if self.text.trim().is_empty() {
            return Err(Fault::EmptyText);
        }
        if self.text.len() > MAX_FACT {
            return Err(Fault::LongText);
        }
        match self.confidence {
            Some(c) if !(0.0..=1.0).contains(&c) => Err(Fault::Confidence),
            _ => Ok(()),
        }
    }
}

impl Turn {
    /// Checks what no type checks.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn check(&self) -> Result<(), Fault> {
        identifier("conversation_id", &self.conversation_id)?;
        match self.role.as_str() {
            "user" | "assistant" | "tool" | "system" => Ok(()),
            other => Err(Fault::Role(other.to_owned())),
        }
    }
}

fn identifier(name: &'static str, id: &str) -> Result<(), Fault> {
    match id.len() {
        1..=128 if id.chars().all(|c| c.is_ascii_graphic()) => Ok(()),
        _ => Err(Fault::Identifier(name)),
    }
}

#[cfg(test)]
mod tests;
