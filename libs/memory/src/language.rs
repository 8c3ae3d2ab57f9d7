//! What statements are about, and which are worth remembering, as data files per language.
//!
//! A language is one file in `language/` and its code in the list below. What people edit is `CODE.yaml`; what the
//! program carries is `statements.json`, the same content in a form that is read in a moment, when first needed. A test
//! holds the two together and renews the second: `TAMECLAW_BLESS=1 cargo test -p memory language`.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::{rank, terms};
use pattern::{Pattern, Words};
use shared_types::memory::Kind;

mod pattern;

/// One file per language.
#[cfg(test)]
const CODES: [&str; 2] = ["en", "de"];

/// All files in the order of the codes.
const STATEMENTS: &str = include_str!("language/statements.json");

/// The longest line in which statements are looked for, in bytes.
const MAX_LINE: usize = 600;
/// The most statements of one line.
const MOST: usize = 4;
/// The words of a query that count.
const MAX_TERMS: usize = 32;

/// A statement of the person about themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The statement, as it is kept.
    pub text: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// What it is about, if a later statement about the same takes its place.
    pub about: Option<String>,
}

/// What a text is about, where it is one statement of a known form.
pub fn about(text: &str) -> Option<String> {
    statement(text).and_then(|statement| statement.about)
}

/// A text as one statement of a known form.
pub fn statement(text: &str) -> Option<Statement> {
    let mut sentences = sentences(text);
    let (sentence, more) = (sentences.next()?, sentences.next());
    let words = Words::of(sentence);
    more.is_none().then(|| read(&words, false)).flatten()
}

/// Whether a line may say something about the person who typed it; a line in none of the languages may.
pub fn speaks_of_self(line: &str) -> bool {
    let words = Words::of(line);
    let norms = || (0..words.len()).map(|at| words.norm(at));
    let own = |word: &str| data().languages.iter().any(|l| l.person.iter().any(|own| own == word));
    norms().any(own) || (words.len() > 1 && !norms().any(is_small))
}

/// Whether what a text says stands in a line: each of its words, or one that is alike. Small words, and those with which
/// a language says anything about anybody, need not.
pub fn is_said_in(text: &str, line: &str) -> bool {
    let said = distinct(line, usize::MAX);
    let glue = |word: &str| data().languages.iter().any(|l| l.glue.iter().any(|glue| glue == word));
    let mut words = distinct(text, usize::MAX);
    words.retain(|word| !glue(word));
    !words.is_empty() && words.iter().all(|word| said.iter().any(|said| rank::alike(word, said)))
}

/// The statements that a line makes about the person who typed it, none for questions.
pub fn statements(line: &str) -> Vec<Statement> {
    if line.len() > MAX_LINE {
        return vec![];
    }
    let mut found = Vec::new();
    for sentence in sentences(line).filter(|s| !s.ends_with('?')) {
        for words in clauses(Words::of(sentence)) {
            if found.len() < MOST
                && let Some(statement) = read(&words, true)
                && !found.contains(&statement)
            {
                found.push(statement);
            }
        }
    }
    found
}

/// Whether a folded word stands in most lines and says nothing about what they are about.
pub(crate) fn is_small(word: &str) -> bool {
    let small = &data().small;
    let Some(first) = word.bytes().next() else { return true };
    // Nearly every word is told apart by its first letter and its length.
    word.len() < 16
        && small.lengths[usize::from(first)] & (1 << word.len()) != 0
        && small.words.binary_search_by(|w| w.as_str().cmp(word)).is_ok()
}

/// The different words of a text that count, in order of their first place, at most `limit`.
pub(crate) fn distinct(text: &str, limit: usize) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    terms::each(text, &mut String::new(), |word| {
        if known.len() < limit && !is_small(word) && !known.iter().any(|k| k == word) {
            known.push(word.to_owned());
        }
    });
    known
}

/// The words of a query.
pub(crate) fn query_terms(query: &str) -> Vec<String> {
    distinct(query, MAX_TERMS)
}

