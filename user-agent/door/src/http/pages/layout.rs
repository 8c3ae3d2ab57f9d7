//! Who looks at a page, and what surrounds every page.

use axum::Form;
use axum::extract::Query;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shared_types::text;
use web::frame::{self, Frame};
use web::html::{answer, clean};

use super::super::app::App;
use super::super::failure::Failed;
use super::super::request::{cookie, read_query};
use super::words::{IN_WORDS, Words};
use crate::frames::Ask;

/// Where the button of the emergency stop is sent.
pub(in super::super) const STOP: &str = "/page/stop";

/// An answer in the place of the one that was asked for.
pub(super) struct Instead(Box<Response>);

impl IntoResponse for Instead {
    fn into_response(self) -> Response {
        *self.0
    }
}

/// What every page shows of [`Ask::Status`].
#[derive(Debug, Default, Deserialize)]
pub(super) struct Holds {
    #[serde(default)]
    pub(super) profile: String,
    /// Why the emergency stop holds, which may be empty.
    pub(super) stop_reason: Option<String>,
    pub(super) halted: Option<String>,
    /// How many packages wait for an approver.
    #[serde(default)]
    pub(super) ready: usize,
}

/// Who looks at a page.
pub(super) struct Visitor<'a> {
    app: &'a App,
    token: Option<String>,
    pub(super) words: &'static Words,
    holds: Holds,
}

impl<'a> Visitor<'a> {
    /// Somebody, of whom nothing is known yet but what the request says.
    pub(super) fn of(app: &'a App, headers: &HeaderMap) -> Visitor<'a> {
        Visitor {
            app,
            token: cookie(app, headers),
            words: Words::spoken(app, headers),
            holds: Holds::default(),
        }
    }

    /// Somebody who may look, with what holds; who may not is sent to the login.
    pub(super) async fn known(app: &'a App, headers: &HeaderMap) -> Result<Visitor<'a>, Instead> {
        let mut visitor = Visitor::of(app, headers);
        let body = visitor.ask(Ask::Status).await?;
        visitor.holds = serde_json::from_value(body).map_err(|e| visitor.unreadable(&e))?;
        Ok(visitor)
    }

    /// Asks `mind` for what comes in one piece.
    pub(super) async fn tried(&self, ask: Ask) -> Result<Value, Failed> {
        self.app.link.ask(self.token.clone(), ask)?.whole().await
    }

    /// Asks `mind`; what it refuses is answered with a page.
    pub(super) async fn ask(&self, ask: Ask) -> Result<Value, Instead> {
        self.tried(ask).await.map_err(|failed| self.instead(&failed))
    }

    /// Asks `mind` for rows, which the answer has under a name.
    pub(super) async fn rows<T: DeserializeOwned>(&self, ask: Ask, name: &str) -> Result<Vec<T>, Instead> {
        let mut body = self.ask(ask).await?;
        let rows = body.get_mut(name).map(Value::take).unwrap_or_default();
        serde_json::from_value(rows).map_err(|e| self.unreadable(&e))
    }

    /// What a form sent.
    pub(super) fn form<T>(&self, body: Result<Form<T>, FormRejection>) -> Result<T, Instead> {
        body.map(|Form(read)| read).map_err(|why| {
            let why = text::line(&why.body_text());
            self.instead(&Failed::new(StatusCode::BAD_REQUEST, "invalid_request", why))
        })
    }

    /// What stands behind the `?`.
    pub(super) fn query<T>(&self, query: Result<Query<T>, QueryRejection>) -> Result<T, Instead> {
        read_query(query).map_err(|failed| self.instead(&failed))
    }

    /// What is answered where something failed: the login where nobody is known, else a page that says what.
    pub(super) fn instead(&self, failed: &Failed) -> Instead {
        if failed.status != StatusCode::UNAUTHORIZED {
            return Instead(Box::new(failure(self.words, Some(&self.holds), failed)));
        }
        // Who guesses by the cookie is slowed as who guesses by `Authorization`.
        if self.token.is_none() || self.app.limits.stranger() {
            return Instead(Box::new(Redirect::to("/login").into_response()));
        }
        let busy = Failed::new(StatusCode::TOO_MANY_REQUESTS, IN_WORDS, self.words.slower);
        Instead(Box::new(failure(self.words, None, &busy)))
    }

    /// A whole page.
    pub(super) fn page(&self, status: StatusCode, here: &str, title: &str, main: Markup) -> Response {
        answer(status, frame(self.words, Some(&self.holds), here, title, main))
    }

    fn unreadable(&self, error: &serde_json::Error) -> Instead {
        let message = format!("an answer that cannot be read: {error}");
        self.instead(&Failed::new(StatusCode::BAD_GATEWAY, "failed", message))
    }
}

/// A page that says what failed.
pub(super) fn failure(words: &Words, holds: Option<&Holds>, failed: &Failed) -> Response {
    let main = html! {
        h1 { (words.failed) }
        div class="problem" role="alert" { p { (clean(&words.of_failure(failed))) } }
        p { a class="button" href="/" { (words.back) } }
    };
    answer(failed.status, frame(words, holds, "", words.failed, main))
}

/// A whole page: what is the page's own stands in the middle of what every page has. Who is not known sees neither the other
/// pages nor the stop, which would lead them to the login only.
pub(super) fn frame(words: &Words, holds: Option<&Holds>, here: &str, title: &str, main: Markup) -> Markup {
    let profile = holds.map(|holds| clean(&holds.profile));
    let buttons = html! {
        @if holds.is_some() {
            (frame::leave(words.leave))
            form method="post" action=(STOP) {
                button type="submit" class="stop" { (words.stop) }
            }
        }
    };
    let links = [("/", words.chat), ("/page/memory", words.memory), ("/page/receipts", words.receipts)];
    let top = html! {
        (frame::top("TameClaw", profile.as_deref(), &buttons))
        @if holds.is_some() { (frame::sections(words.sections, here, &links)) }
    };
    let notices = html! { @if let Some(holds) = holds { (notices(words, holds)) } };
    let (language, skip, footer) = (words.code, words.skip, words.nothing_approved);
    Frame { language, title, server: "TameClaw", skip, top, notices, main, footer }.whole()
}

/// What holds: the emergency stop, that nobody may talk, and what is ready for review.
fn notices(words: &Words, holds: &Holds) -> Markup {
    html! {
        @if let Some(reason) = &holds.stop_reason {
            div class="stopped" role="status" {
                p { strong { (words.stopped) } }
                @if !reason.is_empty() { p { (words.stop_reason) " " (clean(&words.retold(reason))) } }
                p { (words.stop_hint) }
            }
        }
        @if let Some(halted) = &holds.halted {
            div class="stopped" role="status" {
                p { strong { (words.halted) } }
                p { (clean(&words.retold(halted))) }
            }
        }
        @if holds.ready > 0 {
            div class="ready" role="status" { p { (words.of_ready(holds.ready)) } }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
