//! What statements are about, and which are worth remembering; their forms are data of `libs/language`.

use std::ops::Range;

use language::pattern::may_match;
use language::terms::{distinct, fold, is_small};
use language::{Language, List, Pattern, Statements, Words};

use crate::rank;
use shared_types::memory::Kind;

/// The longest line in which statements are looked for, in bytes.
const MAX_LINE: usize = 600;
/// The most words of a sentence that is looked at.
const MAX_WORDS: usize = 40;
/// What a statement of the person's name is about.
const NAME: &str = "name";
/// The most words of a thing before a colon.
const MOST_OF_A_THING: usize = 4;
/// The most statements of one line.
const MOST: usize = 4;

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

/// The name by which the person is called, where a text tells it.
pub fn name(text: &str) -> Option<String> {
    let words = words(text);
    let forms = Language::all().flat_map(|language| language.statements().forms);
    forms.filter(|form| form.about == Some(NAME)).find_map(|form| {
        let pattern =
            Pattern::parse(form.say).expect("the language files are part of the program and tested");
        let slot = pattern.matches_least(&words)?.slots.into_iter().flatten().next()?;
        Some(words.span(slot).trim_end_matches(['.', ',', '!']).to_owned())
    })
}

/// A text as one statement of a known form.
pub fn statement(text: &str) -> Option<Statement> {
    let mut sentences = sentences(text);
    let (sentence, more) = (sentences.next()?, sentences.next());
    more.is_none().then(|| read(&words(sentence), false)).flatten()
}

/// Whether a line may say something about the person who typed it; a line in none of the languages may.
pub fn speaks_of_self(line: &str) -> bool {
    let words = words(line);
    words.norms().any(|word| is_one(word, |l| l.person)) || (words.len() > 1 && !words.norms().any(is_small))
}

/// Whether what a text says stands in a line: each of its words, or one that is alike. Small words, and those with which
/// a language says anything about anybody, need not.
pub fn is_said_in(text: &str, line: &str) -> bool {
    let said = distinct(line, usize::MAX);
    let mut words = distinct(text, usize::MAX);
    words.retain(|word| !is_one(word, |l| l.glue));
    !words.is_empty() && words.iter().all(|word| said.iter().any(|said| rank::alike(word, said)))
}

/// The statements that a line makes about the person who typed it, none for questions.
pub fn statements(line: &str) -> Vec<Statement> {
    // What is to be worked out is nothing to keep.
    if line.len() > MAX_LINE || language::sum::sum(line, &[], Language::DEFAULT).is_some() {
        return vec![];
    }
    if let Some(statement) = jotted(line) {
        return vec![statement];
    }
    let mut found = Vec::new();
    for sentence in sentences(line).filter(|s| !language::is_question(s)) {
        let clauses = clauses(&words(sentence));
        for clause in &clauses {
            let whole = || with_verb(&words(clause), &words(&clauses[0]));
            let read = read(&words(clause), true).or_else(|| read(&words(&whole()?), true));
            if found.len() < MOST
                && let Some(statement) = read
                && !found.contains(&statement)
            {
                found.push(statement);
            }
        }
    }
    // Neither is a question or a sum with a slip of the finger in it.
    if !found.is_empty() && asks_with_a_slip(line) {
        found.clear();
    }
    found
}

/// Whether a line is a question or a sum but for a slip of the finger.
fn asks_with_a_slip(line: &str) -> bool {
    language::mended(line, std::iter::empty()).is_some_and(|meant| {
        !language::is_question(line) && language::is_question(&meant)
            || language::sum::sum(&meant, &[], Language::DEFAULT).is_some()
    })
}

/// A line that is a thing and what is said of it, with a colon or an equals sign between them: `plumber = dave 0770 900123`. Of
/// several sentences or lines, as they are pasted, none is.
fn jotted(line: &str) -> Option<Statement> {
    let mut sentences = sentences(line);
    let (sentence, None) = (sentences.next()?, sentences.next()) else { return None };
    let (thing, value) = [": ", " = "].iter().find_map(|sign| sentence.split_once(sign))?;
    let thing = words(thing);
    let is_told = (1..=MOST_OF_A_THING).contains(&thing.len())
        && thing.norms().all(|word| !word.is_empty() && !is_one(word, |l| l.vague))
        && thing.norms().any(|word| !is_small(word))
        && value.contains(char::is_alphanumeric)
        && !language::looks_like_request(sentence)
        && language::refusal(sentence).is_none();
    is_told.then(|| Statement { text: sentence.to_owned(), kind: Kind::Fact, about: None })
}

/// Whether a word is one of a list, in any language.
fn is_one(word: &str, list: impl Fn(&Statements) -> List<&'static str>) -> bool {
    Language::all().any(|language| list(language.statements()).contains(word))
}

/// The words of a sentence, folded as those that are searched for; none of a sentence that is too long.
fn words(sentence: &str) -> Words<'_> {
    let words = Words::spaced(sentence, fold);
    if words.len() > MAX_WORDS { words.slice(0..0) } else { words }
}

