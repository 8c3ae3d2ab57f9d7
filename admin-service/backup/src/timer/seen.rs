//! Up to which moment the times of backups were seen to.

use std::fs;
use std::path::PathBuf;

use base::config::times::Times;
use base::error::Error;
use base::home::Home;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How often one backup is begun that ends with the service.
const TRIES: u8 = 2;

/// What was seen to: `admin/backup_times.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// The schedule, as it was written.
    times: String,
    /// Up to which moment, in seconds since 1970.
    base: i64,
    /// How often the backup that is due was begun.
    pub(super) tries: u8,
}

/// What is due.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing yet; the next time.
    Later(Option<Timestamp>),
    /// A backup.
    Now,
    /// One that has ended with the service too often.
    GivenUp,
}

impl Seen {
    pub(super) fn read(home: &Home) -> Option<Seen> {
        serde_json::from_slice(&fs::read(path(home)).ok()?).ok()
    }

    pub(super) fn write(&self, home: &Home) -> Result<(), Error> {
        let path = path(home);
        durable::replace(&path, &serde_json::to_vec(self)?, 0o600).map_err(Error::io(&path))
    }

    /// What was seen to before, for this schedule. Another schedule begins now, and so does a clock that was set back.
    pub(super) fn up_to(before: Option<&Seen>, times: &str, now: Timestamp) -> Seen {
        let fresh = || Seen { times: times.to_owned(), base: now.as_second(), tries: 0 };
        before
            .filter(|seen| seen.times == times && seen.base <= now.as_second())
            .cloned()
            .unwrap_or_else(fresh)
    }

    /// The same with the try that ends with its service taken back.
    pub(super) fn untried(mut self) -> Seen {
        self.tries = self.tries.saturating_sub(1);
        self
    }

    pub(super) fn due(&self, times: &Times, now: Timestamp) -> Due {
        let base = Timestamp::from_second(self.base).unwrap_or(now);
        match times.after(base) {
            Some(time) if time <= now && self.tries >= TRIES => Due::GivenUp,
            Some(time) if time <= now => Due::Now,
            next => Due::Later(next),
        }
    }
}

fn path(home: &Home) -> PathBuf {
    home.admin().join("backup_times.json")
}

#[cfg(test)]
mod tests;
