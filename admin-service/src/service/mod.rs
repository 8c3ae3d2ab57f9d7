//! The loop, its lock and its socket.

pub mod actions;
pub mod codes;
pub mod decide;
pub mod life;
pub mod lock;
pub mod people;
pub mod requests;
pub mod session;
pub mod socket;
pub mod stop_policy;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use nix::sys::eventfd::{EfdFlags, EventFd};
use shared_types::id::WorkflowName;

use crate::actions::sweep::sweep;
use crate::actions::take::mirrored;
use crate::actions::work::{self, Running};
use crate::audit;
use crate::build::compile;
use crate::config::Config;
use crate::config::gates::Gates;
use crate::error::Error;
use crate::failpoints::{Point, at};
use crate::home::Home;
use crate::install;
use crate::intake::take::{Intake, Passed};
use crate::intake::watch::Watch;
use crate::journal::{Book, mirror, reserve};
use crate::notify::{Bell, teller};
use crate::pipeline::driver::Driver;
use crate::plugins::servers::Servers;
use crate::review::approvers;
use crate::schedule::clock;
use crate::stop::{self, Halt};

use lock::Lock;

/// What the threads of a service share.
#[derive(Debug)]
pub struct Shared {
    /// The home.
    pub home: Home,
    book: Mutex<Book>,
    telling: Telling,
    /// Ends what runs, when the emergency stop or the end of the service comes.
    pub halt: Halt,
    /// Schedules that a person wants to run now.
    pub asked: Mutex<Vec<WorkflowName>>,
    /// Rings when a proposal has come to wait for a person.
    pub bell: Bell,
    /// Rings when there may be work for the driver.
    pub work: Bell,
    /// The commands that run now.
    pub running: Running,
    intake: Mutex<Intake>,
    call: EventFd,
    ending: AtomicBool,
    /// The plugins' servers that are kept for the next call.
    pub plugins: Servers,
    /// Why proposals wait for a machine on which a child can be confined.
    waiting: Mutex<Option<String>>,
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
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        let call = EventFd::from_value_and_flags(0, flags)
            .map_err(|e| Error::Failed(format!("the service cannot be called: {e}")))?;
        crate::plugins::decide::sweep_all(home, &book);
        let shared = Shared {
            home: home.clone(),
            book: Mutex::new(book),
            telling: Telling::of_environment(quiet),
            halt: Halt::default(),
            asked: Mutex::default(),
            bell: Bell::default(),
            work: Bell::default(),
            running: Running::default(),
            plugins: Servers::default(),
            intake: Mutex::default(),
            call,
            ending: AtomicBool::new(false),
            waiting: Mutex::default(),
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
        mirror_cases(&shared)?;
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

    /// Takes in what is new; the driver does it and, while a skill is made, whoever waits for news.
    ///
    /// # Errors
    /// Only what concerns the whole: the journal, the folders.
    pub fn take_in(&self, config: &Config, cancel: &AtomicBool) -> Result<Passed, Error> {
        let mut intake = self.intake.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        intake.pass(self, config, cancel)
    }

    /// Wakes whoever waits for news, and the driver.
    pub fn call(&self) {
        // A counter that is full is a call already.
        let _ = self.call.write(1);
        self.work.ring();
    }

    /// Notes that children cannot be confined on this machine, so that proposals wait; it is said once, not at every try.
    pub fn children_wait(&self, why: &str) {
        let mut waiting = self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if waiting.as_deref() != Some(why) {
            self.say(&format!("proposals wait: {why}"));
        }
        *waiting = Some(why.to_owned());
    }

    /// Notes that a child did run.
    pub fn children_run(&self) {
        *self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }

    /// Why proposals wait for a machine on which a child can be confined, if they do.
    pub fn children_waited(&self) -> Option<String> {
        self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Whether no command is started any more.
    pub fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// The flag that is set when the service begins to end.
    pub fn ending(&self) -> &AtomicBool {
        &self.ending
    }

    /// The journal's state; held for short steps only.
    pub fn book(&self) -> MutexGuard<'_, Book> {
        // A thread that panicked left the state as the journal on the disk says it is.
        self.book.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Tells what happens, a line on stderr.
    pub fn say(&self, line: &str) {
        self.tell("notice", line);
    }

    /// As [`Shared::say`], under a name by which programs know it.
    pub fn tell(&self, event: &str, line: &str) {
        let line = shared_types::text::line(line);
        match self.telling {
            Telling::Nothing => {}
            Telling::People => eprintln!("cl-admin: {line}"),
            Telling::Json => {
                let time = crate::clock::now();
                let told = serde_json::json!({"time": time, "level": "info", "event": event, "text": line});
                eprintln!("{told}");
            }
        }
    }
}

/// How the service tells what happens, on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    Nothing,
    People,
    /// One JSON object a line, as `TAMECLAW_LOG=json` asks for.
    Json,
}

impl Telling {
    fn of_environment(quiet: bool) -> Telling {
        let words = std::env::var("TAMECLAW_LOG").unwrap_or_default();
        match (quiet, words.split([',', ' ']).any(|word| word == "json")) {
            (true, _) => Telling::Nothing,
            (false, true) => Telling::Json,
            (false, false) => Telling::People,
        }
    }
}

/// Brings the mirrors of actions up to the journal. They are written without waiting for the disk, so a power cut may have
/// taken the last ones; those before are long on it.
fn mirror_cases(shared: &Shared) -> Result<(), Error> {
    let book = shared.book();
    let skipped = book.cases().all().count().saturating_sub(MOST_MIRRORED);
    let last = book.cases().all().skip(skipped);
    for case in last.chain(book.cases().open()) {
        mirrored(shared, case)?;
    }
    Ok(())
}

/// So many mirrors of actions are looked at when the service starts.
const MOST_MIRRORED: usize = 200;

/// Drives every proposal as far as it goes, then ends; answers why proposals wait if no child can be confined here.
///
/// # Errors
/// What concerns the service as a whole.
pub fn once(home: &Home, headless: bool, cancel: &'static AtomicBool) -> Result<Option<String>, Error> {
    let telling = Config::read(home)?.telling;
    stop::check(home, "stages and commands would start")?;
    let shared = Arc::new(Shared::open(home, false)?);
    stop::watch(&shared, cancel)?;
    sweep(home, SystemTime::now());
    let mut driver = Driver::default();
    let working = shared.halt.working();
    let halt = shared.halt.flag();
    loop {
        let moved = driver.pass(&shared, halt)?;
        let acted = work::finish_due(&shared, halt);
        if !(moved || acted) || halt.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed) {
            break;
        }
    }
    drop(working);
    audit::once(&shared, cancel);
    if !cancel.load(Ordering::Relaxed) {
        teller::tell_once(&shared, &telling, headless);
    }
    Ok(shared.children_waited())
}