/// Reads one clause by the first pattern that fits it, of any language.
fn read(words: &Words<'_>, careful: bool) -> Option<Statement> {
    // Only the forms of the language that a line is written in count, where its words show it.
    let told = careful.then(|| language::told(words.span(0..words.len()))).flatten();
    let languages = Language::all().filter(|language| told.is_none_or(|told| told == *language));
    for language in languages.map(Language::statements) {
        let words = if careful { without_lead(words, language) } else { words.clone() };
        let fit =
            language.forms.iter().filter(|form| may_match(form.say, std::slice::from_ref(&words))).find_map(
                |form| {
                    let pattern = Pattern::parse(form.say)
                        .expect("the language files are part of the program and tested");
                    let found = pattern.matches_least(&words)?;
                    Some((form, pattern, found))
                },
            );
        let Some((form, pattern, found)) = fit else { continue };
        let taken =
            || pattern.slots().iter().zip(&found.slots).filter_map(|(name, s)| Some((name, s.clone()?)));
        let is_vague = |slot: &Range<usize>| {
            let first = words.norm(slot.start);
            language.vague.contains(first) && (slot.len() == 1 || !language.articles.contains(first))
        };
        if form.skip || (careful && taken().any(|(_, slot)| is_vague(&slot))) {
            return None;
        }
        let fill = |template: &str, value: fn(&str) -> String| {
            let values: Vec<(&str, String)> =
                taken().map(|(name, slot)| (name.as_str(), value(words.span(slot)))).collect();
            let values: Vec<(&str, &str)> =
                values.iter().map(|(name, value)| (*name, value.as_str())).collect();
            language::fill(template, &values)
        };
        let typed = |text: &str| text.trim_end_matches(['.', ',', '!', ';', ':']).to_owned();
        return Some(Statement {
            text: match form.restate {
                Some(template) => fill(template, typed),
                None => typed(words.span(0..words.len())),
            },
            kind: if form.preference { Kind::Preference } else { Kind::Fact },
            about: form.about.map(|template| topic(&fill(template, fold))),
        });
    }
    None
}

/// What a statement is about, without the words that do not tell it: `my new teacher` takes the place of `the teacher`.
fn topic(about: &str) -> String {
    let telling = about.split(' ').filter(|word| !is_one(word, |l| l.idle)).collect::<Vec<_>>().join(" ");
    if telling.is_empty() { about.to_owned() } else { telling }
}

/// A clause without what is said before a statement and does not change it.
fn without_lead<'a>(words: &Words<'a>, language: &Statements) -> Words<'a> {
    let mut from = 0;
    // A few rounds: `well, by the way, ...`.
    for _ in 0..3 {
        let fits = |lead: &List<&'static str>| {
            from + lead.len() < words.len()
                && lead.iter().enumerate().all(|(n, word)| words.norm(from + n) == word)
        };
        from += language.lead.iter().filter(fits).map(|lead| lead.len()).max().unwrap_or(0);
    }
    words.slice(from..words.len())
}

/// The sentences of a text, a question with its mark.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['\n', '!', '?', ';'])
        .flat_map(ended_by_dots)
        .map(|s| s.trim().trim_end_matches(['.', '!', ';', ',']).trim_end())
        .filter(|s| !s.is_empty())
}

/// Titles, behind whose dot the sentence goes on.
const TITLES: [&str; 12] = ["mr", "mrs", "ms", "dr", "prof", "st", "hr", "fr", "nr", "no", "str", "tel"];

/// Divides a text at dots that end a sentence: not behind a title or a number, as in `mrs. Holloway` and `am 3. Mai`.
fn ended_by_dots(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices(". ") {
        let last = text[from..at].split_whitespace().next_back().unwrap_or_default();
        let goes_on = TITLES.contains(&last.to_lowercase().as_str())
            || (!last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()));
        if !goes_on {
            parts.push(&text[from..at]);
            from = at + 2;
        }
    }
    parts.push(&text[from..]);
    parts.into_iter()
}

/// The parts of a sentence that are statements of their own: `I am Tom and I live in Bern`. The person's own word may be left out
/// in those behind the first: `I am Tom and live in Bern`.
fn clauses(words: &Words<'_>) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut from, mut own) = (0, "");
    let mut push = |from: usize, to: usize, own: &str| {
        let said = words.span(from..to).trim_end_matches(',');
        parts.push(if own.is_empty() { said.to_owned() } else { format!("{own} {said}") });
    };
    for at in 1..words.len().saturating_sub(1) {
        let (before, next) = (words.raw(at - 1), words.norm(at));
        let joins = is_one(next, |l| l.join);
        let first = if joins { at + 1 } else { at };
        if !(joins || before.ends_with(',')) {
            continue;
        }
        let starts = is_one(words.norm(first), |l| l.starts);
        let elided = elided(words.norm(0), words.norm(first));
        if starts || elided.is_some() {
            push(from, at, own);
            (from, own) = (first, elided.filter(|_| !starts).unwrap_or_default());
        }
    }
    push(from, words.len(), own);
    parts
}

/// A clause with the verb of the first one, which is left out in it: `my sister Lena` behind `my brother is called Tobias`.
fn with_verb(clause: &Words<'_>, first: &Words<'_>) -> Option<String> {
    /// The most words of such a clause: whose, what, and a value.
    const MOST_WORDS: usize = 5;
    let is_link = |at: usize| is_one(first.norm(at), |l| l.links);
    let verb = 2..2 + (2..first.len()).take_while(|at| is_link(*at)).count();
    let fits = !verb.is_empty()
        && (3..=MOST_WORDS).contains(&clause.len())
        && [clause, first].iter().all(|words| is_one(words.norm(0), |l| l.starts))
        && !clause.norms().any(|word| is_one(word, |l| l.links));
    let [own, verb, value] = [clause.span(0..2), first.span(verb), clause.span(2..clause.len())];
    fits.then(|| format!("{own} {verb} {value}"))
}

/// The person's own word that is left out before a verb, in a sentence that begins with it.
fn elided(begins: &str, verb: &str) -> Option<&'static str> {
    Language::all().find_map(|language| {
        let mut verbs = language.statements().elided.iter();
        let own = verbs.next()?;
        (begins.starts_with(own) && verbs.any(|known| known == verb)).then_some(own)
    })
}

#[cfg(test)]
mod tests;
