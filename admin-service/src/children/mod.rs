//! The confined children: whatever reads hostile bytes runs in one, for a short time, and sees nothing.
//!
//! A child is this same program, started with an empty environment and the hidden verb `child`. It lays its confinement
//! on before it reads its input, and answers with one JSON value.

mod jobs;

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use confine::{Child, ExitKind, Outcome};
use serde::de::DeserializeOwned;

pub(crate) use jobs::jailed;
pub use jobs::{CompileJail, Inspection, TrialInput, TrialKind, TrialRun, serve};

/// What a child is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Proposal text to a checked document.
    Parse,
    /// Rust source to its canonical print, or violations.
    Scan,
    /// The same by the rules alone, without an entry point.
    ScanRules,
    /// Module to facts, description and trial runs.
    Inspect,
    /// An exported skill to its parts.
    Exported,
    /// Lines of conversations to counts of tool calls.
    Tally,
}

impl Job {
    fn word(self) -> &'static str {
        match self {
            Job::Parse => "parse",
            Job::Scan => "scan",
            Job::ScanRules => "scan-rules",
            Job::Inspect => "inspect",
            Job::Exported => "exported",
            Job::Tally => "tally",
        }
    }

    fn wall(self) -> Duration {
        match self {
            Job::Parse | Job::Exported | Job::Tally => Duration::from_secs(10),
            Job::Scan | Job::ScanRules => Duration::from_secs(20),
            Job::Inspect => Duration::from_secs(60),
        }
    }
}

/// Exit code of a child that could not be confined.
pub(crate) const NO_JAIL: u8 = 70;

/// The most that a child may print, in bytes.
const MAX_OUTPUT: usize = 8 << 20;

/// Why a child gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ChildFault {
    /// The jail could not be laid on, so nothing was read.
    #[error("the jail could not be laid on: {0}")]
    NoJail(String),
    /// The child could not be started.
    #[error("the child could not be started: {0}")]
    Start(std::io::Error),
    /// Over its time.
    #[error("it ran longer than {0:?}")]
    TimedOut(Duration),
    /// The system ended it: out of memory or stack.
    #[error("it was ended by signal {0}")]
    Killed(i32),
    /// It failed with these words.
    #[error("it failed (exit {code}): {words}")]
    Failed {
        /// The exit code.
        code: i32,
        /// Its last words, safe to show.
        words: String,
    },
    /// The service is being stopped.
    #[error("the service is being stopped")]
    Cancelled,
}

impl ChildFault {
    /// Whether the input is to blame, rather than this machine.
    pub fn blames_input(&self) -> bool {
        matches!(self, ChildFault::TimedOut(_) | ChildFault::Killed(_) | ChildFault::Failed { .. })
    }
}

/// Runs a job in a child and reads its answer.
///
/// # Errors
/// See [`ChildFault`].
pub fn run<T: DeserializeOwned>(job: Job, input: &[u8], cancel: &AtomicBool) -> Result<T, ChildFault> {
    let outcome = start(&["child".into(), job.word().into()], input, None, job.wall(), cancel)?;
    serde_json::from_slice(&outcome.stdout)
        .map_err(|e| ChildFault::Failed { code: 0, words: format!("its answer cannot be read: {e}") })
}

/// Runs a compiler in its jail; the words on stderr are its messages.
///
/// # Errors
/// See [`ChildFault`]; a compiler that reports errors is `Failed`.
pub fn compile(
    jail: &CompileJail,
    work: &Path,
    wall: Duration,
    cancel: &AtomicBool,
) -> Result<Outcome, ChildFault> {
    let jail = serde_json::to_string(jail).map_err(|e| ChildFault::NoJail(e.to_string()))?;
    start(&["child".into(), "compile".into(), jail.into()], b"", Some(work), wall, cancel)
}

/// Takes what never runs out of a module, in a child.
///
/// # Errors
/// See [`ChildFault`]; `Failed` says what is wrong with the module.
pub fn strip(module: &[u8], cancel: &AtomicBool) -> Result<Vec<u8>, ChildFault> {
    let wall = Duration::from_secs(10);
    start(&["child".into(), "strip".into()], module, None, wall, cancel).map(|outcome| outcome.stdout)
}

fn start(
    args: &[OsString],
    input: &[u8],
    cwd: Option<&Path>,
    wall: Duration,
    cancel: &AtomicBool,
) -> Result<Outcome, ChildFault> {
    let mut child =
        Child::new(Path::new("/proc/self/exe")).args(args).stdin(input).wall(wall).max_output(MAX_OUTPUT);
    if let Some(cwd) = cwd {
        child = child.cwd(cwd);
    }
    let outcome = child.run(cancel).map_err(ChildFault::Start)?;
    let words = || shared_types::text::block(&String::from_utf8_lossy(&outcome.stderr));
    match outcome.status {
        _ if cancel.load(std::sync::atomic::Ordering::Relaxed) => Err(ChildFault::Cancelled),
        ExitKind::Code(0) => Ok(outcome),
        ExitKind::Code(code) if code == i32::from(NO_JAIL) => Err(ChildFault::NoJail(words())),
        ExitKind::Code(code) => Err(ChildFault::Failed { code, words: words() }),
        ExitKind::Signal(signal) => Err(ChildFault::Killed(signal)),
        ExitKind::TimedOut => Err(ChildFault::TimedOut(wall)),
    }
}