/// Runs the service until `cancel`: news here, the driver, the socket and each command in a thread.
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
    let watching = stop::watch(&shared, cancel)?;
    let preparing = {
        let (shared, config) = (Arc::clone(&shared), config.clone());
        std::thread::spawn(move || {
            let _working = shared.halt.working();
            compile::prepare(&shared.home, &config, shared.halt.flag());
        })
    };
    let telling = teller::start(&shared, &config.telling, headless, cancel);
    audit::start(&shared, cancel);
    let scheduling = clock::start(&shared, cancel);
    let driving = {
        let (shared, interval) = (Arc::clone(&shared), config.poll_interval);
        std::thread::spawn(move || drive(&shared, interval, cancel))
    };
    listen_for_news(&shared, config, cancel);
    // From here on nothing is started, and what runs is ended: its result says so.
    shared.ending.store(true, Ordering::Relaxed);
    let begun = Instant::now();
    while shared.running.count() > 0 && begun.elapsed() < FAREWELL {
        shared.running.cancel_all();
        std::thread::sleep(Duration::from_millis(5));
    }
    shared.bell.ring();
    shared.work.ring();
    shared.halt.wake();
    let driven = driving.join().unwrap_or(Ok(()));
    let _ = answering.join();
    let _ = watching.join();
    driven?;
    let _ = preparing.join();
    let _ = scheduling.join();
    // One that is just telling may end with the process; what it did not note is told by the next one.
    telling.into_iter().filter(JoinHandle::is_finished).for_each(|t| drop(t.join()));
    socket::remove(home);
    shared.say("stopped; every proposal is where the journal says");
    Ok(())
}

/// How long the service waits at its end for commands that it has killed.
const FAREWELL: Duration = Duration::from_secs(5);
/// How often what commands left behind is looked at.
const SWEEP_EVERY: Duration = Duration::from_secs(3_600);

/// Takes in what is new as soon as there is news, and starts what is due, whatever the driver is at.
fn listen_for_news(shared: &Arc<Shared>, mut config: Config, cancel: &AtomicBool) {
    let watch = Watch::over(&shared.home);
    let mut swept: Option<Instant> = None;
    while !cancel.load(Ordering::Relaxed) {
        // A configuration with faults is told by the driver; until it is put right, the one before holds here.
        config = Config::read(&shared.home).unwrap_or(config);
        watch.renew(&shared.home);
        // While everything is stopped nothing is taken in and nothing is started.
        // Whatever stands in the way of it stands in the driver's as well, which tells it.
        let working = shared.halt.working();
        let passed = match stop::holds(&shared.home) {
            Some(_) => Passed::default(),
            None => shared.take_in(&config, shared.halt.flag()).unwrap_or_default(),
        };
        drop(working);
        work::start_due(shared);
        if passed.wishes > 0 {
            shared.work.ring();
        }
        if passed.looked_at > 0 {
            continue;
        }
        // A command that runs does it at its end; it is not to wait for it before.
        if shared.running.count() == 0 {
            shared.publish_head();
        }
        if swept.is_none_or(|at| at.elapsed() > SWEEP_EVERY) {
            sweep(&shared.home, SystemTime::now());
            swept = Some(Instant::now());
        }
        match passed.held_back {
            true => watch.sleep(&shared.call, config.poll_interval),
            false => watch.wait(&shared.call, config.poll_interval),
        }
    }
}

/// Drives every proposal as far as it goes, again and again until `cancel`.
fn drive(shared: &Shared, mut interval: Duration, cancel: &AtomicBool) -> Result<(), Error> {
    let mut driver = Driver::default();
    while !cancel.load(Ordering::Relaxed) {
        let known = shared.work.count();
        let working = shared.halt.working();
        let passed = driver.pass(shared, shared.halt.flag());
        drop(working);
        match passed {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error @ (Error::Integrity(_) | Error::Journal(_))) => {
                cancel.store(true, Ordering::Relaxed);
                shared.call();
                return Err(error);
            }
            Err(error) => shared.say(&format!("{error}")),
        }
        if let Ok(config) = Config::read(&shared.home) {
            interval = config.poll_interval;
        }
        shared.work.wait(known, Some(interval));
    }
    Ok(())
}
