//! Runs test programs side by side. `cargo test` runs one after the other, and a program whose last test waits keeps all others
//! waiting.

use std::io::{Write, stderr, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::check::{cargo, pass_through};
use crate::tally::{Skips, Tally};

/// The programs whose tests take minutes and wait for most of their time, by the beginnings of their names, with how many of their tests
/// run at once for each processor: they begin first.
const LONG: [(&str, usize); 2] = [("journeys-", 4), ("attacks-", 2)];

/// A test program that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Program {
    executable: PathBuf,
    /// Its package's folder, where it runs.
    folder: PathBuf,
}

/// What else runs beside the test programs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum More<'a> {
    /// Cargo with these words.
    Cargo(&'a [&'a str]),
    /// Some tests of a test program once more, by parts of their names, started by another program.
    Through { starter: &'a str, program: &'a str, names: &'a [&'a str] },
}

/// So many failed tests of one of these programs run once more, alone: they wait for other processes, which a busy machine may starve.
/// A fault fails again. The check names the tests that held only then.
const TRIED_AGAIN: usize = 2;

/// How the tests of some names run.
type Again = Box<dyn Fn(&[String]) -> Command + Send>;

/// What runs in one of the places, with its name.
struct Job {
    shown: String,
    command: Command,
    /// How failed tests run alone, where that is worth a try.
    again: Option<Again>,
}

/// Builds the test programs that `cargo test` would run with these words, runs each, with so many at a time, and counts; whether all
/// of it succeeded. `more` runs beside them; `prepare` sets the environment of each command; `may_try_again` as [`TRIED_AGAIN`] says.
pub(crate) fn run(
    words: &[&str],
    more: &[More<'_>],
    places: usize,
    may_try_again: bool,
    prepare: impl Fn(Command) -> Command + Copy + Send + 'static,
) -> (bool, Tally) {
    let built = prepare(of_cargo(words))
        .args(["--no-run", "--message-format", "json-render-diagnostics"])
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .output();
    let Ok(built) = built else { return (false, Tally::default()) };
    let messages = String::from_utf8_lossy(&built.stdout);
    let mut programs: Vec<Program> = messages.lines().filter_map(test_program).collect();
    // The order is kept otherwise.
    programs.sort_by_key(Program::place);
    let mut succeeded = built.status.success() && !programs.is_empty();
    let job = |program: &Program| Job {
        again: program.again(prepare).filter(|_| may_try_again),
        ..program.job(prepare)
    };
    let mut jobs: Vec<Job> = programs.iter().map(job).collect();
    let mut at = programs.iter().filter(|program| program.is_long()).count();
    for more in more {
        let job = more.job(&programs, prepare);
        succeeded &= job.is_some();
        jobs.splice(at..at, job);
        at = jobs.len().min(at + 1);
    }
    let left = Mutex::new(jobs.into_iter());
    let sum = Mutex::new((succeeded, Tally::default()));
    std::thread::scope(|scope| {
        let work = || {
            // The lock is let go before the program runs.
            while let Some(job) = { left.lock().unwrap_or_else(PoisonError::into_inner).next() } {
                let (holds, tally) = job.run(&|said| _ = stdout().lock().write_all(said));
                let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
                *sum = (sum.0 && holds, sum.1.plus(tally));
            }
        };
        for _ in 0..places {
            scope.spawn(work);
        }
    });
    sum.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl More<'_> {
    /// How it runs; `None` where the program is not among those that were built.
    fn job(&self, built: &[Program], prepare: impl Fn(Command) -> Command) -> Option<Job> {
        match *self {
            More::Cargo(words) => Some(Job {
                shown: format!("cargo {}", words.join(" ")),
                command: prepare(of_cargo(words)),
                again: None,
            }),
            More::Through { starter, program, names } => {
                let program = built.iter().find(|built| built.begins_with(&format!("{program}-")))?;
                Some(program.through(starter, names, prepare))
            }
        }
    }
}

fn of_cargo(words: &[&str]) -> Command {
    let mut command = cargo();
    command.args(words);
    command
}

/// How many processors there are.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// The test program that a message of cargo's is about.
fn test_program(message: &str) -> Option<Program> {
    let is_test = message.split_once(r#""profile":{"#)?.1.split('}').next()?.contains(r#""test":true"#);
    let path = |key: &str| text(message, key).map(PathBuf::from);
    let folder = path("manifest_path")?.parent().map(Path::to_owned)?;
    path("executable").filter(|_| is_test).map(|executable| Program { executable, folder })
}

/// A text of a message. No path of a checkout has a character that JSON escapes; one that has is not found when it is started.
fn text<'a>(message: &'a str, key: &str) -> Option<&'a str> {
    message.split_once(&format!("\"{key}\":\""))?.1.split('"').next()
}

