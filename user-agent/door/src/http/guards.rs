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
use tokio::sync::OwnedSemaphorePermit;
use web::rules::Wrong;

use super::app::App;
use super::failure::Failed;
use super::pages::{SAY, refused};
use super::request::{cookie, token};
use crate::frames::Ask;

/// The largest body of a request, in bytes.
pub(super) const LARGEST: usize = 1024 * 1024;
/// The largest body of a line with pictures, in bytes: those of a picture are a third more in base64.
pub(super) const LARGEST_LINE: usize = 3_584 * 1024;
/// Where a line with pictures is sent.
const LINES: [&str; 3] = ["/chat", SAY, "/page/stream"];
/// The most requests at a time whose body may be larger than [`LARGEST`].
pub(super) const MOST_LARGE: usize = 4;
/// The largest body that is read for anybody, in bytes.
const SMALL: u64 = 16 * 1024;
/// How long a client may take for the body of a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Looks at a request before it is answered.
pub(super) async fn look(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let form = (request.uri().path() == SAY).then(|| request.headers().clone());
    let mut response = match admitted(&app, request).await {
        // The room for a large body is given back when `mind` has it.
        Ok((request, _room)) => next.run(request).await,
        Err(failed) => match form {
            Some(headers) => refused(&headers, &failed),
            None => failed.into_response(),
        },
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

async fn admitted(app: &App, request: Request) -> Result<(Request, Option<OwnedSemaphorePermit>), Failed> {
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
    let is_line = LINES.contains(&head.uri.path());
    let most = if is_line { LARGEST_LINE } else { LARGEST };
    let is_large = is_line && body.size_hint().upper().is_none_or(|size| size > LARGEST as u64);
    let room = is_large.then(|| app.large.clone().try_acquire_owned()).transpose().map_err(|_| {
        let message = format!("{MOST_LARGE} lines with pictures are read; try again later");
        Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message)
    })?;
    let large = || {
        let pictures = if is_line { "; the pictures of one message have at most 2 MiB together" } else { "" };
        let message = format!("a body has at most {most} bytes{pictures}");
        Failed::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    match tokio::time::timeout(PATIENCE, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok((Request::from_parts(head, Body::from(bytes)), room)),
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
