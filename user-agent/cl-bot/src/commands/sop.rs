//! `cl-bot sop`: workflows.

use std::sync::Arc;

use bot_base::error::{Error, say};
use clap::Subcommand;
use documents::sop::Sop;
use ports::Kernel;
use serde_json::{Value, json};
use shared_types::audience::Audience;
use shared_types::id::{ConversationId, Digest, WorkflowName};
use shared_types::{exit, text};
use skills::reasoning;
use workflows::log::{self, RunLog};
use workflows::place;
use workflows::runner::{Runner, Stand};
use workflows::state::{End, Event, Progress, State};

use super::Format;
use crate::start::Options;
use crate::start::mind::{Purpose, become_mind};

/// What can be done with workflows.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the workflows of this profile: those that the admin ships, and those in its workspace under `sops/`
    List(Format),
    /// Check a workflow: every fault with its step and key; runs nothing
    Validate {
        /// Its name, which is that of its folder
        name: WorkflowName,
    },
    /// Run a workflow; it stops at an approval until a person gives it
    Run {
        /// Its name, which is that of its folder
        name: WorkflowName,
        /// A schedule runs it: nobody is there to ask
        #[arg(long)]
        scheduled: bool,
        /// Begin nothing, and exit with 11 if a run of it waits for a person
        #[arg(long, requires = "scheduled", conflicts_with_all = ["sha256", "json"])]
        check: bool,
        /// Run it only if its file has this digest
        #[arg(long, value_name = "DIGEST")]
        sha256: Option<Digest>,
        /// Print one JSON value at the end
        #[arg(long)]
        json: bool,
    },
    /// Show the runs, the newest first, or one run with its steps
    Status {
        /// The run: its identifier, the beginning of it, or `last`
        run: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Say yes (or no) at the approval where a run waits, and continue it
    Approve {
        /// The run: its identifier, the beginning of it, or `last`
        run: String,
        /// Say no; that ends the run
        #[arg(long)]
        no: bool,
        /// Print one JSON value at the end
        #[arg(long)]
        json: bool,
    },
    /// Continue a run that was broken off
    Resume {
        /// The run: its identifier, the beginning of it, or `last`
        run: String,
        /// Do the step again that was begun and not finished
        #[arg(long, conflicts_with = "skip")]
        repeat: bool,
        /// Continue without the step that was begun and not finished
        #[arg(long)]
        skip: bool,
        /// Print one JSON value at the end
        #[arg(long)]
        json: bool,
    },
}

/// A person's word with which a run continues.
enum Word {
    Nothing,
    Approval(bool),
    Again(bool),
}

/// Does it.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::List(format) => {
            let (found, passed) = place::list(&super::booted(options)?.0);
            for (name, place) in found {
                super::print(&match format.json {
                    true => shared_types::json::line(&json!({"name": name, "place": place})),
                    false => format!("{:<32} {}", name.as_str(), place.as_str()),
                });
            }
            for why in passed {
                say(&format!("passed over: {why}"));
            }
            Ok(exit::DONE)
        }
        Verb::Validate { name } => {
            let (kernel, ctx) = super::booted(options)?;
            let found = place::find(&kernel, name)?;
            let sop = found.read(&ctx)?;
            super::print(&format!(
                "{name} ({}): {} step(s), no fault; sha256 {}",
                found.place.as_str(),
                sop.steps.len(),
                found.sha256
            ));
            Ok(exit::DONE)
        }
        Verb::Status { run, json } => status(options, run.as_deref(), *json),
        Verb::Run { name, check: true, .. } => {
            let (kernel, _) = super::booted(options)?;
            let (_, found) = found(&kernel, name)?;
            match waiting(&kernel, name, &found)? {
                Some(run) => Err(Error::RunWaits { workflow: name.clone(), run }),
                None => Ok(exit::DONE),
            }
        }
        Verb::Run { name, scheduled, sha256, json, .. } => driving(options, *scheduled, *json, |kernel| {
            let (ctx, found) = found(kernel, name)?;
            if sha256.as_ref().is_some_and(|wanted| *wanted != found.sha256) {
                return Err(Error::Workflow {
                    what: format!("the workflow `{name}` is another one: it has sha256 {}", found.sha256),
                    hint: "look at it, and pin it again where it is scheduled".to_owned(),
                    refused: true,
                });
            }
            let sop = found.read(&ctx)?;
            let is_scheduled = ctx.shared().session.scheduled;
            if is_scheduled && let Some(run) = waiting(kernel, name, &found)? {
                return Err(Error::RunWaits { workflow: name.clone(), run });
            }
            let begun = Event::Begun {
                run: ConversationId::generate(),
                workflow: name.clone(),
                place: found.place,
                sha256: found.sha256.clone(),
                scheduled: is_scheduled,
            };
            let log = RunLog::begin(kernel, begun)?;
            if !is_scheduled {
                say(&format!("run {} of {name}", log.state.run));
            }
            Runner::new(kernel, sop, log)
        }),
        Verb::Approve { run, no, json } => on_with(options, run, *json, &Word::Approval(!no)),
        Verb::Resume { run, repeat, skip, json } => {
            let word = if *repeat || *skip { Word::Again(*repeat) } else { Word::Nothing };
            on_with(options, run, *json, &word)
        }
    }
}

