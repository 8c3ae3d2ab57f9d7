//! Why a server gave no answer.

use std::io;

use base::error::Error;
use base::scratch::{OF_ONE, Over};
use models::sse::SseError;
use models::{Endpoint, TransportError};

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

impl Fault {
    /// Whether a server answered that it does not take a request.
    pub fn is_refusal(&self) -> bool {
        let refused =
            |hindrance: &Hindrance| matches!(hindrance, Hindrance::Status { status: 400 | 404 | 405, .. });
        match self {
            Fault::Error { .. } => true,
            Fault::Unreachable(hindrance) => refused(hindrance),
            _ => false,
        }
    }
}

impl From<ProtocolFault> for Fault {
    fn from(fault: ProtocolFault) -> Fault {
        Fault::Protocol(fault)
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
    /// A version that is not spoken here.
    #[error("it speaks version `{version}`; spoken here: {}", spoken.join(" "))]
    Version {
        /// What it says.
        version: String,
        /// Those that are spoken here.
        spoken: &'static [&'static str],
    },
    /// The list is never the same twice.
    #[error("its list of tools changes again and again")]
    Unsteady,
    /// The answer to `tools/list` has no list of tools.
    #[error("its answer to tools/list has no list of tools")]
    NoList,
    /// A tool without a name.
    #[error("a tool has no name")]
    NoName,
    /// More tools than these.
    #[error("it lists more than {0} tools")]
    Tools(usize),
    /// More pages of tools than these.
    #[error("its list of tools has more than {0} pages")]
    Pages(usize),
    /// An answer that asks for more.
    #[error("its answer asks for more, and nothing of that is offered here")]
    Incomplete,
    /// The answer of a tool without content.
    #[error("its answer has no content")]
    NoContent,
    /// Output that is not JSON, with its beginning.
    #[error("its output `{0}` is not a JSON message")]
    NoMessage(String),
    /// JSON of another kind.
    #[error("a message is not JSON-RPC 2.0")]
    NoRpc,
    /// An answer to nothing.
    #[error("it answers what was not asked")]
    Unasked,
    /// An answer that says nothing.
    #[error("an answer has neither result nor error")]
    Empty,
    /// A message of more bytes than these.
    #[error("a message of it is longer than {0} bytes")]
    Long(usize),
    /// More than the allowed number of messages before the expected one.
    #[error("it sends more than {0} messages before an answer")]
    Beside(usize),
    /// More than the allowed number of messages without a request.
    #[error("it sends more than {0} messages unasked")]
    Flood(usize),
    /// A session's name that no header takes.
    #[error("the name of its session does not fit")]
    Session,
    /// A stream that cannot be read.
    #[error("{0}")]
    Stream(SseError),
    /// An answer of a kind that is not read.
    #[error("its answer is `{0}` and holds no result")]
    Kind(String),
    /// An answer without the result.
    #[error("its answer holds no result")]
    NoResult,
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
        /// Why.
        why: <Endpoint as std::str::FromStr>::Err,
    },
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
