//! The program behind `cl-admin page serve`.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use page::start::{self, CommandLine, Fault};

fn main() -> ExitCode {
    let Err(fault) = start::run(CommandLine::parse()) else { return ExitCode::SUCCESS };
    let _ = writeln!(std::io::stderr(), "error: {fault}");
    let hint = fault.hint();
    if !hint.is_empty() {
        let _ = writeln!(std::io::stderr(), "  hint: {hint}");
    }
    ExitCode::from(Fault::exit(&fault))
}
