//! Which tools a model is offered: few at first, and only ever more, so that a server can reuse what it has read.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use language::{Intent, intent};
use models::ToolSpec;
use shared_types::sorted;

/// What the descriptions of all tools may take, in bytes, before the offer is made by what a line is about.
const MAX_BYTES: usize = 7 * 1024;
/// The same for a line that asks for nothing: a greeting, thanks, a farewell. It is often the first, and a small model on a
/// small machine reads a second for each KiB before it greets back.
const SMALL_TALK_BYTES: usize = 800;
/// The most tools that one line adds.
const MOST_NEW: usize = 6;
/// Letters of a word in the name of a tool.
const SHORTEST_NAME: usize = 3;
/// Letters of a word in a sentence; shorter ones, such as "and" and "the", are in every other sentence.
const SHORTEST_WORD: usize = 4;

/// The tools of one conversation.
#[derive(Default)]
pub(super) struct Offer {
    all: Vec<ToolSpec>,
    /// How long each of `all` is, in bytes.
    sizes: Vec<usize>,
    /// The words of each of `all`, once a line has words.
    known: Vec<BTreeSet<String>>,
    /// Places in `all`, in the order in which they were offered.
    chosen: Vec<usize>,
    /// The others at first. They are named to the end: another name would make the server read everything again.
    others: Option<Vec<usize>>,
}

impl Offer {
    /// All that there are, for the companion: it looks through them on its own.
    pub(super) fn choose_all(&mut self, all: Vec<ToolSpec>) {
        *self = Offer { chosen: (0..all.len()).collect(), all, ..Offer::default() };
    }

    /// Takes in which tools there are, and chooses for a line: those that it is about, and of those that `fill` takes the
    /// shortest for which there is room. A tool that was offered stays.
    pub(super) fn choose(&mut self, all: Vec<ToolSpec>, fill: &dyn Fn(&str) -> bool, line: &str) {
        let same = self.all.len() == all.len() && self.all.iter().zip(&all).all(|(a, b)| a.name == b.name);
        if !same {
            *self = Offer { all, ..Offer::default() };
        }
        if self.sizes.is_empty() {
            self.sizes = self.all.iter().map(size_of).collect();
        }
        let asked = words(line, SHORTEST_NAME);
        if self.known.is_empty() && !asked.is_empty() {
            self.known = self.all.iter().map(words_of).collect();
        }
        let (known, sizes) = (&self.known, &self.sizes);
        // A word of every third tool, such as "what", says nothing of any.
        let tells =
            |word: &String| known.iter().filter(|own| has(own, word)).count() * 3 <= known.len().max(3);
        let wanted: Vec<String> = asked.into_iter().filter(tells).collect();
        let mut scored: Vec<(usize, usize)> = (0..self.all.len())
            .filter(|place| !self.chosen.contains(place))
            .map(|place| (wanted.iter().filter(|word| has(&known[place], word)).count(), place))
            .collect();
        sorted::by_key(&mut scored, |(score, place)| (Reverse(*score), sizes[*place]));
        let most = if is_small_talk(line) { SMALL_TALK_BYTES } else { MAX_BYTES };
        let all_fit = sizes.iter().sum::<usize>() <= most;
        let mut room = most.saturating_sub(self.chosen.iter().map(|place| sizes[*place]).sum());
        let mut new = 0;
        for (score, place) in scored {
            let (tool, size) = (&self.all[place], sizes[place]);
            let is_meant = score > 0 && new < MOST_NEW;
            if all_fit || is_meant || (size <= room && fill(&tool.name)) {
                new += usize::from(is_meant);
                room = room.saturating_sub(size);
                self.chosen.push(place);
            }
        }
        let others = || (0..self.all.len()).filter(|place| !self.chosen.contains(place)).collect();
        self.others.get_or_insert_with(others);
    }

    /// Offers a hidden tool from now on.
    pub(super) fn bring(&mut self, name: &str) {
        let hidden = self.all.iter().position(|tool| tool.name == name);
        self.chosen.extend(hidden.filter(|place| !self.chosen.contains(place)));
    }

    /// What is offered, in the order in which it came.
    pub(super) fn offered(&self) -> Vec<ToolSpec> {
        self.chosen.iter().map(|place| self.all[*place].clone()).collect()
    }

    /// The names of those that were not offered at first.
    pub(super) fn others(&self) -> Vec<&str> {
        let others = self.others.iter().flatten();
        others.map(|place| self.all[*place].name.as_str()).collect()
    }
}

fn size_of(tool: &ToolSpec) -> usize {
    tool.name.len() + tool.description.len() + tool.parameters.to_string().len()
}

fn is_small_talk(line: &str) -> bool {
    let meant = intent(line).map(|meant| meant.intent);
    matches!(meant, Some(Intent::Greeting | Intent::Thanks | Intent::Goodbye | Intent::HowAreYou))
}

/// The words of what a tool says of itself.
fn words_of(tool: &ToolSpec) -> BTreeSet<String> {
    let mut own = words(&tool.name, SHORTEST_NAME);
    own.extend(words(&tool.description, SHORTEST_WORD));
    own.extend(tool.phrases.iter().flat_map(|phrase| words(&phrase.pattern, SHORTEST_WORD)));
    own
}

/// Whether a word, or one that begins alike, is among them.
fn has(own: &BTreeSet<String>, word: &str) -> bool {
    own.iter().any(|other| {
        let (short, long) =
            if word.len() < other.len() { (word, other.as_str()) } else { (other.as_str(), word) };
        short == long || (short.chars().count() >= 4 && long.starts_with(short))
    })
}

/// The words of a text that say what it is about: those of at least `shortest` letters.
fn words(text: &str, shortest: usize) -> BTreeSet<String> {
    let words = language::words::lower(text);
    words.filter(|word| word.chars().count() >= shortest || !word.is_ascii()).collect()
}

#[cfg(test)]
mod tests;
