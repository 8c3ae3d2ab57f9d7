//! Does what a verb or a console asks; the same whether over the socket or by the verb itself.

use ::actions::plugins::decide as plugins;
use api::door::{Asked as AskedOfDoor, Tls};
use api::people::Asked;
use api::{Request, StopPolicy};
use base::config::Config;
use base::error::Error;
use base::stop;
use certificates::Files;
use codes::{remove_codes, set_codes};
use jiff::Timestamp;
use ledger::schedules::ScheduleEvent;
use ledger::{PeopleRecord, ScheduleRecord, Store, mirror};
use pipeline::advance::open_gate;
use pipeline::agent_review::weigh_again;
use pipeline::decide::{self, Approved};
use pipeline::profiles;
use pipeline::{actions, door, edit, page, people, upkeep};
use review::approvers;

use super::schedule::fire;
use super::{Runtime, metrics};
use base::log::{Event, in_request};

/// Does what is asked, and publishes how far the journal goes then, unless it was only read.
///
/// # Errors
/// Why it could not be done.
pub fn handle(runtime: &Runtime, request: Request) -> Result<String, Error> {
    let _span = in_request(request.name());
    if request.only_reads() {
        return carry_out(runtime, request);
    }
    let done = carry_out(runtime, request);
    runtime.publish_head();
    runtime.call();
    done
}

/// Refuses a request that the emergency stop keeps from being done.
fn check_stop(runtime: &Runtime, request: &Request) -> Result<(), Error> {
    let would = match (request.stop_policy(), request) {
        (StopPolicy::Allowed(_), _) => return Ok(()),
        (StopPolicy::OnlyLess(_), Request::People(Asked::Change { change, .. }))
            if people::only_less(&runtime.ledger(), change) =>
        {
            return Ok(());
        }
        (StopPolicy::OnlyLess(would) | StopPolicy::Refused(would), _) => would,
    };
    stop::check(&runtime.home, would)
}

