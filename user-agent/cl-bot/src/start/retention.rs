//! How long what was remembered is kept: what the profile's period no longer covers is removed, at the start and once a day.
//!
//! A record goes when two looks at least a day apart both find it too old. So a clock that was set forward by mistake, or a
//! period that was mistyped, costs nothing before the next day.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bot_base::error::say;
use bot_base::log::{self, Event};
use bot_base::paths::{Folder, PathError};
use jiff::{SignedDuration, Timestamp};
use memory::{Aged, Store};
use ports::{Later, handles, remembered};
use shared_types::memory::Keep;

use super::Prepared;

/// The file, beneath `memory/`, that says when the memory was looked through, and for which period.
const LOOKED: &str = "looked_through";
/// How far two looks are apart at least.
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// How often an open chat asks whether a look is due: it reads one small file.
const OFTEN: Duration = Duration::from_secs(60);
/// How long after a look of which something was reported: one that fails may fill the disk with a copy.
const AGAIN: Duration = Duration::from_secs(30 * 60);

/// The memory of one profile, and for how long it is kept.
pub struct Retention {
    memory: Arc<Folder>,
    logs: Arc<Folder>,
    days: u32,
}

/// Why the memory is as it was.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// The memory cannot be read or written.
    #[error(transparent)]
    Memory(#[from] memory::Error),
    /// A file beside it cannot.
    #[error(transparent)]
    File(#[from] PathError),
}

/// The look before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Looked {
    days: u32,
    at: Timestamp,
}

/// What a look does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
enum Look {
    /// The look before is less than a day ago.
    NotDue,
    /// It says that it was: there was none before with this period, or the clock went back.
    Note,
    /// It removes what was too old at the look before, and says that it was.
    Remove {
        /// What was said before this moment goes.
        before: Timestamp,
        /// Whether since the look before more time went by than the period has.
        leaps: bool,
    },
}

/// Judges what a look does now.
fn judge(before: Option<Looked>, days: u32, now: Timestamp) -> Look {
    let Some(before) = before.filter(|before| before.days == days && before.at <= now) else {
        return Look::Note;
    };
    let since = now.duration_since(before.at);
    if since < DAY {
        return Look::NotDue;
    }
    Look::Remove { before: ago(before.at, days), leaps: since > DAY * days.cast_signed() }
}

/// The moment `days` days before another.
fn ago(now: Timestamp, days: u32) -> Timestamp {
    now.checked_sub(DAY * days.cast_signed()).unwrap_or(Timestamp::MIN)
}

impl Retention {
    /// That of an open profile, with a period of its own where one is asked about; none where everything is kept.
    pub fn of(prepared: &Prepared, period: Option<Keep>) -> Option<Retention> {
        let period = period.unwrap_or(prepared.settings.memory.keep);
        let Keep::Days(days) = period else { return None };
        let folders = &prepared.folders;
        let (memory, logs) = (folders.memory.clone(), folders.logs.clone());
        Some(Retention { memory, logs, days })
    }

    /// Looks now, and again each day for as long as the program runs; answers what a person should know. What a person at a prompt
    /// should know later is left with `later`.
    pub fn hold(self, later: Option<Later>) -> Vec<String> {
        let told = self.look(Timestamp::now());
        let again = move || {
            let mut known = vec![];
            loop {
                std::thread::sleep(if known.is_empty() { OFTEN } else { AGAIN });
                let told = self.look(Timestamp::now());
                match &later {
                    // What fails is tried again and reported once.
                    _ if told == known => {}
                    Some(later) => later.add(told.clone()),
                    None => told.iter().for_each(|line| say(line)),
                }
                known = told;
            }
        };
        // Without this thread the next start looks.
        let _ = std::thread::Builder::new().name("retention".into()).stack_size(512 * 1024).spawn(again);
        told
    }

    fn look(&self, now: Timestamp) -> Vec<String> {
        let looked = self.looked();
        let mut told = vec![];
        match judge(looked, self.days, now) {
            Look::NotDue => return told,
            Look::Note => {}
            Look::Remove { before, leaps } => {
                if let Err(why) = self.remove(before) {
                    return vec![format!("what is older than {} is not removed: {why}", self.period())];
                }
                if leaps {
                    told.push(self.leap(looked, now));
                }
            }
        }
        let note = format!("{} {now:.0}\n", self.days);
        if let Err(why) = self.memory.replace_secret(LOOKED, note.as_bytes()) {
            told.push(format!("nothing older than {} is removed: {why}", self.period()));
        }
        told
    }

    fn leap(&self, looked: Option<Looked>, now: Timestamp) -> String {
        let last = looked.map(|looked| format!("{:.0}", looked.at)).unwrap_or_default();
        format!(
            "by this machine's clock it is {now:.0}, and the memory was last looked through at {last}: from tomorrow on what is \
             older than {} is removed. If the clock is wrong, set it first; `cl-bot memory export > FILE` keeps a copy",
            self.period()
        )
    }

    fn looked(&self) -> Option<Looked> {
        let text = self.memory.read_text(LOOKED, 128).ok()?;
        let (days, at) = text.trim().split_once(' ')?;
        Some(Looked { days: days.parse().ok()?, at: at.parse().ok()? })
    }

    pub fn period(&self) -> Keep {
        Keep::Days(self.days)
    }

    /// The moment before which everything is too old now.
    pub fn oldest(&self) -> Timestamp {
        ago(Timestamp::now(), self.days)
    }

    /// Counts what is older than a moment, in each memory that is there.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub fn count(&self, before: Timestamp) -> Result<Aged, NotKept> {
        self.each(|store| store.aged(before))
    }

    /// Removes what is older than a moment, from each memory that is there and from the lines that the editor offers.
    ///
    /// # Errors
    /// A memory that cannot be read or written.
    pub fn remove(&self, before: Timestamp) -> Result<Aged, NotKept> {
        let mut stay = HashSet::new();
        let aged = self.each(|store| {
            store.forget_before(before, &mut |typed| {
                stay.insert(handles::as_line(typed));
            })
        })?;
        if aged.messages > 0 {
            handles::keep_only(&self.logs, &stay)?;
        }
        if !aged.is_none() {
            log::event(Event::MemoryAged { facts: aged.facts, messages: aged.messages });
        }
        Ok(aged)
    }

    fn each(&self, mut work: impl FnMut(&dyn Store) -> Result<Aged, memory::Error>) -> Result<Aged, NotKept> {
        let mut sum = Aged::default();
        for store in remembered::lying(&self.memory) {
            let aged = work(store.as_ref())?;
            sum.facts += aged.facts;
            sum.messages += aged.messages;
            sum.undated += aged.undated;
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests;
