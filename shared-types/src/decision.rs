//! What an approver signs to let a skill in.

use serde::{Deserialize, Serialize};

use crate::approvers::Approvers;
use crate::capability::TokenSet;
use crate::id::{ApproverId, Digest, EventType, HostName, ProfileId, ProposalId, SecretName, SkillName};
use crate::proposal::Scope;
use crate::recipients::Recipients;
use crate::signed::Statement;

/// A person's yes to one package: all that it grants, and the digests of all that was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Always `approve`: what is refused needs no proof.
    pub verdict: Verdict,
    /// The proposal.
    pub proposal_id: ProposalId,
    /// The profile that asked.
    pub profile_id: ProfileId,
    /// The skill.
    pub name: SkillName,
    /// The version that becomes active.
    pub version: u32,
    /// The version that it replaces; 0 for a new skill.
    pub base_version: u32,
    /// The serial of the manifest that the analysis was made against.
    pub manifest_serial: u64,
    /// SHA-256 of the proposal's snapshot.
    pub spec_sha256: Digest,
    /// SHA-256 of the canonical source.
    pub source_sha256: Digest,
    /// SHA-256 of the module.
    pub module_sha256: Digest,
    /// SHA-256 of the report.
    pub report_sha256: Digest,
    /// SHA-256 of what the skill says about itself: the assistant reads it and routes by it.
    pub described_sha256: Digest,
    /// The tokens granted: those derived from the module's imports.
    pub capabilities: TokenSet,
    /// The hosts granted.
    pub network: Vec<HostName>,
    /// The secrets granted, by name.
    pub secrets: Vec<SecretName>,
    /// How far memory reaches.
    pub memory_scope: Scope,
    /// How far files reach.
    pub file_scope: Scope,
    /// The events granted to be sent.
    pub emits_events: Vec<EventType>,
    /// The events granted to be received.
    pub handles_events: Vec<EventType>,
    /// The profiles that get the skill; the key is missing where every one does.
    #[serde(default, skip_serializing_if = "Recipients::is_everyone")]
    pub recipients: Recipients,
    /// Who decided.
    pub approver: ApproverId,
    /// When, in RFC 3339.
    pub decided_at: String,
}

/// The only verdict that is signed. It is read as a text and in no other form: by it a reader elsewhere, such as the signing page,
/// knows what it looks at, and a variant could else stand as `{"approve":null}` too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Verdict {
    /// Yes.
    Approve,
}

impl TryFrom<String> for Verdict {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text == "approve" { Ok(Verdict::Approve) } else { Err("the verdict is not `approve`") }
    }
}

impl From<Verdict> for String {
    fn from(Verdict::Approve: Verdict) -> String {
        "approve".to_owned()
    }
}

impl Statement for Decision {
    const KIND: &'static str = "decision";
    const BY_SEVERAL: bool = true;

    fn approver(&self) -> &ApproverId {
        &self.approver
    }

    fn signers(&self, approvers: &Approvers) -> usize {
        approvers.signers_for(&self.capabilities)
    }
}
