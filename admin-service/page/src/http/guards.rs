//! What is looked at before anything else of a request, and what every answer carries.
//!
//! A browser sends the cookie with requests that other sites cause, too. A request that changes something therefore needs an
//! `Origin`; the rules have found that it is this server's own. Then the service judges a token that the page does not know yet: a
//! comparison of digests. So each approver has a bucket of their own.

use std::sync::Arc;
use std::time::Duration;

use api::page::{Answer, Ask};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use web::cookie;
use web::frame::{SCRIPT_FILE, STYLE_SHEET};
use web::limits::Kind;
use web::peers::sender;
use web::rules::{Rules, Wrong};
use web::server::Connection;

use super::app::App;
use super::failure::Failed;
use super::layout::failure;
use super::visitor::{BROWSER, COOKIE};
use super::words::Words;

/// The largest body of a request, in bytes.
const LARGEST: usize = 64 * 1024;
/// What a browser asks for before anybody is known: the log-in, and what its page looks like.
const LOGINS: [&str; 3] = ["/login", STYLE_SHEET, SCRIPT_FILE];
/// How long a client may take for the body of a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Looks at a request before it is answered.
pub(super) async fn look(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let words = Words::accepted(request.headers());
    let token = cookie::read(request.headers(), COOKIE);
    let mut response = match admitted(&app, words, token.as_deref(), request).await {
        Ok(request) => next.run(request).await,
        Err(failed) => failure(words, "/", &failed),
    };
    if response.status() == StatusCode::UNAUTHORIZED && !app.limits.stranger() {
        *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    }
    // A stranger who is refused keeps no place among the connections.
    if response.status() == StatusCode::TOO_MANY_REQUESTS && !app.limits.knows(token.as_deref()) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    web::seal(response.headers_mut());
    response
}

async fn admitted(
    app: &App,
    words: &Words,
    token: Option<&str>,
    request: Request,
) -> Result<Request, Failed> {
    check(&app.rules, words, request.method(), request.headers())?;
    if token.is_some() && !app.limits.knows(token) {
        let answer = app.service.ask(token.map(str::to_owned), Ask::Known {}).await;
        app.limits.judge(token, matches!(answer, Answer::Known));
    }
    let kind = if LOGINS.contains(&request.uri().path()) { Kind::Login } else { Kind::Usual };
    // A browser that logged in before has a bucket of its own at the log-in.
    let browser = cookie::read(request.headers(), BROWSER)
        .filter(|browser| kind == Kind::Login && !app.limits.knows(token) && app.limits.remembers(browser));
    if browser.is_some() {
        app.limits.judge(browser.as_deref(), true);
    }
    let caller = browser.as_deref().or(token);
    let connection = request.extensions().get::<Connection>();
    if let Some(connection) = connection.filter(|_| app.limits.knows(caller)) {
        connection.keep();
    }
    let address = connection.and_then(Connection::address);
    let peer = address.map(|address| sender(address, &app.rules.proxies, request.headers()));
    if !app.limits.take(caller, kind, peer) {
        return Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, words.busy));
    }
    let (head, body) = request.into_parts();
    match tokio::time::timeout(PATIENCE, to_bytes(body, LARGEST)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err(Failed::new(StatusCode::PAYLOAD_TOO_LARGE, words.too_large)),
        Err(_) => Err(Failed::new(StatusCode::REQUEST_TIMEOUT, words.too_late)),
    }
}

/// Refuses a request for another server, and one that changes something and has no `Origin`.
fn check(rules: &Rules, words: &Words, method: &Method, headers: &HeaderMap) -> Result<(), Failed> {
    rules.check(headers).map_err(|wrong| match wrong {
        Wrong::Host(host) => Failed::new(StatusCode::MISDIRECTED_REQUEST, words.wrong_host(&host)),
        Wrong::Origin => Failed::new(StatusCode::FORBIDDEN, words.no_origin),
    })?;
    if method == Method::POST && !headers.contains_key(header::ORIGIN) {
        return Err(Failed::new(StatusCode::FORBIDDEN, words.no_origin));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
