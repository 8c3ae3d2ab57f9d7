//! What requests have in common: a token, a body, an answer in one piece.

use axum::Json;
use axum::extract::Query;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::{HeaderMap, StatusCode, header};
use serde_json::Value;
use shared_types::id::ProfileId;
use web::peers::Peer;

use super::app::App;
use super::failure::Failed;
use crate::frames::Ask;

/// The name of the cookie whose value is a token of the profile, or a session. A browser has one for all ports of a host, so each
/// profile's door has a name of its own.
pub(super) fn cookie_name(profile: &ProfileId) -> String {
    format!("tameclaw_door_{profile}")
}

/// The name of the cookie by which a browser is known in which the profile's PIN was right before. It opens nothing.
pub(super) fn browser_cookie_name(profile: &ProfileId) -> String {
    format!("tameclaw_browser_{profile}")
}

/// From which address a request comes; at a socket file from none.
#[derive(Debug, Clone, Copy)]
pub(super) struct From(pub(super) Option<Peer>);

/// The token of a request.
pub(super) fn token(headers: &HeaderMap) -> Option<String> {
    let (kind, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    kind.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

/// The value of the cookie.
pub(super) fn cookie(app: &App, headers: &HeaderMap) -> Option<String> {
    web::cookie::read(headers, &app.cookie)
}

/// The value of the cookie by which a browser is known.
pub(super) fn browser(app: &App, headers: &HeaderMap) -> Option<String> {
    web::cookie::read(headers, &app.browser_cookie)
}

/// The token of a handshake: a browser names none, and sends the cookie along. The cookie counts where the request says from which
/// page it comes, which `guards` has found to be this door's own.
pub(super) fn token_of_handshake(app: &App, headers: &HeaderMap) -> Option<String> {
    token(headers).or_else(|| headers.contains_key(header::ORIGIN).then(|| cookie(app, headers)).flatten())
}

/// Asks `mind` for what comes in one piece.
pub(super) async fn whole(app: &App, headers: &HeaderMap, ask: Ask) -> Result<Value, Failed> {
    app.link.ask(token(headers), ask)?.whole().await
}

/// A body as JSON, or what is wrong with it.
pub(super) fn read<T>(body: Result<Json<T>, JsonRejection>) -> Result<T, Failed> {
    match body {
        Ok(Json(read)) => Ok(read),
        Err(why) => {
            let status = match why.status() {
                StatusCode::UNSUPPORTED_MEDIA_TYPE => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                _ => StatusCode::BAD_REQUEST,
            };
            Err(Failed::new(status, "invalid_request", shared_types::text::line(&why.body_text())))
        }
    }
}

/// The parameters behind the `?`, or what is wrong with them.
pub(super) fn read_query<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, Failed> {
    let wrong = |why: QueryRejection| {
        Failed::new(StatusCode::BAD_REQUEST, "invalid_request", shared_types::text::line(&why.body_text()))
    };
    query.map(|Query(read)| read).map_err(wrong)
}
