//! What went wrong.

use api::page::Refusal;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use shared_types::text::block;

use super::words::Words;

/// What went wrong, in words for the person.
#[derive(Debug)]
pub(super) struct Failed {
    /// The status of the answer.
    pub(super) status: StatusCode,
    /// The words.
    pub(super) message: String,
}

impl Failed {
    /// What went wrong on this side.
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Failed {
        Failed { status, message: message.into() }
    }

    /// What the service refused.
    pub(super) fn of(why: Refusal, message: String) -> Failed {
        let status = match why {
            Refusal::Unauthorized => StatusCode::UNAUTHORIZED,
            Refusal::Invalid => StatusCode::BAD_REQUEST,
            Refusal::Refused => StatusCode::FORBIDDEN,
            Refusal::NotFound => StatusCode::NOT_FOUND,
            Refusal::Busy => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Failed => StatusCode::BAD_GATEWAY,
        };
        Failed { status, message }
    }

    /// The answer to the script, in these words.
    pub(super) fn json(&self, words: &Words) -> Response {
        let body = json!({ "error": { "message": block(&words.retold(&self.message)) } });
        (self.status, Json(body)).into_response()
    }
}

#[cfg(test)]
mod tests;
