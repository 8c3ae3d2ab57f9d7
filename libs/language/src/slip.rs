//! Slips of the finger: a line whose unknown words are taken for the words of patterns that they nearly are.

use std::borrow::Cow;

use crate::compiled::words_of;
use crate::fold;
use crate::languages::{self, Language};
use crate::words::Words;

/// Letters of a word that may lack one, hold one too many, or hold a wrong one.
const LONG: usize = 5;
/// Letters of a word in which two may be swapped.
const SWAPPED: usize = 3;
/// This number of equal letters in a row are a finger that stayed down.
const DRAWN_OUT: usize = 3;
/// More slips than these are another sentence.
const MOST_SLIPS: usize = 2;
/// Longer lines are not requests.
const MOST_WORDS: usize = 12;

/// The line as it was meant, where at most two words are not a word of any pattern and nearly one; `patterns` are those of
/// the tools that it may mean.
pub fn mended<'a>(line: &str, patterns: impl Iterator<Item = &'a str>) -> Option<String> {
    let words = Words::of(line, languages::expansion(line)).filter(|words| words.len() <= MOST_WORDS)?;
    let mut own = String::new();
    for data in Language::all().map(|l| l.data()) {
        let mut add = |word: &str| own.extend([word, " "]);
        data.each_literal(&mut add);
        data.sums.iter().for_each(|(words, _)| add(words));
        data.numbers.iter().for_each(|(word, _)| add(word));
    }
    // Nearly all stand there folded.
    fn folded(word: &str) -> Cow<'_, str> {
        match word.bytes().all(|b| b.is_ascii_lowercase()) {
            true => Cow::Borrowed(word),
            false => Cow::Owned(fold::word(word)),
        }
    }
    let mut known: Vec<Cow<'_, str>> = Vec::new();
    patterns.flat_map(words_of).for_each(|word| known.push(folded(word)));
    known.extend(own.split_ascii_whitespace().map(folded));
    let mut slips = 0;
    let mended: Vec<&str> = words
        .norms()
        .map(|norm| {
            if !norm.bytes().all(|b| b.is_ascii_alphabetic()) || known.iter().any(|word| word == norm) {
                return norm;
            }
            let meant = known.iter().find(|word| is_drawn_out(norm, word));
            let meant = meant.or_else(|| known.iter().find(|word| is_swapped(norm, word)));
            let meant = meant.or_else(|| known.iter().find(|word| is_edited(norm, word)));
            slips += usize::from(meant.is_some());
            meant.map_or(norm, |word| word)
        })
        .collect();
    (1..=MOST_SLIPS).contains(&slips).then(|| mended.join(" "))
}

/// Whether a word is another with a letter held down: `boredddd`.
fn is_drawn_out(typed: &str, word: &str) -> bool {
    let holds = |word: &str| word.as_bytes().windows(DRAWN_OUT).any(|w| w.iter().all(|b| *b == w[0]));
    let once = |word: &str| {
        let mut bytes = word.as_bytes().to_vec();
        bytes.dedup();
        bytes
    };
    holds(typed) && !holds(word) && once(typed) == once(word)
}

/// Whether two words differ in two letters beside each other that are swapped.
fn is_swapped(typed: &str, word: &str) -> bool {
    let (typed, word) = (typed.as_bytes(), word.as_bytes());
    let Some(at) = typed.iter().zip(word).position(|(a, b)| a != b) else { return false };
    typed.len() == word.len()
        && typed.len() >= SWAPPED
        && at + 1 < typed.len()
        && (typed[at], typed[at + 1]) == (word[at + 1], word[at])
        && typed[at + 2..] == word[at + 2..]
}

/// Whether a long word lacks a letter, holds one too many, or holds a wrong one; people begin a word rightly.
fn is_edited(typed: &str, word: &str) -> bool {
    let (typed, word) = (typed.as_bytes(), word.as_bytes());
    if word.len() < LONG || typed.len().abs_diff(word.len()) > 1 || typed.first() != word.first() {
        return false;
    }
    let same = typed.iter().zip(word).take_while(|(a, b)| a == b).count();
    let rest = |bytes: &[u8], other: usize| bytes.len() - same - usize::from(bytes.len() >= other);
    let (a, b) = (rest(typed, word.len()), rest(word, typed.len()));
    typed[typed.len() - a..] == word[word.len() - b..]
}

#[cfg(test)]
mod tests;
