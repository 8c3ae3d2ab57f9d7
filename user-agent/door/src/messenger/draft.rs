//! An answer that is shown while it comes: in one message, which is edited as it grows.

use std::time::{Duration, Instant};

/// An answer that is whole within this time is shown whole, and one that takes longer is edited no more often.
const PACE: Duration = Duration::from_secs(2);
/// After this number of edits the pace is the slower one: servers of Matrix let an account send one message in five seconds.
const MANY: u32 = 8;
const SLOW: Duration = Duration::from_secs(6);
/// The most edits of one answer.
const MOST: u32 = 60;
/// No more of an answer is shown before it is whole, in bytes. No message holds more.
const LONGEST: usize = 16_000;

/// One answer.
#[derive(Debug, Default)]
pub struct Draft {
    /// What came of it.
    text: String,
    /// When its first piece came.
    begun: Option<Instant>,
    /// When it was shown last, and how often.
    shown: Option<Instant>,
    times: u32,
    /// The message in which it grows, as the server calls it.
    pub message: Option<String>,
    /// Whether no more is shown before it is whole.
    is_over: bool,
}

impl Draft {
    /// Takes more of the answer.
    pub fn takes(&mut self, piece: &str, now: Instant) {
        self.begun.get_or_insert(now);
        if self.text.len() + piece.len() > LONGEST {
            self.is_over = true;
        } else if !self.is_over {
            self.text.push_str(piece);
        }
    }

    /// What came is void.
    pub fn begins_anew(&mut self) {
        self.text.clear();
    }

    /// What is to be shown now, if anything is.
    pub fn due(&self, now: Instant) -> Option<&str> {
        let pace = if self.times < MANY { PACE } else { SLOW };
        let rests = |since: Instant| now.saturating_duration_since(since) >= pace;
        let is_due = self.begun.is_some_and(rests) && self.shown.is_none_or(rests);
        let has_more = !self.is_over && self.times < MOST && !self.text.trim().is_empty();
        (is_due && has_more).then_some(&self.text)
    }

    /// It is being shown.
    pub fn is_shown(&mut self, now: Instant) {
        self.shown = Some(now);
        self.times += 1;
    }

    /// What became of that: the message, and whether more may be shown.
    pub fn came_to(&mut self, message: Option<String>, more: bool) {
        self.message = message;
        self.is_over |= !more;
    }
}

#[cfg(test)]
mod tests;
