//! The newcomer's command: build the programs, then become `cl-admin up`.

use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::check::{cargo, root};
use crate::task::Install;
use crate::wasm;

const BUILD: [&str; 12] = [
    "build",
    "--profile",
    "start",
    "--locked",
    "-p",
    "user-agent",
    "-p",
    "door",
    "-p",
    "admin-service",
    "-p",
    "page",
];

/// Prepares the compiler target where that is possible, builds, and hands the terminal over to `cl-admin up`.
pub(crate) fn run(install: Install, up: &[String]) -> ExitCode {
    // Without the target the chat is reached all the same: proposals wait for the compiler.
    wasm::provide(install);
    eprintln!("Building (the first time takes about three minutes): cargo {}", BUILD.join(" "));
    if !cargo().args(BUILD).status().is_ok_and(|status| status.success()) {
        return ExitCode::FAILURE;
    }
    let program = target_dir().join("start").join("cl-admin");
    let error = Command::new(&program).arg("up").args(up).exec();
    eprintln!("error: {}: {error}", program.display());
    ExitCode::FAILURE
}

/// Where cargo puts what it makes.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}
