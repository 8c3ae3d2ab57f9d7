//! What is looked at before anything else of a request, and what every answer carries.
//!
//! What is not for this door by its name or its sender is refused before `mind` hears of it. Then `mind` judges a token that the door
//! does not know yet: a comparison of digests, which costs no more than a refusal. So each known caller has a bucket of its own.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::OwnedSemaphorePermit;
use web::cookie::is_token;
use web::frame::{SCRIPT_FILE, STYLE_SHEET};
use web::limits::Kind;
use web::peers::sender;
use web::rules::Wrong;
use web::server::Connection;

use super::app::App;
use super::failure::Failed;
use super::pages::{SAY, STOP, is_seen, refused};
use super::request::{From, browser, cookie, token};
use crate::frames::Ask;

/// The largest body of a request, in bytes.
pub(super) const LARGEST: usize = 1024 * 1024;
/// The largest body of a line with pictures, in bytes: those of a picture are a third more in base64.
pub(super) const LARGEST_LINE: usize = 3_584 * 1024;
/// Where the emergency stop is set.
const STOPS: [&str; 2] = ["/estop", STOP];
/// What a browser asks for before anybody is known: the log-in, and what its page looks like.
const LOGINS: [&str; 3] = ["/login", STYLE_SHEET, SCRIPT_FILE];
/// Where a line with pictures is sent.
const LINES: [&str; 3] = ["/chat", SAY, "/page/stream"];
/// The most requests at a time whose body may be larger than [`LARGEST`].
pub(super) const MOST_LARGE: usize = 4;
/// The largest body that is read for anybody, in bytes.
const SMALL: u64 = 16 * 1024;
/// How long a client may take for the body of a request.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a stranger may take for it.
const OF_STRANGERS: Duration = Duration::from_secs(5);

/// Looks at a request before it is answered.
pub(super) async fn look(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    app.used.notify_one();
    let page = (request.uri().path() == SAY || is_seen(request.headers())).then(|| request.headers().clone());
    let caller = token(request.headers()).or_else(|| cookie(&app, request.headers()));
    let mut response = match admitted(&app, caller.as_deref(), request).await {
        // The room for a large body is given back when `mind` has it.
        Ok((request, _room)) => next.run(request).await,
        Err(failed) => match page {
            Some(headers) => refused(&app, &headers, &failed),
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
    // A stranger who is refused keeps no place among the connections.
    if response.status() == StatusCode::TOO_MANY_REQUESTS && !app.limits.knows(caller.as_deref()) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    web::seal(response.headers_mut());
    response
}

fn is_html(kind: &HeaderValue) -> bool {
    kind.as_bytes().starts_with(b"text/html")
}

async fn admitted(
    app: &App,
    caller: Option<&str>,
    mut request: Request,
) -> Result<(Request, Option<OwnedSemaphorePermit>), Failed> {
    app.rules.check(request.headers()).map_err(not_ours)?;
    judged(app, caller).await;
    let is_known = app.limits.knows(caller);
    let kind = kind_of(request.uri().path());
    let at_login = (kind == Kind::Login && !is_known).then(|| browser(app, request.headers())).flatten();
    let has_entered = recognised(app, at_login.as_deref()).await;
    let connection = request.extensions().get::<Connection>().cloned();
    if let Some(connection) = connection.as_ref().filter(|_| is_known || has_entered) {
        connection.keep();
    }
    let address = connection.and_then(|connection| connection.address());
    let peer = address.map(|address| sender(address, &app.rules.proxies, request.headers()));
    request.extensions_mut().insert(From(peer));
    let bucket = if has_entered { at_login.as_deref() } else { caller };
    if !app.limits.take(bucket, kind, peer) {
        let message = "more requests than are answered; try again in a second";
        return Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
    }
    // A stranger fills no memory: what is large, or may be, is read for who may ask alone.
    if request.body().size_hint().upper().is_none_or(|size| size > SMALL) {
        app.link.ask(caller.map(str::to_owned), Ask::Known)?.whole().await?;
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
    let patience = if is_known { PATIENCE } else { OF_STRANGERS };
    match tokio::time::timeout(patience, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok((Request::from_parts(head, Body::from(bytes)), room)),
        Ok(Err(_)) => Err(large()),
        Err(_) => {
            let message = format!("the body did not come within {} s", patience.as_secs());
            Err(Failed::new(StatusCode::REQUEST_TIMEOUT, "too_late", message))
        }
    }
}

/// From which bucket a request takes.
fn kind_of(path: &str) -> Kind {
    match path {
        _ if STOPS.contains(&path) => Kind::Stop,
        _ if LOGINS.contains(&path) => Kind::Login,
        _ => Kind::Usual,
    }
}

/// Has `mind` judge a caller whom the door does not know yet. At an address nobody asks without a token.
async fn judged(app: &App, caller: Option<&str>) {
    let may_be_known = caller.map_or(app.rules.address.is_none(), is_token);
    if !may_be_known || app.limits.knows(caller) {
        return;
    }
    if let Ok(pending) = app.link.ask(caller.map(str::to_owned), Ask::Known) {
        app.limits.judge(caller, pending.whole().await.is_ok());
    }
}

/// Has `mind` say whether the PIN was right in this browser before, where the door does not know it yet. Who logs in with it is
/// not a stranger there, and nothing more.
async fn recognised(app: &App, browser: Option<&str>) -> bool {
    let Some(value) = browser.filter(|_| !app.limits.knows(browser)) else { return browser.is_some() };
    if let Ok(pending) = app.link.ask(None, Ask::Browser { browser: value.to_owned() }) {
        app.limits.judge(browser, pending.whole().await.is_ok());
    }
    app.limits.knows(browser)
}

/// What a client gets whose request is not for this door.
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
