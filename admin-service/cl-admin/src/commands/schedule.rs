//! `cl-admin schedule`

use std::sync::atomic::AtomicBool;

use api::Request;
use base::config::{Config, Schedule, What};
use base::error::Error;
use base::home::Home;
use jiff::Timestamp;
use ledger::Ledger;
use ledger::schedules::ScheduleState;
use serde_json::json;
use service::schedule::{fire, pinned};
use service::{Runtime, session};
use shared_types::exit;
use shared_types::id::WorkflowName;
use shared_types::text::{block, cut, line};

use crate::commands::out::{self, listed, outln};

/// Why a schedule is not run or pinned.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("there is no schedule `{name}` in admin.yaml; there: {}", listed(.there, " "))]
    Unknown { name: String, there: Vec<String> },
    #[error("`{0}` runs a message: there is nothing to pin")]
    NoWorkflow(WorkflowName),
    #[error("nothing was pinned; if this is what may run: cl-admin schedule pin {0} --yes")]
    NotPinned(WorkflowName),
}

/// The times of admin.yaml at which a profile's workflow or message runs.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// List the schedules: when each runs next, what came of the last run, and what it waits for
    List {
        /// Print one JSON value a line
        #[arg(long)]
        json: bool,
    },
    /// Run one now: by the service if one runs, else here
    Run {
        /// Its name
        name: String,
    },
    /// Show the workflow of a schedule as it is now, with what changed; with --yes that text is the one that may run
    Pin {
        /// Its name
        name: String,
        /// Say that you have seen it and that it may run
        #[arg(long)]
        yes: bool,
    },
}

/// Does it.
///
/// # Errors
/// A configuration with faults, a schedule that is not there, or a run that may not begin.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    let schedules = Config::read(home)?.schedules;
    match verb {
        Verb::List { json } => list(home, &schedules, *json),
        Verb::Run { name } => now(home, find(&schedules, name)?),
        Verb::Pin { name, yes } => pin(home, find(&schedules, name)?, *yes),
    }
}

fn find<'a>(schedules: &'a [Schedule], name: &str) -> Result<&'a Schedule, Error> {
    schedules.iter().find(|schedule| schedule.name.as_str() == name).ok_or_else(|| {
        let there = schedules.iter().map(|s| s.name.to_string()).collect();
        Error::usage(Fault::Unknown { name: cut(name, 80), there })
    })
}

fn list(home: &Home, schedules: &[Schedule], json: bool) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    if schedules.is_empty() && !json {
        outln!("no schedules; `schedules:` in admin.yaml lists them");
    }
    for schedule in schedules {
        let standing = ledger.schedules().of(&schedule.name);
        let now = Timestamp::now();
        let base = standing.base.filter(|_| standing.times == schedule.times.written()).unwrap_or(now);
        let next = schedule.times.due(base, now).next;
        let waits = fire::allowed(home, schedule, &standing).err().map(|kept| kept.why);
        let (kind, what) = match &schedule.what {
            What::Workflow(workflow, _) => ("workflow", workflow.to_string()),
            What::Message(text) => ("message", text.clone()),
        };
        if json {
            let last = standing.last.as_ref();
            out::json(&json!({
                "name": schedule.name, "profile": schedule.profile, "times": schedule.times.written(),
                kind: what, "next": next.map(|t| t.to_string()), "waits": waits,
                "running": standing.runs.map(|t| t.to_string()),
                "last": last.map(|l| l.0.to_string()), "exit": last.and_then(|l| l.1), "words": last.map(|l| &l.2),
                "missed": standing.missed.map(|m| m.0), "held": standing.held,
            }));
            continue;
        }
        let next = next.map_or_else(|| "never".to_owned(), |next| next.to_string());
        outln!("{:20} {:12} {kind} {}  next {next}", schedule.name, schedule.profile, cut(&what, 40));
        told(&standing, waits);
    }
    Ok(exit::DONE)
}

fn told(standing: &ScheduleState, waits: Option<String>) {
    if let Some(due) = standing.runs {
        outln!("    runs now, for {due}");
    }
    if let Some((due, code, words)) = &standing.last {
        let outcome = match code {
            Some(exit::DONE) => "done".to_owned(),
            Some(exit::WAITS) => "waits for a person".to_owned(),
            Some(code) => format!("failed (exit {code})"),
            None => "ended".to_owned(),
        };
        let words = words.lines().next().unwrap_or_default();
        outln!("    last for {due}: {outcome}: {}", cut(&line(words), 200));
    }
    if let Some((count, last)) = standing.missed {
        outln!("    missed {count} time(s), the last {last}");
    }
    if let Some(why) = waits {
        outln!("    waits: {}", line(&why));
    }
}

fn now(home: &Home, schedule: &Schedule) -> Result<u8, Error> {
    let shared = match Runtime::open(home, true) {
        Err(Error::Busy { .. }) => {
            outln!("{}", session::submit(home, Request::RunSchedule { name: schedule.name.clone() })?);
            return Ok(exit::DONE);
        }
        other => other?,
    };
    let came = fire::fire(&shared, schedule, Timestamp::now(), true, &AtomicBool::new(false))?;
    let held = shared.ledger().schedules().of(&schedule.name).held;
    shared.publish_head();
    match came {
        None => Err(Error::refused(held.unwrap_or_else(|| "it waits".to_owned()))),
        Some(came) => {
            outln!("{}", block(&came.words));
            Ok(came.exit.unwrap_or(exit::FAILED))
        }
    }
}

fn pin(home: &Home, schedule: &Schedule, yes: bool) -> Result<u8, Error> {
    let What::Workflow(workflow, written) = &schedule.what else {
        return Err(Error::usage(Fault::NoWorkflow(schedule.name.clone())));
    };
    let present = pinned::present(home, &schedule.profile, workflow)?;
    let kept = home.admin().join("schedules").join(format!("{}.txt", schedule.name));
    let before = std::fs::read_to_string(&kept).unwrap_or_default();
    outln!("{}  sha256 {}", present.path.display(), present.sha256);
    if before.is_empty() || before == present.text {
        outln!("{}", block(&present.text));
    } else {
        let diff = similar::TextDiff::from_lines(&before, &present.text);
        outln!("{}", block(&diff.unified_diff().header("as pinned before", "now").to_string()));
    }
    if written.is_some() {
        outln!("admin.yaml pins it: `sop_sha256: {}` is what lets this text run", present.sha256);
        return Ok(exit::DONE);
    }
    if !yes {
        return Err(Error::usage(Fault::NotPinned(schedule.name.clone())));
    }
    let request = Request::PinSchedule { name: schedule.name.clone(), sha256: present.sha256.clone() };
    let done = session::submit(home, request)?;
    // Only for showing what changed; what counts is the digest in the journal.
    if let Some(folder) = kept.parent() {
        base::folders::make_folder(folder, base::folders::PRIVATE)?;
    }
    durable::replace(&kept, present.text.as_bytes(), 0o600).map_err(Error::io(&kept))?;
    outln!("{done}");
    Ok(exit::DONE)
}
