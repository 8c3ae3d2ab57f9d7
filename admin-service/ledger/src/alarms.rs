//! The alarms about chains of evidence, as the journal tells them.

use std::collections::BTreeMap;

use receipts::head::{Head, Log};
use shared_types::id::ProposalId;

use super::record::AlarmRecord;

/// An alarm that no person has acknowledged yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// The journal's identifier for it.
    pub id: ProposalId,
    /// What is wrong with the chain.
    pub what: String,
    /// When it was raised, in RFC 3339.
    pub at: String,
}

/// The alarms, and from where on acknowledged chains are watched.
#[derive(Debug, Clone, Default)]
pub struct Alarms {
    open: BTreeMap<Log, Alarm>,
    acknowledged: BTreeMap<Log, Head>,
}

impl Alarms {
    /// Lets the state follow a record.
    pub(super) fn follow(&mut self, at: &str, record: AlarmRecord) {
        match record {
            AlarmRecord::Raised { id, log, what } => {
                self.open.entry(log).or_insert(Alarm { id, what, at: at.to_owned() });
            }
            AlarmRecord::Acknowledged { log, head, .. } => {
                self.open.remove(&log);
                self.acknowledged.insert(log, *head);
            }
        }
    }

    /// Forgets a chain that was removed on purpose.
    pub(super) fn forget(&mut self, log: &Log) {
        self.open.remove(log);
        self.acknowledged.remove(log);
    }

    /// The alarms that are open.
    pub fn open(&self) -> impl Iterator<Item = (&Log, &Alarm)> {
        self.open.iter()
    }

    /// The alarm of a chain.
    pub fn of(&self, log: &Log) -> Option<&Alarm> {
        self.open.get(log)
    }

    /// From where on a chain is watched whose last alarm was acknowledged.
    pub fn acknowledged(&self, log: &Log) -> Option<&Head> {
        self.acknowledged.get(log)
    }
}
