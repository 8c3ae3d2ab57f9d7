//! What follows the end of a chat: another start, a bare start, or the end; no clock and no process in here.

use std::time::{Duration, Instant};

use shared_types::exit;

/// After this many failures within [`WITHIN`] the next start is a bare one.
const MOST: usize = 3;
const WITHIN: Duration = Duration::from_secs(60);
/// The wait after a failure doubles from here.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// A chat that asks for a restart sooner than this after its start may ask for ever.
const QUICK: Duration = Duration::from_secs(5);
/// This many quick restarts cost no wait: several skills may be accepted one after the other.
const FREE: u32 = 3;
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The code of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// What follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Next {
    /// Another start of the same conversation, after a wait.
    Again {
        /// How long.
        wait: Duration,
    },
    /// The person left.
    Left,
    /// The supervisor ends with this code.
    End(u8),
}

/// How often and why a chat ended so far.
#[derive(Debug)]
pub struct Restarts {
    /// Whether the exit code 1 is that of a turn, not of a chat that broke down.
    turns_fail: bool,
    failures: Vec<Instant>,
    quick: u32,
    core_only: bool,
}

impl Restarts {
    /// For a chat at a terminal, which ends with 1 only when it breaks down.
    pub fn at_terminal() -> Restarts {
        Restarts { turns_fail: false, failures: vec![], quick: 0, core_only: false }
    }

    /// For a chat that reads a pipe, which ends with 1 when one of its turns failed.
    pub fn on_pipes() -> Restarts {
        Restarts { turns_fail: true, ..Restarts::at_terminal() }
    }

    /// Whether the next start is to leave out everything but the core skills.
    pub fn core_only(&self) -> bool {
        self.core_only
    }

    /// Judges the end of a chat by its exit code, with 128 and more for a signal.
    pub fn after(&mut self, code: u8, started: Instant, ended: Instant) -> Next {
        match code {
            exit::DONE => Next::Left,
            exit::RESTART => self.asked(started, ended),
            // What forbids a start forbids the next one too.
            exit::USAGE | exit::REFUSED | exit::INTEGRITY => Next::End(code),
            exit::FAILED if self.turns_fail => Next::End(code),
            // Ctrl-C before the chat listens for it, as at the question for a PIN: the person does not want it.
            INTERRUPTED => Next::End(code),
            _ => self.failed(code, ended),
        }
    }

    fn asked(&mut self, started: Instant, ended: Instant) -> Next {
        // Something was installed or removed, so a bare chat may be whole again.
        self.core_only = false;
        self.failures.clear();
        self.quick = if ended.saturating_duration_since(started) < QUICK { self.quick + 1 } else { 0 };
        let wait = match self.quick.checked_sub(FREE + 1) {
            None => Duration::ZERO,
            Some(beyond) => LONGEST_WAIT.min(FIRST_WAIT * (1 << beyond.min(8))),
        };
        Next::Again { wait }
    }

    fn failed(&mut self, code: u8, ended: Instant) -> Next {
        if self.core_only {
            return Next::End(code);
        }
        self.failures.retain(|at| ended.saturating_duration_since(*at) < WITHIN);
        self.failures.push(ended);
        self.core_only = self.failures.len() >= MOST;
        Next::Again { wait: FIRST_WAIT * (1 << (self.failures.len() - 1)) }
    }
}

#[cfg(test)]
mod tests;
