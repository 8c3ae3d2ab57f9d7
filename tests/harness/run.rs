//! One program from start to end, or in the background.

use std::io::{BufRead as _, BufReader, Seek as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, FdFlag, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::Value;

use crate::transcript::Transcript;
use crate::world::PATIENCE;

/// A program that has ended.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; a signal counts 128 and more, as in a shell.
    pub status: i32,
    /// What it printed.
    pub stdout: String,
    /// What it said beside that.
    pub stderr: String,
    line: String,
}

impl Ran {
    /// Insists that it ended well.
    #[track_caller]
    pub fn done(self) -> Ran {
        self.exited(0)
    }

    /// Insists on an exit code.
    #[track_caller]
    pub fn exited(self, code: i32) -> Ran {
        assert_eq!(self.status, code, "the exit code is not the expected one\n{}", self.report());
        self
    }

    /// Insists that it ended on its own: with an answer, one that tells a failure, or one that tells a denial.
    #[track_caller]
    pub fn answered(self) -> Ran {
        assert!([0, 1, 3].contains(&self.status), "it ended in another way\n{}", self.report());
        self
    }

    /// Insists that stdout holds a text.
    #[track_caller]
    pub fn prints(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text), "stdout lacks `{text}`\n{}", self.report());
        self
    }

    /// Insists that stderr holds a text.
    #[track_caller]
    pub fn says(self, text: &str) -> Ran {
        assert!(self.stderr.contains(text), "stderr lacks `{text}`\n{}", self.report());
        self
    }

    /// Insists that neither stream holds a text.
    #[track_caller]
    pub fn hides(self, text: &str) -> Ran {
        let shown = self.stdout.contains(text) || self.stderr.contains(text);
        assert!(!shown, "`{text}` must not be shown\n{}", self.report());
        self
    }

    /// Stdout as one JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("stdout is no JSON: {e}\n{}", self.report()))
    }

    /// Stdout as one JSON value a line.
    #[track_caller]
    pub fn json_rows(&self) -> Vec<Value> {
        let row = |line| {
            serde_json::from_str(line).unwrap_or_else(|e| panic!("no JSON: {e}: {line}\n{}", self.report()))
        };
        self.stdout.lines().filter(|line| !line.trim().is_empty()).map(row).collect()
    }

    /// All of it, for a failing test.
    pub fn report(&self) -> String {
        format!(
            "--- {}\n--- exit code {}\n--- stdout\n{}\n--- stderr\n{}\n---",
            self.line, self.status, self.stdout, self.stderr
        )
    }
}

