//! What an approver signs.

use serde::{Deserialize, Serialize};

use crate::approvers::Approvers;
use crate::capability::TokenSet;
use crate::id::{ApproverId, Digest, EventType, HostName, ProfileId, ProposalId, SecretName, SkillName};
use crate::passkey::Passkey;
use crate::proposal::Scope;
use crate::recipients::Recipients;
use crate::signature::{Claim, SignatureError, Verifier};

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

/// A decision as it travels: the exact signed text and its signatures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedDecision {
    /// The decision as canonical JSON (RFC 8785); these bytes are signed.
    pub text: String,
    /// The signature of the approver that the text names.
    pub signature: String,
    /// Signatures of other approvers over the same text: of the second person, or of whoever stands in for one who left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Countersignature>,
}

/// Another approver's signature over the text of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Countersignature {
    /// Whose.
    pub approver: ApproverId,
    /// The signature.
    pub signature: String,
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
    /// A rule asks for two persons.
    #[error("its tokens need the yes of two approvers, and only `{0}` gave one")]
    NeedsSecond(ApproverId),
}

/// A decision with those whose signatures over it hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighed {
    /// What was decided.
    pub decision: Decision,
    /// Present approvers who signed it; at least one, nobody twice.
    pub signers: Vec<ApproverId>,
    /// How many the rules ask for.
    pub needed: usize,
}

impl Approvers {
    /// Checks that somebody who may decide now signed a text.
    ///
    /// # Errors
    /// An approver who is not listed, or a signature that does not hold.
    pub fn check(&self, approver: &ApproverId, signature: &str, text: &[u8]) -> Result<(), DecisionError> {
        self.check_by(&Verifier::default(), approver, signature, text)
    }

    fn check_by(
        &self,
        verifier: &Verifier<'_>,
        approver: &ApproverId,
        signature: &str,
        bytes: &[u8],
    ) -> Result<(), DecisionError> {
        let Some(listed) = self.named(approver) else {
            return Err(DecisionError::UnknownApprover(approver.clone()));
        };
        listed
            .verify_by(verifier, signature, bytes)
            .map_err(|source| DecisionError::Signature { approver: approver.clone(), source })
    }
}

impl SignedDecision {
    /// A decision with one signature.
    pub fn new(text: String, signature: String) -> SignedDecision {
        SignedDecision { text, signature, others: vec![] }
    }

    /// Checks that enough present approvers signed, and hands out the decision that they signed.
    ///
    /// # Errors
    /// An unreadable text, signatures that do not hold or of people who are not listed, or too few of them.
    pub fn verify(&self, approvers: &Approvers) -> Result<Decision, DecisionError> {
        self.verify_by(approvers, &Verifier::default())
    }

    /// As [`SignedDecision::verify`], by a verifier that may have checked the signatures already.
    ///
    /// # Errors
    /// The same.
    pub fn verify_by(
        &self,
        approvers: &Approvers,
        verifier: &Verifier<'_>,
    ) -> Result<Decision, DecisionError> {
        let mut weighed = self.weigh_by(approvers, verifier)?;
        if weighed.signers.len() < weighed.needed {
            return Err(DecisionError::NeedsSecond(weighed.signers.swap_remove(0)));
        }
        Ok(weighed.decision)
    }

    /// Finds who of the present approvers signed. A signature of somebody who is no approver any more counts for nothing:
    /// a key that was taken off the list could have signed it yesterday under any date.
    ///
    /// # Errors
    /// An unreadable text, or nobody whose signature holds: then the first reason.
    pub fn weigh(&self, approvers: &Approvers) -> Result<Weighed, DecisionError> {
        self.weigh_by(approvers, &Verifier::default())
    }

    fn weigh_by(&self, approvers: &Approvers, verifier: &Verifier<'_>) -> Result<Weighed, DecisionError> {
        let decision = self.read()?;
        let (mut signers, mut wrong): (Vec<ApproverId>, _) = (vec![], None);
        for (approver, signature) in self.signed_by(&decision.approver) {
            match approvers.check_by(verifier, approver, signature, self.text.as_bytes()) {
                Ok(()) if signers.contains(approver) => {}
                Ok(()) => signers.push(approver.clone()),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        if signers.is_empty() {
            return Err(wrong.unwrap_or_else(|| DecisionError::UnknownApprover(decision.approver.clone())));
        }
        let needed = approvers.signers_for(&decision.capabilities);
        Ok(Weighed { decision, signers, needed })
    }

    /// The signatures of present approvers, to be checked in one batch with those of other decisions. A passkey's are not among
    /// them: each is checked by itself.
    pub fn claims<'a>(&'a self, approvers: &'a Approvers) -> Vec<Claim<'a>> {
        let Ok(decision) = self.read() else { return vec![] };
        let bytes = self.text.as_bytes();
        let key = |approver| approvers.named(approver).map(|listed| listed.public_key.as_str());
        let key = |approver| key(approver).filter(|key| !Passkey::is_one(key));
        let signed = self.signed_by(&decision.approver);
        signed
            .filter_map(|(approver, signature)| Some(Claim { key: key(approver)?, signature, bytes }))
            .collect()
    }

    /// Each signature with the name of its approver.
    fn signed_by<'a: 'f, 'f>(
        &'a self,
        first: &'f ApproverId,
    ) -> impl Iterator<Item = (&'f ApproverId, &'a str)> {
        let others = self.others.iter().map(|other| (&other.approver, other.signature.as_str()));
        std::iter::once((first, self.signature.as_str())).chain(others)
    }

    /// Whether a signature in the name of this approver is there; it is not judged.
    pub fn names(&self, approver: &ApproverId) -> bool {
        self.read().is_ok_and(|decision| self.signed_by(&decision.approver).any(|(by, _)| by == approver))
    }

    /// The decision, its signatures not judged.
    ///
    /// # Errors
    /// A text that is no decision.
    pub fn read(&self) -> Result<Decision, DecisionError> {
        serde_json::from_str(&self.text)
            .map_err(|e| DecisionError::Unreadable(crate::text::cut(&e.to_string(), 200)))
    }
}
