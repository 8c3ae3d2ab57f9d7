//! What the journal knows of the weekly digests: since when a profile's week is counted, and what the last weeks came to.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The most digests of a profile that are kept.
const MOST: usize = 8;

/// What a week came to: counts by kind, and no word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Requests for skills.
    pub skills: Asked,
    /// Requests for an action, such as a command.
    pub actions: Asked,
    /// Calls of tools.
    pub calls: Calls,
    /// Runs of schedules that are over.
    pub runs: Runs,
}

/// Requests, and what people decided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// How many came.
    pub asked: u64,
    /// How many were approved.
    pub approved: u64,
    /// How many were refused or withdrawn.
    pub refused: u64,
}

/// Calls of tools, as the receipts have them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// How many were made, and answered.
    pub made: u64,
    /// How many were not allowed.
    pub denied: u64,
    /// How many were made, and failed.
    pub failed: u64,
}

/// Runs of schedules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// How many are over.
    pub over: u64,
    /// How many of them failed.
    pub failed: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// Which of the profile it is, from 1.
    pub number: u64,
    /// From when it counts.
    pub from: Timestamp,
    /// Up to when.
    pub until: Timestamp,
    /// When it was made.
    pub at: Timestamp,
    pub counts: Counts,
}

/// The digests of a profile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digests {
    since: Option<Timestamp>,
    runs: Runs,
    kept: Vec<Digest>,
}

impl Digests {
    /// Since when the week is counted that runs now; nothing where none is.
    pub fn since(&self) -> Option<Timestamp> {
        self.since
    }

    /// The runs of schedules since then.
    pub fn runs(&self) -> Runs {
        self.runs
    }

    /// The last digests, the newest one last.
    pub fn kept(&self) -> &[Digest] {
        &self.kept
    }

    pub(crate) fn begin(&mut self, at: Option<Timestamp>) {
        self.since = at;
        self.runs = Runs::default();
    }

    pub(crate) fn run(&mut self, has_failed: bool) {
        if self.since.is_some() {
            self.runs.over += 1;
            self.runs.failed += u64::from(has_failed);
        }
    }

    pub(crate) fn made(&mut self, at: Timestamp, until: Timestamp, counts: Counts) {
        let number = self.kept.last().map_or(1, |last| last.number + 1);
        self.kept.push(Digest { number, from: self.since.unwrap_or(until), until, at, counts });
        if self.kept.len() > MOST {
            self.kept.remove(0);
        }
        self.begin(Some(until));
    }
}
