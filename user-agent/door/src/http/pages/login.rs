//! The login: a PIN opens a session, a token is kept as it is. Either becomes the cookie of the pages. Where the PIN was right, the
//! browser keeps another cookie, by which it is known at its next login.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use maud::{Markup, html};
use serde::Deserialize;
use web::cookie::{self, SameSite, is_token};
use web::html::{answer, clean};

use super::super::app::App;
use super::super::failure::Failed;
use super::super::request::{self, From};
use super::layout::{Instead, Visitor, frame};
use super::words::{IN_WORDS, Words};
use crate::frames::Ask;

/// For how long a browser keeps a token, in seconds: 30 days.
const KEPT: u32 = 30 * 24 * 60 * 60;
/// For how long a browser keeps by what it is known: a year.
const KNOWN: u32 = 365 * 24 * 60 * 60;

/// What was typed.
#[derive(Deserialize)]
pub(super) struct Typed {
    #[serde(default)]
    pin: String,
    #[serde(default)]
    token: String,
}

/// `GET /login`
pub(super) async fn show(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let words = Visitor::of(&app, &headers).words;
    answer(StatusCode::OK, frame(words, None, "/login", words.login, form(words, None, false)))
}

/// `POST /login`
pub(super) async fn enter(
    State(app): State<Arc<App>>,
    Extension(from): Extension<From>,
    headers: HeaderMap,
    body: Result<Form<Typed>, FormRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers);
    let Typed { pin, token } = visitor.form(body)?;
    let (words, token) = (visitor.words, token.trim());
    let opened = match token {
        "" => by_pin(&app, words, pin, from, request::browser(&app, &headers)).await,
        token => by_token(&app, words, token).await,
    };
    let is_secure = app.rules.is_secure(&headers);
    match opened {
        Ok(Opened::Token) => {
            let cookie = baked(&app.cookie, token, Some(KEPT), is_secure);
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response())
        }
        Ok(Opened::Session { session, browser }) => {
            let known = baked(&app.browser_cookie, &browser, Some(KNOWN), is_secure);
            let cookies = [baked(&app.cookie, &session, None, is_secure), known];
            let cookies = cookies.map(|cookie| (header::SET_COOKIE, cookie));
            Ok((AppendHeaders(cookies), Redirect::to("/")).into_response())
        }
        Err(failed) => {
            let status = match failed.code {
                "invalid_request" => StatusCode::UNAUTHORIZED,
                _ => failed.status,
            };
            let form = form(words, Some(&words.of_failure(&failed)), !token.is_empty());
            Ok(answer(status, frame(words, None, "/login", words.login, form)))
        }
    }
}

/// `POST /logout`
pub(super) async fn leave(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    // Regardless of the outcome, the browser forgets the cookie.
    if let Ok(pending) = app.link.ask(request::cookie(&app, &headers), Ask::Leave) {
        let _ = pending.whole().await;
    }
    let cookie = baked(&app.cookie, "", Some(0), app.rules.is_secure(&headers));
    ([(header::SET_COOKIE, cookie)], Redirect::to("/login")).into_response()
}

/// What was typed opens this.
enum Opened {
    /// The token itself.
    Token,
    /// A session, and by what the browser is known from now on.
    Session { session: String, browser: String },
}

fn nobody(message: &str) -> Failed {
    Failed::new(StatusCode::UNAUTHORIZED, IN_WORDS, message)
}

async fn by_token(app: &App, words: &Words, token: &str) -> Result<Opened, Failed> {
    if !is_token(token) {
        return Err(nobody(words.no_token));
    }
    match app.link.ask(Some(token.to_owned()), Ask::Known)?.whole().await {
        Ok(_) => Ok(Opened::Token),
        // What `mind` says of it is said to programs.
        Err(failed) if failed.status == StatusCode::UNAUTHORIZED => Err(nobody(words.no_token)),
        Err(failed) => Err(failed),
    }
}

async fn by_pin(
    app: &App,
    words: &Words,
    pin: String,
    From(peer): From,
    browser: Option<String>,
) -> Result<Opened, Failed> {
    if pin.is_empty() {
        return Err(nobody(words.nothing_typed));
    }
    let from = peer.map(|peer| peer.to_string());
    let asked = app.link.ask(None, Ask::Session { pin, from, browser })?.whole().await;
    let body = asked.map_err(|failed| match failed.code {
        "unauthorized" => nobody(words.no_pin),
        "refused" => nobody(words.pin_unset),
        _ => failed,
    })?;
    let text = |name: &str| body[name].as_str().filter(|value| is_token(value)).map(str::to_owned);
    match (text("session"), text("browser")) {
        (Some(session), Some(browser)) => Ok(Opened::Session { session, browser }),
        _ => Err(Failed::new(StatusCode::BAD_GATEWAY, "failed", "an answer that cannot be read")),
    }
}

/// The cookie as a browser gets it: no page of another site sends it.
fn baked(name: &str, value: &str, age: Option<u32>, is_secure: bool) -> String {
    cookie::baked(name, value, age, SameSite::Strict, is_secure)
}

fn form(words: &Words, problem: Option<&str>, by_token: bool) -> Markup {
    html! {
        h1 { (words.login) }
        form class="card" method="post" action="/login" {
            div class="problem" id="problem" role="alert" {
                @if let Some(problem) = problem { p { (clean(problem)) } }
            }
            label for="pin" { (words.pin) }
            input id="pin" name="pin" type="password" autocomplete="current-password"
                aria-describedby="problem" autofocus[!by_token];
            details open {
                summary { (words.use_token) }
                label for="token" { (words.token) }
                input id="token" name="token" type="password" autocomplete="off" spellcheck="false"
                    aria-describedby="token-hint problem" autofocus[by_token];
                p class="hint" id="token-hint" { (words.token_hint) }
            }
            button type="submit" { (words.enter) }
        }
    }
}

#[cfg(test)]
mod tests;
