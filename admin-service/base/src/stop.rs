//! The emergency stops: `config/stop`, the admin's, for the whole home, and `data/profiles/<id>/stop`, which the bot sets for
//! one profile. While the home's is set no stage begins and no child runs; those that ran are killed. What a person takes
//! away (a rejection, a removal) is still done.
//!
//! Presence alone stops: a file that cannot be read stops too. The words of the home's stop are the admin's own. Those in a
//! profile's stop are the bot's, and nobody here reads them.

mod starts;

use std::fmt;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use beneath::{Folder, Kind, NotOpened};
use nix::sys::eventfd::EventFd;
use shared_types::id::ProfileId;
use shared_types::text;

use crate::error::Error;
use crate::home::Home;

pub use starts::{Stopped, may_start};

/// How often a stop is looked for while something is done for a profile.
const INTERVAL: Duration = Duration::from_millis(25);
/// The most that is read of a stop, in bytes.
const MOST: u64 = 4096;

/// A stop that holds for what is done for a profile. Its text is safe to show to everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Stop {
    /// The home's, with the admin's words.
    Home(String),
    /// The profile's own, and what is wrong with it where it is not a regular file.
    Profile(Option<NotOpened>),
}

/// The home's stop, if it is set: the words in the file, safe to show, or why it cannot be read.
pub fn holds(home: &Home) -> Option<String> {
    let config = match Folder::open(&home.config()) {
        Err(NotOpened::Gone) => return None,
        Err(why) => return Some(format!("`config` {why}")),
        Ok(config) => config,
    };
    match config.facts_of("stop") {
        Err(NotOpened::Gone) => None,
        Err(why) => Some(format!("`config/stop` {why}")),
        Ok(_) => Some(match config.file("stop").and_then(|file| file.text(MOST)) {
            Ok(words) => text::cut(words.trim(), 400),
            // Replaced or cleared since the look; what was seen counts.
            Err(NotOpened::Gone) => String::new(),
            Err(why) => format!("`config/stop` {why}"),
        }),
    }
}

/// The stop that holds for what is done for a profile: the home's, or the profile's own, which the bot sets.
pub fn holds_for(home: &Home, profile: &ProfileId) -> Option<Stop> {
    holds(home).map(Stop::Home).or_else(|| match home.profile_stop(profile).facts() {
        Err(NotOpened::Gone) => None,
        Err(why) => Some(Stop::Profile(Some(why))),
        Ok(facts) => Some(Stop::Profile(match facts.kind {
            Kind::File => None,
            Kind::Link => Some(NotOpened::Link),
            other => Some(NotOpened::NotAFile(other)),
        })),
    })
}

/// The stop that holds for a profile, or, without one, for the home as a whole.
fn in_force(home: &Home, profile: Option<&ProfileId>) -> Option<Stop> {
    match profile {
        Some(profile) => holds_for(home, profile),
        None => holds(home).map(Stop::Home),
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Home(why) if why.is_empty() => f.write_str("the emergency stop holds"),
            Stop::Home(why) => write!(f, "the emergency stop holds ({why})"),
            Stop::Profile(None) => f.write_str("the emergency stop of this profile holds"),
            Stop::Profile(Some(why)) => {
                write!(f, "the emergency stop of this profile holds (`stop` {why})")
            }
        }
    }
}

/// Does something for a profile, or for the home as a whole, with a flag that becomes true as soon as a stop holds for it or
/// `outer` is set.
pub fn during<T>(
    home: &Home,
    profile: Option<&ProfileId>,
    outer: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let cancel = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let cancel = &cancel;
        let watch = move || loop {
            if outer.load(Ordering::Relaxed) || in_force(home, profile).is_some() {
                return cancel.store(true, Ordering::Relaxed);
            }
            if ended.recv_timeout(INTERVAL) != Err(mpsc::RecvTimeoutError::Timeout) {
                return;
            }
        };
        match std::thread::Builder::new()
            .name("stop".into())
            .stack_size(128 * 1024)
            .spawn_scoped(scope, watch)
        {
            Ok(_) => {
                let worked = work(cancel);
                drop(done);
                worked
            }
            // Without the thread the home's stop still ends it.
            Err(_) => work(outer),
        }
    })
}

/// What does not begin while the stop holds.
#[derive(Debug, thiserror::Error)]
#[error("{would}; {}", words(.why))]
struct NotBegun {
    would: String,
    why: String,
}

/// Refuses while the home's stop holds; `would` says what would begin.
///
/// # Errors
/// The stop, with the lawful next step.
pub fn check(home: &Home, would: &str) -> Result<(), Error> {
    match holds(home) {
        None => Ok(()),
        Some(why) => Err(Error::refused(NotBegun { would: would.to_owned(), why })),
    }
}

/// What a person reads about a stop that holds.
pub fn words(why: &str) -> String {
    let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
    format!(
        "the emergency stop holds{why}: nothing is built, run or installed until `cl-admin estop --clear`"
    )
}

/// Sets the stop; an older one is replaced.
///
/// # Errors
/// What the operating system refuses.
pub fn set(home: &Home, reason: &str) -> Result<(), Error> {
    let path = home.stop();
    durable::replace(&path, format!("{}\n", text::cut(reason, 400)).as_bytes(), 0o644)
        .map_err(Error::io(&path))
}

/// Takes the stop away; answers whether there was one.
///
/// # Errors
/// What the operating system refuses.
pub fn clear(home: &Home) -> Result<bool, Error> {
    let path = home.stop();
    match fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(Error::io(&path)(e)),
    }
}

/// The flag that ends what runs: children, requests to models, anything that a stage waits for.
#[derive(Debug, Default)]
pub struct Halt {
    flag: AtomicBool,
    /// How many threads do something that is to end with the service.
    working: AtomicUsize,
    wake: OnceLock<EventFd>,
}

/// Work that is to end with the service; until it is dropped the watch looks often.
#[must_use]
pub struct Working<'a>(&'a Halt);

impl Halt {
    /// True while a stop holds, and when the service is to end.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// Notes that something is done that is to end with the service.
    pub fn working(&self) -> Working<'_> {
        if self.working.fetch_add(1, Ordering::Relaxed) == 0 {
            self.wake();
        }
        Working(self)
    }

    /// Whether something is done that is to end with the service.
    pub fn is_working(&self) -> bool {
        self.working.load(Ordering::Relaxed) > 0
    }

    /// Notes how the watch is woken; a service has one watch.
    pub fn woken_by(&self, wake: EventFd) {
        let _ = self.wake.set(wake);
    }

    /// How the watch is woken.
    pub fn waker(&self) -> Option<&EventFd> {
        self.wake.get()
    }

    /// Has the watch look again, now.
    pub fn wake(&self) {
        if let Some(wake) = self.wake.get() {
            let _ = wake.write(1);
        }
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
