//! Runs a child and bounds it: what it says, how long it takes, and everything that it starts.

use std::{
    ffi::{OsStr, OsString},
    io,
    os::fd::BorrowedFd,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::AtomicBool,
    time::Duration,
};

mod briefing;
mod live;
mod piped;
mod run;

pub use briefing::{Briefing, Report, sealed, unsealed};
pub use live::{Live, LiveError};
pub use piped::Piped;

use briefing::Handed;

/// A program to be run to its end, with an empty environment and a session of its own.
///
/// It is killed, with every process of its group, when its time is over, when the caller cancels, or
/// when the calling thread ends. A descendant escapes that only by a group of its own, which the
/// Compiler role's table of calls refuses.
#[derive(Clone, Debug)]
#[must_use]
pub struct Child<'a> {
    program: &'a Path,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    cwd: Option<&'a Path>,
    stdin: Vec<u8>,
    orders: Option<Vec<u8>>,
    socket: Option<BorrowedFd<'a>>,
    wall: Duration,
    max_output: usize,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// It returned this code.
    Code(i32),
    /// This signal ended it; after a cancel that is `SIGKILL`.
    Signal(i32),
    /// Its wall-clock limit passed and it was killed.
    TimedOut,
}

/// What came of a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub status: ExitKind,
    /// What it wrote to its standard output, up to the cap.
    pub stdout: Vec<u8>,
    /// What it wrote to its standard error, up to the same cap.
    pub stderr: Vec<u8>,
    /// At least one of the two was longer than the cap.
    pub cut: bool,
    /// Time that passed.
    pub wall: Duration,
    /// Processor time of the child and of the descendants that it waited for.
    pub cpu: Duration,
    /// The most memory that one of them held; at least what the caller held when it forked.
    pub peak_rss_bytes: u64,
    /// Why it started nothing, as it reported by [`Report::not_started`]; no program that it starts can say this.
    pub not_started: Option<String>,
}

impl<'a> Child<'a> {
    /// Names the program by its absolute path. It gets 30 seconds and a mebibyte for each output.
    pub fn new(program: &'a Path) -> Self {
        Self {
            program,
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            stdin: Vec::new(),
            orders: None,
            socket: None,
            wall: Duration::from_secs(30),
            max_output: 1 << 20,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Adds a variable to the empty environment.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Sets the folder in which it starts; without it, the caller's.
    pub fn cwd(mut self, folder: &'a Path) -> Self {
        self.cwd = Some(folder);
        self
    }

    /// Sets what it reads from its standard input.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets what it reads by [`Briefing::receive`], for a child that is this program: nobody else can read it. The numbers of
    /// its descriptors are its last argument.
    pub fn orders(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.orders = Some(bytes.into());
        self
    }

    /// Hands it a socket beside its orders: [`Briefing::socket`]. Without orders it does not count.
    pub fn socket(mut self, socket: BorrowedFd<'a>) -> Self {
        self.socket = Some(socket);
        self
    }

    /// Sets how long it may take.
    pub fn wall(mut self, limit: Duration) -> Self {
        self.wall = limit;
        self
    }

    /// Sets how many bytes of each output are kept; the rest is read and dropped.
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// Runs it to its end. In every case, nothing of it is left running or unreaped.
    pub fn run(self, cancel: &AtomicBool) -> io::Result<Outcome> {
        self.insist_on_absolute()?;
        let handed = self.handed()?;
        run::run(self.command(), self.stdin, handed, self.wall, self.max_output, cancel)
    }

    fn handed(&self) -> io::Result<Option<Handed>> {
        self.orders.as_deref().map(|orders| Handed::new(orders, self.socket)).transpose()
    }

    fn insist_on_absolute(&self) -> io::Result<()> {
        if self.program.is_absolute() {
            return Ok(());
        }
        // A bare name would be looked up in a PATH that nobody here chose.
        let message = format!("{} is not an absolute path", self.program.display());
        Err(io::Error::new(io::ErrorKind::InvalidInput, message))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = self.cwd {
            command.current_dir(folder);
        }
        let input = if self.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

#[cfg(test)]
mod tests;
