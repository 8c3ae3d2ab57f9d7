//! `cl-admin child`: what runs inside a confined child.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use actions::plugins::{arguments, mcp};
use actions::runner;
use backup::data;
use builder::scaffold;
use builder::scan;
use builder::trial::{self, Recorder};
use builder::workers::{
    CompileJail, InspectError, Inspection, Job, NO_JAIL, NotInspected, NotStarted, TrialInput, Walls, laid_on,
};
use confine::{Briefing, Confinement, FileRules, Jail, Limits, Report, Role, User, View};
use documents::proposal;
use guest::{Engine, Limits as GuestLimits};
use pipeline::lifecycle::{export, tally};
use serde::Serialize;

use super::model::fetcher;

/// The child's side: confines itself, does one job, answers on stdout.
pub fn serve(words: &[OsString]) -> ExitCode {
    let words: Vec<&str> = words.iter().filter_map(|w| w.to_str()).collect();
    match words.as_slice() {
        ["parse"] => worker(Job::Parse, |input| {
            std::str::from_utf8(input).map_or_else(|_| no_text(), |text| answer(&proposal::parse_wish(text)))
        }),
        ["scan"] => worker(Job::Scan, |input| {
            std::str::from_utf8(input).map_or_else(|_| no_text(), |text| answer(&scan::scan(text)))
        }),
        ["scan-rules"] => worker(Job::ScanRules, |input| {
            std::str::from_utf8(input).map_or_else(|_| no_text(), |text| answer(&scan::rules_only(text)))
        }),
        ["assemble"] => worker(Job::Assemble, |input| match serde_json::from_slice(input) {
            Ok(order) => answer(&scaffold::assemble(&order)),
            Err(_) => no_order(),
        }),
        ["inspect"] => {
            worker(Job::Inspect, |input| answer(&inspect(input).map_err(|e| NotInspected(e.to_string()))))
        }
        ["strip"] => worker(Job::Strip, strip),
        ["arguments"] => worker(Job::Arguments, |input| match serde_json::from_slice(input) {
            Ok(order) => answer(&arguments::check(&order)),
            Err(_) => no_order(),
        }),
        ["mcp"] => conversation(),
        ["exported"] => worker(Job::Exported, |input| {
            std::str::from_utf8(input).map_or_else(|_| no_text(), |text| answer(&export::parse(text)))
        }),
        ["walls"] => walls(),
        ["tally"] => worker(Job::Tally, |input| answer(&tally::count(input))),
        ["compile", handed] => briefed(handed, |told| compile(&told.orders, told.report)),
        ["run-line", handed] => briefed(handed, |told| runner::serve(&told.orders, told.report)),
        [data::VERB, handed] => briefed(handed, |told| data::serve(&told.orders, told.report)),
        [fetcher::VERB, handed] => briefed(handed, fetcher::serve),
        ["plugin", handed] => briefed(handed, actions::plugins::jail::enter),
        _ => {
            eprintln!("this verb is for the program's own use");
            ExitCode::from(shared_types::exit::USAGE)
        }
    }
}

/// Hands a job its orders and the one way to say that it started nothing.
fn briefed(handed: &str, job: impl FnOnce(Briefing) -> ExitCode) -> ExitCode {
    match Briefing::receive(handed) {
        Ok(told) => job(told),
        Err(e) => {
            eprintln!("this verb is for the program's own use ({e})");
            ExitCode::from(shared_types::exit::USAGE)
        }
    }
}

/// Confines this process as a job has it.
fn confined(what: Job) -> Result<(), ExitCode> {
    let limits = Limits {
        address_space: Some(what.memory()),
        cpu_seconds: Some(what.cpu_seconds()),
        file_size: Some(16 << 20),
        open_files: Some(16),
        ..Limits::default()
    };
    jailed(Jail { limits, ..Jail::new(Role::Worker) }.enter())
}

fn worker(what: Job, job: impl FnOnce(&[u8]) -> ExitCode) -> ExitCode {
    if let Err(code) = confined(what) {
        return code;
    }
    let mut input = Vec::new();
    if let Err(e) = std::io::stdin().lock().take(16 << 20).read_to_end(&mut input) {
        eprintln!("reading: {e}");
        return ExitCode::FAILURE;
    }
    job(&input)
}