fn found(kernel: &Arc<Kernel>, name: &WorkflowName) -> Result<(ports::KernelContext, place::Found), Error> {
    let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
    let found = place::find(kernel, name)?;
    Ok((ctx, found))
}

/// The run of this workflow, as its file is now, that waits for a person. One of another text cannot continue, so it holds
/// nothing up.
fn waiting(
    kernel: &Arc<Kernel>,
    name: &WorkflowName,
    found: &place::Found,
) -> Result<Option<ConversationId>, Error> {
    let of_it = |state: &State| {
        state.workflow == *name
            && (&state.sha256, state.place) == (&found.sha256, found.place)
            && state.word() == "waiting"
    };
    Ok(log::runs(kernel)?.0.into_iter().find(of_it).map(|state| state.run))
}

/// Continues a run, after a person's word where there is one.
fn on_with(options: &Options, asked: &str, json: bool, word: &Word) -> Result<u8, Error> {
    driving(options, false, json, |kernel| {
        let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
        let log = RunLog::open(kernel, &log::named(kernel, asked)?.run)?;
        let state = &log.state;
        let run = state.run.clone();
        if let Some(end) = state.ended {
            return Err(Error::Usage {
                what: format!("the run {run} is over: {}", end.as_str()),
                hint: format!("cl-bot sop run {} begins a new one", state.workflow),
            });
        }
        let (_, found) = found(kernel, &state.workflow)?;
        if (&found.sha256, found.place) != (&state.sha256, state.place) {
            return Err(Error::Workflow {
                what: format!("the workflow `{}` was changed since the run {run} began", state.workflow),
                hint: format!("begin anew with `cl-bot sop run {}`", state.workflow),
                refused: true,
            });
        }
        let sop = found.read(&ctx)?;
        let mut runner = Runner::new(kernel, sop, log)?;
        let waited = match word {
            Word::Nothing => true,
            Word::Approval(yes) => {
                guarded(ctx.shared().audience, *yes)?;
                runner.answer(*yes, &who())?
            }
            Word::Again(again) => runner.resolve(*again, &who())?,
        };
        match waited {
            true => Ok(runner),
            false => Err(Error::Usage {
                what: format!("the run {run} does not wait for that"),
                hint: format!(
                    "cl-bot sop status {run} shows where it stands; cl-bot sop resume {run} continues it"
                ),
            }),
        }
    })
}

/// In a minor's profile nobody who uses it can say yes.
fn guarded(audience: Audience, yes: bool) -> Result<(), Error> {
    match audience {
        Audience::Child | Audience::Teen if yes => Err(Error::Workflow {
            what: format!("the profile is for a {audience}: an approver says yes here, not who uses it"),
            hint: "the run still waits; `--no` ends it".to_owned(),
            refused: true,
        }),
        _ => Ok(()),
    }
}

/// Who says so, as the operating system knows them.
fn who() -> String {
    let uid = nix::unistd::getuid();
    format!("user {uid}")
}

/// Becomes the mind, makes a run, drives it as far as it goes, and tells where it stands.
fn driving(
    options: &Options,
    scheduled: bool,
    json: bool,
    make: impl FnOnce(&Arc<Kernel>) -> Result<Runner, Error>,
) -> Result<u8, Error> {
    let (kernel, warnings) =
        become_mind(options, Purpose { talks: true, scheduled, json, ..Purpose::default() })?;
    warnings.iter().for_each(|w| say(w));
    let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
    // A run that began may end: each of its lines is judged alone.
    let driven = reasoning::counted(&ctx, || make(&kernel)).flatten();
    let driven = driven.and_then(|mut runner| {
        let stand = runner.go()?;
        Ok((stand, runner.sop().clone(), runner.log().state.clone()))
    });
    // What the steps said is remembered before the program ends.
    kernel.unload();
    let (stand, sop, state) = driven?;
    if json {
        super::print_json(&shown(&state, Some(&sop), &stand));
    } else {
        tell(&stand, &sop, &state);
    }
    let waits = scheduled && matches!(stand, Stand::Waits(..));
    Ok(if waits { exit::WAITS } else { code(&stand) })
}

