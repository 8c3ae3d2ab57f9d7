//! What a person's line means, as data files per language.
//!
//! A language is one file in `language/` and its code in the list in `language/data.rs`; nothing else names it (that file
//! says how to renew what the program carries). The files hold sentence patterns in the form of [`crate::phrases`], the words around them, what the companion says, and the rules by which a
//! wish becomes a proposal. They are read once, when first needed.

use crate::phrases::words::{Words, normal};

pub use draft::{Draft, draft};
pub use intent::{Intent, Meant, intent, looks_like_request};

pub(crate) mod data;
mod draft;
mod intent;
pub(crate) mod restate;

/// A language that there is a file for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(usize);

impl Language {
    /// The language that is taken when a line does not tell.
    pub const DEFAULT: Language = Language(0);

    /// Every language, the default first.
    pub fn all() -> impl Iterator<Item = Language> {
        (0..data::all().len()).map(Language)
    }

    /// The code, as in `en`.
    pub fn code(self) -> &'static str {
        &self.data().code
    }

    /// The language of that code.
    pub fn of_code(code: &str) -> Option<Language> {
        Language::all().find(|l| l.code() == code)
    }

    /// Whether numbers are written `2,5` and `1.000`.
    pub(crate) fn decimal_comma(self) -> bool {
        self.data().decimal_comma
    }

    pub(crate) fn data(self) -> &'static data::Data {
        &data::all()[self.0]
    }
}

/// The language of a line, told by its small words; [`Language::DEFAULT`] when it does not tell.
pub fn detect(line: &str) -> Language {
    let norms: Vec<String> = line.split_whitespace().map(normal).collect();
    let count =
        |l: Language| norms.iter().filter(|n| l.data().markers.iter().any(|m| m == n.as_str())).count();
    // The first of equals, so the default wins a draw.
    Language::all().max_by_key(|l| (count(*l), std::cmp::Reverse(*l))).unwrap_or(Language::DEFAULT)
}

/// The sentence with which the companion offers to ask for an ability.
pub fn gap(language: Language) -> &'static str {
    &language.data().says.gap
}

/// What no assistant here may ever do, as a sentence for people.
pub fn limits(language: Language) -> &'static str {
    &language.data().says.limits
}

/// What was asked for and is not there yet, with `{names}` to be filled in.
pub fn limits_open(language: Language) -> &'static str {
    &language.data().says.limits_open
}

/// Whether a text of the assistant offers to learn: a yes to it is a wish.
pub fn offers_to_learn(text: &str) -> Option<Language> {
    Language::all().find(|l| text.contains(gap(*l)))
}

/// The line as it is, and without the politeness around it; empty for a line without words or with too many.
pub(crate) fn readings(line: &str) -> Vec<Words<'_>> {
    let Some(words) = Words::of(line, expansion) else { return Vec::new() };
    if words.len() == 0 {
        return Vec::new();
    }
    let (mut from, mut to) = (0, words.len());
    // A few rounds: `hey, please can you ...`.
    for _ in 0..6 {
        let lead = longest(data::all().iter().flat_map(|d| &d.lead), |phrase| {
            from + phrase.len() < to && phrase.iter().enumerate().all(|(i, w)| words.norm(from + i) == w)
        });
        let trail = longest(data::all().iter().flat_map(|d| &d.trail), |phrase| {
            from + lead + phrase.len() < to
                && phrase.iter().enumerate().all(|(i, w)| words.norm(to - phrase.len() + i) == w)
        });
        if lead + trail == 0 {
            break;
        }
        from += lead;
        to -= trail;
    }
    let stripped = (from > 0 || to < words.len()).then(|| words.slice(from, to));
    std::iter::once(words).chain(stripped).collect()
}

fn longest<'a>(phrases: impl Iterator<Item = &'a Vec<String>>, fits: impl Fn(&[String]) -> bool) -> usize {
    phrases.filter(|p| fits(p)).map(Vec::len).max().unwrap_or(0)
}

fn expansion(norm: &str) -> Option<&'static [String]> {
    data::all().iter().find_map(|d| d.contractions.get(norm)).map(Vec::as_slice)
}

/// A small number in words, in any language.
pub(crate) fn number_word(norm: &str) -> Option<i64> {
    data::all().iter().find_map(|d| d.numbers.get(norm)).copied()
}

/// Yes or no as a setting, in any language.
pub(crate) fn boolean(norm: &str) -> Option<bool> {
    data::all().iter().find_map(|d| d.booleans.get(norm)).copied()
}

/// Whether a word divides the entries of a list, in any language.
pub(crate) fn is_and(norm: &str) -> bool {
    data::all().iter().any(|d| d.and.iter().any(|w| w == norm))
}

#[cfg(test)]
mod tests;
