//! What surrounds every page.

use api::page::Holds;
use axum::response::Response;
use maud::{DOCTYPE, Markup, html};
use shared_types::text::block;
use web::html::answer;

use super::failure::Failed;
use super::words::Words;

/// A page that says what failed.
pub(super) fn failure(words: &Words, back: &str, failed: &Failed) -> Response {
    let main = html! {
        h1 { (words.failed) }
        div class="problem" role="alert" { p { (block(&failed.message)) } }
        p { a class="button" href=(back) { (words.back) } }
    };
    answer(failed.status, frame(words, None, "", words.failed, main))
}

/// A whole page: what is the page's own stands in the middle of what every page has. Who is not known sees neither the other
/// pages nor the stop.
pub(super) fn frame(words: &Words, holds: Option<&Holds>, here: &str, title: &str, main: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.code) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Under `no-referrer` a browser sends `Origin: null` with a form.
                meta name="referrer" content="same-origin";
                title { (title) " - " (words.name) }
                link rel="stylesheet" href="/page/style.css";
                script src="/page/script.js" defer {}
            }
            body {
                a class="skip" href="#main" { (words.skip) }
                header { (top(words, holds, here)) }
                @if let Some(stopped) = holds.and_then(|holds| holds.stopped.as_deref()) {
                    div class="stopped" role="status" {
                        p { strong { (words.stopped) } }
                        p { (block(stopped)) }
                        p { (words.stop_hint) }
                    }
                }
                main id="main" tabindex="-1" { (main) }
                footer { p { (words.footer) } }
            }
        }
    }
}

/// Whose page it is, and where else one can go.
fn top(words: &Words, holds: Option<&Holds>, here: &str) -> Markup {
    html! {
        div class="top" {
            p class="name" {
                strong { (words.name) }
                @if let Some(holds) = holds { " " span { (holds.approver) } }
            }
            @if holds.is_some() {
                form method="post" action="/logout" {
                    button type="submit" class="plainly" { (words.leave) }
                }
            }
        }
        @if holds.is_some() {
            nav aria-label=(words.sections) {
                a href="/" aria-current=[(here == "/").then_some("page")] { (words.queue) }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
