//! Bare `cl-admin` at a terminal: the service, and a prompt beside it.

mod editor;
mod log;
mod words;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::error::{Error, report};
use base::home::Home;
use clap::Parser;
use nix::sys::signal::Signal;
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use rustyline::ExternalPrinter;

use super::up::Service;
use super::{Cli, Verb};
use editor::{LineEditor, Read};
use log::Log;

/// The verbs of the prompt; all others are for the command line.
pub(super) const VERBS: [&str; 9] =
    ["list", "show", "approve", "reject", "reopen", "review", "try", "note", "edit"];

/// A verb that this prompt does not take.
#[derive(Debug, thiserror::Error)]
#[error("this verb is for the command line")]
struct OtherVerb;

/// How often the service's lines are looked for while the prompt waits.
const TICK: Duration = Duration::from_millis(250);
const HELP: &str = "list [STATUS|ID|NAME]      what there is, and what each waits for\n\
show ID [--page NAME]      one proposal, every page of it\n\
approve ID                 shows it, asks, and installs it\n\
reject ID REASON           says no; reopen ID takes it back\n\
review                     everything that waits for you, one after the other\n\
try ID TOOL --json ARGS    calls a tool in the sandbox; note ID TEXT; edit ID --file FILE\n\
quit                       ends the prompt, and the service if it was started here\n\
ID is an id, the first characters of one, or a name; Tab completes. `VERB --help` tells more.";

/// What the prompt and the thread beside it share.
struct Shared {
    service: Mutex<Option<Service>>,
    /// Whether the prompt waits for a line; only then the service's lines are shown and a signal ends the program.
    waits: AtomicBool,
    log: Mutex<Log>,
}

/// Runs the prompt until it is left.
///
/// # Errors
/// A service that cannot be started, or a terminal that fails.
pub fn run(home: &Home) -> Result<u8, Error> {
    let ended = confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
        .map_err(Error::step("catching signals"))?;
    let before = tcgetattr(std::io::stdin()).ok();
    // From here on what the service says is news.
    let log = Mutex::new(Log::at_its_end(home));
    let service = Mutex::new(Some(Service::start(home)?));
    let shared = Shared { service, waits: AtomicBool::new(false), log };
    eprintln!("`help` tells what there is; `quit` or Ctrl-D ends it");
    let mut editor = LineEditor::new(home)?;
    let printer = editor.printer();
    let over = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().name("news".into()).stack_size(256 * 1024);
        let (shared, over) = (&shared, &over);
        let _ = beside.spawn_scoped(scope, move || watch(shared, printer, before.as_ref(), ended, over));
        let result = answer(home, &mut editor, shared, ended);
        over.store(true, Ordering::Relaxed);
        result
    });
    stop(&shared);
    result.map(|()| shared_types::exit::DONE)
}

/// Takes lines and does them, until there are no more.
fn answer(home: &Home, editor: &mut LineEditor, shared: &Shared, ended: &AtomicBool) -> Result<(), Error> {
    loop {
        for line in fresh(shared) {
            eprintln!("{line}");
        }
        if shared.service.lock().is_ok_and(|mut s| s.as_mut().is_some_and(Service::has_ended)) {
            eprintln!("the service has ended; `quit`, and start `cl-admin` again");
        }
        shared.waits.store(true, Ordering::Relaxed);
        let read = editor.read();
        shared.waits.store(false, Ordering::Relaxed);
        match read? {
            Read::Leave => return Ok(()),
            Read::Cleared => {}
            Read::Line(line) => {
                if !one(home, &line) {
                    return Ok(());
                }
                // Ctrl-C while a verb asked something was for that verb.
                ended.store(false, Ordering::Relaxed);
            }
        }
    }
}

/// Does one line; answers whether the prompt continues.
fn one(home: &Home, line: &str) -> bool {
    let words = match words::split(line) {
        Ok(words) => words::with_reason(words),
        Err(why) => {
            eprintln!("error: {why}");
            return true;
        }
    };
    match words.first().map(String::as_str) {
        None => {}
        Some("quit" | "exit" | "q") => return false,
        Some("help" | "?") => eprintln!("{HELP}"),
        Some(verb) if !VERBS.contains(&verb) => {
            let verb = shared_types::text::cut(verb, 30);
            eprintln!("`{verb}` is not one of {} help quit", VERBS.join(" "));
        }
        Some(_) => {
            let whole = std::iter::once("cl-admin").chain(words.iter().map(String::as_str));
            match Cli::try_parse_from(whole) {
                Err(usage) => eprint!("{}", usage.render()),
                Ok(Cli { home: Some(_), .. }) => eprintln!("error: --home is for the command line"),
                Ok(Cli { verb, .. }) => {
                    if let Err(error) = verb.map_or(Ok(0), |verb| done(home, &verb)) {
                        report(&error);
                    }
                }
            }
        }
    }
    true
}

fn done(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::List(args) => super::list::run(home, args),
        Verb::Show(args) => super::show::run(home, args),
        Verb::Approve(args) => super::approve::run(home, args),
        Verb::Reject(args) => super::reject::run(home, args),
        Verb::Reopen(args) => super::reopen::run(home, args),
        Verb::Review(args) => super::review::run(home, args),
        Verb::Try(args) => super::try_tool::run(home, args),
        Verb::Note(args) => super::note::run(home, args),
        Verb::Edit(args) => super::edit::run(home, args),
        _ => Err(Error::usage(OtherVerb)),
    }
}

/// Beside the prompt: shows what the service says above the line that is being typed, and obeys a signal.
fn watch(
    shared: &Shared,
    mut printer: Option<impl ExternalPrinter>,
    before: Option<&Termios>,
    ended: &AtomicBool,
    over: &AtomicBool,
) {
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
        if !shared.waits.load(Ordering::Relaxed) {
            continue;
        }
        if let Some(printer) = &mut printer {
            for line in fresh(shared) {
                // What cannot be shown now stands in the log.
                let _ = printer.print(format!("{line}\n"));
            }
        }
        if ended.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
            // The thread that reads a line cannot be woken; the terminal is put back and the program ended from here.
            if let Some(before) = before {
                let _ = tcsetattr(std::io::stdin(), SetArg::TCSANOW, before);
            }
            eprintln!();
            stop(shared);
            std::process::exit(i32::from(shared_types::exit::FAILED));
        }
    }
}

fn fresh(shared: &Shared) -> Vec<String> {
    shared.log.lock().map_or_else(|_| vec![], |mut log| log.fresh())
}

fn stop(shared: &Shared) {
    if let Some(service) = shared.service.lock().ok().and_then(|mut service| service.take()) {
        service.stop();
    }
    for line in fresh(shared) {
        eprintln!("{line}");
    }
}
