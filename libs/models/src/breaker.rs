//! How long a provider that failed is left alone: a state machine without a clock of its own.
//!
//! ```text
//! closed --failed--> open for 5 s --time--> half open --answered--> closed
//!                     ^                        |
//!                     '----- failed: twice as long, 5 min at most
//! ```

use std::time::{Duration, Instant};

/// How long a provider is left alone after its first failure.
pub const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// The longest pause, regardless of what a server asks for.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// What is known of one provider's health.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breaker {
    failures: u32,
    until: Option<Instant>,
    /// Whether one request is on its way to find out.
    probing: bool,
}

/// Whether a provider may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Health {
    /// It answered the last time, or was never asked.
    Closed,
    /// It failed, and is left alone for that long.
    Open(Duration),
    /// Its pause is over: one request may find out.
    HalfOpen,
    /// That request is on its way; others keep away.
    Probing,
}

impl Health {
    /// Whether a request may go there.
    pub fn is_available(self) -> bool {
        matches!(self, Health::Closed | Health::HalfOpen)
    }
}

impl std::fmt::Display for Health {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Health::Closed => f.write_str("ready"),
            Health::Open(rest) => write!(f, "resting for {} s", rest.as_secs().max(1)),
            Health::HalfOpen | Health::Probing => f.write_str("about to be tried again"),
        }
    }
}

impl Breaker {
    /// Whether the provider may be asked at that moment.
    pub fn health(&self, now: Instant) -> Health {
        match self.until {
            None => Health::Closed,
            Some(until) if now < until => Health::Open(until - now),
            Some(_) if self.probing => Health::Probing,
            Some(_) => Health::HalfOpen,
        }
    }

    /// A request goes out.
    pub fn asked(&mut self) {
        self.probing = self.until.is_some();
    }

    /// The provider answered, were it to say no.
    pub fn answered(&mut self) {
        *self = Breaker::default();
    }

    /// The request ended without saying anything about the provider: it was cancelled, for instance.
    pub fn unclear(&mut self) {
        self.probing = false;
    }

    /// The provider failed; `wish` is how long it wants to be left alone, if it said so.
    pub fn failed(&mut self, now: Instant, wish: Option<Duration>) {
        self.failures = self.failures.saturating_add(1);
        self.probing = false;
        let doubled = FIRST_PAUSE.saturating_mul(1 << (self.failures - 1).min(10));
        let pause = doubled.max(wish.unwrap_or_default()).min(LONGEST_PAUSE);
        self.until = now.checked_add(pause);
    }
}

#[cfg(test)]
mod tests;
