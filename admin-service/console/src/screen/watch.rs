//! Notices that the journal has grown, at the cost of one look at a file a second.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// The least time between two looks.
const PAUSE: Duration = Duration::from_secs(1);
/// Reading the journal takes at most one part in this many of the time.
const SHARE: u32 = 10;

/// The journal's file, and how it was at the last look.
#[derive(Debug)]
pub struct Watch {
    path: PathBuf,
    last: Option<(u64, SystemTime)>,
    next: Instant,
}

impl Watch {
    /// Looks from now on; the file as it is now counts as known.
    pub fn new(path: PathBuf, now: Instant) -> Watch {
        let mut watch = Watch { path, last: None, next: now };
        watch.last = watch.look();
        watch
    }

    /// Whether it is time to look and the file has changed.
    pub fn has_changed(&mut self, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        self.next = now + PAUSE;
        let seen = self.look();
        std::mem::replace(&mut self.last, seen) != seen
    }

    /// Says how long the reading took: the next one waits the longer for it.
    pub fn took(&mut self, time: Duration, now: Instant) {
        self.next = now + PAUSE.max(time * SHARE);
    }

    fn look(&self) -> Option<(u64, SystemTime)> {
        let facts = fs::metadata(&self.path).ok()?;
        Some((facts.len(), facts.modified().ok()?))
    }
}

#[cfg(test)]
mod tests;
