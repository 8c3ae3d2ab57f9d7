//! The login: a PIN opens a session, a token is kept as it is. Either becomes the cookie of the pages.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use web::cookie::{self, SameSite, is_token};
use web::html::{answer, clean};

use super::super::app::App;
use super::super::failure::Failed;
use super::super::request;
use super::layout::{Instead, Visitor, frame};
use super::words::{IN_WORDS, Words};
use crate::frames::Ask;

/// For how long a browser keeps a token, in seconds: 30 days.
const KEPT: u32 = 30 * 24 * 60 * 60;

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
    headers: HeaderMap,
    body: Result<Form<Typed>, FormRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers);
    let Typed { pin, token } = visitor.form(body)?;
    let (words, token) = (visitor.words, token.trim());
    match opened(&app, words, pin, token).await {
        Ok((value, age)) => {
            let cookie = baked(&app.cookie, &value, age, app.rules.is_secure(&headers));
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response())
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
    // Whatever comes of it, the browser forgets the cookie.
    if let Ok(pending) = app.link.ask(request::cookie(&app, &headers), Ask::Leave) {
        let _ = pending.whole().await;
    }
    let cookie = baked(&app.cookie, "", Some(0), app.rules.is_secure(&headers));
    ([(header::SET_COOKIE, cookie)], Redirect::to("/login")).into_response()
}

/// The cookie's value that what was typed opens, and for how long a browser keeps it.
async fn opened(app: &App, words: &Words, pin: String, token: &str) -> Result<(String, Option<u32>), Failed> {
    let nobody = |message: &str| Failed::new(StatusCode::UNAUTHORIZED, IN_WORDS, message);
    if !token.is_empty() {
        if !is_token(token) {
            return Err(nobody(words.no_token));
        }
        let known = app.link.ask(Some(token.to_owned()), Ask::Known)?.whole().await;
        return match known {
            Ok(_) => Ok((token.to_owned(), Some(KEPT))),
            // What `mind` says of it is said to programs.
            Err(failed) if failed.status == StatusCode::UNAUTHORIZED => Err(nobody(words.no_token)),
            Err(failed) => Err(failed),
        };
    }
    if pin.is_empty() {
        return Err(nobody(words.nothing_typed));
    }
    let body =
        app.link.ask(None, Ask::Session { pin })?.whole().await.map_err(|failed| match failed.code {
            "unauthorized" => nobody(words.no_pin),
            "refused" => nobody(words.pin_unset),
            _ => failed,
        })?;
    let session = body["session"].as_str().filter(|session| is_token(session));
    let unfit = || Failed::new(StatusCode::BAD_GATEWAY, "failed", "an answer that cannot be read");
    session.map(|session| (session.to_owned(), None)).ok_or_else(unfit)
}

/// The cookie as a browser is told it: no page of another site sends it.
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
