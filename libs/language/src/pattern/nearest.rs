//! What a line that a pattern does not match comes nearest to.

use std::ops::Range;

use super::{Item, Pattern, is_choice};
use crate::compiled::words_of;
use crate::slot::SlotKind;
use crate::words::Words;
use crate::{fold, languages};

/// How a line comes near a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// What the line lacks and has too much: 1 for a word of any sentence, [`TELLING`] for one that tells what is meant.
    pub cost: u32,
    /// How many telling words of the pattern the line has.
    pub telling: u32,
    /// The words that each slot took.
    pub slots: Vec<Option<Range<usize>>>,
    /// The line as the pattern says it.
    pub said: String,
}

/// What a word costs that tells what is meant.
const TELLING: u32 = 4;

/// What one costs of which many are as short: `not`, `had`.
const SHORT: u32 = 2;

/// The letters of the shortest word that tells what is meant.
const SHORTEST_TELLING: usize = 4;

/// More words than these are a story.
const MOST_WORDS: usize = 24;

/// The way from a place of the pattern and of the line to their ends.
#[derive(Clone, Copy)]
enum Step {
    /// The word of the pattern is that of the line.
    Match,
    /// The word of the line has no place in the pattern.
    Skip,
    /// The line lacks the word of the pattern.
    Lack,
    /// To another place of the pattern.
    To(usize),
    /// The slot takes so many words.
    Take(usize),
    End,
}

impl Pattern {
    /// The way in which a line comes nearest, at a cost of at most `most`; nothing where it lacks what a slot takes, and where the
    /// pattern begins with a slot for any words.
    /// `spelled` is the pattern as it was written.
    pub fn nearest(&self, line: &Words<'_>, kinds: &[SlotKind], most: u32, spelled: &str) -> Option<Nearest> {
        let (items, words) = (self.items.len(), line.len());
        let takes_any = matches!(self.items.first(), Some(Item::Slot(slot, _)) if *self.kind(kinds, *slot) == SlotKind::Text);
        if words > MOST_WORDS || takes_any {
            return None;
        }
        let at = |item: usize, word: usize| item * (words + 1) + word;
        let mut ways: Vec<Option<(u32, Step)>> = vec![None; (items + 1) * (words + 1)];
        for item in (0..=items).rev() {
            for word in (0..=words).rev() {
                let then = |next: (usize, usize), more: u32, step: Step| {
                    let (cost, _) = ways[at(next.0, next.1)]?;
                    (cost + more <= most).then_some((cost + more, step))
                };
                let skipped =
                    || (word < words).then(|| then((item, word + 1), weight(line.norm(word)), Step::Skip));
                let way = match self.items.get(item) {
                    None if word == words => Some((0, Step::End)),
                    None => skipped().flatten(),
                    Some(Item::Word(choices)) => {
                        let is_it =
                            word < words && choices.iter().any(|choice| is_choice(choice, line.norm(word)));
                        let matched = is_it.then(|| then((item + 1, word + 1), 0, Step::Match)).flatten();
                        let lack = then((item + 1, word), lack(choices), Step::Lack);
                        least([matched, skipped().flatten(), lack])
                    }
                    Some(Item::Optional(end)) => least([
                        then((*end, word), 0, Step::To(*end)),
                        then((item + 1, word), 0, Step::To(item + 1)),
                    ]),
                    Some(Item::Slot(slot, longest)) => {
                        let kind = self.kind(kinds, *slot);
                        let longest = kind.longest().min(*longest).min(words - word);
                        let takes = (1..=longest).filter(|n| kind.takes(line, word..word + n));
                        let taken = takes.filter_map(|n| then((item + 1, word + n), 0, Step::Take(n)));
                        // Of two ways that cost the same, a slot takes all the words.
                        let taken = taken.min_by_key(|(cost, step)| (*cost, std::cmp::Reverse(step.words())));
                        least([taken, skipped().flatten()])
                    }
                };
                ways[at(item, word)] = way;
            }
        }
        let (cost, _) = ways[0]?;
        let mut nearest =
            Nearest { cost, telling: 0, slots: vec![None; self.slots.len()], said: String::new() };
        let (mut item, mut word) = (0, 0);
        while let Some((_, step)) = ways[at(item, word)] {
            match step {
                Step::Match => {
                    nearest.telling += u32::from(weight(line.norm(word)) == TELLING);
                    nearest.says(line.raw(word).trim_matches(fold::is_punctuation));
                    (item, word) = (item + 1, word + 1);
                }
                Step::Skip => word += 1,
                Step::Lack => {
                    if let Some(Item::Word(choices)) = self.items.get(item) {
                        let folded = choices.first().map_or("", String::as_str);
                        let own = words_of(spelled).find(|word| fold::word(word) == folded);
                        nearest.says(own.unwrap_or(folded));
                    }
                    item += 1;
                }
                Step::To(next) => item = next,
                Step::Take(n) => {
                    if let Some(Item::Slot(slot, _)) = self.items.get(item) {
                        nearest.slots[*slot] = Some(word..word + n);
                    }
                    nearest.says(line.typed(word..word + n));
                    (item, word) = (item + 1, word + n);
                }
                Step::End => break,
            }
        }
        Some(nearest)
    }
}

impl Nearest {
    fn says(&mut self, word: &str) {
        if !self.said.is_empty() {
            self.said.push(' ');
        }
        self.said.push_str(word);
    }
}

impl Step {
    fn words(self) -> usize {
        match self {
            Step::Take(n) => n,
            _ => 0,
        }
    }
}

/// The cheapest; of equals the first.
fn least<const N: usize>(ways: [Option<(u32, Step)>; N]) -> Option<(u32, Step)> {
    ways.into_iter().flatten().min_by_key(|(cost, _)| *cost)
}

fn weight(norm: &str) -> u32 {
    match norm.chars().count() {
        _ if languages::is_common(norm) => 1,
        ..SHORTEST_TELLING => SHORT,
        _ => TELLING,
    }
}

fn lack(choices: &[String]) -> u32 {
    choices.iter().map(|choice| weight(choice)).min().unwrap_or(TELLING)
}
