//! Runs test programs side by side. `cargo test` runs one after the other, and a program whose last test waits keeps all others
//! waiting.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::check::cargo;
use crate::tally::{Skips, Tally};

/// A test program that was built.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    executable: PathBuf,
    /// Its package's folder, where it runs.
    folder: PathBuf,
}

/// Builds the test programs that `cargo test` would run with these words, runs each, and counts; whether all of it succeeded.
pub(crate) fn run(words: &[&str]) -> (bool, Tally) {
    let built = cargo()
        .args(words)
        .args(["--no-run", "--message-format", "json-render-diagnostics"])
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .output();
    let Ok(built) = built else { return (false, Tally::default()) };
    let messages = String::from_utf8_lossy(&built.stdout);
    let programs: Vec<Program> = messages.lines().filter_map(test_program).collect();
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let left = Mutex::new(programs.iter());
    let sum = Mutex::new((built.status.success() && !programs.is_empty(), Tally::default()));
    std::thread::scope(|scope| {
        let work = || {
            // The lock is let go before the program runs.
            while let Some(program) = { left.lock().unwrap_or_else(PoisonError::into_inner).next() } {
                let (holds, tally) = program.run(cores);
                let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
                *sum = (sum.0 && holds, sum.1.plus(tally));
            }
        };
        for _ in 0..2 * cores {
            scope.spawn(work);
        }
    });
    sum.into_inner().unwrap_or_else(PoisonError::into_inner)
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
    /// Runs it as cargo does; what it says is shown in one piece when it has ended.
    fn run(&self, threads: usize) -> (bool, Tally) {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command.env("CARGO", cargo().get_program());
        if std::env::var_os("RUST_TEST_THREADS").is_none() {
            command.env("RUST_TEST_THREADS", threads.to_string());
        }
        let shown = self.executable.display();
        let done = match command.stdin(Stdio::null()).output() {
            Ok(done) => done,
            Err(error) => {
                eprintln!("{shown}: {error}");
                return (false, Tally::default());
            }
        };
        let (mut tally, mut skips) = (Tally::default(), Skips::default());
        let (said, errors) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        said.lines().for_each(|line| tally.add_line(line));
        errors.lines().for_each(|line| skips.add_line(line));
        let _ = write!(std::io::stderr().lock(), "     Running {shown}\n{errors}");
        let _ = write!(std::io::stdout().lock(), "{said}");
        (done.status.success(), tally.less_skipped(skips.sum()))
    }
}

#[cfg(test)]
mod tests;
