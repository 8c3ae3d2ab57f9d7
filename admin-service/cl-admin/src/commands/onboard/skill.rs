//! A real skill: wished for, built by the service, reviewed and decided by the person at the gate that there always is, used.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base::error::Error;
use base::home::Home;
use base::lock;
use base::log::{open_service_log, service_log};
use console::desk::Desk;
use console::line_mode;
use ledger::Ledger;
use review::ask::Source;
use service::session::DOORS;
use shared_types::id::ProposalId;
use shared_types::status::{Status, Wait};

use super::args::Args;
use super::model;
use super::person::{Person, Stop};
use super::turn::{self, Turn};
use crate::commands::up::tail;

/// How long a running service may take to build it.
const PATIENCE: Duration = Duration::from_secs(300);

/// A proposal as the journal has it now.
struct Stand {
    id: ProposalId,
    name: String,
    status: Status,
    waits_for: Option<Wait>,
}

/// From a wish to a skill that is used; answers whether one works.
pub(super) fn learn(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<bool, Stop> {
    let words = person.words;
    let ledger = Ledger::read(home).map_err(|e| person.stop(e))?;
    if !ledger.active().is_empty() {
        let names: Vec<&str> = ledger.active().keys().map(|name| name.as_str()).collect();
        person.say(&words.fill("onboard-skill-there", &[("names", &names.join(", "))]));
        return Ok(true);
    }
    if person.asks && !person.agrees(words.say("onboard-skill"), words.say("onboard-skill-why"), true)? {
        return Ok(false);
    }
    if waiting(home, person)?.is_none() && !wish(home, person)? {
        return Ok(false);
    }
    build(home, person)?;
    let Some(stand) = waiting(home, person)? else {
        return left_waiting("", person);
    };
    if (stand.status, stand.waits_for) != (Status::HumanReview, Some(Wait::Person)) {
        let wait = stand.waits_for.map_or("-", Wait::as_str);
        let facts = [("name", stand.name.as_str()), ("status", stand.status.as_str()), ("wait", wait)];
        person.say(&words.fill("onboard-skill-not-ready", &facts));
        return left_waiting(&stand.name, person);
    }
    if !decide(home, args, &stand, person)? {
        let facts = [("name", stand.name.as_str())];
        person.say(&words.fill("onboard-skill-not-approved", &facts));
        person.leave(words.fill("onboard-left-review", &facts));
        return Ok(false);
    }
    person.say(&words.fill("onboard-skill-installed", &[("name", &stand.name)]));
    used(home, &stand.name, person)
}

fn left_waiting(name: &str, person: &mut Person<'_>) -> Result<bool, Stop> {
    let words = person.words;
    let facts = [("name", name), ("command", person.command.as_str())];
    person.leave(words.fill("onboard-left-wait", &facts));
    Ok(false)
}

/// The newest proposal of a skill that is not settled.
fn waiting(home: &Home, person: &Person<'_>) -> Result<Option<Stand>, Stop> {
    let ledger = Ledger::read(home).map_err(|e| person.stop(e))?;
    let newest = ledger.tickets().filter(|ticket| !ticket.status().is_settled()).last();
    Ok(newest.map(|ticket| Stand {
        id: ticket.id().clone(),
        name: ticket.proposal().name.to_string(),
        status: ticket.status(),
        waits_for: ticket.waits_for(),
    }))
}

/// Says the wish in the chat; whether a proposal came of it.
fn wish(home: &Home, person: &mut Person<'_>) -> Result<bool, Stop> {
    let words = person.words;
    let message = words.say("onboard-skill-wish");
    person.say(&format!("\n{}", words.fill("onboard-skill-asked", &[("message", message)])));
    match turn::ask(home, None, message, person)? {
        Turn::Answered(answer) => {
            person.say(&answer.reply);
            if answer.outcome == "proposed" {
                return Ok(true);
            }
        }
        Turn::Silent(why) => person.say(&words.fill("onboard-turn-failed", &[("why", &why)])),
    }
    person.leave(words.fill("onboard-left-turn", &[("command", &person.command)]));
    Ok(false)
}

/// Has the service drive every proposal: the one that runs, or a pass of its own.
fn build(home: &Home, person: &Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    person.say(words.say("onboard-skill-building"));
    if lock::holder(home).is_some() {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            person.goes_on()?;
            let stand = waiting(home, person)?;
            if stand.is_some_and(|stand| stand.waits_for.is_some()) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        return Ok(());
    }
    let path = service_log(home);
    let pass = || -> Result<bool, Error> {
        let log = open_service_log(&path).map_err(Error::io(&path))?;
        let own = std::env::current_exe().map_err(Error::io("this program".as_ref()))?;
        let mut command = Command::new(own);
        command.arg("--home").arg(home.root()).args(["run", "--once", "--headless"]);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).status();
        status.map(|status| status.success()).map_err(Error::step("starting the service"))
    };
    let passed = pass().map_err(|e| person.stop(e))?;
    person.goes_on()?;
    if !passed {
        person.say(&tail(&path));
    }
    Ok(())
}

/// Shows the review and takes the person's decision there; answers whether the skill is installed. Without questions nothing is
/// decided: the gate is a person's.
fn decide(home: &Home, args: &Args, stand: &Stand, person: &mut Person<'_>) -> Result<bool, Stop> {
    if !person.asks {
        return Ok(false);
    }
    let words = person.words;
    person.say(&format!("\n{}", words.say("onboard-skill-review")));
    let desk = Desk::new(home, &service::init::owner(), DOORS);
    let passphrase = Source::passphrase(args.passphrase_file.clone());
    let reviewed = line_mode::review(desk, &passphrase, person.keyboard(), &mut std::io::stdout());
    person.goes_on()?;
    reviewed.map_err(|e| person.stop(e))?;
    let ledger = Ledger::read(home).map_err(|e| person.stop(e))?;
    Ok(ledger.ticket(&stand.id).is_some_and(|ticket| ticket.status() == Status::Accepted))
}

/// A second turn, in which the skill has to be called.
fn used(home: &Home, name: &str, person: &mut Person<'_>) -> Result<bool, Stop> {
    let words = person.words;
    let message = words.say("onboard-skill-call");
    person.say(&words.fill("onboard-skill-asked", &[("message", message)]));
    // A model may answer without a skill; the companion finds a skill by its phrases.
    let mut providers = vec![None];
    providers.extend(model::companion_name(home)?.map(Some));
    for provider in providers {
        match turn::ask(home, provider.as_deref(), message, person)? {
            Turn::Answered(answer) if answer.calls > 0 => {
                let facts = [("name", name), ("answer", answer.reply.as_str())];
                person.say(&words.fill("onboard-skill-used", &facts));
                return Ok(true);
            }
            Turn::Answered(answer) => {
                person.say(&words.fill("onboard-skill-unused", &[("answer", &answer.reply)]))
            }
            Turn::Silent(why) => person.say(&words.fill("onboard-turn-failed", &[("why", &why)])),
        }
    }
    person.leave(words.fill("onboard-left-used", &[("message", message)]));
    Ok(false)
}
