//! A failure, in one shape.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::bodies::{Failure, FailureBody};
use crate::frames::Refusal;

/// What went wrong.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) message: String,
    /// The field of the request that is wrong, where it is one.
    pub(super) field: Option<String>,
}

impl Failed {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Failed {
        Failed { status, code, message: message.into(), field: None }
    }

    /// A field of a request that is not taken, and why.
    pub(super) fn of_field(field: &str, why: &str) -> Failed {
        let message = format!("`{field}` {why}");
        Failed {
            field: Some(field.to_owned()),
            ..Failed::new(StatusCode::BAD_REQUEST, "invalid_request", message)
        }
    }

    /// What `mind` refused.
    pub(super) fn of(why: Refusal, message: String) -> Failed {
        let (status, code) = match why {
            Refusal::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized"),
            Refusal::Invalid => (StatusCode::BAD_REQUEST, "invalid_request"),
            Refusal::Forbidden => (StatusCode::FORBIDDEN, "refused"),
            Refusal::NotPerson => (StatusCode::FORBIDDEN, "not_person"),
            Refusal::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Refusal::Busy => (StatusCode::TOO_MANY_REQUESTS, "busy"),
            Refusal::Later => (StatusCode::TOO_MANY_REQUESTS, "later"),
            Refusal::Cancelled => (StatusCode::CONFLICT, "cancelled"),
            Refusal::Failed => (StatusCode::BAD_GATEWAY, "failed"),
            Refusal::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        };
        Failed { status, code, message, field: None }
    }

    pub(super) fn body(self) -> Failure {
        let (code, kind) = (self.code.to_owned(), self.code.to_owned());
        Failure { error: FailureBody { message: self.message, code, kind, param: self.field } }
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        let status = self.status;
        let mut response = (status, Json(self.body())).into_response();
        if status == StatusCode::UPGRADE_REQUIRED {
            let headers = response.headers_mut();
            headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
            headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        }
        let (name, value) = match status {
            StatusCode::UNAUTHORIZED => (header::WWW_AUTHENTICATE, "Bearer realm=\"tameclaw\""),
            StatusCode::TOO_MANY_REQUESTS => (header::RETRY_AFTER, "1"),
            _ => return response,
        };
        response.headers_mut().insert(name, HeaderValue::from_static(value));
        response
    }
}
