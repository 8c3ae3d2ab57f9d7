//! What is remembered, with what forgets and corrects each of it, the conversations, and the receipts.

use std::sync::Arc;

use axum::Form;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use shared_types::memory::MAX_FACT;
use shared_types::text;

use super::super::app::App;
use super::super::failure::Failed;
use super::layout::{Instead, Visitor};
use super::words::{IN_WORDS, Words};
use crate::frames::Ask;
use web::html::{clean, when};

/// The most rows of a list.
const MOST: usize = 50;
/// How much is shown of what a conversation began with, in characters.
const FIRST: usize = 120;

/// What is looked for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    #[serde(default)]
    q: String,
}

/// What is to be forgotten.
#[derive(Debug, Deserialize)]
pub(super) struct Forgotten {
    id: String,
}

/// What is to be remembered in the place of a fact.
#[derive(Debug, Deserialize)]
pub(super) struct Corrected {
    id: String,
    words: String,
    /// What was looked for when it was found.
    #[serde(default)]
    q: String,
}

/// A correction that was not made, and why.
struct Uncorrected<'a> {
    id: &'a str,
    words: &'a str,
    why: &'a str,
}

#[derive(Debug, Deserialize)]
struct Fact {
    id: String,
    text: String,
    #[serde(default)]
    at: String,
    #[serde(default)]
    outside: bool,
}

