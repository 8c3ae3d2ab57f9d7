//! What is looked at before anything else of a request, and what every answer carries.
//!
//! What is not for this door by its name or its sender is refused before `mind` hears of it.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use web::rules::Wrong;

use super::app::App;
use super::failure::Failed;
use super::request::{cookie, token};
use crate::frames::Ask;

/// The largest body of a request, in bytes.
pub(super) const LARGEST: usize = 1024 * 1024;
/// The largest body that is read for anybody, in bytes.
const SMALL: u64 = 16 * 1024;
/// How long a client may take for the body of a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Looks at a request before it is answered.
pub(super) async fn look(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match admitted(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(failed) => failed.into_response(),
    };
    if response.status() == StatusCode::UNAUTHORIZED && !app.limits.stranger() {
        let is_page = response.headers().get(header::CONTENT_TYPE).is_some_and(is_html);
        let message = "too many requests without a valid token; wait a little";
        match is_page {
            true => *response.status_mut() = StatusCode::TOO_MANY_REQUESTS,
            false => response = Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message).into_response(),
        }
    }
    web::seal(response.headers_mut());
    response
}

fn is_html(kind: &HeaderValue) -> bool {
    kind.as_bytes().starts_with(b"text/html")
}

async fn admitted(app: &App, request: Request) -> Result<Request, Failed> {
    if !app.limits.take() {
        let message = "more requests than are answered; try again in a second";
        return Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
    }
    app.rules.check(request.headers()).map_err(not_ours)?;
    // A stranger fills no memory: what is large, or may be, is read for who may ask alone.
    if request.body().size_hint().upper().is_none_or(|size| size > SMALL) {
        let known = token(request.headers()).or_else(|| cookie(request.headers()));
        app.link.ask(known, Ask::Known)?.whole().await?;
    }
    let (head, body) = request.into_parts();
    let large = || {
        let message = format!("a body has at most {LARGEST} bytes");
        Failed::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    match tokio::time::timeout(PATIENCE, to_bytes(body, LARGEST)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err(large()),
        Err(_) => {
            let message = format!("the body did not come within {} s", PATIENCE.as_secs());
            Err(Failed::new(StatusCode::REQUEST_TIMEOUT, "too_late", message))
        }
    }
}

/// What a client is told whose request is not for this door.
fn not_ours(wrong: Wrong) -> Failed {
    match wrong {
        Wrong::Host(host) => {
            let message = format!(
                "this door is not called `{host}`; `door.hosts` in the profile's file names what it is called besides its address"
            );
            Failed::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", message)
        }
        Wrong::Origin => {
            let message = "a page of another origin may not call this door";
            Failed::new(StatusCode::FORBIDDEN, "wrong_origin", message)
        }
    }
}
