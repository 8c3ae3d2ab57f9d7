//! The shapes of well-known keys.

use std::borrow::Cow;

use super::notes::BLANK;

/// Beginnings of well-known keys, with the number of key characters that must follow.
const PREFIXES: [(&str, usize); 17] = [
    ("sk-ant-", 20),
    ("sk-proj-", 20),
    ("sk-", 32),
    ("sk_live_", 20),
    ("rk_live_", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghs_", 30),
    ("github_pat_", 30),
    ("glpat-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("hf_", 30),
    ("npm_", 30),
];

/// A word with every key in it blanked.
pub(super) fn blank(word: &str) -> Cow<'_, str> {
    let Some((at, length)) = find(word) else { return Cow::Borrowed(word) };
    let rest = blank(&word[at + length..]);
    Cow::Owned(format!("{}{BLANK}{rest}", &word[..at]))
}

/// Where the first key stands, and its length.
fn find(word: &str) -> Option<(usize, usize)> {
    let known = PREFIXES.iter().filter_map(|(prefix, least)| {
        word.match_indices(prefix).find_map(|(at, _)| {
            let length = length(&word[at + prefix.len()..], |b| matches!(b, b'-' | b'_'));
            let key = &word[at + prefix.len()..at + prefix.len() + length];
            // Words with dashes are long too, but they hold no digits.
            (length >= *least && key.bytes().any(|b| b.is_ascii_digit())).then(|| (at, prefix.len() + length))
        })
    });
    known.chain(token(word)).min()
}

/// A JSON web token: three parts of base64 with dots between, the first an object.
fn token(word: &str) -> Option<(usize, usize)> {
    word.match_indices("eyJ").find_map(|(at, _)| {
        let length = length(&word[at..], |b| matches!(b, b'-' | b'_' | b'.'));
        let token = word[at..at + length].trim_end_matches('.');
        let parts: Vec<&str> = token.split('.').collect();
        let long = matches!(parts[..], [head, body, _] if head.len() >= 10 && body.len() >= 10);
        long.then_some((at, token.len()))
    })
}

fn length(text: &str, also: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|b| b.is_ascii_alphanumeric() || also(*b)).count()
}
