//! Who looks at a page, and what they ask of the service.

use api::page::{Answer, Ask, Queue, Shown};
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;
use shared_types::id::ProposalId;
use web::cookie;
use web::html::answer;

use super::app::App;
use super::failure::Failed;
use super::layout::{failure, frame};
use super::words::Words;

/// The cookie whose value is a token of an approver.
pub(super) const COOKIE: &str = "tameclaw_review";

/// The cookie by which a browser is known that logged in before, until this program ends. It opens nothing.
pub(super) const BROWSER: &str = "tameclaw_review_browser";

/// An answer in the place of the one that was asked for.
#[derive(Debug)]
pub(super) struct Instead(Box<Response>);

impl IntoResponse for Instead {
    fn into_response(self) -> Response {
        *self.0
    }
}

impl From<Response> for Instead {
    fn from(response: Response) -> Instead {
        Instead(Box::new(response))
    }
}

/// Who looks at a page.
pub(super) struct Visitor<'a> {
    app: &'a App,
    token: Option<String>,
    /// What the pages say to them.
    pub(super) words: &'static Words,
}

impl<'a> Visitor<'a> {
    /// Somebody, of whom nothing is known yet but what the request says. The language is that of the home.
    pub(super) async fn of(app: &'a App, headers: &HeaderMap) -> Visitor<'a> {
        let words = match app.service.ask(None, Ask::Language {}).await {
            Answer::Language(code) => Words::of(&code),
            _ => None,
        };
        let words = words.unwrap_or_else(|| Words::accepted(headers));
        Visitor { app, token: cookie::read(headers, COOKIE), words }
    }

    /// The same, with the token that they typed.
    pub(super) fn with(self, token: &str) -> Visitor<'a> {
        Visitor { token: Some(token.to_owned()), ..self }
    }

    /// Asks the service.
    async fn ask(&self, ask: Ask) -> Result<Answer, Failed> {
        let Some(token) = self.token.clone() else {
            return Err(Failed::new(StatusCode::UNAUTHORIZED, self.words.not_known));
        };
        match self.app.service.ask(Some(token), ask).await {
            Answer::Refused { why, message } => Err(Failed::of(why, message)),
            answer => Ok(answer),
        }
    }

    /// What waits.
    pub(super) async fn queue(&self) -> Result<Queue, Failed> {
        match self.ask(Ask::Queue {}).await? {
            Answer::Queue(queue) => Ok(queue),
            _ => Err(self.unfit()),
        }
    }

    /// One package or action.
    pub(super) async fn shown(&self, id: &ProposalId) -> Result<Shown, Failed> {
        match self.ask(Ask::Show { id: id.clone() }).await? {
            Answer::Package(shown) => Ok(*shown),
            _ => Err(self.unfit()),
        }
    }

    /// The request for the signing page.
    pub(super) async fn to_sign(&self, ask: Ask) -> Result<String, Failed> {
        match self.ask(ask).await? {
            Answer::ToSign(text) => Ok(text),
            _ => Err(self.unfit()),
        }
    }

    /// Has something done; the words that say what came of it.
    pub(super) async fn done(&self, ask: Ask) -> Result<String, Failed> {
        match self.ask(ask).await? {
            Answer::Done(said) => Ok(said),
            _ => Err(self.unfit()),
        }
    }

    fn unfit(&self) -> Failed {
        Failed::new(StatusCode::BAD_GATEWAY, self.words.unfit)
    }

    /// The proposal that a path names.
    pub(super) fn id(&self, named: &str) -> Result<ProposalId, Instead> {
        let none = |_| self.instead(&Failed::new(StatusCode::NOT_FOUND, self.words.no_item), None);
        named.parse().map_err(none)
    }

    /// What a form of an item sent.
    pub(super) fn form<T>(
        &self,
        id: &ProposalId,
        body: Result<Form<T>, FormRejection>,
    ) -> Result<T, Instead> {
        body.map(|Form(read)| read).map_err(|why| {
            let failed = Failed::new(StatusCode::BAD_REQUEST, why.body_text());
            self.instead(&failed, Some(id))
        })
    }

    /// What is answered where something failed: the login where nobody is known, else a page that says what. After the login
    /// they come back to the item.
    pub(super) fn instead(&self, failed: &Failed, item: Option<&ProposalId>) -> Instead {
        let item = item.map(address);
        if failed.status != StatusCode::UNAUTHORIZED {
            let back = item.filter(|_| failed.status != StatusCode::NOT_FOUND);
            return failure(self.words, back.as_deref().unwrap_or("/"), failed).into();
        }
        // Who guesses by the cookie is slowed as who guesses at the login.
        if self.token.is_none() || self.app.limits.stranger() {
            let login = item.map_or("/login".to_owned(), |item| format!("/login?to={item}"));
            return Redirect::to(&login).into_response().into();
        }
        failure(self.words, "/", &Failed::new(StatusCode::TOO_MANY_REQUESTS, self.words.slower)).into()
    }

    /// A page about something that was done, for somebody who is known.
    pub(super) async fn page(&self, title: &str, main: Markup) -> Response {
        let holds = self.queue().await.map(|queue| queue.holds);
        answer(StatusCode::OK, frame(self.words, holds.as_ref().ok(), "", title, main))
    }
}

/// The path of an item.
pub(super) fn address(id: &ProposalId) -> String {
    format!("/item/{id}")
}
