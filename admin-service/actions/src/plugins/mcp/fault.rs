//! Why a server gave no answer.

use std::io;

use base::error::Error;
use base::scratch::{OF_ONE, Over};
use builder::workers::ChildFault;
use models::{Endpoint, TransportError};

use super::frames::Malformed;
use crate::plugins::credential::NotFilled;

/// Why a server gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It took too long.
    #[error("it did not answer in time")]
    Late,
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// It is gone.
    #[error("it ended{0}")]
    Ended(Ending),
    /// Its program was not started; why.
    #[error("it was not started: {0}")]
    NotStarted(String),
    /// It filled its folder, and was ended; with what, where that is known.
    #[error("it was ended: {}", .0.map_or_else(overfull, |over| over.to_string()))]
    Overfull(Option<Over>),
    /// It says something that the protocol does not.
    #[error("it does not keep to the protocol: {0}")]
    Protocol(ProtocolFault),
    /// What it says could not be read.
    #[error("its messages cannot be read: {0}")]
    Unread(ReaderFault),
    /// Its tools are not those that were approved.
    #[error("its tools changed since they were approved")]
    Changed,
    /// It answers with an error.
    #[error("it answers with error {code}: {message}")]
    Error {
        /// The number.
        code: i64,
        /// Its words, safe to show.
        message: String,
    },
    /// It cannot be reached, or may not.
    #[error("{0}")]
    Unreachable(Hindrance),
}

impl From<ProtocolFault> for Fault {
    fn from(fault: ProtocolFault) -> Fault {
        Fault::Protocol(fault)
    }
}

impl From<ReaderFault> for Fault {
    fn from(fault: ReaderFault) -> Fault {
        Fault::Unread(fault)
    }
}

impl From<Hindrance> for Fault {
    fn from(hindrance: Hindrance) -> Fault {
        Fault::Unreachable(hindrance)
    }
}

fn overfull() -> String {
    format!("it wrote more than {} MB or {} files", OF_ONE.bytes >> 20, OF_ONE.entries)
}

/// How a server ended.
#[derive(Debug, thiserror::Error)]
pub enum Ending {
    /// Without a word.
    #[error("")]
    Silent,
    /// The last line of what it complained about.
    #[error("; its last words: {0}")]
    Words(String),
    /// A pipe to it broke.
    #[error("; {0}")]
    Pipe(io::Error),
    /// It knows the conversation no more.
    #[error("; the session is over")]
    Session,
}

/// What the protocol does not allow.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolFault {
    /// As the child that reads it says; safe to show.
    #[error("{0}")]
    Said(String),
    /// A message of more bytes than these.
    #[error("a message of it is longer than {0} bytes")]
    Long(usize),
    /// A session's name that no header takes.
    #[error("the name of its session does not fit")]
    Session,
    /// More tools than these.
    #[error("it lists more than {0} tools")]
    Tools(usize),
}

/// Why the confined child that reads a server's messages gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ReaderFault {
    /// The system ended it.
    #[error("they take more memory or processor time than the child that reads them has (signal {0})")]
    Killed(i32),
    /// It ended otherwise.
    #[error("the child that reads them: {0}")]
    Child(ChildFault),
    /// It said what no child of ours says.
    #[error("the child that reads them: {0}")]
    Malformed(#[from] Malformed),
    /// It said something at the wrong time.
    #[error("the child that reads them answers what was not asked")]
    Unasked,
}

/// What keeps a server from being reached.
#[derive(Debug, thiserror::Error)]
pub enum Hindrance {
    /// The system refuses a thread, a descriptor or the child.
    #[error("{0}")]
    System(io::Error),
    /// Its jail or folder cannot be made.
    #[error("{0}")]
    Own(Error),
    /// Its address cannot be used.
    #[error("{url}: {why}")]
    Address {
        /// The address.
        url: String,
        why: <Endpoint as std::str::FromStr>::Err,
    },
    /// A secret of a header is not there, or not for this server.
    #[error("{0}")]
    Credential(#[from] NotFilled),
    /// The way there.
    #[error("{0}")]
    Transport(TransportError),
    /// It points elsewhere.
    #[error("{endpoint} answers with a redirect ({status}), which is not followed")]
    Redirect {
        /// The address.
        endpoint: Endpoint,
        /// The HTTP status.
        status: u16,
    },
    /// It answers with no success.
    #[error("{endpoint} answers with status {status}")]
    Status {
        /// The address.
        endpoint: Endpoint,
        /// The HTTP status.
        status: u16,
    },
}
