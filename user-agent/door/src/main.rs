//! The program behind `cl-bot serve`, `matrix`, `telegram`, `voice`, `acp` and `mcp`.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

use bot_base::log::{self, Event};
use clap::Parser;
use door::start::CommandLine;
use nix::sys::stat::{Mode, umask};

fn main() -> ExitCode {
    // The modes that the code names are what files get, regardless of the caller's mask; nothing is for others.
    umask(Mode::from_bits_truncate(0o027));
    if let Err(error) = confine::stop::as_first_process() {
        let _ = writeln!(std::io::stderr(), "error: this process cannot be ended by signals: {error}");
        return ExitCode::FAILURE;
    }
    if let Err(error) = confine::refuse_tracing() {
        let _ =
            writeln!(std::io::stderr(), "error: this process cannot be closed to other programs: {error}");
        return ExitCode::FAILURE;
    }
    let code = match door::start::run(CommandLine::parse()) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{}", error.report());
            error.exit_code()
        }
    };
    log::event(Event::Stopped { code });
    ExitCode::from(code)
}
