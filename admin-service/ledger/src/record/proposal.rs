//! What the journal says of proposals.

use serde::{Deserialize, Serialize};
use shared_types::decision::Decision;
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId};
use shared_types::manifest::Learned;
use shared_types::proposal::{Fault, Proposal};
use shared_types::signed::Signed;
use shared_types::status::{Status, Wait};

use crate::attempt::{Author, Objection};

/// A file was looked at for the first time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum IntakeRecord {
    /// A proposal was opened, parsed and kept; its status is `new`.
    Taken(Box<Received>),
    /// A file was not a proposal; it is remembered so that it is reported once.
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
}

/// Something happened to a proposal that was taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProposalRecord {
    /// The proposal.
    pub id: ProposalId,
    /// What happened.
    #[serde(flatten)]
    pub event: ProposalEvent,
}

/// What happens to a proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum ProposalEvent {
    /// A proposal moved along the table.
    Moved {
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
        /// For what.
        on: Option<Wait>,
        /// In words, for the admin only.
        why: String,
    },
    /// A source was written and kept.
    Written {
        /// Counted from 1.
        attempt: u32,
        /// By which template or model.
        author: Author,
        /// SHA-256 of the source as it was handed in.
        source_sha256: Digest,
    },
    /// An attempt did not pass; the messages go back to the implementer.
    Wanting {
        attempt: u32,
        /// What was found.
        messages: Vec<Objection>,
    },
    /// A person handed in a source of their own; it moves the proposal from human-review to agent-review.
    Edited {
        /// Who edited it.
        by: ApproverId,
        /// The attempt that it is.
        attempt: u32,
        /// SHA-256 of the source as it was handed in.
        source_sha256: Digest,
    },
    /// A person's edit did not pass: the attempt before it is the one that counts again.
    EditDropped {
        /// The attempt that the edit was.
        attempt: u32,
        /// What was found.
        messages: Vec<Objection>,
    },
    /// The program would move a proposal, but the gate is a person's; it waits there.
    Held {
        /// To where.
        to: Status,
        /// Which part of the program would.
        actor: String,
        /// Why.
        reason: Option<String>,
    },
    /// A person sent back what the program would reject: its stage is done once more.
    SentBack {
        /// Who.
        by: ApproverId,
    },
    /// A person left a note with a proposal.
    Noted {
        /// Who wrote it.
        by: ApproverId,
        /// The note.
        text: String,
    },
    /// The file of a proposal changed after it was taken in; nothing follows from that.
    Changed {
        /// How it differs.
        what: String,
    },
    /// A file asked for what an open proposal asks for already; it is counted there and not taken in.
    Recurred {
        /// The folder in which the file lay.
        profile: ProfileId,
        /// Its name.
        file: String,
        /// SHA-256 of its bytes.
        digest: Digest,
    },
    /// A model was asked for a source; what it cost, regardless of the result.
    Spent {
        /// The attempt, counted from 1.
        attempt: u32,
        /// The implementer's name in the configuration.
        by: String,
        /// Tokens read and written: the server's figure, or an estimate from the bytes.
        tokens: u64,
        /// How long the model was asked.
        millis: u64,
    },
    /// A source was compiled, or its compiling failed; there is a daily budget of that.
    Compiled {
        /// Time of the compiler, in milliseconds.
        millis: u64,
    },
    /// A package is complete, or was analysed again.
    Reviewed {
        /// The digests of what a person will see.
        review: Reviewed,
    },
    /// The first of two persons said yes.
    FirstYes {
        /// The proof, with one signature.
        decision: Signed<Decision>,
    },
    /// A person said yes, with the approver's key.
    Decided {
        /// The proof.
        decision: Signed<Decision>,
    },
    /// A skill became active; raises the manifest's serial.
    Installed {
        /// The manifest's entry.
        entry: Box<Learned>,
    },
}

/// A proposal as it was taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Received {
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
