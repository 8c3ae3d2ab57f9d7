//! What a verb may ask of the service, and how it is done; the same whether over the socket or by the verb itself.

use receipts::head::Log;
use serde::{Deserialize, Serialize};
use shared_types::decision::SignedDecision;
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId, SkillName, WorkflowName};
use shared_types::plugin::Plugin;

use super::decide::{self, Approved};
use super::stop_policy::StopPolicy;
use super::{Runtime, actions, life, people};
use crate::audit;
use crate::config::Config;
use crate::error::Error;
use crate::journal::facts::Facts;
use crate::journal::schedules::Told;
use crate::journal::statements::action::SignedActionDecision;
use crate::journal::statements::removal::SignedRemoval;
use crate::journal::{Record, Reviewed, mirror};
use crate::pipeline::advance::open_gate;
use crate::pipeline::agent_review::weigh_again;
use crate::pipeline::edit;
use crate::plugins::decide as plugins;
use crate::profiles;
use crate::review::approvers;
use crate::stop::{self, may_start};

/// One request, a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// A person's yes.
    Approve {
        /// The proof.
        decision: SignedDecision,
        /// The one-time code of whoever says yes now, where they need one.
        #[serde(default)]
        code: Option<String>,
    },
    /// A person's no.
    Reject {
        /// The proposal.
        id: ProposalId,
        /// Who says so.
        by: ApproverId,
        /// Why.
        reason: String,
    },
    /// A profile is to be configured.
    AddProfile {
        /// The profile.
        id: ProfileId,
        /// Its file, as it will stand.
        text: String,
    },
    /// A profile's configuration is to go.
    RemoveProfile {
        /// The profile.
        id: ProfileId,
    },
    /// An approver's key was given a passphrase; the key itself the verb has changed already.
    PassphraseSet {
        /// Whose key.
        approver: ApproverId,
    },
    /// A person's own source for a package.
    Edit {
        /// The proposal.
        id: ProposalId,
        /// Who edited it.
        by: ApproverId,
        /// The source.
        source: String,
        /// The package that was edited.
        seen: Reviewed,
    },
    /// A note for whoever looks next.
    Note {
        /// The proposal.
        id: ProposalId,
        /// Who leaves it.
        by: ApproverId,
        /// The note.
        text: String,
    },
    /// What is held at a gate may go on by one step.
    OpenGate {
        /// The proposal.
        id: ProposalId,
        /// Who says so.
        by: ApproverId,
    },
    /// A skill is to go.
    RemoveSkill {
        /// The proof.
        removal: SignedRemoval,
        /// The one-time code of an approver who needs one.
        #[serde(default)]
        code: Option<String>,
    },
    /// An earlier version of a skill is to be reviewed again.
    RollBackSkill {
        /// The skill.
        name: SkillName,
        /// The version; without one, the one before.
        to: Option<u32>,
        /// Who asks.
        by: ApproverId,
    },
    /// A skill from elsewhere is to be reviewed.
    ImportSkill {
        /// The text of the file.
        text: String,
        /// The profile that asks.
        profile: ProfileId,
        /// Who asks.
        by: ApproverId,
    },
    /// A person takes note of the alarm of a chain.
    Acknowledge {
        /// Which chain.
        log: Log,
        /// Who.
        by: ApproverId,
        /// Why it may stay so.
        reason: String,
    },
    /// Something about the people who decide.
    People(people::Asked),
    /// A person's yes to an action.
    AllowAction {
        /// The proof.
        decision: SignedActionDecision,
        /// The one-time code of an approver who needs one.
        #[serde(default)]
        code: Option<String>,
    },
    /// A plugin is to be installed.
    InstallPlugin {
        /// The manifest's entry, with the approver's yes.
        plugin: Box<Plugin>,
        /// What runs.
        facts: Box<Facts>,
        /// The name of the copy of its files.
        staged: Option<String>,
        /// The one-time code of an approver who needs one.
        #[serde(default)]
        code: Option<String>,
    },
    /// What was always allowed is not any more.
    RemoveAllowance {
        /// The action with which it was given.
        id: ProposalId,
        /// Who takes it back.
        by: ApproverId,
    },
    /// A plugin is to go.
    RemovePlugin {
        /// The proof.
        removal: SignedRemoval,
        /// The one-time code of an approver who needs one.
        #[serde(default)]
        code: Option<String>,
    },
    /// A schedule is to run now.
    RunSchedule {
        /// Its name.
        name: WorkflowName,
    },
    /// A person has seen the text of a schedule's workflow.
    PinSchedule {
        /// The schedule.
        name: WorkflowName,
        /// The digest of what they saw.
        sha256: Digest,
    },
}

