//! A line as words: what was typed, and the form in which words are compared.

use std::ops::Range;

use crate::fold::{self, is_punctuation};
use crate::packed::List;

/// One word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    /// Folded, without the punctuation of the sentence; never empty.
    norm: String,
    start: usize,
    end: usize,
}

/// A line and its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words<'a> {
    text: &'a str,
    /// The bytes among which the words stand.
    within: Range<usize>,
    words: Vec<Word>,
}

/// Longer lines are stories, not commands.
const MAX_WORDS: usize = 256;

impl<'a> Words<'a> {
    /// Splits a line; `expand` says what a contraction stands for. `None` when there are too many words.
    pub fn of(text: &'a str, expand: impl Fn(&str) -> Option<List<&'static str>>) -> Option<Self> {
        let text = without_end(text);
        let mut words = Vec::new();
        for (start, end) in chunks(text) {
            let piece = &text[start..end];
            let norm = fold::word(piece);
            if norm.is_empty() {
                continue;
            }
            match expand(&norm) {
                Some(parts) => push_expanded(&mut words, parts, text, start, end),
                None => words.push(Word { norm, start, end }),
            }
            if words.len() > MAX_WORDS {
                return None;
            }
        }
        Some(Words { text, within: 0..text.len(), words })
    }

    /// Divides a text at white space alone; `folded` gives the form in which a piece is compared, empty for what is not a word.
    pub fn spaced(text: &'a str, folded: impl Fn(&str) -> String) -> Self {
        let words = pieces(text).map(|(start, end)| Word { norm: folded(&text[start..end]), start, end });
        Words { text, within: 0..text.len(), words: words.filter(|word| !word.norm.is_empty()).collect() }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// A word in the form in which it is compared.
    pub fn norm(&self, at: usize) -> &str {
        &self.words[at].norm
    }

    /// The words in the form in which they are compared.
    pub fn norms(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|w| w.norm.as_str())
    }

    /// Whether the words from there on are those of a phrase.
    pub(crate) fn has_at(&self, at: usize, phrase: List<&'static str>) -> bool {
        phrase.iter().enumerate().all(|(i, word)| self.words.get(at + i).is_some_and(|w| w.norm == word))
    }

    /// One word as typed, with the punctuation around it.
    pub fn raw(&self, at: usize) -> &'a str {
        self.span(at..at + 1)
    }

    /// The text from the first of these words to the last, as typed.
    pub fn span(&self, words: Range<usize>) -> &'a str {
        match self.words.get(words).and_then(|words| words.first().zip(words.last())) {
            Some((first, last)) => &self.text[first.start..last.end],
            None => "",
        }
    }

    /// All that was typed between the words before these and the words behind them, so that no byte is lost: mere
    /// punctuation is not a word, yet `rm -rf .` ends with it. White space at the ends is left out.
    pub fn typed(&self, words: Range<usize>) -> &'a str {
        self.text[self.around(&words)].trim()
    }

    /// The line without some words at its ends.
    pub fn slice(&self, words: Range<usize>) -> Words<'a> {
        Words { text: self.text, within: self.around(&words), words: self.words[words].to_vec() }
    }

    /// The bytes between the words before these and the words behind them.
    fn around(&self, words: &Range<usize>) -> Range<usize> {
        let before = words.start.checked_sub(1).and_then(|at| self.words.get(at));
        let start = before.map_or(self.within.start, |word| word.end);
        let end = self.words.get(words.end).map_or(self.within.end, |word| word.start);
        // Words of one contraction stand on the same bytes.
        start..end.max(start)
    }
}

/// Whether a word may be a password: long enough, of letters and figures. A mark behind it may be a part of it.
pub fn is_secret(word: &str) -> bool {
    word.chars().count() >= SECRET
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains(char::is_alphabetic)
}

/// The shortest password, in characters.
const SECRET: usize = 6;

/// The words of a text in lower case, with their accents and without apostrophes: for words that are looked up or shown, not
/// matched.
pub fn lower(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && !fold::is_apostrophe(c))
        .map(|word| word.to_lowercase().replace(fold::is_apostrophe, ""))
        .filter(|word| !word.is_empty())
}

/// A line without the marks that end its last sentence. One dot or two that stand alone or behind a slash name a folder and
/// end nothing.
fn without_end(line: &str) -> &str {
    let mut line = line;
    loop {
        let asked = line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '!' | '?' | '…'));
        let ended = asked.trim_end_matches('.');
        let is_folder =
            asked.len() - ended.len() <= 2 && ended.ends_with(|c: char| c.is_whitespace() || c == '/');
        if is_folder || ended.len() == line.len() {
            return asked;
        }
        line = ended;
    }
}

/// The pieces between white space.
fn pieces(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.split_whitespace().map(|piece| {
        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
        (start, start + piece.len())
    })
}

/// The same, but a unit or sign at a number is a piece of its own (`10%`, `$5`, `500g`).
fn chunks(text: &str) -> Vec<(usize, usize)> {
    let mut chunks = Vec::new();
    pieces(text).for_each(|(start, end)| split_unit(text, start, end, &mut chunks));
    chunks
}

fn split_unit(text: &str, start: usize, end: usize, chunks: &mut Vec<(usize, usize)>) {
    let piece = &text[start..end];
    let sign = piece.chars().next().filter(|&c| is_sign(c)).map_or(0, char::len_utf8);
    let number: usize = piece[sign..]
        .char_indices()
        .find(|&(i, c)| !(c.is_ascii_digit() || matches!(c, '.' | ',') || (i == 0 && matches!(c, '-' | '+'))))
        .map_or(piece.len() - sign, |(i, _)| i);
    let has_digit = piece[sign..sign + number].bytes().any(|b| b.is_ascii_digit());
    if !has_digit {
        chunks.push((start, end));
        return;
    }
    let unit = piece[sign + number..].trim_end_matches(is_punctuation);
    let ordinal = matches!(unit, "st" | "nd" | "rd" | "th");
    let is_unit = !unit.is_empty()
        && !ordinal
        && (unit.chars().all(|c| is_sign(c) || c == '°')
            || unit.trim_start_matches('°').chars().all(char::is_alphabetic) && unit.chars().count() <= 4);
    if sign > 0 {
        chunks.push((start, start + sign));
    }
    if is_unit {
        chunks.push((start + sign, start + sign + number));
        chunks.push((start + sign + number, end));
    } else {
        chunks.push((start + sign, end));
    }
}

/// Whether a sign stands at a number as a unit does.
pub(crate) fn is_sign(c: char) -> bool {
    matches!(c, '%' | '$' | '€' | '£' | '¥')
}

fn push_expanded(words: &mut Vec<Word>, parts: List<&'static str>, text: &str, start: usize, end: usize) {
    let middle = text[start..end].find(['\'', '’']).map_or(end, |i| start + i);
    for (i, part) in parts.iter().enumerate() {
        let (from, to) = if i == 0 { (start, middle) } else { (middle, end) };
        words.push(Word { norm: part.to_owned(), start: from, end: to });
    }
}

#[cfg(test)]
mod tests;
