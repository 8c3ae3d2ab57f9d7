//! `without-landlock PROGRAM ARGUMENT...`: runs a program as on a kernel without Landlock.

use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let Some(program) = words.next() else {
        eprintln!("usage: without-landlock PROGRAM ARGUMENT...");
        return ExitCode::from(2);
    };
    let error = match tameclaw_tests::landlock::hide_from_this_thread() {
        Ok(()) => Command::new(&program).args(words).exec(),
        Err(error) => error,
    };
    eprintln!("{}: {error}", program.display());
    ExitCode::FAILURE
}