/// The answer, a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// Done; in words.
    Done(String),
    /// Not done; in words, with the exit code.
    Failed {
        /// Why.
        why: String,
        /// The exit code of the verb.
        exit: u8,
    },
}

/// Does what is asked, and publishes how far the journal goes then.
///
/// # Errors
/// Why it could not be done.
pub fn handle(runtime: &Runtime, request: Request) -> Result<String, Error> {
    let done = carry_out(runtime, request);
    runtime.publish_head();
    runtime.call();
    done
}

/// Refuses a request that the emergency stop keeps from being done.
fn check_stop(runtime: &Runtime, request: &Request) -> Result<(), Error> {
    let would = match (request.stop_policy(), request) {
        (StopPolicy::Allowed(_), _) => return Ok(()),
        (StopPolicy::OnlyLess(_), Request::People(asked)) if people::only_less(&runtime.book(), asked) => {
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
            runtime.say(&format!("{name} version {version} is installed"));
            Ok(format!(
                "{name} version {version} is installed; a running chat takes it up at its next empty prompt"
            ))
        }
        Request::Reject { id, by, reason } if actions::is_one(runtime, &id) => {
            actions::reject(runtime, &id, &by, &reason)
        }
        Request::Reject { id, by, reason } => {
            let name = decide::reject(runtime, &id, &by, &reason)?;
            Ok(format!("{name} is rejected"))
        }
        Request::AddProfile { id, text } => profiles::add(runtime, &id, &text),
        Request::RemoveProfile { id } => profiles::remove(&runtime.home, &mut runtime.book(), &id),
        Request::PassphraseSet { approver } => {
            runtime.book().append(Record::PassphraseSet { approver: approver.clone() })?;
            approvers::reconcile(&runtime.home, &mut runtime.book())?;
            Ok(format!("the key of `{approver}` asks for its passphrase from now on"))
        }
        Request::Edit { id, by, source, seen } => edit::hand_in(runtime, &id, &by, &source, &seen),
        Request::OpenGate { id, by } => {
            let mut book = runtime.book();
            open_gate(&mut book, &id, &by)?;
            let ticket = book.ticket(&id).ok_or_else(|| Error::NotFound(id.to_string()))?;
            mirror(&runtime.home, ticket)?;
            Ok(format!("{} goes on: it is in {}", ticket.proposal().name, ticket.status()))
        }
        Request::Note { id, by, text } => edit::note(runtime, &id, &by, &text),
        Request::RemoveSkill { removal, code } => life::remove(runtime, &removal, code.as_deref()),
        Request::RollBackSkill { name, to, by } => life::roll_back(runtime, &name, to, &by),
        Request::ImportSkill { text, profile, by } => life::import(runtime, &text, &profile, &by),
        Request::Acknowledge { log, by, reason } => {
            audit::acknowledge(runtime, &log, &by, &reason, runtime.ending())
        }
        Request::People(asked) => people::handle(runtime, asked),
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
        Request::RunSchedule { name } => {
            let schedules = Config::read(&runtime.home)?.schedules;
            let found = schedules.iter().find(|schedule| schedule.name == name);
            let schedule = found.ok_or_else(|| Error::NotFound(name.to_string()))?;
            may_start(&runtime.home, Some(&schedule.profile))?;
            runtime.asked.add(name.clone());
            Ok(format!("the service runs {name} now; `cl-admin schedule list` tells what came of it"))
        }
        Request::PinSchedule { name, sha256 } => {
            let words = format!("{name} runs this text from now on");
            runtime.book().append(Record::Schedule { name, told: Told::Pinned { sha256 } })?;
            Ok(words)
        }
    }
}
