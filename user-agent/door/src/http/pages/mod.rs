//! Pages for a person in a browser. They show and send what the interface for programs does, and nothing is approved on them.
//!
//! - `layout`: who looks at a page, and what surrounds every page
//! - `chat`: the conversation, and `said` what a person wrote; `memory`: what is remembered, and the receipts; `login`: the cookie
//! - `markdown`: replies as HTML that can do nothing
//! - `words`: what the pages say, in each language
//!
//! A browser sends the cookie along regardless of which page made it ask. So a request that changes anything needs an
//! `Origin`, which `guards` has found to be this door's own where there is one.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};

use super::app::App;
use super::failure::Failed;
use crate::frames::Ask;

mod chat;
mod layout;
mod login;
mod markdown;
mod memory;
mod said;
mod words;

use web::frame::{SCRIPT_FILE, STYLE_SHEET};
use web::html::STYLE;

pub(super) use layout::STOP;
use layout::{Instead, Visitor, failure};
use words::Words;

const SCRIPT: &str = include_str!("script.js");

/// Where the form of a line is sent.
pub(super) const SAY: &str = "/page/say";

/// Every page, and what its forms send.
pub(super) fn router(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/", get(chat::show))
        .route("/login", get(login::show).post(login::enter))
        .route("/logout", post(login::leave))
        .route(SAY, post(chat::say))
        .route("/page/stream", post(chat::stream))
        .route("/page/answer", post(chat::answer))
        .route(STOP, post(stop))
        .route("/page/memory", get(memory::show))
        .route("/page/forget", post(memory::forget))
        .route("/page/correct", post(memory::correct))
        .route("/page/receipts", get(memory::receipts))
        .route(STYLE_SHEET, get(style))
        .route(SCRIPT_FILE, get(script))
        .route_layer(middleware::from_fn_with_state(app.clone(), from_a_page))
}

/// Whether a person sees the answer as a page: a browser asks so for what it opens, and a program does not.
pub(super) fn is_seen(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepts.is_some_and(|accepts| accepts.contains("text/html"))
}

/// The page that says why a request was refused before anybody read it.
pub(super) fn refused(app: &App, headers: &HeaderMap, failed: &Failed) -> Response {
    failure(Words::spoken(app, headers), None, failed)
}

async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT)
}

/// Refuses what would change something and says not from where it comes.
async fn from_a_page(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if request.method() == Method::POST && !request.headers().contains_key(header::ORIGIN) {
        let words = Words::spoken(&app, request.headers());
        return failure(words, None, &Failed::new(StatusCode::FORBIDDEN, "wrong_origin", words.no_origin));
    }
    next.run(request).await
}

/// `POST /page/stop`
async fn stop(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers);
    visitor.ask(Ask::Stop { reason: visitor.words.stop_set.to_owned() }).await?;
    Ok(Redirect::to("/").into_response())
}
