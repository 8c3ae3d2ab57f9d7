//! What can be wrong with the journal.

use std::fmt;
use std::path::PathBuf;

use shared_types::id::ProposalId;
use shared_types::status::Status;

/// Why the journal does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A link of the chain is broken.
    #[error("the journal: {0}")]
    Chain(String),
    /// Its signed head cannot be believed.
    #[error("the journal's head {}: {what}", path.display())]
    Head {
        /// The head's file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// It ends before the record that was signed.
    #[error(
        "the journal: {}: line {}: missing; the journal ends after record {records}, but record {signed} was signed",
        path.display(),
        records + 1
    )]
    Shorter {
        /// The journal.
        path: PathBuf,
        /// How many records it has.
        records: u64,
        /// The record that was signed.
        signed: u64,
    },
    /// The record that was signed is another one.
    #[error(
        "the journal: {}: line {record}: not the record that was signed; this is another journal, or one made anew",
        path.display()
    )]
    Differs {
        /// The journal.
        path: PathBuf,
        record: u64,
    },
    /// A record moves something as no table allows.
    #[error("the journal: {}: record {record}: {illegal}; no table of moves lists that", path.display())]
    Illegal {
        /// The journal.
        path: PathBuf,
        /// The record, counted from 1.
        record: u64,
        /// The move.
        illegal: Illegal,
    },
}

/// Where a proposal or an action stands, as far as a record moves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// The journal does not know it.
    Unknown,
    /// In a status of the table.
    At(Status),
    /// Accepted, and its child was started.
    Started,
    /// Accepted, and its result is on record.
    Done,
}

/// A record that no table allows where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{id} cannot go from {from} to {to}")]
pub struct Illegal {
    /// The proposal or action.
    pub id: ProposalId,
    /// Where it stands.
    pub from: Stand,
    /// Where the record would take it.
    pub to: Stand,
}

impl fmt::Display for Stand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stand::Unknown => f.write_str("nowhere"),
            Stand::At(status) => status.fmt(f),
            Stand::Started => f.write_str("started"),
            Stand::Done => f.write_str("done"),
        }
    }
}
