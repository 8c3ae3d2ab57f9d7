//! Cuts each control of the list in a copy of the tree, runs the tests that must notice, and says which cut none noticed.
//!
//! The copy is in `target/cut/tree`, with a target folder of its own beside it; the working tree is never changed. A run
//! that was interrupted leaves nothing to repair: each run begins by making the copy equal to the working tree.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use xtask::cuts::{self, Cut};
use xtask::inventory::{Inventory, Test};

use crate::check::{LONG, root};
use crate::task::Depth;

mod copy;
mod outcome;

use outcome::{Outcome, judge};

/// How long one test may take.
const TEST_MAY_TAKE: Duration = Duration::from_secs(900);
/// How long a build may take: the first one on a small machine that is busy.
const BUILD_MAY_TAKE: Duration = Duration::from_secs(4 * 3600);

/// Lists, checks or makes the cuts that are meant.
pub(crate) fn run(names: &[String], depth: Depth) -> ExitCode {
    match prepare(names) {
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        Ok(Prepared::Unknown(name)) => {
            eprintln!("error: no control is named `{name}`\nHint: `cargo xtask cut --list` prints them");
            ExitCode::from(2)
        }
        Ok(Prepared::Stale(faults)) => {
            eprintln!("error: {} does not fit the source:\n{}", cuts::LIST, faults.join("\n"));
            ExitCode::FAILURE
        }
        Ok(Prepared::Ready(chosen, tests)) => match depth {
            Depth::List => {
                chosen.iter().for_each(|cut| println!("{}", cut.control));
                ExitCode::SUCCESS
            }
            Depth::Check => {
                println!("{} cuts fit the source", chosen.len());
                ExitCode::SUCCESS
            }
            Depth::Run => all(&chosen, &tests),
        },
    }
}

enum Prepared {
    Ready(Vec<Cut>, Inventory),
    Unknown(String),
    Stale(Vec<String>),
}

fn prepare(names: &[String]) -> io::Result<Prepared> {
    let list = cuts::read(root())?;
    if let Some(unknown) = names.iter().find(|name| !list.iter().any(|cut| cut.is_meant_by(name))) {
        return Ok(Prepared::Unknown(unknown.clone()));
    }
    let meant = |cut: &Cut| names.is_empty() || names.iter().any(|name| cut.is_meant_by(name));
    let chosen: Vec<Cut> = list.into_iter().filter(meant).collect();
    let tests = Inventory::read(root())?;
    let faults = cuts::faults(root(), &chosen, &tests);
    Ok(if faults.is_empty() { Prepared::Ready(chosen, tests) } else { Prepared::Stale(faults) })
}

