//! What runs on a home: the service's threads, and what ends them.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use actions::keep::mirrored;
use actions::work::Running;
use base::bell::Bell;
use base::config::Config;
use base::config::gates::Gates;
use base::error::Error;
use base::failpoints::{Point, at};
use base::home::Home;
use base::lock::Lock;
use base::log::{Event, Log};
use base::stop::Halt;
use builder::compile;
use ledger::{Ledger, Store, manifest, mirror, reserve};
use nix::sys::eventfd::{EfdFlags, EventFd};
use pipeline::decide;
use pipeline::intake::take::Intake;
use review::approvers;

use crate::schedule::clock::Asked;

/// A store, with what only the service has. Everything else takes the store alone.
#[derive(Debug)]
pub struct Runtime {
    /// Ends what runs, when the emergency stop or the end of the service comes.
    pub halt: Halt,
    /// Schedules that a person wants to run now.
    pub asked: Arc<Asked>,
    /// Rings when there may be work for the driver.
    pub work: Bell,
    /// The commands and servers that run now.
    pub running: Arc<Running>,
    /// What the intake remembers.
    pub(crate) intake: Mutex<Intake>,
    pub(super) news: EventFd,
    /// Can be read from the moment at which the service begins to end.
    pub(super) ended: EventFd,
    /// The home, its journal, its log. The last field: the home's lock goes after everything else.
    pub store: Arc<Store>,
}

impl Deref for Runtime {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Runtime {
    /// Takes the home's lock, opens the journal, and brings manifest and mirrors up to it.
    ///
    /// # Errors
    /// Another service, a broken chain, a failing disk.
    pub fn open(home: &Home, quiet: bool) -> Result<Runtime, Error> {
        Runtime::open_on(home, Lock::take(home)?, Ledger::default(), quiet)
    }

    /// As [`Runtime::open`], with the lock taken and the journal read before.
    ///
    /// # Errors
    /// As [`Runtime::open`].
    pub fn open_on(home: &Home, lock: Lock, read: Ledger, quiet: bool) -> Result<Runtime, Error> {
        compile::sweep(home);
        let mut ledger = read.open_on(home)?;
        at(Point::StartOpened);
        // As long as the configuration cannot be read, the program moves nothing.
        ledger.set_gates(&Config::read(home).map_or_else(|_| Gates::closed(), |config| config.gates));
        // What may be missing after a crash is a part of a person's decision.
        reserve::spend(home, || manifest::reconcile(home, &mut ledger))?;
        approvers::reconcile(home, &mut ledger)?;
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        let event =
            || EventFd::from_value_and_flags(0, flags).map_err(Error::step("the service cannot be called"));
        let (news, ended) = (event()?, event()?);
        actions::plugins::decide::sweep_all(home, &ledger);
        let store = Store::new(home, ledger, Log::of_environment(home, quiet), lock);
        if let Err(error) = decide::finish_all(&store) {
            store.tell(&Event::ServiceFailed {}, &error.to_string());
        }
        for ticket in store.ledger().tickets() {
            match mirror(home, ticket) {
                Err(error) if error.wants_room() => {
                    store.tell(
                        &Event::ProposalFailed { proposal: ticket.id() },
                        &format!("{}: {error}", ticket.id()),
                    );
                }
                other => other?,
            }
        }
        mirror_cases(&store)?;
        at(Point::StartMirrored);
        reserve::renew(home)?;
        at(Point::StartReserve);
        store.publish_head();
        Ok(Runtime {
            halt: Halt::default(),
            asked: Arc::default(),
            work: Bell::default(),
            running: Arc::default(),
            intake: Mutex::default(),
            news,
            ended,
            store: Arc::new(store),
        })
    }

    /// Wakes the thread that waits for news, and the driver.
    pub fn call(&self) {
        // A counter that is full is a call already.
        let _ = self.news.write(1);
        self.work.ring();
    }

    /// The flag that is set when the service begins to end.
    pub fn ending(&self) -> &AtomicBool {
        &self.running.ending
    }

    /// Notes that the service begins to end: nothing is started any more, and sleeping threads are woken.
    pub(super) fn end(&self) {
        self.running.ending.store(true, Ordering::Relaxed);
        let _ = self.ended.write(1);
        self.asked.wake();
        self.bell.ring();
        self.work.ring();
        self.halt.wake();
    }
}

/// Brings the mirrors of actions up to the journal. They are written without waiting for the disk, so a power cut may have
/// taken the last ones; those before are long on it.
fn mirror_cases(store: &Store) -> Result<(), Error> {
    let ledger = store.ledger();
    let skipped = ledger.cases().all().count().saturating_sub(MOST_MIRRORED);
    let last = ledger.cases().all().skip(skipped);
    for case in last.chain(ledger.cases().open()) {
        mirrored(store, case)?;
    }
    Ok(())
}

/// How many mirrors of actions are looked at when the service starts.
const MOST_MIRRORED: usize = 200;
