//! How a request's body reaches a server and the answer comes back.
//!
//! A transport knows providers by name only: address and key are its own business, so the code that builds the body
//! needs neither. The chat process of the bot hands bodies to its network process; the admin service has a direct
//! client.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::ModelError;
use crate::request::Rank;

/// Carries one body to a provider's chat endpoint.
pub trait Transport: Send + Sync {
    /// Sends `body` to the provider of that name, and hands each part of a successful answer to `incoming` as it comes;
    /// when `incoming` breaks off, the connection is closed and the call is done.
    ///
    /// # Errors
    /// See [`TransportError`]; a status other than 2xx is one too. Parts may have been handed over before an error.
    fn chat(
        &self,
        provider: &str,
        body: &[u8],
        rank: Rank,
        incoming: &mut Incoming<'_>,
        cancel: &AtomicBool,
    ) -> Result<(), TransportError>;
}

/// Who is handed the parts of an answer.
pub type Incoming<'a> = dyn FnMut(Part<'_>) -> ControlFlow<()> + 'a;

/// A part of an answer, as text; bytes that are not UTF-8 were replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// The data of one server-sent event.
    Event(&'a str),
    /// The whole body of a server that does not stream.
    Whole(&'a str),
}

/// A body that did not arrive, or an answer that did not come back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No connection was made, so nothing was sent.
    #[error("{0}")]
    Unconnected(String),
    /// A broken connection.
    #[error("{0}")]
    Network(String),
    /// No answer in time.
    #[error("{0}")]
    Timeout(String),
    /// More bytes than allowed.
    #[error("the answer has more than {0} bytes")]
    TooLarge(u64),
    /// The rules of the network side forbid it.
    #[error("{0}")]
    Denied(String),
    /// The provider needs a key and there is none that can be used.
    #[error("{0}")]
    NoKey(String),
    /// `cancel` became true.
    #[error("cancelled")]
    Cancelled,
    /// The server answered with a status other than 2xx.
    #[error("the server answered with status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// What it said; at most [`MAX_ERROR_BODY`] bytes.
        body: Vec<u8>,
        /// After how long it wants to be asked again, if it says so.
        retry_after: Option<Duration>,
    },
}

impl TransportError {
    /// The error as the provider's caller sees it.
    pub fn into_model_error(self, provider: &str) -> ModelError {
        let provider = provider.to_owned();
        match self {
            TransportError::Unconnected(detail) | TransportError::Network(detail) => {
                ModelError::Network { provider, detail }
            }
            TransportError::Timeout(detail) => ModelError::Timeout { provider, detail },
            TransportError::TooLarge(limit) => ModelError::TooLarge { provider, limit },
            TransportError::Denied(detail) => ModelError::Denied { provider, detail },
            TransportError::NoKey(detail) => ModelError::NoKey { provider, detail },
            TransportError::Cancelled => ModelError::Cancelled { provider },
            TransportError::Status { status, body, retry_after } => {
                let detail = shared_types::text::cut(&crate::draft::server_message(&body), 200);
                match status {
                    401 | 403 => ModelError::Auth { provider, detail },
                    // An account without money does not mend by waiting.
                    402 => ModelError::Rate { provider, detail, retry_after: None },
                    429 => ModelError::Rate {
                        provider,
                        detail,
                        retry_after: Some(retry_after.unwrap_or(SHORT_WAIT)),
                    },
                    408 => ModelError::Timeout { provider, detail },
                    // The codes of a server that is overloaded.
                    503 | 529 => ModelError::Rate {
                        provider,
                        detail: format!("status {status}: {detail}"),
                        retry_after: Some(retry_after.unwrap_or(SHORT_WAIT)),
                    },
                    500.. => ModelError::Network { provider, detail: format!("status {status}: {detail}") },
                    _ => ModelError::Rejected { provider, status, detail },
                }
            }
        }
    }
}

/// How much of the body of an answer with a status other than 2xx is kept.
pub const MAX_ERROR_BODY: usize = 16 * 1024;
/// How long to wait when a server has too much to do and does not say for how long.
const SHORT_WAIT: Duration = Duration::from_millis(500);
