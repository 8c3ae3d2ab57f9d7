//! What the journal says of actions.

use serde::{Deserialize, Serialize};
use shared_types::id::{ApproverId, ProposalId};

use super::proposal::Received;
use crate::judgement::{Judged, Kept};
use crate::statements::Signed;
use crate::statements::action::ActionDecision;

/// Something about an action or a standing permission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum ActionRecord {
    /// An action was opened, parsed, judged and kept; it stands where the judgement takes it.
    #[serde(rename = "action-taken")]
    Taken(Box<ActionTaken>),
    /// A person allowed an action, with the approver's key.
    #[serde(rename = "action-decided")]
    Decided {
        /// The action.
        id: ProposalId,
        /// The proof.
        decision: Signed<ActionDecision>,
    },
    /// An action that waited for a person is rejected, or was taken back.
    #[serde(rename = "action-rejected")]
    Rejected {
        /// The action.
        id: ProposalId,
        /// By whom.
        actor: String,
        /// Why.
        reason: String,
    },
    /// An action's child is being started; it never is again.
    #[serde(rename = "action-started")]
    Started {
        /// The action.
        id: ProposalId,
    },
    /// What came of an action.
    #[serde(rename = "action-done")]
    Done {
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
}

/// An action as it was taken in, with its judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionTaken {
    /// The action.
    #[serde(flatten)]
    pub taken: Received,
    /// What the admin's own policy said.
    pub judged: Judged,
}
