//! The words in which the guard answers.

use std::fmt;
use std::str::FromStr;

/// What to do with a text.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing stands against it.
    Pass,
    /// It passes, fenced as data, with a warning.
    Caution,
    /// It goes no further.
    Block,
}

impl Verdict {
    /// The spelling in results.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Caution => "caution",
            Verdict::Block => "block",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where a text comes from: instructions weigh more where a person did not type them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Source {
    /// The person typed it.
    #[default]
    Typed,
    /// A tool or skill answered it.
    Tool,
    /// A file of the workspace.
    File,
    /// A page or message of the network.
    Web,
    /// It was remembered.
    Memory,
}

impl Source {
    /// Every source.
    pub const ALL: [Source; 5] = [Source::Typed, Source::Tool, Source::File, Source::Web, Source::Memory];

    /// The spelling on command lines.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Source::Typed => "typed",
            Source::Tool => "tool",
            Source::File => "file",
            Source::Web => "web",
            Source::Memory => "memory",
        }
    }
}

/// A word that is not a source.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a source: one of {known}", known = Source::ALL.map(Source::as_str).join(", "))]
pub struct UnknownSource(String);

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(word: &str) -> Result<Self, UnknownSource> {
        let found = Source::ALL.into_iter().find(|source| source.as_str() == word);
        found.ok_or_else(|| UnknownSource(shared_types::text::cut(word, 40)))
    }
}

/// A rule that noticed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noticed {
    /// The rule's name.
    pub id: &'static str,
    /// What it noticed, for people.
    pub says: &'static str,
}

/// What the guard says of a text.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What to do with it.
    pub verdict: Verdict,
    /// How sure that is, from 0 to 1.
    pub score: f32,
    /// The rules that noticed something, in the order in which they did.
    pub noticed: Vec<Noticed>,
}
