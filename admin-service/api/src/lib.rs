//! What a verb or a console may ask of the service: requests and replies, without what does them. This layer uses `review` and
//! the layers below it.
//!
//! - [`people`]: what concerns those who decide
//! - [`door`]: what concerns the door of a profile
//! - [`page`]: what the page of the review may ask
//! - [`StopPolicy`]: what is still done while the emergency stop holds
//!
//! # How it works
//!
//! The emergency stop has two questions. `api/src/stop_policy.rs` says of each request whether it is refused under the
//! stop, in a match without a wildcard. `base/src/stop/starts.rs` is asked before anything starts: a schedule, a
//! command, a plugin, a stage, a trial. It looks at the home's stop, the profile's own, and `config/halt`.
#![forbid(unsafe_code)]

pub mod door;
pub mod page;
pub mod people;
mod stop_policy;

use base::error::Error;
use base::home::Home;
use base::keys::Signer;
use ledger::action_ticket::{ActionTicket, Seen};
use ledger::facts::Facts;
use ledger::statements::action::ActionDecision;
use ledger::statements::removal::{PluginRemoval, Removal};
use ledger::ticket::Ticket;
use ledger::{Ledger, Reviewed};
use receipts::head::Log;
use review::queue::ActionPages;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_types::decision::Decision;
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId, SkillName, WorkflowName};
use shared_types::plugin::Plugin;
use shared_types::proposal::Proposal;
use shared_types::signed::Signed;

/// What comes of a tool that is called by hand.
pub use builder::workers::TrialRun;
pub use stop_policy::StopPolicy;

/// What a console has done by others. Who starts one says how.
#[derive(Debug, Clone, Copy)]
pub struct Doors {
    /// Has a request done; answers in words. It may continue from the ledger that the console has read, and then
    /// takes it.
    pub submit: fn(&Home, &mut Ledger, Request) -> Result<String, Error>,
    /// Calls a tool by hand.
    pub try_tool: TryTool,
    /// Makes the pages of an action.
    pub action_pages: ActionPages,
    /// Signs the yes to an action.
    pub sign_action: SignAction,
}

/// Calls a tool of the package that was seen, with these arguments.
pub type TryTool = fn(&Home, &Ticket, Option<&Reviewed>, &str, Value) -> Result<TrialRun, Error>;

/// For how many days an action is always allowed when nothing is said.
pub const DEFAULT_DAYS: u16 = 30;

/// Makes the yes to an action as it was seen, for the given number of days to any that is the same, and signs it with the
/// approver's key.
pub type SignAction =
    fn(&ActionTicket, &Seen, Option<u16>, &ApproverId, &Signer) -> Result<Signed<ActionDecision>, Error>;

/// One request, a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// A person's yes.
    Approve {
        /// The proof.
        decision: Signed<Decision>,
        /// The one-time code of the person who says yes now, where they need one.
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
    /// A person takes a rejection back.
    Reopen {
        /// The proposal.
        id: ProposalId,
        /// Who says so.
        by: ApproverId,
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
    /// A profile's data is removed for good; its files the verb removes, as the bot's user.
    EraseProfile {
        /// The profile.
        id: ProfileId,
        /// How many files there are.
        files: u64,
    },
    /// Something about the door of a profile.
    Door(door::Asked),
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
        source: String,
        /// The package that was edited.
        seen: Reviewed,
    },
    /// A note for the person who looks next.
    Note {
        /// The proposal.
        id: ProposalId,
        /// Who leaves it.
        by: ApproverId,
        /// The note.
        text: String,
    },
    /// A proposal that is held at a gate may continue by one step.
    OpenGate {
        /// The proposal.
        id: ProposalId,
        /// Who says so.
        by: ApproverId,
    },
    /// A skill is to go.
    RemoveSkill {
        /// The proof.
        removal: Signed<Removal>,
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
    /// A skill is to be learned from examples.
    Learn {
        /// The wish, with the examples as those of its tool.
        proposal: Box<Proposal>,
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
        decision: Signed<ActionDecision>,
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
        removal: Signed<PluginRemoval>,
        /// The one-time code of an approver who needs one.
        #[serde(default)]
        code: Option<String>,
    },
    /// Figures for a program that watches.
    Metrics {
        /// In the format OpenMetrics instead of the older text.
        open_metrics: bool,
    },
    /// A schedule is to run now.
    RunSchedule { name: WorkflowName },
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
        why: String,
        /// The exit code of the verb.
        exit: u8,
    },
}
