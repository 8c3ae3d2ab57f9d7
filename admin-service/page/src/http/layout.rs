//! What surrounds every page.

use api::page::Holds;
use axum::response::Response;
use maud::{Markup, html};
use shared_types::text::block;
use web::frame::{self, Frame};
use web::html::answer;

use super::failure::Failed;
use super::words::Words;

/// A page that says what failed.
pub(super) fn failure(words: &Words, back: &str, failed: &Failed) -> Response {
    let main = html! {
        h1 { (words.failed) }
        div class="problem" role="alert" { p { (block(&words.retold(&failed.message))) } }
        p { a class="button" href=(back) { (words.back) } }
    };
    answer(failed.status, frame(words, None, "", words.failed, main))
}

/// A whole page: what is the page's own stands in the middle of what every page has. Who is not known sees neither the other
/// pages nor the stop.
pub(super) fn frame(words: &Words, holds: Option<&Holds>, here: &str, title: &str, main: Markup) -> Markup {
    let approver = holds.map(|holds| holds.approver.to_string());
    let buttons = html! { @if holds.is_some() { (frame::leave(words.leave)) } };
    let top = html! {
        (frame::top(words.name, approver.as_deref(), &buttons))
        @if holds.is_some() { (frame::sections(words.sections, here, &[("/", words.queue)])) }
    };
    let notices = html! {
        @if let Some(stopped) = holds.and_then(|holds| holds.stopped.as_deref()) {
            div class="stopped" role="status" {
                p { strong { (words.stopped) } }
                p { (block(&words.retold(stopped))) }
                p { (words.stop_hint) }
            }
        }
    };
    let (language, skip, footer) = (words.code, words.skip, words.footer);
    Frame { language, title, server: words.name, skip, top, notices, main, footer }.whole()
}

#[cfg(test)]
pub(super) mod tests;
