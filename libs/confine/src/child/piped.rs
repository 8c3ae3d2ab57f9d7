//! A child whose input and output are streams of any length.

use std::{
    io::{self, Read},
    process::{ChildStderr, ChildStdin, ChildStdout, Stdio},
};

use super::briefing::Handed;
use super::run::{Group, spawn};
use super::{Child, ExitKind};

/// A running child; it and everything in its process group is killed and reaped when the value goes.
///
/// The kernel ends it too when the thread that started it ends.
pub struct Piped {
    /// What it reads.
    pub stdin: Option<ChildStdin>,
    /// What it writes.
    pub stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    group: Group,
    /// Open for as long as the child may read its orders.
    _handed: Option<Handed>,
}

impl Child<'_> {
    /// Starts it. What [`Child::stdin`] and [`Child::wall`] set does not count.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn piped(self) -> io::Result<Piped> {
        self.insist_on_absolute()?;
        let mut command = self.command();
        command.stdin(Stdio::piped());
        let mut handed = self.handed()?;
        let mut child = spawn(&mut command, handed.as_mut())?;
        let group = Group::of(&child);
        Ok(Piped {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            group,
            _handed: handed,
        })
    }
}

impl Piped {
    /// Closes both streams and waits for its end; answers how it ended, and the beginning of what it complained of.
    ///
    /// # Errors
    /// The system refuses to wait.
    pub fn end(mut self) -> io::Result<(ExitKind, String)> {
        self.stdin = None;
        self.stdout = None;
        let mut words = Vec::new();
        if let Some(stderr) = self.stderr.take() {
            stderr.take(MOST_WORDS).read_to_end(&mut words)?;
        }
        let ended = self.group.wait()?;
        Ok((ended, String::from_utf8_lossy(&words).into_owned()))
    }
}

impl std::fmt::Debug for Piped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Piped").finish_non_exhaustive()
    }
}

/// The most that is kept of its standard error, in bytes.
const MOST_WORDS: u64 = 16 * 1024;
