//! `cl-ear`.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use ear::command::{self, CommandLine};

fn main() -> ExitCode {
    match command::run(CommandLine::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(fault) => {
            let _ = writeln!(std::io::stderr(), "error: {fault}");
            if let Some(hint) = fault.hint() {
                let _ = writeln!(std::io::stderr(), "  hint: {hint}");
            }
            ExitCode::from(fault.exit())
        }
    }
}