/// Reads one clause by the first pattern that fits it, of any language.
fn read(words: &Words<'_>, careful: bool) -> Option<Statement> {
    for language in &data().languages {
        let words = if careful { language.without_lead(words) } else { words.clone() };
        let Some((rule, slots)) = language.rules.iter().find_map(|r| Some((r, r.say.fits(&words)?))) else {
            continue;
        };
        let vague = |slot: &(&str, std::ops::Range<usize>)| {
            language.vague.iter().any(|v| v == words.norm(slot.1.start))
        };
        if rule.skip || (careful && slots.iter().any(vague)) {
            return None;
        }
        let fill = |template: &str, raw: bool| {
            slots.iter().fold(template.to_owned(), |text, (name, range)| {
                let value =
                    if raw { words.raw(range.clone()).to_owned() } else { words.norms(range.clone()) };
                text.replace(&format!("{{{name}}}"), &value)
            })
        };
        let text = match &rule.restate {
            Some(template) => fill(template, true),
            None => words.raw(0..words.len()).to_owned(),
        };
        let about = rule.about.as_ref().map(|template| fill(template, false));
        return Some(Statement { text, kind: rule.kind, about });
    }
    None
}

/// The sentences of a text, a question with its mark.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['\n', '!', '?', ';'])
        .flat_map(|part| part.split(". "))
        .map(|s| s.trim().trim_end_matches(['.', '!', ';', ',']).trim_end())
        .filter(|s| !s.is_empty())
}

/// The parts of a sentence that are statements of their own: `I am Tom and I live in Bern`.
fn clauses(words: Words<'_>) -> Vec<Words<'_>> {
    let starts = |word: &str| data().languages.iter().any(|l| l.starts.iter().any(|s| s == word));
    let joins = |word: &str| data().languages.iter().any(|l| l.join.iter().any(|j| j == word));
    let mut parts = Vec::new();
    let mut from = 0;
    for at in 1..words.len().saturating_sub(1) {
        if joins(words.norm(at)) && starts(words.norm(at + 1)) {
            parts.push(words.slice(from..at));
            from = at + 1;
        }
    }
    parts.push(words.slice(from..words.len()));
    parts
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[cfg_attr(not(test), expect(dead_code, reason = "names the language in the file"))]
    code: String,
    small: Vec<String>,
    person: Vec<String>,
    glue: Vec<String>,
    lead: Vec<String>,
    join: Vec<String>,
    starts: Vec<String>,
    vague: Vec<String>,
    statements: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    say: Pattern,
    #[serde(default)]
    about: Option<String>,
    #[serde(default)]
    restate: Option<String>,
    #[serde(default)]
    kind: Kind,
    #[serde(default)]
    skip: bool,
}

struct Language {
    person: Vec<String>,
    glue: Vec<String>,
    lead: Vec<Vec<String>>,
    join: Vec<String>,
    starts: Vec<String>,
    vague: Vec<String>,
    rules: Vec<Rule>,
}

impl Language {
    fn without_lead<'a>(&self, words: &Words<'a>) -> Words<'a> {
        let mut from = 0;
        // A few rounds: `well, by the way, ...`.
        for _ in 0..3 {
            let fits = |lead: &&Vec<String>| {
                from + lead.len() < words.len()
                    && lead.iter().enumerate().all(|(n, word)| words.norm(from + n) == word)
            };
            from += self.lead.iter().filter(fits).map(Vec::len).max().unwrap_or(0);
        }
        words.slice(from..words.len())
    }
}

struct Small {
    words: Vec<String>,
    /// By the first byte: a bit for each length that a word has.
    lengths: [u16; 256],
}

struct Data {
    small: Small,
    languages: Vec<Language>,
}

fn data() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        let files: Vec<File> = serde_json::from_str(STATEMENTS).expect("a test reads the carried file");
        let mut words: Vec<String> = files.iter().flat_map(|f| f.small.clone()).collect();
        words.sort();
        words.dedup();
        let mut lengths = [0; 256];
        for word in &words {
            lengths[usize::from(word.as_bytes()[0])] |= 1 << word.len();
        }
        let language = |f: File| Language {
            person: f.person,
            glue: f.glue,
            lead: f.lead.iter().map(|l| l.split(' ').map(str::to_owned).collect()).collect(),
            join: f.join,
            starts: f.starts,
            vague: f.vague,
            rules: f.statements,
        };
        Data { small: Small { words, lengths }, languages: files.into_iter().map(language).collect() }
    })
}

#[cfg(test)]
mod tests;
