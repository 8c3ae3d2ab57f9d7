//! The figures: builds the release programs, then measures them as whole processes.

use std::process::ExitCode;

use crate::check::cargo;
use crate::start::target_dir;

/// The programs are built alone, as a release has them; then what a turn is held against. The door and the page are built alone:
/// what one needs of a library that others use would be in those too.
const STEPS: [&[&str]; 5] = [
    &["build", "--release", "--locked", "-p", "door"],
    &["build", "--release", "--locked", "-p", "page"],
    &["build", "--release", "--locked", "-p", "user-agent", "-p", "admin-service"],
    &["build", "--release", "--locked", "-p", "tameclaw-benches", "--example", "bare-post"],
    &["bench", "--locked", "-p", "tameclaw-benches"],
];

/// The most bytes of `cl-bot`. A time depends on what else the machine does; this does not.
const MOST_BYTES: u64 = 10_000_000;

/// Runs every step; the first that fails ends it. Answers a failure where `cl-bot` is too large.
pub(crate) fn run() -> ExitCode {
    for step in STEPS {
        eprintln!("\n== cargo {}", step.join(" "));
        if !cargo().args(step).status().is_ok_and(|status| status.success()) {
            return ExitCode::FAILURE;
        }
    }
    match std::fs::metadata(target_dir().join("release/cl-bot")) {
        Ok(data) if data.len() <= MOST_BYTES => ExitCode::SUCCESS,
        Ok(data) => {
            eprintln!("cl-bot has {} bytes; at most {MOST_BYTES} are allowed", data.len());
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("cl-bot cannot be measured: {error}");
            ExitCode::FAILURE
        }
    }
}
