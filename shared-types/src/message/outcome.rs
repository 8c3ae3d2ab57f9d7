//! What came of a turn, in one word.

use serde::{Deserialize, Serialize};

use super::{Reply, TurnResult};
use crate::exit;

/// What came of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnOutcome {
    /// The line is answered.
    #[default]
    Answered,
    /// The answer says that there is none, or offers to ask for the ability.
    Unknown,
    /// A call of a tool was denied and nothing took its place, or the line is not taken.
    Denied,
    /// A proposal was written.
    Proposed,
    /// What the person wanted did not happen.
    Failed,
    /// The person did not want to wait.
    Cancelled,
}

impl TurnOutcome {
    /// The exit code that tells it.
    pub fn exit_code(self) -> u8 {
        match self {
            TurnOutcome::Answered | TurnOutcome::Unknown | TurnOutcome::Proposed => exit::DONE,
            TurnOutcome::Denied => exit::REFUSED,
            TurnOutcome::Failed | TurnOutcome::Cancelled => exit::FAILED,
        }
    }
}

impl TurnResult {
    /// What came of the turn.
    pub fn outcome(&self) -> TurnOutcome {
        match self {
            TurnResult::Reply(reply) => reply.outcome(),
            TurnResult::Refused { .. } => TurnOutcome::Denied,
            TurnResult::Failed { .. } => TurnOutcome::Failed,
            TurnResult::Cancelled { .. } => TurnOutcome::Cancelled,
        }
    }
}

impl Reply {
    /// What came of the turn; a learned skill may say `incomplete` alone.
    fn outcome(&self) -> TurnOutcome {
        if self.incomplete { TurnOutcome::Failed } else { self.outcome }
    }
}
