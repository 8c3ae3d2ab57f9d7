//! What the index must know of a line of a log.

use std::borrow::Cow;

use serde::Deserialize;
use shared_types::memory::{Fact, Turn};

use crate::hash::{hash, key};

/// Which log a line is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Facts,
    Turns,
}

/// What kinds of keys a record can be found by.
pub(crate) const ID: u8 = b'i';
pub(crate) const TURN: u8 = b't';
pub(crate) const ABOUT: u8 = b'a';

/// What is kept in a log.
pub(crate) trait Kept: serde::de::DeserializeOwned {
    /// By what it is forgotten: the fact, or the whole conversation.
    fn id(&self) -> &str;
}

impl Kept for Fact {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Kept for Turn {
    fn id(&self) -> &str {
        &self.conversation_id
    }
}

/// A line, as far as the index goes.
#[derive(Debug, Default)]
pub(crate) struct Line<'a> {
    pub(crate) record: Option<Described<'a>>,
    /// The identifiers of earlier records that no longer count.
    pub(crate) kills: [Option<u64>; 2],
}

/// A record.
#[derive(Debug)]
pub(crate) struct Described<'a> {
    /// By what it is forgotten: the fact, or the whole conversation.
    pub(crate) id: u64,
    /// By what else it is found.
    pub(crate) key: Option<u64>,
    /// What is searched.
    pub(crate) text: Cow<'a, str>,
    /// Whether it is also found by the whole of its text.
    pub(crate) by_text: bool,
}

#[derive(Deserialize)]
struct FactLine<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    about: Option<Cow<'a, str>>,
    #[serde(borrow)]
    replaces: Option<Cow<'a, str>>,
    #[serde(borrow)]
    forgets: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct TurnLine<'a> {
    #[serde(borrow)]
    conversation_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    turn_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<Cow<'a, str>>,
    #[serde(borrow)]
    forgets: Option<Cow<'a, str>>,
}

/// Reads a line; one that is not a record is an empty one.
pub(crate) fn describe(shape: Shape, line: &[u8]) -> Line<'_> {
    match shape {
        Shape::Facts => serde_json::from_slice(line).map(fact).unwrap_or_default(),
        Shape::Turns => serde_json::from_slice(line).map(turn).unwrap_or_default(),
    }
}

fn fact(line: FactLine<'_>) -> Line<'_> {
    let record = match (&line.id, line.text) {
        (Some(id), Some(text)) => Some(Described {
            id: key(ID, id),
            key: line.about.map(|about| key(ABOUT, &about)),
            text,
            by_text: true,
        }),
        _ => None,
    };
    Line { record, kills: [line.replaces, line.forgets].map(|id| id.map(|id| key(ID, &id))) }
}

fn turn(line: TurnLine<'_>) -> Line<'_> {
    let record = match (&line.conversation_id, &line.role) {
        (Some(id), Some(_)) => Some(Described {
            id: key(ID, id),
            key: line.turn_id.filter(|t| !t.is_empty()).map(|turn| key(TURN, &turn)),
            text: line.content.unwrap_or_default(),
            by_text: false,
        }),
        _ => None,
    };
    Line { record, kills: [line.forgets.map(|id| key(ID, &id)), None] }
}

/// The key of a whole text, made of its words one after the other.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct ByText(u64);

impl ByText {
    pub(crate) fn push(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    pub(crate) fn key(self) -> u64 {
        hash(&self.0.to_le_bytes())
    }

    pub(crate) fn of(text: &str) -> u64 {
        let mut by_text = ByText::default();
        language::terms::each(text, &mut String::new(), |word| by_text.push(hash(word.as_bytes())));
        by_text.key()
    }
}
