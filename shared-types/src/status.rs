//! The statuses of a proposal and the table of what may follow what.
//!
//! ```text
//! new -> discovered -> implementation -> agent-review -> human-review -> accepted -> removed
//!                           ^------ repair, bounded -----'  |
//!                                        ^--- edited by the reviewer
//! any -> rejected          rejected -> human-review (taken back by a person while the package is there)
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

mod wait;

pub use wait::Wait;

/// Where a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The bot wrote it; nothing has been done.
    New,
    /// Opened safely, parsed, validated, kept.
    Discovered,
    /// Its source is being written.
    Implementation,
    /// Its source is being scanned, compiled, compared and tried.
    AgentReview,
    /// It waits for a person.
    HumanReview,
    /// A person said yes, and it is installed.
    Accepted,
    /// It will not be installed; the reason is recorded.
    Rejected,
    /// It was installed and is not any more.
    Removed,
}

impl Status {
    /// Every status, in the order of the path.
    pub const ALL: [Status; 8] = [
        Status::New,
        Status::Discovered,
        Status::Implementation,
        Status::AgentReview,
        Status::HumanReview,
        Status::Accepted,
        Status::Rejected,
        Status::Removed,
    ];

    /// The status' spelling in files and on screens.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::Discovered => "discovered",
            Status::Implementation => "implementation",
            Status::AgentReview => "agent-review",
            Status::HumanReview => "human-review",
            Status::Accepted => "accepted",
            Status::Rejected => "rejected",
            Status::Removed => "removed",
        }
    }

    /// Whether the program does nothing more with it: what follows is a person's, a removal or a rejection that is taken back.
    pub fn is_settled(self) -> bool {
        matches!(self, Status::Accepted | Status::Rejected | Status::Removed)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who opens a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The program, when the stage before is done.
    Auto,
    /// A person, with the approver's key where something is installed.
    Human,
}

/// Every legal move and its gate; what is not listed is refused.
pub const TRANSITIONS: [(Status, Status, Gate); 14] = [
    (Status::New, Status::Discovered, Gate::Auto),
    (Status::Discovered, Status::Implementation, Gate::Auto),
    (Status::Implementation, Status::AgentReview, Gate::Auto),
    (Status::AgentReview, Status::HumanReview, Gate::Auto),
    (Status::AgentReview, Status::Implementation, Gate::Auto),
    (Status::HumanReview, Status::AgentReview, Gate::Human),
    (Status::HumanReview, Status::Accepted, Gate::Human),
    (Status::Accepted, Status::Removed, Gate::Human),
    (Status::New, Status::Rejected, Gate::Auto),
    (Status::Discovered, Status::Rejected, Gate::Auto),
    (Status::Implementation, Status::Rejected, Gate::Auto),
    (Status::AgentReview, Status::Rejected, Gate::Auto),
    // By the program too: a skill installed since may have made it a violation.
    (Status::HumanReview, Status::Rejected, Gate::Auto),
    // A person takes a rejection back, as long as the package is there.
    (Status::Rejected, Status::HumanReview, Gate::Human),
];

/// The gate between two statuses, or `None` where there is no way.
pub fn gate(from: Status, to: Status) -> Option<Gate> {
    TRANSITIONS.iter().find(|(f, t, _)| (*f, *t) == (from, to)).map(|(_, _, gate)| *gate)
}

/// Every legal move of an action and its gate; what is not listed is refused, and of skills nothing holds here.
///
/// ```text
/// new -> discovered -> agent-review -> accepted          allowed by the policy, or by a grant
///                            |-> human-review -> accepted        allowed by a person
/// any before accepted -> rejected
/// ```
///
/// `accepted` means allowed: what came of it follows as its result, and nothing moves it any more.
pub const ACTION_TRANSITIONS: [(Status, Status, Gate); 9] = [
    (Status::New, Status::Discovered, Gate::Auto),
    (Status::Discovered, Status::AgentReview, Gate::Auto),
    (Status::AgentReview, Status::Accepted, Gate::Auto),
    (Status::AgentReview, Status::HumanReview, Gate::Auto),
    (Status::HumanReview, Status::Accepted, Gate::Human),
    (Status::New, Status::Rejected, Gate::Auto),
    (Status::Discovered, Status::Rejected, Gate::Auto),
    (Status::AgentReview, Status::Rejected, Gate::Auto),
    // By the program too: the person who asked may take it back.
    (Status::HumanReview, Status::Rejected, Gate::Auto),
];

/// The gate between two statuses of an action, or `None` where there is no way.
pub fn action_gate(from: Status, to: Status) -> Option<Gate> {
    ACTION_TRANSITIONS.iter().find(|(f, t, _)| (*f, *t) == (from, to)).map(|(_, _, gate)| *gate)
}

#[cfg(test)]
mod tests;
