//! What the journal can say.

use receipts::head::{Head, Log};
use serde::{Deserialize, Serialize};
use shared_types::approvers::SignedChange;
use shared_types::audience::Audience;
use shared_types::decision::{Countersignature, SignedDecision};
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId, SkillName, WorkflowName};
use shared_types::manifest::{Builtin, Learned};
use shared_types::plugin::Plugin;
use shared_types::proposal::{Fault, Proposal};
use shared_types::status::{Status, Wait};

use crate::facts::Facts;
use crate::judgement::{Judged, Kept};
use crate::schedules::Told;
use crate::statements::action::SignedActionDecision;
use crate::statements::removal::SignedRemoval;

/// One record; together with its time it is one line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// The built-in skills of this version; raises the manifest's serial.
    Builtins {
        /// The skills with their tokens.
        builtin: Vec<Builtin>,
    },
    /// A proposal was opened, parsed and kept; its status is `new`.
    Taken(Box<Taken>),
    /// A file was no proposal; it is remembered so that it is told once.
    Refused {
        /// An identifier of the journal's own.
        id: ProposalId,
        /// The folder in which it lay.
        profile: ProfileId,
        /// Its name.
        file: String,
        /// SHA-256 of its bytes, where they could be read.
        digest: Option<Digest>,
        /// What is wrong.
        faults: Vec<Fault>,
    },
    /// A file asked for what an open proposal asks for already; it is counted there and not taken in.
    Recurred {
        /// The open proposal.
        id: ProposalId,
        /// The folder in which the file lay.
        profile: ProfileId,
        /// Its name.
        file: String,
        /// SHA-256 of its bytes.
        digest: Digest,
    },
    /// A proposal moved along the table.
    Moved {
        /// The proposal.
        id: ProposalId,
        /// From where.
        from: Status,
        /// To where.
        to: Status,
        /// By whom.
        actor: String,
        /// Why.
        reason: Option<String>,
    },
    /// A proposal waits, or does not wait any more.
    Waits {
        /// The proposal.
        id: ProposalId,
        /// For what.
        on: Option<Wait>,
        /// In words, for the admin only.
        why: String,
    },
    /// A source was written and kept.
    Written {
        /// The proposal.
        id: ProposalId,
        /// Counted from 1.
        attempt: u32,
        /// By which template or model.
        author: String,
        /// SHA-256 of the source as it was handed in.
        source_sha256: Digest,
    },
    /// An attempt was found wanting; the messages go back to the implementer.
    Wanting {
        /// The proposal.
        id: ProposalId,
        /// The attempt.
        attempt: u32,
        /// What was found.
        messages: Vec<String>,
    },
    /// A package is complete, or was analysed again.
    Reviewed {
        /// The proposal.
        id: ProposalId,
        /// The digests of what a person will see.
        review: Reviewed,
    },
    /// A person said yes, with the approver's key.
    Decided {
        /// The proposal.
        id: ProposalId,
        /// The proof.
        decision: SignedDecision,
    },
    /// A skill became active; raises the manifest's serial.
    Installed {
        /// The proposal.
        id: ProposalId,
        /// The manifest's entry.
        entry: Box<Learned>,
    },
    /// A skill is no longer active; raises the manifest's serial.
    Uninstalled {
        /// The skill.
        name: SkillName,
        /// Who decided; older records do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<ApproverId>,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        /// The proof.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        removal: Option<SignedRemoval>,
    },
    /// A profile was configured; of its PIN only that there is one.
    ProfileAdded {
        /// The profile.
        id: ProfileId,
        /// For whom it is.
        audience: Audience,
        /// The users who open it freely.
        users: Vec<String>,
        /// Whether others are asked for a PIN.
        pin: bool,
    },
    /// A profile's configuration was taken away; its data stays.
    ProfileRemoved {
        /// The profile.
        id: ProfileId,
    },
    /// An approver's key was given a passphrase, or another one.
    PassphraseSet {
        /// Whose key.
        approver: ApproverId,
    },
    /// A model was asked for a source; what it cost, whatever came of it.
    Spent {
        /// The proposal.
        id: ProposalId,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The implementer's name in the configuration.
        by: String,
        /// Tokens read and written: the server's figure, or an estimate from the bytes.
        tokens: u64,
        /// How long the model was asked.
        millis: u64,
    },
    /// A person handed in a source of their own; it moves the proposal from human-review to agent-review.
    Edited {
        /// The proposal.
        id: ProposalId,
        /// Who edited it.
        by: ApproverId,
        /// The attempt that it is.
        attempt: u32,
        /// SHA-256 of the source as it was handed in.
        source_sha256: Digest,
    },
    /// A person's edit was found wanting: the attempt before it is the one that counts again.
    EditDropped {
        /// The proposal.
        id: ProposalId,
        /// The attempt that the edit was.
        attempt: u32,
        /// What was found.
        messages: Vec<String>,
    },
    /// The program would move a proposal, but the gate is a person's; it waits there.
    Held {
        /// The proposal.
        id: ProposalId,
        /// To where.
        to: Status,
        /// Which part of the program would.
        actor: String,
        /// Why.
        reason: Option<String>,
    },
    /// A person sent back what the program would reject: its stage is done once more.
    SentBack {
        /// The proposal.
        id: ProposalId,
        /// Who.
        by: ApproverId,
    },
    /// A person left a note with a proposal.
    Noted {
        /// The proposal.
        id: ProposalId,
        /// Who wrote it.
        by: ApproverId,
        /// The note.
        text: String,
    },
    /// The file of a proposal changed after it was taken in; nothing follows from that.
    Changed {
        /// The proposal.
        id: ProposalId,
        /// How it differs.
        what: String,
    },
    /// A source was compiled, or its compiling failed; there is a daily budget of that.
    Compiled {
        /// The proposal.
        id: ProposalId,
        /// Time of the compiler, in milliseconds.
        millis: u64,
    },
    /// The approvers or their rules changed; where installed skills were signed anew, that raises the manifest's serial.
    ApproversChanged {
        /// The change with its signatures.
        change: SignedChange,
        /// What the signers took over from somebody who left.
        countersigned: Vec<Countersigned>,
    },
    /// Present approvers signed decisions of installed skills; raises the manifest's serial.
    Countersigned {
        /// The signatures.
        countersigned: Vec<Countersigned>,
    },
    /// The first of two persons said yes.
    FirstYes {
        /// The proposal.
        id: ProposalId,
        /// The proof, with one signature.
        decision: SignedDecision,
    },
    /// An approver needs a one-time code for every yes from now on.
    CodesSet {
        /// Who.
        approver: ApproverId,
        /// The step of the code that confirmed it.
        step: u64,
    },
    /// An approver needs no one-time code any more.
    CodesRemoved {
        /// Who.
        approver: ApproverId,
        /// Who signed that.
        by: ApproverId,
    },
    /// A one-time code was used: its step and those before it count no more.
    CodeUsed {
        /// Whose.
        approver: ApproverId,
        /// The step, of 30 seconds each since 1970.
        step: u64,
    },
    /// A wrong one-time code was given.
    CodeWrong {
        /// For whom.
        approver: ApproverId,
    },
    /// A chain of evidence is shorter than its signed head, differs from it, or does not hold.
    Alarm {
        /// The journal's identifier for it.
        id: ProposalId,
        /// Which chain.
        log: Log,
        /// What is wrong with it.
        what: String,
    },
    /// A person took note of an alarm; the chain is watched again from how it lay there then.
    Acknowledged {
        /// Which chain.
        log: Log,
        /// Who.
        by: ApproverId,
        /// Why it may stay so.
        reason: String,
        /// From where on it is watched.
        head: Box<Head>,
    },
    /// An action was opened, parsed, judged and kept; it stands where the judgement takes it.
    ActionTaken(Box<ActionTaken>),
    /// A person allowed an action, with the approver's key.
    ActionDecided {
        /// The action.
        id: ProposalId,
        /// The proof.
        decision: SignedActionDecision,
    },
    /// An action that waited for a person is rejected, or was taken back.
    ActionRejected {
        /// The action.
        id: ProposalId,
        /// By whom.
        actor: String,
        /// Why.
        reason: String,
    },
    /// An action's child is being started; it never is again.
    ActionStarted {
        /// The action.
        id: ProposalId,
    },
    /// What came of an action.
    ActionDone {
        /// The action.
        id: ProposalId,
        /// The result, or where it is kept.
        result: Kept,
    },
    /// A standing permission was taken back.
    AllowanceRemoved {
        /// The action with which it was given.
        id: ProposalId,
        /// Who took it back.
        by: ApproverId,
    },
    /// A plugin became active, or another version of it; raises the manifest's serial.
    PluginInstalled {
        /// The manifest's entry, with the approver's yes.
        plugin: Box<Plugin>,
        /// What runs.
        facts: Box<Facts>,
    },
    /// A plugin is no longer active; raises the manifest's serial.
    PluginRemoved {
        /// The plugin.
        name: SkillName,
        /// Who decided.
        by: ApproverId,
        /// Why.
        reason: String,
        /// The proof.
        removal: SignedRemoval,
    },
    /// Something about a schedule.
    Schedule {
        /// The schedule.
        name: WorkflowName,
        /// What is told.
        #[serde(flatten)]
        told: Told,
    },
}

