//! What is left of a learned skill's limits while it waits for another.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use guest::Rest;

/// What is left of a learned skill's limits while it waits for another; the skill that computes for it spends from this.
#[derive(Debug)]
pub struct Budget {
    /// What was left when the dispatch began.
    pub rest: Rest,
    fuel: AtomicU64,
    micros: AtomicU64,
}

impl Budget {
    /// Starts with what is left.
    pub fn new(rest: Rest) -> Budget {
        Budget { rest, fuel: AtomicU64::new(0), micros: AtomicU64::new(0) }
    }

    /// Takes away what a call spent.
    pub fn spend(&self, fuel: u64, time: Duration) {
        self.fuel.fetch_add(fuel, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// What is left now.
    pub fn left(&self) -> Rest {
        let spent = Duration::from_micros(self.micros.load(Ordering::Relaxed));
        Rest {
            fuel: self.rest.fuel.saturating_sub(self.fuel.load(Ordering::Relaxed)),
            wall: self.rest.wall.saturating_sub(spent),
            ..self.rest.clone()
        }
    }
}
