//! The loop, its lock and its socket.

pub mod codes;
pub mod decide;
pub mod life;
pub mod lock;
pub mod people;
pub mod requests;
pub mod session;
pub mod socket;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

use shared_types::home::Home;
use shared_types::id::WorkflowName;

use crate::build::compile;
use crate::config::Config;
use crate::config::gates::Gates;
use crate::error::Error;
use crate::failpoints::{Point, at};
use crate::install;
use crate::intake::watch::Watch;
use crate::journal::{Book, mirror, reserve};
use crate::notify::{Bell, teller};
use crate::pipeline::driver::Driver;
use crate::review::approvers;
use crate::schedule::clock;

use lock::Lock;

/// What the threads of a service share.
#[derive(Debug)]
pub struct Shared {
    /// The home.
    pub home: Home,
    book: Mutex<Book>,
    quiet: bool,
    /// Schedules that a person wants to run now.
    pub asked: Mutex<Vec<WorkflowName>>,
    /// Rings when a proposal has come to wait for a person.
    pub bell: Bell,
    // Held for as long as the journal is open for writing.
    _lock: Lock,
}

impl Shared {
    /// Takes the home's lock, opens the journal, and brings manifest and mirrors up to it.
    ///
    /// # Errors
    /// Another service, a broken chain, a failing disk.
    pub fn open(home: &Home, quiet: bool) -> Result<Shared, Error> {
        let lock = Lock::take(home)?;
        compile::sweep(home);
        let mut book = Book::open(home)?;
        at(Point::StartOpened);
        // As long as the configuration cannot be read, the program moves nothing.
        book.set_gates(&Config::read(home).map_or_else(|_| Gates::closed(), |config| config.gates));
        // What may be missing after a crash is a part of a person's decision.
        reserve::spend(home, || install::reconcile(home, &mut book))?;
        approvers::reconcile(home, &mut book)?;
        let shared = Shared {
            home: home.clone(),
            book: Mutex::new(book),
            quiet,
            asked: Mutex::default(),
            bell: Bell::default(),
            _lock: lock,
        };
        if let Err(error) = decide::finish_all(&shared) {
            shared.say(&format!("{error}"));
        }
        for ticket in shared.book().tickets() {
            match mirror(home, ticket) {
                Err(error) if error.wants_room() => shared.say(&format!("{}: {error}", ticket.id())),
                other => other?,
            }
        }
        at(Point::StartMirrored);
        reserve::renew(home)?;
        at(Point::StartReserve);
        shared.publish_head();
        Ok(shared)
    }

    /// Publishes how far the journal goes; where that cannot be done now, the next time it is.
    pub(crate) fn publish_head(&self) {
        at(Point::HeadBefore);
        if let Err(error) = self.book().publish_head(&self.home)
            && !error.wants_room()
        {
            self.say(&format!("the journal's head is not published: {error}"));
        }
        at(Point::HeadPublished);
    }

    /// The journal's state; held for short steps only.
    pub fn book(&self) -> MutexGuard<'_, Book> {
        // A thread that panicked left the state as the journal on the disk says it is.
        self.book.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Tells what happens, a line on stderr.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            eprintln!("cl-admin: {}", shared_types::text::line(line));
        }
    }
}

/// Drives every proposal as far as it goes, then ends.
///
/// # Errors
/// What concerns the service as a whole.
pub fn once(home: &Home, headless: bool, cancel: &AtomicBool) -> Result<(), Error> {
    let telling = Config::read(home)?.telling;
    let shared = Shared::open(home, false)?;
    let mut driver = Driver::default();
    while driver.pass(&shared, cancel)? && !cancel.load(Ordering::Relaxed) {}
    if !cancel.load(Ordering::Relaxed) {
        teller::tell_once(&shared, &telling, headless);
    }
    Ok(())
}

/// Runs the service until `cancel`: the driver here, the socket in a thread.
///
/// # Errors
/// What concerns the service as a whole; a fault that may pass is told and tried again.
pub fn run(home: &Home, headless: bool, cancel: &'static AtomicBool) -> Result<(), Error> {
    // Faults of the configuration are told at once rather than at the first proposal.
    let config = Config::read(home)?;
    let shared = Arc::new(Shared::open(home, false)?);
    let listener = socket::listen(home)?;
    shared.say(&format!("serving {} as process {}", home.root().display(), std::process::id()));
    let answering = {
        let shared = Arc::clone(&shared);
        std::thread::spawn(move || socket::answer(&listener, &shared, cancel))
    };
    let preparing = {
        let (home, config) = (home.clone(), config.clone());
        std::thread::spawn(move || compile::prepare(&home, &config, cancel))
    };
    let telling = teller::start(&shared, &config.telling, headless, cancel);
    let scheduling = clock::start(&shared, cancel);
    let mut driver = Driver::default();
    let mut interval = config.poll_interval;
    while !cancel.load(Ordering::Relaxed) {
        match driver.pass(&shared, cancel) {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error @ Error::Integrity(_)) => {
                cancel.store(true, Ordering::Relaxed);
                let _ = answering.join();
                return Err(error);
            }
            Err(error) => shared.say(&format!("{error}")),
        }
        if let Ok(config) = Config::read(home) {
            interval = config.poll_interval;
        }
        match driver.holds_back() {
            true => Watch::blind().wait(interval),
            false => Watch::over(home).wait(interval),
        }
    }
    shared.bell.ring();
    let _ = preparing.join();
    let _ = answering.join();
    let _ = scheduling.join();
    // One that is just telling may end with the process; what it did not note is told by the next one.
    telling.into_iter().filter(JoinHandle::is_finished).for_each(|t| drop(t.join()));
    socket::remove(home);
    shared.say("stopped; every proposal is where the journal says");
    Ok(())
}
