//! The sentence patterns of a language, read when a line may match them.

use std::sync::OnceLock;

use crate::data::{self, Data, Kind};
use crate::pattern::{Pattern, may_match};
use crate::start;
use crate::words::Words;

/// A pattern with what is taken from its match.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) kind: Kind,
    pub(crate) pattern: Pattern,
    pub(crate) take: Take,
}

/// What is taken from a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    /// The text of the only slot, or nothing.
    Slot,
    /// The whole line.
    Line,
    /// A text in which `{slot}` is replaced.
    Text(&'static str),
}

impl Data {
    /// The patterns that one of these readings of a line could match; only those are read.
    pub(crate) fn patterns<'a>(
        &'static self,
        readings: &'a [Words<'a>],
        wanted: impl Fn(Kind) -> bool + 'a,
    ) -> impl Iterator<Item = Compiled> + 'a {
        let numbers = self.intents.fitting(readings).into_iter();
        let numbers = numbers.filter(move |number| wanted(self.intents.kind(*number)));
        let patterns = numbers.map(|number| self.intents.get(number));
        let patterns = patterns.filter(move |(_, pattern, _)| may_match(pattern, readings));
        patterns.map(|(kind, pattern, take)| compile(kind, &pattern, take))
    }

    /// Shows the words of all patterns to `each`; a word comes as often as it stands there.
    pub(crate) fn each_literal(&'static self, mut each: impl FnMut(&str)) {
        // Of a sum in prose, and of what is said otherwise, the words are those of any story.
        for (_, pattern, _) in self.intents.iter().filter(|(kind, ..)| *kind < Kind::Sums) {
            words_of(&pattern).for_each(&mut each);
        }
    }

    /// The hashes of the words of all patterns, sorted. They are collected once in a process: a turn asks for the language of dozens of
    /// lines.
    pub(crate) fn literals(&self) -> &'static [u32] {
        static COLLECTED: OnceLock<Vec<(&str, Vec<u32>)>> = OnceLock::new();
        let collected = COLLECTED.get_or_init(|| {
            let hashes_of = |data: &'static Data| {
                let mut hashes = Vec::new();
                data.each_literal(|word| hashes.push(start::hash(word)));
                hashes.sort_unstable();
                (data.code, hashes)
            };
            data::all().iter().map(hashes_of).collect()
        });
        collected.iter().find(|(code, _)| *code == self.code).map_or(&[], |(_, hashes)| hashes)
    }
}

/// The words of a pattern, without its slots.
pub(crate) fn words_of(pattern: &str) -> impl Iterator<Item = &str> {
    let pieces = pattern.split(|c: char| c.is_whitespace() || matches!(c, '[' | ']'));
    pieces
        .filter(|piece| !piece.starts_with('{'))
        .flat_map(|piece| piece.split('|'))
        .filter(|w| !w.is_empty())
}

fn compile(kind: Kind, pattern: &str, take: Option<&'static str>) -> Compiled {
    let take = match take {
        None => Take::Slot,
        Some("*") => Take::Line,
        Some(text) => Take::Text(text),
    };
    let pattern = Pattern::parse(pattern).expect("the language files are part of the program and tested");
    Compiled { kind, pattern, take }
}

#[cfg(test)]
mod tests;
