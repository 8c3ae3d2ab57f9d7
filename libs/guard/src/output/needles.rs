//! What the caller knows, and the exact secrets among it.

use super::notes::{BLANK, Notes, SECRET};
use shared_types::sorted;

/// What the cleaning looks for besides the shapes that it knows.
#[derive(Debug, Clone, Default)]
pub struct Needles {
    /// Exact values that must not go out; shorter than 6 bytes they are left alone.
    pub secrets: Vec<String>,
    /// The system's own text: a run of ten of its words is left out.
    pub system: String,
    /// What is private in this conversation, and what files and pages brought into it: no link may carry a word of it.
    pub private: Vec<String>,
    /// The lines that the person typed, the newest last: a link may be one of theirs, and carry the newest one's words as
    /// far as they hold no digit.
    pub typed: Vec<String>,
    /// Hosts that the person named: links to them stay, however much they carry, unless it is private.
    pub hosts: Vec<String>,
}

/// The shortest secret that is looked for, in bytes: shorter ones stand in ordinary words.
const SHORTEST: usize = 6;

/// Blanks exact secrets; holds back what may still become one.
#[derive(Debug)]
pub(super) struct Filter {
    /// The longest first.
    secrets: Vec<String>,
    held: String,
}

impl Filter {
    pub(super) fn new(secrets: &[String]) -> Filter {
        let mut secrets: Vec<String> = secrets.iter().filter(|s| s.len() >= SHORTEST).cloned().collect();
        sorted::by_key(&mut secrets, |secret| std::cmp::Reverse(secret.len()));
        Filter { secrets, held: String::new() }
    }

    pub(super) fn take(&mut self, text: &str, done: bool, notes: &mut Notes) -> String {
        if self.secrets.is_empty() {
            return text.to_owned();
        }
        self.held.push_str(text);
        let mut given = String::with_capacity(self.held.len());
        let mut at = 0;
        while at < self.held.len() {
            let rest = &self.held[at..];
            // A longer secret may still come of what a shorter one has matched.
            if !done && self.secrets.iter().any(|s| s.len() > rest.len() && s.starts_with(rest)) {
                break;
            }
            if let Some(secret) = self.secrets.iter().find(|s| rest.starts_with(s.as_str())) {
                notes.add(SECRET);
                given.push_str(BLANK);
                at += secret.len();
            } else {
                let c = rest.chars().next().expect("the rest is not empty");
                given.push(c);
                at += c.len_utf8();
            }
        }
        self.held.drain(..at);
        given
    }
}
