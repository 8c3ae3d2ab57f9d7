//! How a request's body reaches a server and the answer comes back.
//!
//! A transport knows providers by name only: address and key are its own business, so whoever builds the body needs
//! neither. The chat process of the bot hands bodies to its network process; the admin service has a direct client.

use std::sync::atomic::AtomicBool;

use crate::error::ModelError;

/// Carries one body to a provider's chat endpoint.
pub trait Transport: Send + Sync {
    /// Sends `body` to the provider of that name and returns the body of a successful answer.
    ///
    /// # Errors
    /// See [`TransportError`]; a status other than 2xx is one too.
    fn chat(&self, provider: &str, body: &[u8], cancel: &AtomicBool) -> Result<Vec<u8>, TransportError>;
}

/// A body that did not arrive, or an answer that did not come back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No connection, or a broken one.
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
        /// What it said; at most a few kilobytes.
        body: Vec<u8>,
    },
}

impl TransportError {
    /// The error as the provider's caller sees it.
    pub fn into_model_error(self, provider: &str) -> ModelError {
        let provider = provider.to_owned();
        match self {
            TransportError::Network(detail) => ModelError::Network { provider, detail },
            TransportError::Timeout(detail) => ModelError::Timeout { provider, detail },
            TransportError::TooLarge(limit) => ModelError::TooLarge { provider, limit },
            TransportError::Denied(detail) => ModelError::Denied { provider, detail },
            TransportError::NoKey(detail) => ModelError::NoKey { provider, detail },
            TransportError::Cancelled => ModelError::Cancelled { provider },
            TransportError::Status { status, body } => {
                let detail = shared_types::text::cut(&crate::openai::server_message(&body), 200);
                match status {
                    401 | 403 => ModelError::Auth { provider, detail },
                    402 | 429 => ModelError::Rate { provider, detail },
                    408 => ModelError::Timeout { provider, detail },
                    500.. => ModelError::Network { provider, detail: format!("status {status}: {detail}") },
                    _ => ModelError::Rejected { provider, status, detail },
                }
            }
        }
    }
}