/// Reads what an MCP server says, as long as the parent has something to ask.
fn conversation() -> ExitCode {
    if let Err(code) = confined(Job::Mcp) {
        return code;
    }
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    match mcp::reader::serve(&mut input, &mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn jailed(held: Result<Confinement, confine::ConfineError>) -> Result<(), ExitCode> {
    laid_on(held).map_err(|why| {
        eprintln!("{why}");
        ExitCode::from(NO_JAIL)
    })
}

fn walls() -> ExitCode {
    let held = Jail::new(Role::Action).enter();
    let known = held.as_ref().map(Confinement::clone).unwrap_or_default();
    let refused = match known.view {
        View::Refused { step, errno } => Some(format!("{step}: {}", errno.desc())),
        View::Own | View::Given | View::Shared => None,
    };
    answer(&Walls {
        lacks: laid_on(held).err().map(|why| why.to_string()),
        view: known.view == View::Own,
        refused,
        signals: known.keeps_signals(Role::Action),
        held: known.to_string(),
    })
}

fn no_text() -> ExitCode {
    eprintln!("the input is not UTF-8");
    ExitCode::FAILURE
}

fn no_order() -> ExitCode {
    eprintln!("the order cannot be read");
    ExitCode::FAILURE
}

fn answer<T: Serialize>(value: &T) -> ExitCode {
    let written = serde_json::to_vec(value)
        .map_err(std::io::Error::from)
        .and_then(|bytes| std::io::stdout().lock().write_all(&bytes));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("answering: {e}");
            ExitCode::FAILURE
        }
    }
}

/// The input is a line of JSON, then the module's bytes.
fn inspect(input: &[u8]) -> Result<Inspection, InspectError> {
    let line = input.iter().position(|b| *b == b'\n').ok_or(InspectError::NoFirstLine)?;
    let asked: TrialInput = serde_json::from_slice(&input[..line])?;
    let module = guest::Wasmi::new().load(&input[line + 1..])?;
    let facts = module.facts().clone();
    let undeclared = facts.derived.without(&asked.declared);
    if !undeclared.is_empty() {
        // Nothing runs that would not link: the caller makes a violation of it.
        return Ok(Inspection { facts, described: None, runs: vec![] });
    }
    let limits = GuestLimits::default();
    let grants = guest::Grants { tokens: asked.declared.clone(), emits: asked.emits };
    let cancel = AtomicBool::new(false);
    let described = guest::describe(module.as_ref(), &grants, &limits, &cancel)?;
    let mut recorder = Recorder::default();
    let budget = Duration::from_secs(asked.seconds);
    let begun = Instant::now();
    let mut runs =
        trial::run(module.as_ref(), &grants, &limits, &asked.trials, &described, &mut recorder, budget);
    if asked.edges {
        let module = module.as_ref();
        let left = budget.saturating_sub(begun.elapsed());
        runs.extend(trial::run_said(module, &grants, &limits, &described, left));
        let left = budget.saturating_sub(begun.elapsed());
        runs.extend(trial::run_edges(module, &grants, &limits, &asked.trials, &described, left));
    }
    Ok(Inspection { facts, described: Some(described), runs })
}

/// The answer is the module's bytes as they are.
fn strip(module: &[u8]) -> ExitCode {
    let stripped = guest::strip(module).map_err(|e| e.to_string());
    let written =
        stripped.and_then(|bytes| std::io::stdout().lock().write_all(&bytes).map_err(|e| e.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("{words}");
            ExitCode::FAILURE
        }
    }
}

/// The report goes with the exec, so the compiler cannot speak on it.
fn compile(orders: &[u8], report: Report) -> ExitCode {
    let Err(why) = serde_json::from_slice(orders).map_err(NotStarted::from).and_then(become_compiler);
    report.not_started(&why.to_string());
    ExitCode::FAILURE
}

/// Confines this process and becomes the compiler; comes back only with why not.
fn become_compiler(jail: CompileJail) -> Result<Infallible, NotStarted> {
    let files = FileRules { read: jail.read, execute: jail.execute, write: vec![jail.write.clone()] };
    let limits = Limits {
        address_space: Some(jail.memory),
        cpu_seconds: Some(jail.cpu_seconds),
        file_size: Some(256 << 20),
        open_files: Some(256),
        // The kernel counts by user: without one of its own, other programs would be counted along.
        processes: jail.user.map(|_| MOST_PROCESSES),
    };
    let user = jail.user.map(|number| User::find(&number.to_string(), None)).transpose()?;
    let held = Jail {
        files,
        limits,
        user,
        cwd: Some(jail.write.clone()),
        processes: true,
        program: Some(jail.program.clone()),
        ..Jail::new(Role::Compiler)
    }
    .enter();
    laid_on(held)?;
    let args: Vec<OsString> = jail.args.iter().map(OsString::from).collect();
    let temporary = jail.write.display().to_string();
    let source = confine::exec(&jail.program, &args, &[("PATH", "/usr/bin:/bin"), ("TMPDIR", &temporary)]);
    Err(NotStarted::Exec { path: jail.program, source })
}

/// Processes and threads of one compilation: a compiler and a linker, each with a thread for every core.
const MOST_PROCESSES: u64 = 512;
