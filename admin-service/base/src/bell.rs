//! Wakes the threads that wait for something to do.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Wakes the threads that wait for it; to ring costs nothing, even if no thread listens.
#[derive(Debug, Default)]
pub struct Bell {
    rung: Mutex<u64>,
    heard: Condvar,
}

impl Bell {
    /// There may be something to do.
    pub fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.heard.notify_all();
    }

    /// How often it rang.
    pub fn count(&self) -> u64 {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it rings after the `known` time, or the time is over; without one, until it rings.
    pub fn wait(&self, known: u64, limit: Option<Duration>) {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let silent = |rung: &mut u64| *rung == known;
        // What was heard, and whether in time, is looked at by the caller.
        match limit {
            Some(limit) => drop(self.heard.wait_timeout_while(rung, limit, silent)),
            None => drop(self.heard.wait_while(rung, silent)),
        }
    }
}
