//! The look behind a program that starts others in ways that are not known word by word: it can only block.

use shared_types::risk::Risk;

use super::destroy;
use super::finding::Finding;
use super::interpreters::runs_its_input;
use super::judge::{Scope, judge_at};
use super::names::{base, downloads};
use super::parse::parse;
use super::suspect::suspect;

/// How deep texts may stand in texts.
const MAX_DEPTH: usize = 8;
/// How many texts of one line are looked at.
const MAX_TEXTS: usize = 200;

/// What is never done, at any place behind the first word: as a program, or in a text that a shell would read.
pub(super) fn behind(words: &[String], scope: &Scope<'_>) -> Option<Finding> {
    let mut places =
        (1..words.len()).flat_map(|at| spellings(&words[at]).into_iter().map(move |word| (at, word)));
    places.find_map(|(at, word)| {
        destroy::blocked(word, &words[at + 1..], scope.rules.forbidden).or_else(|| text(word, scope))
    })
}

/// What is never done, in a text behind the first word.
pub(super) fn texts(words: &[String], scope: &Scope<'_>) -> Option<Finding> {
    words[1..].iter().flat_map(|word| spellings(word)).find_map(|word| text(word, scope))
}

/// The programs that stand anywhere behind the first word and that fetch something or run what they read.
pub(super) fn programs(words: &[String]) -> impl Iterator<Item = String> {
    let behind = words.get(1..).unwrap_or_default().iter();
    let parts = behind.flat_map(|word| word.split(|c: char| c.is_whitespace() || "'\"`;|&()=".contains(c)));
    parts.map(base).filter(|name| name.len() > 1 && (downloads(name) || runs_its_input(name)))
}

/// A word, and what it would be after an option's letters or name.
fn spellings(word: &str) -> Vec<&str> {
    let mut found = vec![word];
    if word.starts_with('-') && !word.starts_with("--") {
        found.extend((2..6).filter_map(|at| word.get(at..)).filter(|rest| !rest.is_empty()));
    }
    found.extend(word.match_indices('=').take(3).map(|(at, _)| &word[at + 1..]));
    found
}

/// What is never done, in a text as a shell would read it.
fn text(text: &str, scope: &Scope<'_>) -> Option<Finding> {
    if !text.contains(|c: char| c.is_whitespace() || "'\"`;|&()<>$\\{".contains(c)) {
        return None;
    }
    scope.texts.set(scope.texts.get() + 1);
    if scope.depth >= MAX_DEPTH || scope.texts.get() > MAX_TEXTS {
        return Some(Finding::blocked("destructive", "texts within texts, too many to be looked at"));
    }
    let Ok(line) = parse(text) else { return suspect(text, scope.rules.forbidden) };
    let judgement = judge_at(&line, &Scope { depth: scope.depth + 1, ..*scope });
    let worst = judgement.parts.into_iter().find(|part| part.risk == Risk::Blocked)?;
    Some(Finding { risk: worst.risk, rule: worst.rule, why: worst.why })
}
