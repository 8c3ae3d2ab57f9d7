//! Sentence patterns with named slots, matched against whole sentences.

use std::ops::Range;

use serde::{Deserialize, Deserializer};

use crate::terms::fold;

/// The most words of a sentence that is looked at.
const MAX_WORDS: usize = 40;

/// A sentence and the folded form of its words.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    text: &'a str,
    words: Vec<(String, Range<usize>)>,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Words<'a> {
        let mut words = Vec::new();
        for chunk in text.split_whitespace() {
            // `chunk` is a part of `text`.
            let start = chunk.as_ptr() as usize - text.as_ptr() as usize;
            let norm = fold(chunk);
            if !norm.is_empty() {
                words.push((norm, start..start + chunk.len()));
            }
        }
        if words.len() > MAX_WORDS {
            words.clear();
        }
        Words { text, words }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn norm(&self, at: usize) -> &str {
        &self.words[at].0
    }

    pub(super) fn norms(&self, range: Range<usize>) -> String {
        self.words[range].iter().map(|w| w.0.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The words as they were typed, without the punctuation behind them.
    pub(super) fn raw(&self, range: Range<usize>) -> &'a str {
        match self.words.get(range.start).zip(self.words[range].last()) {
            Some((first, last)) => {
                self.text[first.1.start..last.1.end].trim_end_matches(['.', ',', '!', ';', ':'])
            }
            None => "",
        }
    }

    pub(super) fn slice(&self, range: Range<usize>) -> Words<'a> {
        Words { text: self.text, words: self.words[range].to_vec() }
    }
}

/// A pattern.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pattern(Vec<Part>);

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Word {
        one_of: Vec<String>,
        optional: bool,
    },
    Slot {
        name: String,
        most: usize,
        optional: bool,
    },
    /// Several words that are there or not.
    Group(Vec<Vec<String>>),
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Pattern::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no pattern")))
    }
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Option<Pattern> {
        let mut parts = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (part, after) = match rest.strip_prefix('[') {
                Some(inner) => {
                    let (inner, after) = inner.split_once(']')?;
                    let alternatives =
                        |word: &str| word.split('|').map(str::to_owned).collect::<Vec<String>>();
                    let part = match inner.split(' ').collect::<Vec<_>>()[..] {
                        [one] => part(one, true)?,
                        ref several => Part::Group(several.iter().map(|w| alternatives(w)).collect()),
                    };
                    (part, after)
                }
                None => {
                    let (word, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
                    (part(word, false)?, after)
                }
            };
            parts.push(part);
            rest = after.trim_start();
        }
        (!parts.is_empty()).then_some(Pattern(parts))
    }

    /// The slots and the words that they take, where the pattern covers the whole sentence.
    pub(super) fn fits<'p>(&'p self, words: &Words<'_>) -> Option<Vec<(&'p str, Range<usize>)>> {
        let mut slots = Vec::new();
        fits(&self.0, words, 0, &mut slots).then_some(slots)
    }
}

fn part(word: &str, optional: bool) -> Option<Part> {
    match word.strip_prefix('{') {
        Some(slot) => {
            let slot = slot.strip_suffix('}')?;
            let (name, most) = match slot.split_once(':') {
                Some((name, most)) => (name, most.parse().ok()?),
                None => (slot, MAX_WORDS),
            };
            Some(Part::Slot { name: name.to_owned(), most, optional })
        }
        None => Some(Part::Word { one_of: word.split('|').map(str::to_owned).collect(), optional }),
    }
}

fn fits<'p>(
    parts: &'p [Part],
    words: &Words<'_>,
    at: usize,
    slots: &mut Vec<(&'p str, Range<usize>)>,
) -> bool {
    let Some((part, rest)) = parts.split_first() else { return at == words.len() };
    match part {
        Part::Word { one_of, optional } => {
            let here = at < words.len() && one_of.iter().any(|w| w == words.norm(at));
            (here && fits(rest, words, at + 1, slots)) || (*optional && fits(rest, words, at, slots))
        }
        Part::Group(group) => {
            let here = at + group.len() <= words.len()
                && group.iter().enumerate().all(|(n, one_of)| one_of.iter().any(|w| w == words.norm(at + n)));
            (here && fits(rest, words, at + group.len(), slots)) || fits(rest, words, at, slots)
        }
        Part::Slot { name, most, optional } => {
            for end in at + 1..=(at + most).min(words.len()) {
                slots.push((name, at..end));
                if fits(rest, words, end, slots) {
                    return true;
                }
                slots.pop();
            }
            *optional && fits(rest, words, at, slots)
        }
    }
}