/// Runs a command to its end with `input` on its stdin; after `limit` its whole process group is killed and it panics.
#[track_caller]
pub fn run(mut command: Command, input: &[u8], limit: Duration) -> Ran {
    let line = line_of(&command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{line}: {e}"));
    let stdout = Transcript::follow(child.stdout.take().expect("stdout is piped"));
    let stderr = Transcript::follow(child.stderr.take().expect("stderr is piped"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A program that ends without reading its input is its own matter.
    let _ = stdin.write_all(input);
    drop(stdin);
    let status = wait(&mut child, limit);
    if status.is_none() {
        kill_group(&mut child);
    }
    let ran = Ran { status: code(status), stdout: stdout.to_end(), stderr: stderr.to_end(), line };
    assert!(status.is_some(), "it did not end within {} s\n{}", limit.as_secs(), ran.report());
    ran
}

/// Hands a child of the service its orders, as the service does: sealed in memory, with a pipe for its report.
///
/// # Panics
/// If the system does not have these files.
pub fn hand_over(command: &mut Command, orders: &[u8]) {
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    let mut file = std::fs::File::from(memfd_create(c"orders", flags).expect("a file in memory"));
    file.write_all(orders).and_then(|()| file.rewind()).expect("orders can be written");
    let seals =
        SealFlag::F_SEAL_SEAL | SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_GROW | SealFlag::F_SEAL_WRITE;
    fcntl(&file, FcntlArg::F_ADD_SEALS(seals)).expect("orders can be sealed");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    command.arg(format!("{},{}", file.as_raw_fd(), writer.as_raw_fd()));
    let kept = move || {
        // The reader only keeps the pipe whole.
        let _ = &reader;
        fcntl(&file, FcntlArg::F_SETFD(FdFlag::empty()))?;
        fcntl(&writer, FcntlArg::F_SETFD(FdFlag::empty()))?;
        Ok(())
    };
    // SAFETY: between fork and exec only system calls are made, none of which allocates or locks.
    unsafe { command.pre_exec(kept) };
}

/// As [`run`], for a program that prints a line and then reads one: `answer` turns the one into the other.
#[track_caller]
pub fn run_asked(mut command: Command, answer: impl FnOnce(&str) -> String, limit: Duration) -> Ran {
    let line = line_of(&command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{line}: {e}"));
    let stdout = Transcript::follow(child.stdout.take().expect("stdout is piped"));
    let stderr = Transcript::follow(child.stderr.take().expect("stderr is piped"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    if let Some((_, asked)) = stdout.wait_for(&["\n"], limit) {
        // A program that ends without reading its input is its own matter.
        let _ = stdin.write_all(format!("{}\n", answer(asked.trim())).as_bytes());
    }
    drop(stdin);
    let status = wait(&mut child, limit);
    if status.is_none() {
        kill_group(&mut child);
    }
    let ran = Ran { status: code(status), stdout: stdout.to_end(), stderr: stderr.to_end(), line };
    assert!(status.is_some(), "it did not end within {} s\n{}", limit.as_secs(), ran.report());
    ran
}

/// As [`run`], for a program that asks on standard error: where `asks` finds a question in a line of it, what `answer` makes of
/// that is given as a line.
#[track_caller]
pub fn run_answered<Q>(
    mut command: Command,
    asks: impl Fn(&str) -> Option<Q>,
    mut answer: impl FnMut(&Q) -> String,
) -> Ran {
    let line = line_of(&command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{line}: {e}"));
    let stdout = Transcript::follow(child.stdout.take().expect("stdout is piped"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut said = BufReader::new(child.stderr.take().expect("stderr is piped"));
    let mut stderr = String::new();
    // A program that waits for more than its input would wait for ever.
    let (ended, still) = mpsc::channel::<()>();
    let group = pid(&child);
    let watch = std::thread::spawn(move || {
        if still.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = killpg(group, Signal::SIGKILL);
        }
    });
    loop {
        let mut next = String::new();
        if said.read_line(&mut next).unwrap_or(0) == 0 {
            break;
        }
        if let Some(question) = asks(&next) {
            // A program that ends without reading its input is its own matter.
            let _ = stdin.write_all(format!("{}\n", answer(&question)).as_bytes());
        }
        stderr += &next;
    }
    drop((stdin, ended));
    let _ = watch.join();
    let status = wait(&mut child, PATIENCE);
    Ran { status: code(status), stdout: stdout.to_end(), stderr, line }
}

/// A program that runs in the background until the value goes.
#[derive(Debug)]
pub struct Background {
    child: Child,
    line: String,
    /// What it prints.
    pub stdout: Transcript,
    /// What it says beside that.
    pub stderr: Transcript,
}

impl Background {
    /// Starts a command with an empty stdin.
    #[track_caller]
    pub fn start(mut command: Command) -> Background {
        let line = line_of(&command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{line}: {e}"));
        let stdout = Transcript::follow(child.stdout.take().expect("stdout is piped"));
        let stderr = Transcript::follow(child.stderr.take().expect("stderr is piped"));
        Background { child, line, stdout, stderr }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for what is to be found in what it says; fails at once if it ends without that.
    #[track_caller]
    pub fn said<T>(&mut self, what: &str, find: impl Fn(&str) -> Option<T>) -> T {
        crate::eventually(crate::world::PATIENCE, what, || {
            let runs = self.runs();
            let said = self.stderr.text();
            let found = find(&said);
            assert!(runs || found.is_some(), "{} ended before {what}:\n{said}", self.line);
            found
        })
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        nix::sys::signal::kill(pid(&self.child), signal).expect("it can be signalled");
    }

    /// Waits for its end.
    #[track_caller]
    pub fn ended(mut self, limit: Duration) -> Ran {
        let status = wait(&mut self.child, limit);
        if status.is_none() {
            kill_group(&mut self.child);
        }
        let ran = Ran {
            status: code(status),
            stdout: self.stdout.to_end(),
            stderr: self.stderr.to_end(),
            line: self.line.clone(),
        };
        assert!(status.is_some(), "it did not end within {} s\n{}", limit.as_secs(), ran.report());
        ran
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if self.runs() {
            kill_group(&mut self.child);
        }
    }
}

/// Waits for a child's end; `None` after `limit`.
pub(crate) fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status);
        }
        if start.elapsed() > limit {
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Ends a child and all of its group.
pub(crate) fn kill_group(child: &mut Child) {
    // It may have ended in this very moment.
    let _ = killpg(pid(child), Signal::SIGKILL);
    let _ = child.kill();
    let _ = child.wait();
}

pub(crate) fn code(status: Option<ExitStatus>) -> i32 {
    status.map_or(-1, |s| s.code().unwrap_or_else(|| 128 + s.signal().unwrap_or(0)))
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("a process id fits"))
}

pub(crate) fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// A child that waits for its input; ended when it is dropped.
pub struct Kept(pub Child);

impl Drop for Kept {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
