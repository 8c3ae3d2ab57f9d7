//! The command line, parsed once.

use std::fmt;
use std::path::PathBuf;

/// What `cargo xtask help` prints.
pub(crate) const HELP: &str = "\
The workspace's own commands.

  cargo xtask check [--quick|--all]        format, lints, dependencies, build, tests, the emulated Raspberry Pi with two
                                           kernels: exactly what CI runs. --quick: format, lints, unit and
                                           architecture tests. --all: what a release runs (hours): also every point
                                           of the crash tests, the units of a service without mail, the files of the
                                           containers, the packages in a bare Debian, systemd in a container, every
                                           fuzz target, every cut, all three kernels
  cargo xtask start [--no-install] [-- ARGS...]
                                           build the programs and run `cl-admin up ARGS...`
  cargo xtask wasm [--no-install]          only make sure that skills can be compiled
  cargo xtask soak [--minutes N]           turns, wishes and troubles for N minutes (60 by default) with the release
                                           programs; the samples and a picture are in target/soak
  cargo xtask fuzz [TARGET] [--seconds N]  try every fuzz target, or one of them, for N seconds each (60 by default)
  cargo xtask cut [NAME...] [--list] [--check]
                                           cut each control of xtask/cuts.toml in a copy of the tree, and say which
                                           cut no test noticed
  cargo xtask bench                        build the release programs and print their figures
  cargo xtask packages [ARGS...]           build the Debian packages; `--help` lists the arguments
  cargo xtask trial [ARGS...]              install, use, upgrade, remove and purge the packages in a bare Debian, as root
  cargo xtask release [ARGS...]            build all that a release has: packages, archives, checksums, lists of libraries,
                                           signatures. Exit 1 when a part is missing
  cargo xtask machine [--drivers] [FOLDER] boot an emulated Raspberry Pi with three kernels and try the programs in it, and
                                           once more with a sound card and a pin for the drivers (--drivers: that alone);
                                           FOLDER: with the arm64 packages there, as `cargo xtask packages` makes them
  cargo xtask systemd                      boot systemd in a container and try the units and `cl-admin service` in it
  cargo xtask site [FOLDER]                make a site of the documents in FOLDER (target/site by default): pages, recorded
                                           terminals as pictures, and the whole by mdbook. Exit 1 where that is not
                                           installed

--no-install installs nothing; proposals then wait for the compiler.
NAME is a control's label (`receipts`) or a part of its words; `--list` prints the controls; `--check` compares the list
with the source and runs nothing.
";

const ALL: &str =
    "check, start, wasm, soak, fuzz, cut, bench, machine, systemd, site, packages, trial, release";

/// One thing to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Format, lints and tests.
    Check(Scope),
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
    /// The long run of the endurance test.
    Soak {
        /// How long it runs.
        minutes: u64,
    },
    /// The long run of the fuzz targets.
    Fuzz {
        /// The one target; without it, all of them.
        target: Option<String>,
        /// How long each runs.
        seconds: u64,
    },
    /// Controls are cut in a copy of the tree, to see which tests notice.
    Cut {
        /// The controls that are meant; without any, all of them.
        names: Vec<String>,
        /// How much is done.
        depth: Depth,
    },
    /// The figures of the release programs.
    Bench,
    /// Both programs on an emulated Raspberry Pi.
    Machine {
        /// The folder of packages that are installed there; without it, they are made of the programs that are tried.
        packages: Option<PathBuf>,
        /// Which boots.
        which: Which,
    },
    /// Packages or a release: the words are those of the crate `packaging`.
    Packaging(Vec<String>),
    /// Both programs under systemd in a container.
    Systemd,
    /// The documents as a site.
    Site {
        /// Where it is made; without it, in the target folder.
        folder: Option<PathBuf>,
    },
    /// The help text.
    Help,
}

/// Which boots of the emulated Raspberry Pi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Each of them.
    All,
    /// `--drivers`: the one with the ear, the mouth and the pins.
    Drivers,
}

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// `--quick`: what a change should pass before it is committed.
    Quick,
    /// Everything that CI runs.
    Ci,
    /// `--all`: besides, what takes hours.
    All,
}

