//! What a list is about: `homework`, `birds`, `to-do`, `einkaufsliste`; plain words only.

use language::fold::written_out;
use language::is_common;
use serde::Deserialize;

use super::found::Found;
use crate::templates::patterns::Patterns;
use crate::templates::wish::Wish;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::templates) struct Collection {
    /// Subjects that everyone knows as lists.
    known: Patterns,
    /// Words around a list's name that are not part of it.
    around: Patterns,
}

struct Subject {
    words: String,
    /// Whether everyone knows that this is a list.
    known: bool,
}

const LIST: [&str; 4] = ["list", "lists", "liste", "listen"];

impl Collection {
    pub(super) fn fill(&self, wish: &Wish) -> Option<Found> {
        let subject = self.subject(wish)?;
        let known = subject.known.then(|| ("known", String::new()));
        Some(Found { value: subject.words, parts: known.into_iter().collect() })
    }

    fn subject(&self, wish: &Wish) -> Option<Subject> {
        let within = |words: &[String]| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let found = self
                .around_list(&words)
                .or_else(|| german_compound(&words))
                .or_else(|| self.after_keeping(&words))?;
            let says_list = words.iter().any(|word| LIST.contains(word));
            let known = says_list && self.known.names(&found) || found.ends_with("liste");
            Some(Subject { words: found, known })
        };
        // What the person said counts more than how the bot put it.
        let named =
            || Some(Subject { words: wish.name.strip_suffix("-list")?.replace('-', " "), known: true });
        let subject = within(wish.typed()).or_else(|| within(wish.described())).or_else(named)?;
        (!subject.words.is_empty() && subject.words.chars().count() <= 40).then_some(subject)
    }

    /// `list of birds I saw`, `a homework list`, `my to do list`.
    fn around_list(&self, words: &[&str]) -> Option<String> {
        const OF: [&str; 7] = ["of", "von", "der", "mit", "with", "for", "für"];
        let at = words.iter().position(|word| LIST.contains(word))?;
        // "learn to list prime numbers" is about something else.
        let is_verb = at > 0
            && words[at - 1] == "to"
            && !(at > 1 && words[at - 2] == "add")
            && words.get(at + 1).is_some_and(|word| *word != "of");
        if is_verb && !(at > 1 && words[at - 2] == "to") {
            return None;
        }
        let of = words.get(at + 1..).filter(|rest| rest.first().is_some_and(|word| OF.contains(word)));
        if let Some(noun) = of.and_then(|rest| self.noun(&rest[1..])) {
            return Some(noun);
        }
        if at > 1 && words[at - 2] == "to" && words[at - 1] == "do" {
            return Some("to-do".to_owned());
        }
        let mut before: Vec<&str> =
            words[..at].iter().rev().take_while(|word| !self.is_plain(word)).copied().take(2).collect();
        before.reverse();
        Some(if before.is_empty() { "list".to_owned() } else { before.join(" ") })
    }

    /// `keep track of books`, `remember my homework`, `meine Hausaufgaben merken`.
    fn after_keeping(&self, words: &[&str]) -> Option<String> {
        if let Some(known) = words.iter().find(|word| self.known.names(word)) {
            return Some((*known).to_owned());
        }
        let at = words.windows(2).position(|two| two == ["track", "of"])?;
        self.noun(&words[at + 2..])
    }

    /// Up to two words that name something, after articles and before what is said about it.
    fn noun(&self, words: &[&str]) -> Option<String> {
        let start = words.iter().position(|word| !self.is_plain(word))?;
        let named: Vec<&str> =
            words[start..].iter().take_while(|word| !self.is_plain(word)).take(2).copied().collect();
        (start <= 3).then(|| named.join(" "))
    }

    fn is_plain(&self, word: &str) -> bool {
        is_common(word) || self.around.names(&written_out(word))
    }
}

/// `eine Einkaufsliste führen`.
fn german_compound(words: &[&str]) -> Option<String> {
    let found =
        words.iter().find(|word| (word.ends_with("liste") || word.ends_with("listen")) && word.len() > 6)?;
    Some(found.strip_suffix('n').unwrap_or(found).to_owned())
}
