//! The one question before anything starts: schedules, commands, plugins, stages of the pipeline, trials.

use std::fmt;

use shared_types::id::ProfileId;

use super::{Stop, in_force, words};
use crate::error::Error;
use crate::home::Home;

/// Why nothing may start.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Stopped {
    /// An emergency stop.
    Stop(Stop),
    /// `config/halt`: `data/` is over its limit.
    Halted,
}

/// Asks whether something may start: for a profile, or for the home as a whole.
///
/// # Errors
/// What stops it.
pub fn may_start(home: &Home, profile: Option<&ProfileId>) -> Result<(), Stopped> {
    if let Some(stop) = in_force(home, profile) {
        return Err(Stopped::Stop(stop));
    }
    // A file whose status cannot be read counts as present.
    match std::fs::symlink_metadata(home.halt()) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        _ => Err(Stopped::Halted),
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Stop(stop) => stop.fmt(f),
            Stopped::Halted => f.write_str("the service has halted the bot, since `data/` is over its limit"),
        }
    }
}

impl std::error::Error for Stopped {}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Error {
        match stopped {
            Stopped::Stop(Stop::Home(why)) => Error::refused(words(&why)),
            other => Error::refused(other),
        }
    }
}
