//! What was spent today, as the records tell it.

use std::time::{Duration, Instant};

/// A day in which no clock has told of another one.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What was spent on a day.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// Files that were looked at.
    pub proposals: u64,
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
}

impl Spending {
    /// Counts what was done at a time.
    pub(super) fn count(&mut self, at: &str, more: Spent) {
        if self.is_over(at, Instant::now()) {
            *self = Spending { day: day(at).max(&self.day).to_owned(), since: None, spent: Spent::default() };
        }
        self.since.get_or_insert_with(Instant::now);
        self.spent.proposals = self.spent.proposals.saturating_add(more.proposals);
        self.spent.tokens = self.spent.tokens.saturating_add(more.tokens);
        self.spent.compile_ms = self.spent.compile_ms.saturating_add(more.compile_ms);
    }

    /// What was spent on the day of a time.
    pub(super) fn on_day_of(&self, at: &str, now: Instant) -> Spent {
        if self.is_over(at, now) { Spent::default() } else { self.spent }
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
