//! One attempted call, before it becomes a link of the chain.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_types::action::Reached;
use shared_types::risk::Risk;

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It was made, and answered.
    Allowed,
    /// It was not made.
    Denied,
    /// It was made, and failed.
    Failed,
}

impl Status {
    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Allowed => "allowed",
            Status::Denied => "denied",
            Status::Failed => "failed",
        }
    }
}

/// One attempt, as the dispatcher knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt<'a> {
    /// The conversation, or the workflow's run.
    pub conversation: &'a str,
    /// The tool, by its full name.
    pub tool: &'a str,
    /// The arguments; only their digest is kept.
    pub args: &'a Value,
    /// The answer, or the reason why there is none; only its digest is kept.
    pub result: &'a str,
    /// What became of it.
    pub status: Status,
    /// Who let it happen: `policy`, `person`, or the approver's name.
    pub approved_by: &'a str,
    /// The risk at which it was judged.
    pub risk: Risk,
    /// The hosts that were asked for, each with the bytes that went there and came from there.
    pub network: &'a [Reached],
}
