//! The figures: builds the release programs, then measures them as whole processes.

use std::process::ExitCode;

use crate::check::cargo;

/// The programs are built alone, as a release has them; then what a turn is held against.
const STEPS: [&[&str]; 3] = [
    &["build", "--release", "--locked", "-p", "user-agent", "-p", "admin-service"],
    &["build", "--release", "--locked", "-p", "tameclaw-benches", "--example", "bare-post"],
    &["bench", "--locked", "-p", "tameclaw-benches"],
];

/// Runs every step; the first that fails ends it.
pub(crate) fn run() -> ExitCode {
    for step in STEPS {
        eprintln!("\n== cargo {}", step.join(" "));
        if !cargo().args(step).status().is_ok_and(|status| status.success()) {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