#[derive(Debug, Deserialize)]
struct Conversation {
    id: String,
    #[serde(default)]
    at: String,
    first: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Receipt {
    timestamp: String,
    tool: String,
    status: String,
    risk: String,
    approved_by: String,
}

/// `GET /page/memory`
pub(super) async fn show(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::known(&app, &headers).await?;
    let Wanted { q } = visitor.query(query)?;
    listed(&visitor, StatusCode::OK, q.trim(), None).await
}

/// The page of what is remembered, or of what of it fits some words.
async fn listed(
    visitor: &Visitor<'_>,
    status: StatusCode,
    q: &str,
    left: Option<Uncorrected<'_>>,
) -> Result<Response, Instead> {
    let mut conversations = Vec::<Conversation>::new();
    let facts: Vec<Fact> = if q.is_empty() {
        conversations = visitor.rows(Ask::Conversations { limit: MOST }, "conversations").await?;
        visitor.rows(Ask::Facts { limit: MOST }, "facts").await?
    } else {
        visitor.rows(Ask::Search { query: q.to_owned(), limit: MOST }, "facts").await?
    };
    let main = remembered(visitor.words, q, &facts, &conversations, left.as_ref());
    Ok(visitor.page(status, "/page/memory", visitor.words.memory, main))
}

/// `POST /page/forget`
pub(super) async fn forget(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Form<Forgotten>, FormRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::known(&app, &headers).await?;
    let Forgotten { id } = visitor.form(body)?;
    visitor.ask(Ask::Forget { id }).await?;
    Ok(Redirect::to("/page/memory").into_response())
}

/// `POST /page/correct`
pub(super) async fn correct(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Form<Corrected>, FormRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::known(&app, &headers).await?;
    let Corrected { id, words, q } = visitor.form(body)?;
    let fits = !words.trim().is_empty() && words.len() <= MAX_FACT;
    let tried = match fits {
        true => visitor.tried(Ask::Correct { id: id.clone(), words: words.clone() }).await,
        false => Err(Failed::new(StatusCode::BAD_REQUEST, IN_WORDS, visitor.words.fact_length)),
    };
    let failed = match tried {
        Ok(_) => return Ok(Redirect::to("/page/memory").into_response()),
        Err(failed) if failed.status == StatusCode::UNAUTHORIZED => return Err(visitor.instead(&failed)),
        Err(failed) => failed,
    };
    let why = visitor.words.of_failure(&failed);
    let left = Uncorrected { id: &id, words: &words, why: &why };
    listed(&visitor, failed.status, q.trim(), Some(left)).await
}

/// `GET /page/receipts`
pub(super) async fn receipts(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Instead> {
    let visitor = Visitor::known(&app, &headers).await?;
    let rows: Vec<Receipt> = visitor.rows(Ask::Receipts { limit: MOST }, "receipts").await?;
    let words = visitor.words;
    Ok(visitor.page(StatusCode::OK, "/page/receipts", words.receipts, table(words, &rows)))
}

fn remembered(
    words: &Words,
    q: &str,
    facts: &[Fact],
    conversations: &[Conversation],
    left: Option<&Uncorrected<'_>>,
) -> Markup {
    html! {
        h1 { (words.memory) }
        @if let Some(left) = left {
            div class="problem" id="problem" role="alert" { p { (clean(left.why)) } }
        }
        form class="card" method="get" action="/page/memory" role="search" {
            label for="q" { (words.search) }
            input id="q" name="q" type="search" maxlength="1000" value=(clean(q));
            div class="row" {
                button type="submit" { (words.find) }
                @if !q.is_empty() { a class="button quiet" href="/page/memory" { (words.all) } }
            }
        }
        section aria-labelledby="facts" {
            h2 id="facts" { (words.facts) }
            @if facts.is_empty() { p class="empty" { (words.nothing) } }
            ul class="rows" {
                @for fact in facts {
                    li {
                        div class="text" {
                            p class="plain" id={ "of-" (fact.id) } { (clean(&fact.text)) }
                            p class="who" {
                                (when(&fact.at))
                                @if fact.outside { " " span class="mark" { (words.outside) } }
                            }
                        }
                        (forget_button(words, &fact.id))
                        (correction(words, q, fact, left.filter(|left| left.id == fact.id)))
                    }
                }
            }
        }
        // Who looks for something sees that alone.
        @if q.is_empty() {
            details {
                summary { h2 { (words.conversations) } }
                @if conversations.is_empty() { p class="empty" { (words.nothing) } }
                ul class="rows" {
                    @for conversation in conversations {
                        li {
                            div class="text" {
                                a id={ "of-" (conversation.id) } href={ "/?c=" (conversation.id) } {
                                    (conversation.name(words))
                                }
                                p class="who" { (when(&conversation.at)) }
                            }
                            (forget_button(words, &conversation.id))
                        }
                    }
                }
            }
        }
    }
}

/// Where other words are typed for a fact. What was typed in vain stands there again.
fn correction(words: &Words, q: &str, fact: &Fact, left: Option<&Uncorrected<'_>>) -> Markup {
    html! {
        details class="more" open[left.is_some()] {
            summary aria-describedby={ "of-" (fact.id) } { (words.correct) }
            form method="post" action="/page/correct" {
                input type="hidden" name="id" value=(fact.id);
                input type="hidden" name="q" value=(clean(q));
                label for={ "words-" (fact.id) } { (words.right) }
                textarea id={ "words-" (fact.id) } name="words" rows="2" maxlength=(MAX_FACT) required
                    aria-describedby=[left.map(|_| "problem")] aria-invalid=[left.map(|_| "true")] {
                    (clean(left.map_or(&fact.text, |left| left.words)))
                }
                div class="row" {
                    button type="submit" aria-describedby={ "of-" (fact.id) } { (words.keep) }
                }
            }
        }
    }
}

fn forget_button(words: &Words, id: &str) -> Markup {
    html! {
        form method="post" action="/page/forget" {
            input type="hidden" name="id" value=(id);
            button type="submit" class="quiet" aria-describedby={ "of-" (id) } { (words.forget) }
        }
    }
}

impl Conversation {
    fn name(&self, words: &Words) -> String {
        let first = clean(self.first.as_deref().unwrap_or_default());
        if first.trim().is_empty() { words.unnamed.to_owned() } else { text::cut(&first, FIRST) }
    }
}

/// The receipts, which come oldest first.
fn table(words: &Words, rows: &[Receipt]) -> Markup {
    html! {
        h1 { (words.receipts) }
        p class="hint" { (words.receipts_are) }
        @if rows.is_empty() { p class="empty" { (words.nothing) } } @else {
            table class="receipts" {
                thead {
                    tr {
                        @for name in [words.time, words.tool, words.status, words.risk, words.by] {
                            th scope="col" { (name) }
                        }
                    }
                }
                tbody {
                    @for row in rows.iter().rev() {
                        tr {
                            td { (when(&row.timestamp)) }
                            td { (clean(&row.tool)) }
                            td { (clean(&row.status)) }
                            td { (clean(&row.risk)) }
                            td { (clean(&row.approved_by)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
