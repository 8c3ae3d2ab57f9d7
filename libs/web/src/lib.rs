//! What the servers of both programs have in common. A server is a confined process that was given its sockets.
//!
//! - [`server`]: connections to requests
//! - [`limits`]: how many requests are looked at; [`peers`]: from which address one comes; [`rules`]: from where a server may be called
//! - [`cookie`]: the one cookie of a server's pages; [`html`]: what its pages have in common; [`frame`]: what surrounds each
//! - [`words`]: what the pages say, in each language
#![forbid(unsafe_code)]

pub mod cookie;
pub mod frame;
pub mod html;
pub mod limits;
pub mod peers;
pub mod rules;
pub mod server;
pub mod words;

pub use axum::http::HeaderMap;
use axum::http::{HeaderName, HeaderValue, header};

/// What an answer carries unless it says otherwise, as a page does: answers belong to the client that asked, and are not kept.
const ALWAYS: [(&str, &str); 4] = [
    ("cache-control", "no-store"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
];

/// Adds what every answer carries.
pub fn seal(headers: &mut HeaderMap) {
    for (name, value) in ALWAYS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
}

/// Which of these languages a browser likes best, by their codes; the first where it names none of them.
pub fn accepted(headers: &HeaderMap, codes: &[&str]) -> usize {
    let text = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let mut best = (0.0, 0);
    for wish in text.unwrap_or_default().split(',') {
        let (tag, weight) = wish.split_once(';').unwrap_or((wish, "q=1"));
        let weight: f32 = weight.trim().trim_start_matches("q=").parse().unwrap_or(0.0);
        let code = tag.trim().split('-').next().unwrap_or_default();
        let found = codes.iter().position(|known| known.eq_ignore_ascii_case(code));
        if let Some(found) = found.filter(|_| weight > best.0) {
            best = (weight, found);
        }
    }
    best.1
}

#[cfg(test)]
mod tests;
