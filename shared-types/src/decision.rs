//! What an approver signs, and who the approvers are.

use serde::{Deserialize, Serialize};

use crate::capability::TokenSet;
use crate::id::{ApproverId, Digest, EventType, HostName, ProfileId, ProposalId, SecretName, SkillName};
use crate::proposal::Scope;
use crate::signature::{self, SignatureError};

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
    /// Who decided.
    pub approver: ApproverId,
    /// When, in RFC 3339.
    pub decided_at: String,
}

/// The only verdict that is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Yes.
    Approve,
}

/// A decision as it travels: the exact signed text and its signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedDecision {
    /// The decision as canonical JSON (RFC 8785); these bytes are signed.
    pub text: String,
    /// The approver's signature over the text.
    pub signature: String,
}

/// One person who may decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approver {
    /// The name.
    pub id: ApproverId,
    /// The public key, base64 as minisign prints it.
    pub public_key: String,
    /// Whether the secret key asks for a passphrase, as the admin found it; a minor's profile starts only then.
    #[serde(default)]
    pub passphrase: bool,
}

/// `config/approvers.yaml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approvers {
    /// All who may decide.
    pub approvers: Vec<Approver>,
}

impl Approvers {
    /// Checks that every approver's key asks for a passphrase; a list without anybody guards nothing.
    ///
    /// # Errors
    /// The first approver whose key does not, or `None` where nobody is listed.
    pub fn all_have_passphrases(&self) -> Result<(), Option<&ApproverId>> {
        match self.approvers.iter().find(|approver| !approver.passphrase) {
            Some(approver) => Err(Some(&approver.id)),
            None if self.approvers.is_empty() => Err(None),
            None => Ok(()),
        }
    }
}

impl Approvers {
    /// Checks that one of the listed approvers signed a text.
    ///
    /// # Errors
    /// An approver who is not listed, or a signature that does not hold.
    pub fn check(&self, approver: &ApproverId, signature: &str, text: &[u8]) -> Result<(), DecisionError> {
        let Some(listed) = self.approvers.iter().find(|a| a.id == *approver) else {
            return Err(DecisionError::UnknownApprover(approver.clone()));
        };
        signature::verify(&listed.public_key, signature, text)
            .map_err(|source| DecisionError::Signature { approver: listed.id.clone(), source })
    }
}

/// A decision that proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// The text is not a decision.
    #[error("the decision cannot be read: {0}")]
    Unreadable(String),
    /// The approver is not listed.
    #[error("`{0}` is not an approver")]
    UnknownApprover(ApproverId),
    /// The signature does not hold.
    #[error("the decision of `{approver}`: {source}")]
    Signature {
        /// Who is said to have decided.
        approver: ApproverId,
        /// What is wrong.
        source: SignatureError,
    },
}

impl SignedDecision {
    /// Checks the signature against the approvers and hands out the decision that it covers.
    ///
    /// # Errors
    /// An unreadable text, an approver who is not listed, or a signature that does not hold.
    pub fn verify(&self, approvers: &Approvers) -> Result<Decision, DecisionError> {
        let decision: Decision = serde_json::from_str(&self.text)
            .map_err(|e| DecisionError::Unreadable(crate::text::cut(&e.to_string(), 200)))?;
        approvers.check(&decision.approver, &self.signature, self.text.as_bytes())?;
        Ok(decision)
    }
}