fn all(chosen: &[Cut], tests: &Inventory) -> ExitCode {
    let workshop = match Workshop::open() {
        Ok(workshop) => workshop,
        Err(error) => {
            eprintln!("error: the copy of the tree: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut failed = Vec::new();
    // A test that is red without a cut proves nothing.
    let wanted: BTreeSet<&str> = chosen.iter().flat_map(|cut| &cut.tests).map(String::as_str).collect();
    let wanted: Vec<(&str, &Test)> =
        wanted.into_iter().map(|name| (name, tests.find(name).expect("the list was checked"))).collect();
    eprintln!("[uncut] {} tests must pass", wanted.len());
    match workshop.try_out(&wanted) {
        Err(fault) => {
            eprintln!("error: without a cut: {fault}");
            return ExitCode::FAILURE;
        }
        Ok(outcomes) => {
            for (name, outcome) in outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Red) {
                failed.push(format!("FAULTY     `{name}` is {outcome} without any cut"));
            }
        }
    }
    let red_before = failed.len();
    let (mut noticed, mut skipped) = (0, Vec::new());
    for (number, cut) in chosen.iter().enumerate() {
        eprintln!("[{}/{}] {}", number + 1, chosen.len(), cut.control);
        match one(&workshop, cut, tests) {
            Err(fault) => failed.push(format!("FAULTY     {}: {fault}", cut.control)),
            Ok(outcomes) => {
                let of = |wanted: Outcome| -> Vec<&str> {
                    let names = outcomes.iter().filter(|(_, outcome)| *outcome == wanted);
                    names.map(|(name, _)| name.as_str()).collect()
                };
                let (green, here) = (of(Outcome::Green), of(Outcome::Skipped));
                if !green.is_empty() {
                    failed.push(format!("UNNOTICED  {}: passed: {}", cut.control, green.join(", ")));
                } else if !here.is_empty() {
                    skipped.push(format!("SKIPPED    {}: not run here: {}", cut.control, here.join(", ")));
                } else {
                    noticed += 1;
                }
            }
        }
    }
    for line in failed.iter().chain(&skipped) {
        println!("{line}");
    }
    let unnoticed = failed.len() - red_before;
    println!("{} cuts: {noticed} noticed, {unnoticed} not, {} skipped", chosen.len(), skipped.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes one cut in the copy, runs its tests, and takes it back. The working tree may change meanwhile: only the copy counts.
fn one(workshop: &Workshop, cut: &Cut, tests: &Inventory) -> Result<Vec<(String, Outcome)>, String> {
    let words = |error: io::Error| error.to_string();
    let files = cuts::changed(&workshop.tree, cut).map_err(words)?;
    let whole: Vec<(PathBuf, Vec<u8>)> = files
        .iter()
        .map(|(file, _)| Ok((workshop.tree.join(file), fs::read(workshop.tree.join(file))?)))
        .collect::<io::Result<_>>()
        .map_err(words)?;
    let written = files.iter().try_for_each(|(file, text)| fs::write(workshop.tree.join(file), text));
    let outcomes = written.map_err(words).and_then(|()| {
        let named: Vec<(&str, &Test)> =
            cut.tests.iter().map(|name| (name.as_str(), tests.find(name).expect("it was checked"))).collect();
        workshop.try_out(&named)
    });
    whole
        .iter()
        .try_for_each(|(file, bytes)| fs::write(file, bytes))
        .map_err(|error| format!("the copy could not be restored: {error}"))?;
    outcomes
}

/// The copy of the tree, and the programs built from it.
struct Workshop {
    tree: PathBuf,
    target: PathBuf,
    log: PathBuf,
    _lock: File,
}

impl Workshop {
    fn open() -> io::Result<Workshop> {
        let folder = root().join("target/cut");
        fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join("lock"))?;
        lock.try_lock().map_err(|_| io::Error::other("another `cargo xtask cut` is running"))?;
        let workshop = Workshop {
            tree: folder.join("tree"),
            target: folder.join("target"),
            log: folder.join("last.log"),
            _lock: lock,
        };
        copy::equal(root(), &workshop.tree)?;
        Ok(workshop)
    }

    fn cargo(&self) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target).stdin(Stdio::null());
        command
    }

    /// Builds, then runs each test alone; a fault is a build that fails or a test that is not run.
    fn try_out(&self, tests: &[(&str, &Test)]) -> Result<Vec<(String, Outcome)>, String> {
        let mut builds: BTreeSet<Vec<&str>> = BTreeSet::from([vec!["build", "--workspace", "--bins"]]);
        for (_, test) in tests {
            let program = test.program.iter().map(String::as_str);
            builds.insert(["test", "--no-run", "-p", &test.package].into_iter().chain(program).collect());
        }
        for build in builds {
            let mut command = self.cargo();
            command.args(&build).args(["--quiet", "--locked"]);
            if !self.done(&mut command, BUILD_MAY_TAKE)?.0 {
                return Err(format!("`cargo {}` failed:\n{}", build.join(" "), self.excerpt()));
            }
        }
        tests.iter().map(|&(name, test)| Ok((name.to_owned(), self.test(name, test)?))).collect()
    }

    fn test(&self, name: &str, test: &Test) -> Result<Outcome, String> {
        let start = Instant::now();
        let mut command = self.cargo();
        command.args(["test", "--quiet", "--locked", "-p", &test.package]).args(&test.program);
        command.args(["--", "--exact", &test.path]).env(LONG, "1");
        let (_, said) = self.done(&mut command, TEST_MAY_TAKE)?;
        let outcome = judge(&said).ok_or_else(|| format!("`{name}` gave no result:\n{}", self.excerpt()))?;
        let reason = if outcome == Outcome::Red { outcome::reason(&said) } else { String::new() };
        eprintln!("    {outcome} {name} ({:.1} s) {reason}", start.elapsed().as_secs_f64());
        Ok(outcome)
    }

    /// Runs a command to its end, its words in the log; answers whether it ended well, and the words.
    fn done(&self, command: &mut Command, limit: Duration) -> Result<(bool, String), String> {
        let failed = |error: io::Error| format!("{}: {error}", self.log.display());
        let log = File::create(&self.log).map_err(failed)?;
        let errors = log.try_clone().map_err(failed)?;
        // A group of its own: at the limit the test ends with cargo.
        command.stdout(log).stderr(errors).process_group(0);
        let mut child = command.spawn().map_err(|error| format!("cargo: {error}"))?;
        let start = Instant::now();
        let status = loop {
            match child.try_wait().map_err(|error| format!("cargo: {error}"))? {
                Some(status) => break status,
                None if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(50)),
                None => {
                    // Each may have ended in this very moment; then there is nothing to end.
                    let group = format!("-{}", child.id());
                    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("{command:?} did not end within {} s", limit.as_secs()));
                }
            }
        };
        let said = fs::read(&self.log).map_err(failed)?;
        Ok((status.success(), String::from_utf8_lossy(&said).into_owned()))
    }

    /// The last lines of the log.
    fn excerpt(&self) -> String {
        let said = fs::read(&self.log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(25)..].join("\n")
    }
}

/// Whether a path is of the source: neither built nor git's.
fn is_source(relative: &Path) -> bool {
    !relative.starts_with("target") && !relative.starts_with(".git")
}
