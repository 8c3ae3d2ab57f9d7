//! What is older than a moment: counted, or removed for good.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Deserialize;

/// How many records there are that an owner's period no longer covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Aged {
    /// Facts and preferences that are older.
    pub facts: u64,
    /// Messages that are older.
    pub messages: u64,
    /// Records without a time that can be read; they stay.
    pub undated: u64,
}

impl Aged {
    /// Whether nothing is older.
    pub fn is_none(&self) -> bool {
        self.facts == 0 && self.messages == 0
    }
}

/// Sees the text of each message of the person that stays.
pub type OnStays<'a> = &'a mut dyn FnMut(&str);

/// How old a record is, seen from a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Age {
    Older,
    Younger,
    Unknown,
}

/// A record as far as its age goes; a fact has `at`, a message has `timestamp`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Dated<'a> {
    #[serde(borrow, default)]
    at: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<Cow<'a, str>>,
}

impl<'a> Dated<'a> {
    /// Reads a line; one that is not a record has no time.
    pub(crate) fn of(line: &'a [u8]) -> Dated<'a> {
        serde_json::from_slice(line).unwrap_or_default()
    }

    pub(crate) fn age(&self, before: Timestamp) -> Age {
        let written = self.timestamp.as_ref().or(self.at.as_ref());
        match written.and_then(|text| text.parse::<Timestamp>().ok()) {
            Some(at) if at < before => Age::Older,
            Some(_) => Age::Younger,
            None => Age::Unknown,
        }
    }

    /// What the person typed, if that is what it holds.
    pub(crate) fn typed(&self) -> Option<&str> {
        self.content.as_deref().filter(|_| self.role.as_deref() == Some("user"))
    }
}
