//! What can be wrong with the journal.

use std::path::PathBuf;

use super::legal::Illegal;

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
        /// The record.
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
