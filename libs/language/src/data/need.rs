//! The tables of how people in need speak.

/// What a person in need speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A life is in danger now.
    Emergency,
    /// A person hurts themselves or does not want to live.
    SelfHarm,
    /// A person is hurt, touched or threatened by another.
    Abuse,
}

impl Kind {
    /// The kind in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Emergency => "emergency",
            Kind::SelfHarm => "self-harm",
            Kind::Abuse => "abuse",
        }
    }
}

/// The rules of a language.
#[derive(Debug)]
pub(crate) struct Rules {
    /// Words and beginnings of words, sorted, with the items that they belong to; `$` ends a whole word.
    pub(crate) forms: &'static [Form],
    /// Words in which one letter may be wrong.
    pub(crate) near: &'static [Form],
    /// How many items there are; the first are the words that are passed over.
    pub(crate) items: usize,
    pub(crate) rules: &'static [Rule],
}

/// A word with its items.
pub(crate) type Form = (&'static str, &'static [u16]);

/// A sequence of items that tells of a need.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) kind: Kind,
    /// The items, each with the most words that may stand before it.
    pub(crate) steps: &'static [(u8, u16)],
    /// Items that take the match away where they stand in the same sentence.
    pub(crate) unless: &'static [u16],
}
