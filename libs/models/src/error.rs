//! Why a provider did not answer.

use std::time::Duration;

use crate::request::Response;

/// A request that brought no answer; each names its provider.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// No connection, a broken one, or a server that failed.
    #[error("{provider} cannot be reached: {detail}")]
    Network {
        provider: String,
        /// What happened.
        detail: String,
    },
    /// The key is missing, wrong or not allowed to do this.
    #[error("{provider} does not accept the key: {detail}")]
    Auth {
        provider: String,
        /// What the server said.
        detail: String,
    },
    /// There is no key that could be sent.
    #[error("{provider} has no key: {detail}")]
    NoKey {
        provider: String,
        /// Which ways there are to give it one.
        detail: String,
    },
    /// Too many requests, a server with too much to do, or nothing left of a quota.
    #[error("{provider} takes no more requests for now: {detail}")]
    Rate {
        provider: String,
        /// What the server said.
        detail: String,
        /// After how long it may be asked again; `None` where waiting does not help.
        retry_after: Option<Duration>,
    },
    /// No answer in time.
    #[error("{provider} did not answer in time: {detail}")]
    Timeout {
        provider: String,
        /// How long was waited.
        detail: String,
    },
    /// The server takes requests, but not this one.
    #[error("{provider} rejected the request with status {status}: {detail}")]
    Rejected {
        provider: String,
        /// The HTTP status.
        status: u16,
        /// What the server said.
        detail: String,
    },
    /// The answer is not what it should be.
    #[error("{provider} sent an answer that cannot be used: {detail}")]
    Malformed {
        provider: String,
        /// What is wrong, with an excerpt that is safe to show.
        detail: String,
    },
    /// The answer is longer than the configuration allows.
    #[error("{provider} sent more than the {limit} bytes that `max_response_bytes` allows")]
    TooLarge {
        provider: String,
        /// What is allowed.
        limit: u64,
    },
    /// The provider declines: it cannot or will not do this.
    #[error("{provider}: {reason}")]
    Refused {
        provider: String,
        /// Its reason, in words for a person.
        reason: String,
    },
    /// The own rules forbid the connection.
    #[error("the connection of {provider} is not allowed: {detail}")]
    Denied {
        provider: String,
        /// Which rule.
        detail: String,
    },
    /// The person, a deadline or the emergency stop ended it.
    #[error("the request to {provider} was cancelled")]
    Cancelled { provider: String },
    /// The answer ended too early, after words of it had come.
    #[error("the answer broke off: {why}")]
    BrokeOff {
        /// The words that came; never a call.
        partial: Box<Response>,
        /// What ended it.
        why: Box<ModelError>,
    },
    /// Pictures go with the message, and no provider is configured to take them.
    #[error(
        "no provider takes pictures ({provider} would be asked first): `images: true` at a provider under `providers` in \
         config/default.yaml says that its model does"
    )]
    NoImages {
        /// The provider that would be asked first.
        provider: String,
    },
    /// The provider is not in the configuration.
    #[error("there is no provider `{provider}`; configured: {known}")]
    Unknown {
        /// What was asked for.
        provider: String,
        /// What there is.
        known: String,
    },
    /// The model is not listed in the configuration of the provider.
    #[error("the configuration lists no model `{model}` (provider: {provider}); listed: {known}")]
    UnknownModel {
        /// The provider; `any` when none was named.
        provider: String,
        /// What was asked for.
        model: String,
        /// What there is.
        known: String,
    },
}

impl ModelError {
    /// The provider that the error is about.
    pub fn provider(&self) -> &str {
        match self {
            ModelError::Network { provider, .. }
            | ModelError::Auth { provider, .. }
            | ModelError::NoKey { provider, .. }
            | ModelError::Rate { provider, .. }
            | ModelError::Timeout { provider, .. }
            | ModelError::Rejected { provider, .. }
            | ModelError::Malformed { provider, .. }
            | ModelError::TooLarge { provider, .. }
            | ModelError::Refused { provider, .. }
            | ModelError::Denied { provider, .. }
            | ModelError::Cancelled { provider }
            | ModelError::NoImages { provider }
            | ModelError::Unknown { provider, .. }
            | ModelError::UnknownModel { provider, .. } => provider,
            ModelError::BrokeOff { partial, .. } => &partial.provider,
        }
    }

    /// Whether another provider may be asked instead: network, key, rate and time-out errors only.
    pub fn falls_back(&self) -> bool {
        match self {
            ModelError::Network { .. }
            | ModelError::Auth { .. }
            | ModelError::NoKey { .. }
            | ModelError::Rate { .. }
            | ModelError::Timeout { .. } => true,
            ModelError::BrokeOff { why, .. } => why.falls_back(),
            _ => false,
        }
    }
}
