//! Why a line was not taken.

/// Why a line was not taken: where, what, and what may be written in its place. Safe to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("character {position} of the line: {what}; {next}")]
pub struct ParseFault {
    /// Which character, counted from 1.
    pub position: usize,
    /// What is wrong with it.
    pub what: String,
    /// The lawful next step.
    pub next: String,
}

impl ParseFault {
    pub(super) fn new(position: usize, what: impl Into<String>, next: impl Into<String>) -> ParseFault {
        ParseFault { position, what: what.into(), next: next.into() }
    }
}
