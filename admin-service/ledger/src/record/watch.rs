//! What the journal says of the watch over chains, and of schedules.

use receipts::head::{Head, Log};
use serde::{Deserialize, Serialize};
use shared_types::id::{ApproverId, ProposalId, WorkflowName};

use crate::schedules::ScheduleEvent;

/// Something about the watch over the chains of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum AlarmRecord {
    /// A chain of evidence is shorter than its signed head, differs from it, or does not hold.
    #[serde(rename = "alarm")]
    Raised {
        /// The journal's identifier for it.
        id: ProposalId,
        /// Which chain.
        log: Log,
        /// What is wrong with it.
        what: String,
    },
    /// A person took note of an alarm; the chain is watched again from how it lay there then.
    Acknowledged {
        /// Which chain.
        log: Log,
        /// Who.
        by: ApproverId,
        /// Why it may stay so.
        reason: String,
        /// From where on it is watched.
        head: Box<Head>,
    },
}

/// Something about a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename = "schedule")]
pub struct ScheduleRecord {
    /// The schedule.
    pub name: WorkflowName,
    /// What is reported.
    #[serde(flatten)]
    pub told: ScheduleEvent,
}