impl Program {
    fn begins_with(&self, name: &str) -> bool {
        self.executable.file_name().unwrap_or_default().to_string_lossy().starts_with(name)
    }

    /// Its place among those that take minutes, or behind them.
    fn place(&self) -> usize {
        LONG.iter().position(|(name, _)| self.begins_with(name)).unwrap_or(LONG.len())
    }

    fn is_long(&self) -> bool {
        self.place() < LONG.len()
    }

    /// How cargo runs it.
    fn job(&self, prepare: impl Fn(Command) -> Command) -> Job {
        let threads = LONG.get(self.place()).map_or(1, |(_, threads)| *threads);
        let command = self.environment(Command::new(&self.executable), threads);
        Job { shown: self.executable.display().to_string(), command: prepare(command), again: None }
    }

    /// Some of its tests, by parts of their names, as a program of the workspace starts them.
    fn through(&self, starter: &str, names: &[&str], prepare: impl Fn(Command) -> Command) -> Job {
        let mut command = Command::new(self.executable.with_file_name("..").join(starter));
        command.arg(&self.executable).args(names);
        let shown = format!("{starter} {} {}", self.executable.display(), names.join(" "));
        Job { shown, command: prepare(self.environment(command, 2)), again: None }
    }

    /// What cargo sets for a test program, and how many of its tests run at once for each processor.
    fn environment(&self, mut command: Command, threads: usize) -> Command {
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command.env("CARGO", cargo().get_program());
        if std::env::var_os("RUST_TEST_THREADS").is_none() {
            command.env("RUST_TEST_THREADS", (threads * cores()).to_string());
        }
        command
    }

    /// How some of its tests run alone.
    fn again(&self, prepare: impl Fn(Command) -> Command + Send + 'static) -> Option<Again> {
        let program = Program { executable: self.executable.clone(), folder: self.folder.clone() };
        let alone = move |names: &[String]| {
            let mut command = program.job(&prepare).command;
            command.arg("--exact").args(names).env("RUST_TEST_THREADS", "1");
            command
        };
        self.is_long().then(|| Box::new(alone) as Again)
    }
}

impl Job {
    /// Runs it, and a few failed tests of a program of [`LONG`] once more.
    fn run(mut self, show: &(dyn Fn(&[u8]) + Sync)) -> (bool, Tally) {
        let (succeeded, tally, failed) = self.once(show);
        let Some(again) = self.again.take() else { return (succeeded, tally) };
        // A program that broke off is not one whose tests failed.
        if succeeded || failed.is_empty() || failed.len() > TRIED_AGAIN || tally.failed != failed.len() as u64
        {
            return (succeeded, tally);
        }
        eprintln!("     Again, alone: {}", failed.join(" "));
        self.command = again(&failed);
        let (succeeded, second, _) = self.once(show);
        if succeeded && second.passed + second.skipped == tally.failed {
            (true, Tally { failed: 0, ..tally }.plus(Tally { second: second.passed, ..second }))
        } else {
            (false, tally)
        }
    }

    /// Runs it; the names of the tests that failed. The line of each test is shown as it comes; all else that it says is shown in one
    /// piece when it has ended.
    fn once(&mut self, show: &(dyn Fn(&[u8]) + Sync)) -> (bool, Tally, Vec<String>) {
        let piped = || Stdio::piped();
        let mut child = match self.command.stdin(Stdio::null()).stdout(piped()).stderr(piped()).spawn() {
            Ok(child) => child,
            Err(error) => {
                eprintln!("{}: {error}", self.shown);
                return (false, Tally::default(), Vec::new());
            }
        };
        let (mut tally, mut skips) = (Tally::default(), Skips::default());
        let (mut said, mut errors, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        let (output, complaints) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                pass_through(complaints.expect("stderr is piped"), |line| {
                    skips.add_line(&String::from_utf8_lossy(line));
                    errors.extend_from_slice(line);
                });
            });
            pass_through(output.expect("stdout is piped"), |line| {
                let text = String::from_utf8_lossy(line);
                tally.add_line(&text);
                if text.starts_with("test ") && !text.starts_with("test result") {
                    failed.extend(failed_test(&text).map(str::to_owned));
                    show(line);
                } else {
                    said.extend_from_slice(line);
                }
            });
        });
        let succeeded = child.wait().is_ok_and(|status| status.success());
        let mut shown = format!("     Running {}\n", self.shown).into_bytes();
        shown.extend(errors);
        let _ = stderr().lock().write_all(&shown);
        show(&said);
        (succeeded, tally.less_skipped(skips.sum()), failed)
    }
}

/// The name in a line such as `test a::b ... FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

#[cfg(test)]
mod tests;
