//! Standing permissions, as the journal tells them.

use jiff::Timestamp;
use shared_types::action::Action;
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId};

use super::action_ticket::ActionTicket;
use super::statements::action::Always;

/// A standing permission; it never includes the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The action with which it was given.
    pub id: ProposalId,
    /// For whom.
    pub profile: ProfileId,
    /// SHA-256 of what may run.
    pub plan: Digest,
    /// SHA-256 of the input that goes with it.
    pub stdin: Digest,
    /// The line as it was asked for; others wrote it.
    pub line: String,
    /// Until when and with which programs.
    pub always: Always,
    /// By whom.
    pub by: ApproverId,
}

impl Allowance {
    /// The permission that a decided action brought, if it did.
    pub fn of(case: &ActionTicket) -> Option<Allowance> {
        let decision = case.decision()?.read().ok()?;
        let Some(Action::Shell { line, stdin, network: false, .. }) = case.action() else { return None };
        Some(Allowance {
            id: case.id().clone(),
            profile: case.taken().profile.clone(),
            plan: case.judged().plan.clone()?,
            stdin: Digest::of(stdin.as_bytes()),
            line: line.clone(),
            always: decision.always?,
            by: decision.approver,
        })
    }

    /// Whether it is over at a time.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.always.until.parse::<Timestamp>().map_or(true, |until| until <= now)
    }
}