fn carry_out(runtime: &Runtime, request: Request) -> Result<String, Error> {
    check_stop(runtime, &request)?;
    match request {
        Request::Approve { decision, code } => {
            let (name, version) = match decide::approve(runtime, &decision, code.as_deref())? {
                Approved::Installed(name, version) => (name, version),
                Approved::First(words) => return Ok(words),
            };
            // What else waits was analysed beside fewer skills than there are now.
            weigh_again(runtime, &Config::read(&runtime.home)?)?;
            let event = Event::SkillInstalled { skill: &name, version: &version };
            runtime.tell(&event, &format!("{name} version {version} is installed"));
            Ok(format!(
                "{name} version {version} is installed; a running chat takes it up at its next empty prompt"
            ))
        }
        Request::Reject { id, by, reason } if actions::is_one(runtime, &id) => {
            actions::reject(runtime, &id, &by, &reason)
        }
        Request::Reject { id, by, reason } => {
            let name = decide::reject(runtime, &id, &by, &reason)?;
            let packaged = runtime.ledger().ticket(&id).is_some_and(|ticket| ticket.review().is_some());
            let back =
                if packaged { format!("; `cl-admin reopen {id}` takes that back") } else { String::new() };
            Ok(format!("{name} is rejected{back}"))
        }
        Request::Reopen { id, by } => {
            let name = decide::reopen(runtime, &Config::read(&runtime.home)?, &id, &by)?;
            Ok(format!("{name} waits for a decision again: `cl-admin review`"))
        }
        Request::AddProfile { id, text } => profiles::add(runtime, &id, &text),
        Request::RemoveProfile { id } => profiles::remove(&runtime.home, &mut runtime.ledger(), &id),
        Request::EraseProfile { id, files } => {
            profiles::erase(&runtime.home, &mut runtime.ledger(), &id, files)
        }
        Request::Door(asked) => about_a_door(runtime, asked),
        Request::PassphraseSet { approver } => {
            runtime.ledger().append(PeopleRecord::PassphraseSet { approver: approver.clone() })?;
            approvers::reconcile(&runtime.home, &mut runtime.ledger())?;
            Ok(format!("the key of `{approver}` asks for its passphrase from now on"))
        }
        Request::Edit { id, by, source, seen } => edit::hand_in(runtime, &id, &by, &source, &seen),
        Request::OpenGate { id, by } => {
            let mut ledger = runtime.ledger();
            open_gate(&mut ledger, &id, &by)?;
            let ticket = ledger.ticket(&id).ok_or_else(|| Error::NotFound(id.to_string()))?;
            mirror(&runtime.home, ticket)?;
            Ok(format!("{} continues: it is in {}", ticket.proposal().name, ticket.status()))
        }
        Request::Note { id, by, text } => edit::note(runtime, &id, &by, &text),
        Request::RemoveSkill { removal, code } => upkeep::remove(runtime, &removal, code.as_deref()),
        Request::RollBackSkill { name, to, by } => upkeep::roll_back(runtime, &name, to, &by),
        Request::ImportSkill { text, profile, by } => upkeep::import(runtime, &text, &profile, &by),
        Request::Learn { proposal } => upkeep::learn(runtime, *proposal),
        Request::Acknowledge { log, by, reason } => {
            audit::acknowledge(runtime, &log, &by, &reason, runtime.ending())
        }
        Request::People(asked) => about_people(runtime, asked),
        Request::AllowAction { decision, code } => actions::allow(runtime, &decision, code.as_deref()),
        Request::RemoveAllowance { id, by } => actions::remove_allowance(runtime, &id, &by),
        Request::InstallPlugin { plugin, facts, staged, code } => {
            let done = plugins::install(
                runtime,
                &runtime.running.plugins,
                *plugin,
                *facts,
                staged.as_deref(),
                code.as_deref(),
            )?;
            weigh_again(runtime, &Config::read(&runtime.home)?)?;
            Ok(done)
        }
        Request::RemovePlugin { removal, code } => {
            let done = plugins::remove(runtime, &runtime.running.plugins, &removal, code.as_deref())?;
            weigh_again(runtime, &Config::read(&runtime.home)?)?;
            Ok(done)
        }
        Request::Metrics { open_metrics } => {
            // The journal is let go before files are looked at.
            let journal = metrics::of_journal(&runtime.ledger(), Timestamp::now());
            metrics::text(&runtime.home, journal, true, open_metrics)
        }
        Request::RunSchedule { name } => {
            let schedules = Config::read(&runtime.home)?.schedules;
            let found = schedules.iter().find(|schedule| schedule.name == name);
            let schedule = found.ok_or_else(|| Error::NotFound(name.to_string()))?;
            let standing = runtime.ledger().schedules().of(&name);
            fire::allowed(&runtime.home, schedule, &standing).map_err(|kept| Error::refused(kept.why))?;
            runtime.asked.add(name.clone());
            Ok(format!("the service runs {name} now; `cl-admin schedule list` tells what came of it"))
        }
        Request::PinSchedule { name, sha256 } => {
            let words = format!("{name} runs this text from now on");
            runtime.ledger().append(ScheduleRecord { name, told: ScheduleEvent::Pinned { sha256 } })?;
            Ok(words)
        }
    }
}

fn about_a_door(store: &Store, asked: AskedOfDoor) -> Result<String, Error> {
    match asked {
        AskedOfDoor::AddToken { profile, name, sha256, person } => {
            door::add_token(store, &profile, &name, &sha256, person)
        }
        AskedOfDoor::RemoveToken { profile, name } => door::remove_token(store, &profile, &name),
        AskedOfDoor::Listen { profile, address, tls } => {
            let tls = match tls {
                Tls::Kept => door::Tls::Kept,
                Tls::Off => door::Tls::Off,
                Tls::Given { certificate, key } => door::Tls::Given(Files { certificate, key }),
                Tls::Made => door::Tls::Made,
            };
            door::set_address(store, &profile, address, tls)
        }
    }
}

fn about_people(store: &Store, asked: Asked) -> Result<String, Error> {
    match asked {
        Asked::Change { change, countersigned, codes } => {
            let words = people::change(store, change, countersigned, &codes)?;
            weigh_again(store, &Config::read(&store.home)?)?;
            Ok(words)
        }
        Asked::AddPageToken { name, approver, sha256 } => page::add_token(store, &name, &approver, &sha256),
        Asked::RemovePageToken { name } => page::remove_token(store, &name),
        Asked::Countersign { countersigned, codes } => people::countersign(store, countersigned, &codes),
        Asked::SetCodes { approver, secret, code, signature } => {
            set_codes(&store.home, &mut store.ledger(), &approver, &secret, &code, &signature)
        }
        Asked::RemoveCodes { approver, by, signature, codes } => {
            remove_codes(&store.home, &mut store.ledger(), &approver, &by, &signature, &codes)
        }
    }
}
