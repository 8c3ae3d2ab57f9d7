//! The confined children: code that reads hostile bytes runs in one, for a short time, and sees nothing.
//!
//! A child is this same program, started with an empty environment and the hidden verb `child`. It lays its confinement
//! on before it reads its input, and answers with one JSON value, or is held open for a conversation (`talk.rs`). Where the kernel offers less than it needs, it reads
//! nothing, and what it was started for waits: see [`walls`].

mod jail;
mod messages;
pub mod talk;

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use confine::{Child, ExitKind, Outcome};
use serde::de::DeserializeOwned;

pub use jail::{NotStarted, Unconfined, laid_on};
pub use messages::{
    CompileJail, InspectError, Inspection, NotInspected, Trial, TrialInput, TrialKind, TrialRun, Walls,
};

/// What a child is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Proposal text to a checked document.
    Parse,
    /// Rust source to its canonical print, or violations.
    Scan,
    /// The same by the rules alone, without an entry point.
    ScanRules,
    /// Functions and their specification to the one file of a skill.
    Assemble,
    /// Module to facts, description and trial runs.
    Inspect,
    /// An exported skill to its parts.
    Exported,
    /// Lines of conversations to counts of tool calls.
    Tally,
    /// A module to the same without what never runs.
    Strip,
    /// A foreign schema, with arguments for it, to what is wrong with them.
    Arguments,
    /// The messages of an MCP server to lists of tools and answers, for one conversation.
    Mcp,
}

impl Job {
    fn word(self) -> &'static str {
        match self {
            Job::Parse => "parse",
            Job::Scan => "scan",
            Job::ScanRules => "scan-rules",
            Job::Assemble => "assemble",
            Job::Inspect => "inspect",
            Job::Exported => "exported",
            Job::Tally => "tally",
            Job::Strip => "strip",
            Job::Arguments => "arguments",
            Job::Mcp => "mcp",
        }
    }

    /// Processor time, in seconds: an input that needs more is to blame for it.
    pub fn cpu_seconds(self) -> u64 {
        match self {
            Job::Arguments => 4,
            Job::Parse | Job::Exported | Job::Tally | Job::Strip => 8,
            Job::Scan | Job::ScanRules | Job::Assemble => 15,
            Job::Inspect | Job::Mcp => 60,
        }
    }

    /// Address space, in bytes.
    pub fn memory(self) -> u64 {
        match self {
            Job::Parse | Job::Exported | Job::Tally | Job::Strip | Job::Arguments | Job::Mcp => 256 << 20,
            Job::Scan | Job::ScanRules | Job::Assemble | Job::Inspect => 512 << 20,
        }
    }

    fn wall(self) -> Duration {
        patience(self.cpu_seconds())
    }
}

/// How long a child with this much processor time is waited for. A machine that is slow or busy does not make an input
/// worse: only the processor time is held against it, and this is so much more that an honest child comes to its end.
pub(crate) fn patience(cpu_seconds: u64) -> Duration {
    Duration::from_secs(cpu_seconds.saturating_mul(5).max(60))
}

/// Exit code of a child that could not be confined.
pub const NO_JAIL: u8 = 70;

/// The most that a child may print, in bytes.
const MAX_OUTPUT: usize = 8 << 20;

/// Why a child gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ChildFault {
    /// The child could not be confined, so it read nothing.
    #[error("a child cannot be confined on this machine: {0}; `cl-admin doctor` says what to do")]
    NoJail(String),
    /// The child could not be started.
    #[error("the child could not be started: {0}")]
    Start(std::io::Error),
    /// No answer for so long, with processor time left: this machine is too busy.
    #[error("it did not come to its end within {} s on this machine", .0.as_secs())]
    TimedOut(Duration),
    /// The system ended it: out of memory, stack or processor time.
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
        matches!(self, ChildFault::Killed(_) | ChildFault::Failed { .. })
    }
}

/// Runs a job in a child and reads its answer.
///
/// # Errors
/// See [`ChildFault`].
pub fn run<T: DeserializeOwned>(job: Job, input: &[u8], cancel: &AtomicBool) -> Result<T, ChildFault> {
    let outcome = own(start(child(job.word()).stdin(input), job.wall(), cancel))?;
    serde_json::from_slice(&outcome.stdout)
        .map_err(|e| ChildFault::Failed { code: 0, words: format!("its answer cannot be read: {e}") })
}

/// What a child gets on this machine, asked anew each time.
///
/// # Errors
/// A child that could not be started at all.
pub fn walls() -> Result<Walls, ChildFault> {
    let never = AtomicBool::new(false);
    let outcome = own(start(child("walls"), patience(0), &never))?;
    serde_json::from_slice(&outcome.stdout)
        .map_err(|e| ChildFault::Failed { code: 0, words: format!("its answer cannot be read: {e}") })
}

/// Whether a child has its own root, in which it reaches files in folders that are closed to its user; asked once.
pub fn has_own_root() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    if let Some(known) = ASKED.get() {
        return *known;
    }
    // A child that could not be started says nothing about the next one.
    walls().is_ok_and(|walls| *ASKED.get_or_init(|| walls.view))
}

/// Runs a compiler in its jail; the words on stderr are its messages.
///
/// # Errors
/// See [`ChildFault`]; a compiler that reports errors is `Failed`.
pub fn compile(jail: &CompileJail, work: &Path, cancel: &AtomicBool) -> Result<Outcome, ChildFault> {
    let wall = patience(jail.cpu_seconds);
    let jail = serde_json::to_vec(jail).map_err(|e| ChildFault::NoJail(e.to_string()))?;
    start(child("compile").orders(jail).cwd(work), wall, cancel)
}

/// Takes what never runs out of a module, in a child.
///
/// # Errors
/// See [`ChildFault`]; `Failed` says what is wrong with the module.
pub fn strip(module: &[u8], cancel: &AtomicBool) -> Result<Vec<u8>, ChildFault> {
    own(start(child(Job::Strip.word()).stdin(module), Job::Strip.wall(), cancel))
        .map(|outcome| outcome.stdout)
}

fn child(word: &str) -> Child<'static> {
    Child::new(Path::new("/proc/self/exe")).args(["child", word])
}

fn start(child: Child<'_>, wall: Duration, cancel: &AtomicBool) -> Result<Outcome, ChildFault> {
    let child = child.wall(wall).max_output(MAX_OUTPUT);
    let outcome = child.run(cancel).map_err(ChildFault::Start)?;
    let words = || shared_types::text::block(&String::from_utf8_lossy(&outcome.stderr));
    match outcome.status {
        _ if cancel.load(std::sync::atomic::Ordering::Relaxed) => Err(ChildFault::Cancelled),
        _ if outcome.not_started.is_some() => {
            Err(ChildFault::NoJail(outcome.not_started.unwrap_or_default()))
        }
        ExitKind::Code(0) => Ok(outcome),
        ExitKind::Code(code) => Err(ChildFault::Failed { code, words: words() }),
        ExitKind::Signal(signal) => Err(ChildFault::Killed(signal)),
        ExitKind::TimedOut => Err(ChildFault::TimedOut(wall)),
    }
}

/// Reads the exit code of this program's own children; a compiler may end with any.
fn own(ended: Result<Outcome, ChildFault>) -> Result<Outcome, ChildFault> {
    ended.map_err(|fault| match fault {
        ChildFault::Failed { code, words } if code == i32::from(NO_JAIL) => ChildFault::NoJail(words),
        other => other,
    })
}

#[cfg(test)]
mod tests;
