//! How an action was judged, and where its result is kept.

use serde::{Deserialize, Serialize};
use shared_types::action::ActionResult;
use shared_types::id::{Digest, ProposalId};
use shared_types::risk::Risk;
use shared_types::status::Status;

/// What the policy said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Runs,
    /// A person is asked.
    Asks,
    /// It never runs.
    Refused,
}

impl Verdict {
    /// Where the policy alone takes an action.
    pub fn leads_to(self) -> Status {
        match self {
            Verdict::Runs => Status::Accepted,
            Verdict::Asks => Status::HumanReview,
            Verdict::Refused => Status::Rejected,
        }
    }
}

/// One program of a line, as it was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedPart {
    /// Its words, quoted.
    pub shown: String,
    /// What it could do.
    pub risk: Risk,
    pub rule: String,
    pub why: String,
}

/// The judgement, made by the admin alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// What becomes of it.
    pub verdict: Verdict,
    /// The risk of the whole.
    pub risk: Risk,
    /// The rule that decided.
    pub rule: String,
    /// Why, with a next step where it is refused.
    pub why: String,
    /// Each program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<JudgedPart>,
    /// SHA-256 of what would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Digest>,
    /// The standing permission that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowance: Option<ProposalId>,
}

/// Where a result is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// In the record itself.
    Here(ActionResult),
    /// In a file of the admin's with this SHA-256.
    Beside(Digest),
}
