//! The command line, parsed once.

use std::fmt;

/// What `cargo xtask help` prints.
pub(crate) const HELP: &str = "\
The workspace's own commands.

  cargo xtask check                        format, lints, dependencies, build, tests: exactly what CI runs
  cargo xtask start [--no-install] [-- ARGS...]
                                           build both programs and run `cl-admin up ARGS...`
  cargo xtask wasm [--no-install]          only make sure that skills can be compiled
  cargo xtask bench                        build the release programs and print their figures

--no-install installs nothing; proposals then wait for the compiler.
";

/// One thing to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Everything that CI runs.
    Check,
    /// The newcomer's command.
    Start {
        /// Whether a missing compiler target may be installed.
        install: Install,
        /// What is handed on to `cl-admin up`.
        up: Vec<String>,
    },
    /// The compiler target alone.
    Wasm {
        /// Whether it may be installed.
        install: Install,
    },
    /// The figures of the release programs.
    Bench,
    /// The help text.
    Help,
}

/// Whether something may be installed on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Install {
    /// What lacks is installed, after it was named.
    Allowed,
    /// `--no-install`: nothing is installed.
    Declined,
}

/// A command line that names no task.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    /// No word at all.
    Missing,
    /// A first word that is no task.
    Unknown(String),
    /// A word that the task does not take.
    Unexpected {
        /// The task.
        task: &'static str,
        /// The word.
        word: String,
    },
}

impl Task {
    /// Parses the words after `cargo xtask`.
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Task, UsageError> {
        let mut words = words.into_iter();
        let first = words.next().ok_or(UsageError::Missing)?;
        let rest: Vec<String> = words.collect();
        match first.as_str() {
            "check" => only_flags("check", rest, false).map(|_| Task::Check),
            "bench" => only_flags("bench", rest, false).map(|_| Task::Bench),
            "wasm" => only_flags("wasm", rest, true).map(|install| Task::Wasm { install }),
            "start" => {
                let split = rest.iter().position(|word| word == "--").unwrap_or(rest.len());
                let up = rest.iter().skip(split + 1).cloned().collect();
                let install = only_flags("start", rest[..split].to_vec(), true)?;
                Ok(Task::Start { install, up })
            }
            "help" | "--help" | "-h" => Ok(Task::Help),
            _ => Err(UsageError::Unknown(first)),
        }
    }
}

fn only_flags(task: &'static str, words: Vec<String>, may_install: bool) -> Result<Install, UsageError> {
    let mut install = Install::Allowed;
    for word in words {
        if may_install && word == "--no-install" {
            install = Install::Declined;
        } else {
            return Err(UsageError::Unexpected { task, word });
        }
    }
    Ok(install)
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsageError::Missing => f.write_str("no command given; allowed: check, start, wasm, bench"),
            UsageError::Unknown(word) => {
                write!(f, "unknown command `{word}`; allowed: check, start, wasm, bench")
            }
            UsageError::Unexpected { task, word } => write!(f, "`{task}` does not take `{word}`"),
        }
    }
}

#[cfg(test)]
mod tests;
