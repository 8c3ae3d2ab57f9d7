//! The review as pages for a person in a browser. Nothing is decided here: each answer is made of what the service says, and a
//! yes is signed on another device.
//!
//! - `app`: what every request is answered with
//! - `guards`: who may call from where, bodies, headers of every answer
//! - `visitor`: who looks at a page, and what they ask of the service; `failure`: what went wrong
//! - `layout`: what surrounds every page; `login`: the cookie
//! - `queue`: what waits; `item`: one package or action, and what is done to it
//! - `card`: the decision; `lines`: the pages of the review, where the words of others stand apart from facts
//! - `words`: what the pages say, in each language

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use web::frame::{SCRIPT_FILE, STYLE_SHEET};
use web::html::STYLE;

mod app;
mod card;
mod failure;
mod guards;
mod item;
mod layout;
mod lines;
mod login;
mod queue;
mod visitor;
mod words;

pub use app::App;

use failure::Failed;
use visitor::Visitor;

/// What these pages have besides those of other servers.
const OWN_STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Everything that is answered.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(queue::show))
        .route("/login", get(login::show).post(login::enter))
        .route("/logout", post(login::leave))
        .route("/item/{id}", get(item::show))
        .route("/item/{id}/try", post(item::call))
        .route("/item/{id}/note", post(item::note))
        .route("/item/{id}/reject", post(item::reject))
        .route("/item/{id}/request", get(item::request))
        .route("/item/{id}/decide", post(item::decide))
        .route(STYLE_SHEET, get(style))
        .route(SCRIPT_FILE, get(script))
        .fallback(no_page)
        .method_not_allowed_fallback(other_method)
        .layer(middleware::from_fn_with_state(app.clone(), guards::look))
        .with_state(app)
}

async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], [STYLE, OWN_STYLE].concat())
}

async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT)
}

async fn no_page(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let words = Visitor::of(&app, &headers).await.words;
    layout::failure(words, "/", &Failed::new(StatusCode::NOT_FOUND, words.no_page))
}

async fn other_method(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let words = Visitor::of(&app, &headers).await.words;
    layout::failure(words, "/", &Failed::new(StatusCode::METHOD_NOT_ALLOWED, words.other_method))
}
