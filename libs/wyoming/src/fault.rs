//! What is wrong with a stream.

use std::io;

/// Why a stream is given up.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The stream cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It ended within an event.
    #[error("the stream ended within an event")]
    Torn,
    /// A part is longer than its limit.
    #[error("the {part} of an event is longer than {most} bytes")]
    TooLong {
        part: &'static str,
        /// Its limit, in bytes.
        most: u64,
    },
    /// A header or data is not a JSON object of the protocol.
    #[error("the {part} of an event is not what the protocol says: {why}")]
    Malformed {
        part: &'static str,
        /// The parser's reason.
        why: serde_json::Error,
    },
    /// An event lacks what its type needs.
    #[error("`{kind}` has no valid `{field}`")]
    Field {
        /// The type of the event.
        kind: &'static str,
        field: &'static str,
    },
}
