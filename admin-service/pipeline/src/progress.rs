//! How long the driver is at one thing: a service whose driver is stuck counts as dead.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Since when the driver is at one and the same thing; nothing while it has nothing to do.
#[derive(Debug, Default)]
pub struct Progress(Mutex<Option<Instant>>);

impl Progress {
    /// Whether the driver is at one thing for longer than this.
    pub fn is_stuck(&self, most: Duration) -> bool {
        self.since().is_some_and(|since| since.elapsed() > most)
    }

    pub(crate) fn begins(&self) {
        *self.since() = Some(Instant::now());
    }

    pub(crate) fn rests(&self) {
        *self.since() = None;
    }

    fn since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
