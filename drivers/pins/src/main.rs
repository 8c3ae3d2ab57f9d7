//! `cl-pins`.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use pins::command::{self, CommandLine};

fn main() -> ExitCode {
    let Err(fault) = command::run(CommandLine::parse()) else { return ExitCode::SUCCESS };
    let _ = writeln!(std::io::stderr(), "error: {fault}");
    if let Some(hint) = fault.hint() {
        let _ = writeln!(std::io::stderr(), "  hint: {hint}");
    }
    ExitCode::from(fault.exit())
}