/// How much of a list of cuts is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// `--list`: the controls are printed.
    List,
    /// `--check`: the list is compared with the source.
    Check,
    /// Every cut is made, and its tests are run.
    Run,
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
    /// A first word that is not a task.
    Unknown(String),
    /// A word that the task does not take.
    Unexpected { task: &'static str, word: String },
    /// A flag without the whole number that it needs.
    Number { flag: &'static str },
}

impl Task {
    /// Parses the words after `cargo xtask`.
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Task, UsageError> {
        let mut words = words.into_iter();
        let first = words.next().ok_or(UsageError::Missing)?;
        let rest: Vec<String> = words.collect();
        match first.as_str() {
            "check" => check(rest),
            "bench" => only_flags("bench", rest, false).map(|_| Task::Bench),
            "machine" => machine(rest),
            "site" => one_folder("site", rest).map(|folder| Task::Site { folder }),
            "systemd" => only_flags("systemd", rest, false).map(|_| Task::Systemd),
            "fuzz" => fuzz(rest),
            "soak" => soak(rest),
            "cut" => cut(rest),
            "wasm" => only_flags("wasm", rest, true).map(|install| Task::Wasm { install }),
            "start" => {
                let split = rest.iter().position(|word| word == "--").unwrap_or(rest.len());
                let up = rest.iter().skip(split + 1).cloned().collect();
                let install = only_flags("start", rest[..split].to_vec(), true)?;
                Ok(Task::Start { install, up })
            }
            "packages" | "trial" | "release" => {
                Ok(Task::Packaging(std::iter::once(first).chain(rest).collect()))
            }
            "help" | "--help" | "-h" => Ok(Task::Help),
            _ => Err(UsageError::Unknown(first)),
        }
    }
}

fn check(words: Vec<String>) -> Result<Task, UsageError> {
    let mut scope = Scope::Ci;
    for word in words {
        scope = match word.as_str() {
            "--quick" if scope == Scope::Ci => Scope::Quick,
            "--all" if scope == Scope::Ci => Scope::All,
            _ => return Err(UsageError::Unexpected { task: "check", word }),
        };
    }
    Ok(Task::Check(scope))
}

fn machine(words: Vec<String>) -> Result<Task, UsageError> {
    let all = words.len();
    let words: Vec<String> = words.into_iter().filter(|word| word != "--drivers").collect();
    let which = if words.len() < all { Which::Drivers } else { Which::All };
    one_folder("machine", words).map(|packages| Task::Machine { packages, which })
}

fn one_folder(task: &'static str, words: Vec<String>) -> Result<Option<PathBuf>, UsageError> {
    let mut folder = None;
    for word in words {
        if folder.is_some() || word.starts_with('-') {
            return Err(UsageError::Unexpected { task, word });
        }
        folder = Some(PathBuf::from(word));
    }
    Ok(folder)
}

fn fuzz(words: Vec<String>) -> Result<Task, UsageError> {
    let (mut target, mut seconds) = (None, 60);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--seconds" {
            let number = words.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
            seconds = number.ok_or(UsageError::Number { flag: "--seconds" })?;
        } else if target.is_none() && !word.starts_with('-') {
            target = Some(word);
        } else {
            return Err(UsageError::Unexpected { task: "fuzz", word });
        }
    }
    Ok(Task::Fuzz { target, seconds })
}

fn soak(words: Vec<String>) -> Result<Task, UsageError> {
    let mut minutes = 60;
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word != "--minutes" {
            return Err(UsageError::Unexpected { task: "soak", word });
        }
        let number = words.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
        minutes = number.ok_or(UsageError::Number { flag: "--minutes" })?;
    }
    Ok(Task::Soak { minutes })
}

fn cut(words: Vec<String>) -> Result<Task, UsageError> {
    let (mut names, mut depth) = (Vec::new(), Depth::Run);
    for word in words {
        match word.as_str() {
            "--list" => depth = Depth::List,
            "--check" => depth = Depth::Check,
            flag if flag.starts_with('-') => return Err(UsageError::Unexpected { task: "cut", word }),
            _ => names.push(word),
        }
    }
    Ok(Task::Cut { names, depth })
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
            UsageError::Missing => {
                write!(f, "no command given; allowed: {ALL}")
            }
            UsageError::Unknown(word) => {
                write!(f, "unknown command `{word}`; allowed: {ALL}")
            }
            UsageError::Unexpected { task, word } => write!(f, "`{task}` does not take `{word}`"),
            UsageError::Number { flag } => write!(f, "`{flag}` needs a whole number above 0"),
        }
    }
}

#[cfg(test)]
mod tests;
