//! What the pages of every server have in common.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use shared_types::text;

/// The style sheet of all pages.
pub const STYLE: &str = include_str!("style.css");

/// What a browser may load and run for a page: the style sheet and the script of its server, and nothing within the page itself.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; \
                          base-uri 'none'; frame-ancestors 'none'";

/// A text without the characters that could make it look like another one; lines stay.
pub fn clean(said: &str) -> String {
    let kept: String = said.chars().filter(|c| matches!(c, '\n' | '\t') || !text::is_unsafe(*c)).collect();
    text::Pieces::default().show(&kept)
}

/// A time in RFC 3339; a script shows it as the browser's place does.
pub fn when(at: &str) -> Markup {
    let shown = match (at.get(..10), at.get(11..16)) {
        (Some(day), Some(time)) if at.ends_with('Z') => format!("{day} {time} UTC"),
        _ => text::cut(at, 40),
    };
    html! { @if !at.is_empty() { time datetime=(at) { (shown) } } }
}

/// A page as an answer.
pub fn answer(status: StatusCode, page: Markup) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (status, headers, page.into_string()).into_response()
}

#[cfg(test)]
mod tests;
