//! Why a server gave no answer, as the child that reads it says.

use std::io;

use models::sse::SseError;

/// Why a server gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum Spoken {
    /// It says something that the protocol does not.
    #[error("{0}")]
    Protocol(#[from] ProtocolFault),
    /// It answers with an error.
    #[error("error {code}: {message}")]
    Error {
        /// The number.
        code: i64,
        /// Its words, safe to show.
        message: String,
    },
    /// It answers a post with a status that says that it does not take this.
    #[error("status {0}")]
    Refused(u16),
    /// The service is gone, or says what it does not say.
    #[error(transparent)]
    Gone(#[from] io::Error),
}

impl Spoken {
    /// Whether a server answered that it does not take a request.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Spoken::Error { .. } | Spoken::Refused(_))
    }
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
    /// A message to it of more bytes than these.
    #[error("a message to it is longer than {0} bytes")]
    Sent(usize),
    /// More than the allowed number of messages before the expected one.
    #[error("it sends more than {0} messages before an answer")]
    Beside(usize),
    /// More than the allowed number of messages without a request.
    #[error("it sends more than {0} messages unasked")]
    Flood(usize),
    /// A stream that cannot be read.
    #[error("{0}")]
    Stream(SseError),
    /// A stream that ends before the answer, and cannot be gone on with.
    #[error("its stream of events ended before the result")]
    Broken,
    /// More streams than these for one answer.
    #[error("it ended its stream of events {0} times before the result")]
    Streams(usize),
    /// An argument that no header can carry.
    #[error("it wants an argument in a header that is longer than a header may be")]
    LongHeader,
    /// An answer of a kind that is not read.
    #[error("its answer is `{0}` and holds no result")]
    Kind(String),
    /// An answer without the result.
    #[error("its answer holds no result")]
    NoResult,
}
