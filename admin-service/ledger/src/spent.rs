//! What was spent today, as the records tell it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use shared_types::id::ProfileId;
use shared_types::proposal::Kind;

/// A day in which no clock has told of another one.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Files of one profile that were looked at on a day.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Looked {
    /// Wishes, and files that cannot be read.
    pub wishes: u64,
    pub actions: u64,
}

/// What was spent on a day.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// Tokens of models.
    pub tokens: u64,
    /// Time of the compiler, in milliseconds.
    pub compile_ms: u64,
}

/// The spending of the latest day that any record names. A clock that is set back refills nothing: what is recorded under an
/// earlier day counts for the latest. So that a clock which was far ahead once does not lock the budgets for ever, they are
/// free again after 24 hours of one run, too.
#[derive(Debug, Default)]
pub(super) struct Spending {
    day: String,
    since: Option<Instant>,
    spent: Spent,
    looked: BTreeMap<ProfileId, Looked>,
}

impl Spending {
    /// Counts what was done at a time.
    pub(super) fn count(&mut self, at: &str, more: Spent) {
        self.begin(at);
        self.spent.tokens = self.spent.tokens.saturating_add(more.tokens);
        self.spent.compile_ms = self.spent.compile_ms.saturating_add(more.compile_ms);
    }

    /// Counts a file that was looked at.
    pub(super) fn count_file(&mut self, at: &str, profile: &ProfileId, kind: Kind) {
        self.begin(at);
        let looked = match self.looked.get_mut(profile) {
            Some(looked) => looked,
            None => self.looked.entry(profile.clone()).or_default(),
        };
        match kind {
            Kind::Skill => looked.wishes = looked.wishes.saturating_add(1),
            Kind::Action => looked.actions = looked.actions.saturating_add(1),
        }
    }

    /// What was looked at of one profile on the day of a time.
    pub(super) fn looked_on_day_of(&self, at: &str, profile: &ProfileId, now: Instant) -> Looked {
        if self.is_over(at, now) {
            return Looked::default();
        }
        self.looked.get(profile).copied().unwrap_or_default()
    }

    /// What was spent on the day of a time.
    pub(super) fn on_day_of(&self, at: &str, now: Instant) -> Spent {
        if self.is_over(at, now) { Spent::default() } else { self.spent }
    }

    /// Begins a new day where the present one is over.
    fn begin(&mut self, at: &str) {
        if self.is_over(at, Instant::now()) {
            *self = Spending { day: day(at).max(&self.day).to_owned(), ..Spending::default() };
        }
        self.since.get_or_insert_with(Instant::now);
    }

    fn is_over(&self, at: &str, now: Instant) -> bool {
        day(at) > self.day.as_str()
            || self.since.is_some_and(|since| now.saturating_duration_since(since) >= DAY)
    }
}

/// The date of a time in RFC 3339 and UTC.
fn day(at: &str) -> &str {
    at.split('T').next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
