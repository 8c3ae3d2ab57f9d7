//! One line of the doctor's.

use base::error::Error;

/// What one look came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    Pass,
    Warn,
    Fail,
    /// It was put right.
    Fixed,
}

impl Health {
    pub(super) fn word(self) -> &'static str {
        match self {
            Health::Pass => "pass",
            Health::Warn => "warn",
            Health::Fail => "fail",
            Health::Fixed => "fixed",
        }
    }
}

/// One line.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) what: &'static str,
    pub(super) health: Health,
    pub(super) words: String,
    pub(super) next: Option<String>,
}

impl Look {
    pub(super) fn pass(what: &'static str, words: impl Into<String>) -> Look {
        Look { what, health: Health::Pass, words: words.into(), next: None }
    }

    pub(super) fn warn(what: &'static str, words: impl Into<String>, next: impl Into<String>) -> Look {
        Look { what, health: Health::Warn, words: words.into(), next: Some(next.into()) }
    }

    pub(super) fn fail(what: &'static str, words: impl Into<String>, next: impl Into<String>) -> Look {
        Look { what, health: Health::Fail, words: words.into(), next: Some(next.into()) }
    }

    pub(super) fn fixed(what: &'static str, words: impl Into<String>) -> Look {
        Look { what, health: Health::Fixed, words: words.into(), next: None }
    }

    /// What an error says, with its hint or else this.
    pub(super) fn of(what: &'static str, error: &Error, otherwise: &str) -> Look {
        Look::fail(what, error.to_string(), error.hint().unwrap_or_else(|| otherwise.to_owned()))
    }
}
