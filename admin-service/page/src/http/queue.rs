//! What waits: for a person first, and apart from that what is at work.

use std::sync::Arc;

use api::page::Queue;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};
use review::pages::line::Tone;
use review::pages::summary::verdict;
use review::queue::Item;
use shared_types::status::Wait;
use shared_types::text::line;
use web::html::{answer, when};

use super::app::App;
use super::layout::frame;
use super::lines::tone;
use super::visitor::{Instead, Visitor, address};
use super::words::Words;

/// `GET /`
pub(super) async fn show(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Instead> {
    let visitor = Visitor::of(&app, &headers).await;
    let queue = visitor.queue().await.map_err(|failed| visitor.instead(&failed, None))?;
    Ok(answer(StatusCode::OK, page(visitor.words, &queue)))
}

/// The whole page.
fn page(words: &Words, queue: &Queue) -> Markup {
    let (waiting, others): (Vec<&Item>, Vec<&Item>) =
        queue.items.iter().partition(|item| item.waits_for == Some(Wait::Person));
    let main = html! {
        h1 { (words.waiting) }
        @if waiting.is_empty() {
            p { (words.none_waits) }
            p class="empty" { (words.empty) }
        } @else {
            (rows(words, &waiting))
        }
        @if !others.is_empty() {
            section aria-labelledby="others" {
                h2 id="others" { (words.others) }
                p class="hint" { (words.others_hint) }
                (rows(words, &others))
            }
        }
    };
    frame(words, Some(&queue.holds), "/", words.queue, main)
}

fn rows(words: &Words, items: &[&Item]) -> Markup {
    html! {
        ul class="queue" {
            @for item in items {
                li {
                    a href=(address(&item.id)) {
                        strong { bdi { (line(&item.name)) } }
                        (place(words, item))
                    }
                }
            }
        }
    }
}

/// For whom an item is, and where it stands.
pub(super) fn place(words: &Words, item: &Item) -> Markup {
    html! {
        " " span class="whose" { (words.for_profile(&item.profile)) }
        span class="facts" {
            @if let Some(recommendation) = item.recommendation {
                @let said = review::words::Words::of(words.code).say(verdict(recommendation));
                span class={ "mark " (tone(Tone::from(recommendation))) } { (words.recommended(said)) } " "
            }
            span class="mark" { (words.state(item)) } " "
            @if item.recurrence > 0 {
                span class="mark" { (words.asked_times(u64::from(item.recurrence) + 1)) } " "
            }
            span class="who" { (words.since) " " (when(&item.since)) }
        }
    }
}

#[cfg(test)]
mod tests;
