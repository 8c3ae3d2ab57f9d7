//! What everything that works on a home shares: its paths, the journal, the log, the bell.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base::bell::Bell;
use base::failpoints::{Point, at};
use base::home::Home;
use base::lock::Lock;
use base::log::{Event, Log};

use super::Ledger;

/// A home whose journal is open for writing.
#[derive(Debug)]
pub struct Store {
    pub home: Home,
    ledger: Mutex<Ledger>,
    log: Log,
    /// Rings when a proposal has come to wait for a person.
    pub bell: Bell,
    /// Why proposals wait for a machine on which a child can be confined.
    waiting: Mutex<Option<String>>,
    // Held for as long as the journal is open for writing.
    _lock: Lock,
}

impl Store {
    /// Takes the lock, and a journal that was opened under it.
    pub fn new(home: &Home, ledger: Ledger, log: Log, lock: Lock) -> Store {
        Store {
            home: home.clone(),
            ledger: Mutex::new(ledger),
            log,
            bell: Bell::default(),
            waiting: Mutex::default(),
            _lock: lock,
        }
    }

    /// Publishes how far the journal goes; where that cannot be done now, the next time it is.
    pub fn publish_head(&self) {
        at(Point::HeadBefore);
        if let Err(error) = self.ledger().publish_head(&self.home)
            && !error.wants_room()
        {
            self.tell(&Event::HeadUnpublished {}, &format!("the journal's head is not published: {error}"));
        }
        at(Point::HeadPublished);
    }

    /// Notes that children cannot be confined on this machine, so that proposals wait; it is said once, not at every try.
    pub fn children_wait(&self, why: &str) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.as_deref() != Some(why) {
            self.tell(&Event::ChildrenWait {}, &format!("proposals wait: {why}"));
        }
        *waiting = Some(why.to_owned());
    }

    /// Notes that a child did run.
    pub fn children_run(&self) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Why proposals wait for a machine on which a child can be confined, if they do.
    pub fn children_waited(&self) -> Option<String> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The journal's state; held for short steps only.
    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // A thread that panicked left the state as the journal on the disk says it is.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells what happens: for programs by the event, for people by a line.
    pub fn tell(&self, event: &Event<'_>, line: &str) {
        self.log.tell(event, line);
    }
}