/// The exit code; waiting is not a failure.
fn code(stand: &Stand) -> u8 {
    match stand {
        Stand::Ended(End::Done) | Stand::Waits(..) => exit::DONE,
        Stand::Ended(End::Failed) | Stand::Stopped(_) => exit::FAILED,
        Stand::Ended(End::Refused) | Stand::Unsure(_) => exit::REFUSED,
    }
}

fn tell(stand: &Stand, sop: &Sop, state: &State) {
    let run = &state.run;
    match stand {
        Stand::Ended(end) => {
            let last = sop.steps.iter().rev().find_map(|step| match state.step(&step.id) {
                Some(Progress::Done(said)) if step.work.kind() != "approval" => Some(said),
                _ => None,
            });
            if let Some(said) = last.filter(|_| *end == End::Done) {
                super::print(&text::block(said));
            }
            say(&format!("the run {run} is {}", end.as_str()));
        }
        Stand::Waits(step, message) => {
            say(&format!("waits for a person at the step `{step}`: {message}"));
            say(&format!("to continue: cl-bot sop approve {run}; to end it: cl-bot sop approve {run} --no"));
        }
        Stand::Unsure(step) => {
            say(&format!("the step `{step}` was begun and not finished, so it may have had its effect"));
            say(&format!(
                "to do it again: cl-bot sop resume {run} --repeat; to continue without it: cl-bot sop resume {run} --skip"
            ));
        }
        Stand::Stopped(step) => {
            say(&format!("stopped at the step `{step}`; to continue: cl-bot sop resume {run}"));
        }
    }
}

/// A run as one JSON value.
fn shown(state: &State, sop: Option<&Sop>, stand: &Stand) -> Value {
    let mut value = rows(state, sop);
    let (word, step) = match stand {
        Stand::Ended(end) => (end.as_str(), None),
        Stand::Waits(step, message) => {
            value["message"] = json!(message);
            ("waiting", Some(step))
        }
        Stand::Unsure(step) => ("unsure", Some(step)),
        Stand::Stopped(step) => ("stopped", Some(step)),
    };
    value["state"] = json!(word);
    value["step"] = json!(step);
    value["exit"] = json!(code(stand));
    value
}

fn rows(state: &State, sop: Option<&Sop>) -> Value {
    let row = |id: &shared_types::id::StepId, kind: Option<&str>| {
        let progress = state.step(id);
        let (said, why) = match progress {
            Some(Progress::Done(said)) => (Some(said), None),
            Some(Progress::Failed(why, _) | Progress::No(why)) => (None, Some(why)),
            _ => (None, None),
        };
        json!({"id": id, "kind": kind, "state": progress.map_or("open", Progress::as_str), "text": said, "why": why})
    };
    let steps: Vec<Value> = match sop {
        Some(sop) => sop.steps.iter().map(|step| row(&step.id, Some(step.work.kind()))).collect(),
        None => state.steps.iter().map(|(id, _)| row(id, None)).collect(),
    };
    json!({
        "run": state.run, "workflow": state.workflow, "place": state.place, "scheduled": state.scheduled,
        "begun": state.begun, "last": state.last, "state": state.word(), "steps": steps,
    })
}

fn status(options: &Options, run: Option<&str>, json: bool) -> Result<u8, Error> {
    let (kernel, _) = super::booted(options)?;
    let (states, odd) = match run {
        None => log::runs(&kernel)?,
        Some(run) => (vec![log::named(&kernel, run)?], vec![]),
    };
    for why in odd {
        say(&why);
    }
    if states.is_empty() && !json {
        say("no workflow has run yet; `cl-bot sop list` shows what there is");
    }
    for state in &states {
        if json {
            super::print_json(&rows(state, None));
            continue;
        }
        super::print(&format!(
            "{}  {:<9} {:<24} {}",
            state.run,
            state.word(),
            state.workflow.as_str(),
            state.last
        ));
        for (id, progress) in state.steps.iter().filter(|_| run.is_some()) {
            let more = match progress {
                Progress::Done(said) => text::cut(said, 60),
                Progress::Failed(why, _) => text::cut(why, 200),
                Progress::No(by) => format!("by {by}"),
                _ => String::new(),
            };
            super::print(&format!("  {:<24} {:<9} {}", id.as_str(), progress.as_str(), text::line(&more)));
        }
    }
    Ok(exit::DONE)
}
