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
/// How long after each failure of one time it is tried again, in seconds: 10 minutes, 1 hour and 3 hours. Then the next time counts.
const PAUSES: [i64; 3] = [600, 3_600, 10_800];

/// What was seen to: `admin/backup_times.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// The schedule, as it was written.
    times: String,
    /// Up to which moment, in seconds since 1970.
    base: i64,
    /// How often the backup that is due was begun.
    pub(super) tries: u8,
    /// How often the last time has failed.
    #[serde(default)]
    failures: u8,
    /// When it is tried again, in seconds since 1970.
    #[serde(default)]
    again: Option<i64>,
}

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
        let fresh = || Seen { times: times.to_owned(), base: now.as_second(), ..Seen::default() };
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

    /// The same after a failure: everything up to now is seen to, and the time that failed is tried again after a pause.
    pub(super) fn failed(&self, times: &Times, now: Timestamp) -> Seen {
        // A later time that has come meanwhile fails for the first time.
        let before = if self.time_is_due(times, now) { 0 } else { self.failures };
        let pause = PAUSES.get(usize::from(before));
        let again = pause.map(|pause| now.as_second().saturating_add(*pause));
        Seen { failures: before.saturating_add(1), again, ..Seen::up_to(None, times.written(), now) }
    }

    pub(super) fn due(&self, times: &Times, now: Timestamp) -> Due {
        match self.next(times, now) {
            Some(time) if time <= now && self.tries >= TRIES => Due::GivenUp,
            Some(time) if time <= now => Due::Now,
            next => Due::Later(next),
        }
    }

    /// When the next one is due: a time of the schedule, or one that failed and is tried again.
    pub(super) fn next(&self, times: &Times, now: Timestamp) -> Option<Timestamp> {
        let again = self.again.and_then(|again| Timestamp::from_second(again).ok());
        self.time(times, now).into_iter().chain(again).min()
    }

    fn time(&self, times: &Times, now: Timestamp) -> Option<Timestamp> {
        times.after(Timestamp::from_second(self.base).unwrap_or(now))
    }

    fn time_is_due(&self, times: &Times, now: Timestamp) -> bool {
        self.time(times, now).is_some_and(|time| time <= now)
    }
}

fn path(home: &Home) -> PathBuf {
    home.admin().join("backup_times.json")
}

#[cfg(test)]
mod tests;
