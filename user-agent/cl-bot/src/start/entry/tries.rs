//! Wrong PINs, counted over restarts: the wait before the next try grows with each.
//!
//! The count is where the bot may write, so anyone who has the bot's own user can reset it; it slows down the person at
//! the keyboard, not an attacker who has that user already.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use bot_base::error::Error;
use bot_base::paths::{Folder, PathError};
use shared_types::id::ProfileId;

/// One line for each wrong PIN since the last right one: its time, in seconds since 1970.
const FILE: &str = "wrong_pins";
/// How many wrong PINs cost no wait beyond the pause.
const FREE: usize = 3;
/// The first wait and the longest, in seconds.
const FIRST: u64 = 5;
const LONGEST: u64 = 900;
/// How much of the file counts, in bytes; more wrong PINs than fit wait the longest anyway.
const MOST: u64 = 64 * 1024;

/// What came of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Tried {
    /// It was the PIN, and nothing is counted any more.
    Right,
    /// It was not, and it is counted.
    Wrong,
}

/// The wrong PINs of one profile.
#[derive(Debug)]
pub struct Tries {
    log: File,
    path: std::path::PathBuf,
    profile: ProfileId,
}

impl Tries {
    /// Opens the count of a profile.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn of(logs: &Folder, profile: &ProfileId) -> Result<Tries, Error> {
        Ok(Tries { log: logs.log(FILE)?, path: logs.path().join(FILE), profile: profile.clone() })
    }

    pub fn profile(&self) -> &ProfileId {
        &self.profile
    }

    /// Whether a try is allowed now.
    ///
    /// # Errors
    /// A wait that has not passed, or a count that cannot be read.
    pub fn check(&self) -> Result<(), Error> {
        self.check_at(now())
    }

    /// Tries once. It is counted before `is_right` is asked, so that a program that is killed meanwhile has been counted;
    /// programs that try at the same time wait for each other.
    ///
    /// # Errors
    /// A wait that has not passed, or a count that cannot be kept: then nothing is tried.
    pub fn try_once(&self, is_right: impl FnOnce() -> bool) -> Result<Tried, Error> {
        self.try_at(now(), is_right)
    }

    fn try_at(&self, now: u64, is_right: impl FnOnce() -> bool) -> Result<Tried, Error> {
        self.log.lock().map_err(|e| self.trouble(e))?;
        let tried = self.try_locked(now, is_right);
        // It goes with the file in any case.
        let _ = self.log.unlock();
        tried
    }

    fn try_locked(&self, now: u64, is_right: impl FnOnce() -> bool) -> Result<Tried, Error> {
        self.check_at(now)?;
        durable::append_line(&self.log, &now.to_string()).map_err(|e| self.trouble(e))?;
        if is_right() {
            self.log.set_len(0).map_err(|e| self.trouble(e))?;
            return Ok(Tried::Right);
        }
        Ok(Tried::Wrong)
    }

    fn check_at(&self, now: u64) -> Result<(), Error> {
        let (failed, last) = self.read()?;
        if last > now {
            // The clock was set back, as on a board without one of its own: the wait begins anew, and does end.
            self.restart(failed, now)?;
        }
        let seconds = wait(failed).saturating_sub(now.saturating_sub(last));
        if seconds == 0 {
            return Ok(());
        }
        Err(Error::PinLater { id: self.profile.clone(), failed, seconds })
    }

    /// How many there were, and when the last one was.
    fn read(&self) -> Result<(usize, u64), Error> {
        let mut text = Vec::new();
        let mut log = &self.log;
        log.seek(SeekFrom::Start(0)).map_err(|e| self.trouble(e))?;
        log.take(MOST).read_to_end(&mut text).map_err(|e| self.trouble(e))?;
        let lines = text.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        let time = |line: &[u8]| std::str::from_utf8(line).ok()?.parse::<u64>().ok();
        let (mut failed, mut last) = (0, 0);
        for line in lines {
            failed += 1;
            last = time(line).unwrap_or(last).max(last);
        }
        Ok((failed, last))
    }

    fn restart(&self, failed: usize, now: u64) -> Result<(), Error> {
        self.log.set_len(0).map_err(|e| self.trouble(e))?;
        for _ in 0..failed.min(FREE + 16) {
            durable::append_line(&self.log, &now.to_string()).map_err(|e| self.trouble(e))?;
        }
        Ok(())
    }

    fn trouble(&self, source: std::io::Error) -> Error {
        PathError::Refused { path: self.path.clone(), source }.into()
    }
}

/// The wait after a number of wrong PINs, in seconds: none, then 5, 10, 20 and so on to a quarter of an hour.
fn wait(failed: usize) -> u64 {
    match failed.checked_sub(FREE) {
        None => 0,
        Some(beyond) => LONGEST.min(FIRST << beyond.min(16)),
    }
}

fn now() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
