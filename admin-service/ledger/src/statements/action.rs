//! A person's yes to an action, as it is signed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId};

use super::Statement;

/// A person's yes: to which action of which profile, as it was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionDecision {
    /// Always `allow-action`, so that no other signed text can stand for one.
    pub verdict: Verdict,
    /// The action.
    pub id: ProposalId,
    /// Whose profile asks.
    pub profile: ProfileId,
    /// SHA-256 of what is asked for.
    pub action_sha256: Digest,
    /// SHA-256 of the judgement that was shown.
    pub judgement_sha256: Digest,
    /// What is to hold from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<Always>,
    /// Who decided.
    pub approver: ApproverId,
    /// When, in RFC 3339.
    pub decided_at: String,
}

/// The only verdict of a yes to an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is allowed.
    AllowAction,
}

/// What a yes adds that is to hold from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Always {
    /// Until when, in RFC 3339.
    pub until: String,
    /// The programs as they are now.
    pub programs: Vec<PinnedProgram>,
}

/// A program as somebody saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedProgram {
    /// As it is named in the line.
    pub name: String,
    /// Its place.
    pub path: PathBuf,
    /// SHA-256 of its bytes.
    pub sha256: Digest,
}

impl Statement for ActionDecision {
    const KIND: &'static str = "decision";

    fn approver(&self) -> &ApproverId {
        &self.approver
    }
}
