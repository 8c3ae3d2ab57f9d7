//! The login: a token of an approver becomes the cookie of the pages.

use std::sync::Arc;

use axum::Form;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use shared_types::id::ProposalId;
use shared_types::text::block;
use web::cookie::{self, SameSite, is_secure, is_token};
use web::html::answer;

use super::app::App;
use super::failure::Failed;
use super::layout::{failure, frame};
use super::visitor::{BROWSER, COOKIE, Visitor, address};
use super::words::Words;

/// For how long a browser keeps a token, in seconds: 30 days.
const KEPT: u32 = 30 * 24 * 60 * 60;

/// Where somebody came from.
#[derive(Debug, Deserialize)]
pub(super) struct Sought {
    #[serde(default)]
    to: String,
}

/// What was typed.
#[derive(Deserialize)]
pub(super) struct Typed {
    #[serde(default)]
    token: String,
    #[serde(default)]
    to: String,
}

/// `GET /login`
pub(super) async fn show(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<Sought>, QueryRejection>,
) -> Response {
    let words = Visitor::of(&app, &headers).await.words;
    let to = query.map(|Query(sought)| sought.to).unwrap_or_default();
    answer(StatusCode::OK, page(words, None, &to))
}

/// `POST /login`
pub(super) async fn enter(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Form<Typed>, FormRejection>,
) -> Response {
    let visitor = Visitor::of(&app, &headers).await;
    let words = visitor.words;
    let Typed { token, to } = match body {
        Ok(Form(typed)) => typed,
        Err(why) => {
            let failed = Failed::new(StatusCode::BAD_REQUEST, why.body_text());
            return failure(words, "/login", &failed);
        }
    };
    let token = token.trim();
    match known(visitor, token).await {
        Ok(()) => {
            let known = cookie::read(&headers, BROWSER).filter(|browser| app.limits.remembers(browser));
            let browser = known.or_else(|| fresh(&app));
            let named = [(COOKIE, Some(token.to_owned())), (BROWSER, browser)];
            let cookies = named.into_iter().filter_map(|(name, value)| {
                Some((header::SET_COOKIE, baked(name, &value?, KEPT, is_secure(&headers))))
            });
            (AppendHeaders(cookies), Redirect::to(way_back(&to).as_deref().unwrap_or("/"))).into_response()
        }
        Err(failed) => answer(failed.status, page(words, Some(&failed.message), &to)),
    }
}

/// `POST /logout`
pub(super) async fn leave(headers: HeaderMap) -> Response {
    let cookie = baked(COOKIE, "", 0, is_secure(&headers));
    ([(header::SET_COOKIE, cookie)], Redirect::to("/login")).into_response()
}

/// Whether the token is one that holds.
async fn known(visitor: Visitor<'_>, token: &str) -> Result<(), Failed> {
    let words = visitor.words;
    let nobody = |message: &str| Failed::new(StatusCode::UNAUTHORIZED, message);
    if token.is_empty() {
        return Err(nobody(words.nothing_typed));
    }
    if !is_token(token) {
        return Err(nobody(words.no_token));
    }
    match visitor.with(token).queue().await {
        Ok(_) => Ok(()),
        // What the service says of it is said to programs.
        Err(failed) if failed.status == StatusCode::UNAUTHORIZED => Err(nobody(words.no_token)),
        Err(failed) => Err(failed),
    }
}

/// The cookie as it is sent to a browser. The browser sends it when a person follows a link, such as one in a notification.
fn baked(name: &str, value: &str, age: u32, is_secure: bool) -> String {
    cookie::baked(name, value, Some(age), SameSite::Lax, is_secure)
}

/// By what a browser is known from now on; nothing where the system gives no random bytes.
fn fresh(app: &App) -> Option<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    let value: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    app.limits.remember(&value);
    Some(value)
}

/// Where somebody goes after the login: the item that they came for, and nothing else. What was asked for is read as the identifier
/// of an item, and the path is made anew of that.
fn way_back(to: &str) -> Option<String> {
    let id: ProposalId = to.strip_prefix("/item/")?.parse().ok()?;
    Some(address(&id))
}

/// The page of the login.
fn page(words: &Words, problem: Option<&str>, to: &str) -> Markup {
    let form = html! {
        h1 { (words.login) }
        form class="card" method="post" action="/login" {
            div class="problem" id="problem" role="alert" {
                @if let Some(problem) = problem { p { (block(problem)) } }
            }
            @if let Some(to) = way_back(to) { input type="hidden" name="to" value=(to); }
            label for="token" { (words.token) }
            input id="token" name="token" type="password" autocomplete="current-password" spellcheck="false"
                aria-describedby="token-hint problem" autofocus;
            p class="hint" id="token-hint" { (words.token_hint) }
            code class="command" { "cl-admin page add NAME --approver WHO" }
            button type="submit" { (words.enter) }
        }
    };
    frame(words, None, "/login", words.login, form)
}

#[cfg(test)]
mod tests;
