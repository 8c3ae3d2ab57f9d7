//! How many requests are looked at: a bucket that fills with time.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Requests a second, over all clients.
const RATE: f64 = 100.0;
/// The most requests at once after a silence.
const BURST: f64 = 300.0;
/// Requests with a token that is none, a second; a stranger who guesses gets no further.
const STRANGERS: f64 = 2.0;
/// The most such requests at once after a silence.
const FIRST_STRANGERS: f64 = 20.0;

/// The buckets of a door.
#[derive(Debug)]
pub struct Limits {
    requests: Bucket,
    strangers: Bucket,
}

impl Default for Limits {
    fn default() -> Limits {
        let now = Instant::now();
        Limits {
            requests: Bucket::new(RATE, BURST, now),
            strangers: Bucket::new(STRANGERS, FIRST_STRANGERS, now),
        }
    }
}

impl Limits {
    /// Whether a request may be looked at.
    pub fn take(&self) -> bool {
        self.requests.take(Instant::now())
    }

    /// Notes a request whose token was none; whether there is room for a further one.
    pub fn stranger(&self) -> bool {
        self.strangers.take(Instant::now())
    }
}

/// A bucket that fills with time, and from which each request takes one.
#[derive(Debug)]
struct Bucket {
    rate: f64,
    most: f64,
    state: Mutex<(f64, Instant)>,
}

impl Bucket {
    fn new(rate: f64, most: f64, now: Instant) -> Bucket {
        Bucket { rate, most, state: Mutex::new((most, now)) }
    }

    fn take(&self, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, last) = *state;
        let left = (left + now.saturating_duration_since(last).as_secs_f64() * self.rate).min(self.most);
        let is_room = left >= 1.0;
        *state = (if is_room { left - 1.0 } else { left }, now);
        is_room
    }
}

#[cfg(test)]
mod tests;