/// A proposal as it was taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Taken {
    /// The proposal, checked.
    pub proposal: Proposal,
    /// The folder in which it lay; what the file says of its profile does not count.
    pub profile: ProfileId,
    /// The file's name.
    pub file: String,
    /// SHA-256 of the snapshot.
    pub spec_sha256: Digest,
    /// The source, where a person handed one in with it; nothing is written then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
}

/// An action as it was taken in, with its judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionTaken {
    /// The action.
    #[serde(flatten)]
    pub taken: Taken,
    /// What the admin's own policy said.
    pub judged: Judged,
}

/// A source that came with a proposal: one that is rolled back to, or imported. It is reviewed as any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// Who handed it in.
    pub by: ApproverId,
    /// Where it comes from, as in `rollback to version 2`.
    pub author: String,
    /// SHA-256 of the source.
    pub source_sha256: Digest,
    /// The digest that the module had where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_sha256: Option<Digest>,
}

/// A present approver's signature over the decision of a skill that is installed already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Countersigned {
    /// The skill.
    pub skill: SkillName,
    /// The signature over the text of its decision.
    pub by: Countersignature,
}

/// The digests of a complete package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewed {
    /// SHA-256 of the canonical source.
    pub source_sha256: Digest,
    /// SHA-256 of the module.
    pub module_sha256: Digest,
    /// SHA-256 of the report.
    pub report_sha256: Digest,
    /// The serial that the analysis was made against.
    pub manifest_serial: u64,
    /// What the program recommends.
    pub recommendation: Recommendation,
}

/// What the program recommends; a person decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recommendation {
    /// Nothing was found.
    #[serde(rename = "APPROVE")]
    Approve,
    /// Something was found that should be read.
    #[serde(rename = "APPROVE WITH NOTE")]
    ApproveWithNote,
    /// A dangerous combination, or every trial failed.
    #[serde(rename = "REJECT")]
    Reject,
}

impl Recommendation {
    /// The words that a person reads.
    pub fn as_str(self) -> &'static str {
        match self {
            Recommendation::Approve => "APPROVE",
            Recommendation::ApproveWithNote => "APPROVE WITH NOTE",
            Recommendation::Reject => "REJECT",
        }
    }
}
