//! The door: reads the command line, runs the verb, reports what went wrong.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

use bot_base::log::{self, Event};
use bot_base::output;
use nix::sys::stat::{Mode, umask};
use shared_types::exit;
use user_agent::commands::CommandLine;

fn main() -> ExitCode {
    // The modes that the code names are what files get, regardless of the caller's mask; nothing is for others.
    umask(Mode::from_bits_truncate(0o027));
    // The version is asked for by scripts that wait for it, so it does not wait for the whole command line.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.len() == 1 && arguments.next().is_some_and(|a| a == "--version" || a == "-V") {
        // A reader that has gone away wants no answer.
        let _ = writeln!(std::io::stdout(), "cl-bot {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    if let Err(error) = confine::stop::as_first_process() {
        let _ = writeln!(std::io::stderr(), "error: this process cannot be ended by signals: {error}");
        return ExitCode::FAILURE;
    }
    if let Err(error) = confine::refuse_tracing() {
        let _ =
            writeln!(std::io::stderr(), "error: this process cannot be closed to other programs: {error}");
        return ExitCode::FAILURE;
    }
    let mut code = match CommandLine::read().run() {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{}", error.report());
            error.exit_code()
        }
    };
    if let Some(error) = output::failure() {
        let _ = writeln!(std::io::stderr(), "{}", error.report());
        code = if code == exit::DONE { exit::FAILED } else { code };
    }
    log::event(Event::Stopped { code });
    ExitCode::from(code)
}
