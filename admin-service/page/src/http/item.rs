//! One package or action: its page, and what is done to it.

use std::sync::Arc;

use api::page::{Ask, Shown};
use axum::extract::rejection::{FormRejection, JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use maud::{Markup, html};
use review::pages::line::Page;
use review::queue::DECISIVE;
use serde::Deserialize;
use serde_json::json;
use shared_types::id::{Digest, ProposalId};
use shared_types::recipients::Recipients;
use shared_types::text::{block, line};
use web::html::answer;

use super::app::App;
use super::card::{ACTION, NOTES, card};
use super::failure::Failed;
use super::layout::frame;
use super::lines;
use super::queue::place;
use super::visitor::{Instead, Visitor, address};
use super::words::Words;

/// The pages that stand before the decision.
const FIRST: [&str; 4] = ["summary", "gate", ACTION, "judgement"];

/// A call of a tool.
#[derive(Debug, Deserialize)]
pub(super) struct Call {
    tool: String,
    #[serde(default)]
    args: String,
}

/// A note.
#[derive(Debug, Deserialize)]
pub(super) struct Noted {
    #[serde(default)]
    text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct No {
    #[serde(default)]
    reason: String,
}

/// What a yes is to be for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    seen: String,
    to: Option<String>,
}

/// What the signing page gave back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signed {
    text: String,
    answer: String,
}

/// `GET /item/ID`
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers).await;
    let id = visitor.id(&id)?;
    let shown = visitor.shown(&id).await.map_err(|failed| visitor.instead(&failed, Some(&id)))?;
    Ok(answer(StatusCode::OK, page(visitor.words, &shown)))
}

/// `POST /item/ID/try`
pub(super) async fn call(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Result<Form<Call>, FormRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers).await;
    let id = visitor.id(&id)?;
    let Call { tool, args } = visitor.form(&id, body)?;
    let ask = Ask::Try { id: id.clone(), tool: tool.clone(), args };
    let said = visitor.done(ask).await.map_err(|failed| visitor.instead(&failed, Some(&id)))?;
    let words = visitor.words;
    Ok(visitor.page(words.tried, tried(words, &id, &tool, &said)).await)
}

/// `POST /item/ID/note`
pub(super) async fn note(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Result<Form<Noted>, FormRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers).await;
    let id = visitor.id(&id)?;
    let Noted { text } = visitor.form(&id, body)?;
    let ask = Ask::Note { id: id.clone(), text };
    visitor.done(ask).await.map_err(|failed| visitor.instead(&failed, Some(&id)))?;
    Ok(Redirect::to(&address(&id)).into_response())
}

/// `POST /item/ID/reject`
pub(super) async fn reject(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Result<Form<No>, FormRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers).await;
    let id = visitor.id(&id)?;
    let No { reason } = visitor.form(&id, body)?;
    let ask = Ask::Reject { id: id.clone(), reason };
    let said = visitor.done(ask).await.map_err(|failed| visitor.instead(&failed, Some(&id)))?;
    let words = visitor.words;
    Ok(visitor.page(words.rejected, rejected(words, &said)).await)
}

/// `GET /item/ID/request`: the request for the signing page. The script reads it; without it, it is a file.
pub(super) async fn request(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    query: Result<Query<Wanted>, QueryRejection>,
) -> Response {
    let visitor = Visitor::of(&app, &headers).await;
    let asked = match query {
        Ok(Query(wanted)) => to_sign(&id, &wanted),
        Err(why) => Err(Failed::new(StatusCode::BAD_REQUEST, why.body_text())),
    };
    let text = match asked {
        Ok(ask) => visitor.to_sign(ask).await,
        Err(failed) => Err(failed),
    };
    match text {
        Ok(text) => {
            let headers = [
                (header::CONTENT_TYPE, "application/json"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"request.json\""),
            ];
            (headers, text).into_response()
        }
        Err(failed) => failed.json(visitor.words),
    }
}

/// `POST /item/ID/decide`: what the signing page gave back. The script alone sends it: it has the text that was signed.
pub(super) async fn decide(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Result<Json<Signed>, JsonRejection>,
) -> Response {
    let visitor = Visitor::of(&app, &headers).await;
    let ask = match body {
        Ok(Json(Signed { text, answer })) => {
            proposal(&id).map(|id| Ask::Decide { id, text, signature: answer })
        }
        Err(why) => Err(Failed::new(StatusCode::BAD_REQUEST, why.body_text())),
    };
    let done = match ask {
        Ok(ask) => visitor.done(ask).await,
        Err(failed) => Err(failed),
    };
    match done {
        Ok(said) => Json(json!({ "done": block(&said) })).into_response(),
        Err(failed) => failed.json(visitor.words),
    }
}

fn proposal(named: &str) -> Result<ProposalId, Failed> {
    named.parse().map_err(unreadable)
}

/// What is asked for the signing page.
fn to_sign(id: &str, wanted: &Wanted) -> Result<Ask, Failed> {
    let seen: Digest = wanted.seen.parse().map_err(unreadable)?;
    let recipients: Option<Recipients> =
        wanted.to.as_deref().map(str::parse).transpose().map_err(unreadable)?;
    Ok(Ask::ToSign { id: proposal(id)?, seen, recipients })
}

fn unreadable(why: impl std::fmt::Display) -> Failed {
    Failed::new(StatusCode::BAD_REQUEST, why.to_string())
}

/// The whole page: what decides, the decision, and then everything else that there is to see.
fn page(words: &Words, shown: &Shown) -> Markup {
    let (first, others) = in_order(&shown.pages);
    let main = html! {
        h1 { bdi { (line(&shown.item.name)) } }
        p class="place" { (place(words, &shown.item)) }
        @for page in first { (lines::page(words, page, true)) }
        (card(words, shown))
        @for page in others { (lines::page(words, page, page.title == NOTES)) }
    };
    frame(words, Some(&shown.holds), "", &line(&shown.item.name), main)
}

/// The pages that stand before the decision, and the others: those first that it rests on.
fn in_order(pages: &[Page]) -> (Vec<&Page>, Vec<&Page>) {
    let named = |name: &&str| pages.iter().find(|page| page.title == *name);
    let first: Vec<&Page> = FIRST.iter().filter_map(named).collect();
    let decisive = DECISIVE.iter().filter(|name| !FIRST.contains(name)).filter_map(named);
    let is_named = |page: &&Page| FIRST.iter().chain(&DECISIVE).any(|name| page.title == *name);
    let rest = pages.iter().filter(|page| !is_named(page));
    (first, decisive.chain(rest).collect())
}

/// What a call came to. The tool wrote most of it, so all of it stands as its words.
fn tried(words: &Words, id: &ProposalId, tool: &str, said: &str) -> Markup {
    // The last line is the program's own.
    let (answer, used) = said.rsplit_once('\n').unwrap_or((said, ""));
    let said = [answer, &words.retold(used)].join("\n");
    html! {
        h1 { (words.tried) }
        p { (words.tried_hint) }
        (lines::quoted(&words.tried_by(&line(tool)), said.trim_end()))
        p { a class="button" href=(address(id)) { (words.back_to_item) } }
    }
}

fn rejected(words: &Words, said: &str) -> Markup {
    html! {
        h1 { (words.rejected) }
        p class="plain" role="status" { (block(&words.retold(said))) }
        p { a class="button" href="/" { (words.back) } }
    }
}

#[cfg(test)]
pub(super) mod tests;
