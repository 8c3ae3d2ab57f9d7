//! Whether a wish is for what there is already: two people seldom ask for it in the same words.

use std::collections::BTreeSet;

use language::fold;
use language::is_common;
use language::words::lower;
use models::ToolSpec;
use shared_types::proposal::Proposal;

/// The words of a wish that say what it is for.
pub(super) struct Wanted(BTreeSet<String>);

impl Wanted {
    /// Those of a wish.
    pub(super) fn of(wish: &str) -> Wanted {
        Wanted(words(wish).collect())
    }

    /// Whether a skill serves the wish: it says of itself what it is for, and its sentences hold every other word.
    pub(super) fn is_served_by(&self, name: &str, description: &str, tools: &[ToolSpec]) -> bool {
        let about: BTreeSet<String> = words(name).chain(words(description)).collect();
        let patterns = tools.iter().flat_map(|tool| &tool.phrases);
        let said = patterns.flat_map(|phrase| words(&without_slots(&phrase.pattern)).collect::<Vec<_>>());
        let all: BTreeSet<String> = said.chain(about.iter().cloned()).collect();
        self.0.iter().any(|word| is_among(word, &about)) && self.0.iter().all(|word| is_among(word, &all))
    }

    /// Whether a proposal asks for the same.
    pub(super) fn is_asked_for_by(&self, proposal: &Proposal) -> bool {
        self.is_served_by(proposal.name.as_str(), &proposal.description, &[])
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    lower(text).filter(|word| !is_common(word)).map(|word| fold::written_out(&word))
}

/// A pattern without the names of its slots.
fn without_slots(pattern: &str) -> String {
    pattern.split('{').filter_map(|part| part.rsplit('}').next()).collect::<Vec<_>>().join(" ")
}

fn is_among(word: &str, others: &BTreeSet<String>) -> bool {
    others.iter().any(|other| is_alike(word, other))
}

/// Whether two words differ in their endings alone: `Witz` and `Witze`, `erzähle` and `erzählst`.
fn is_alike(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (short, long) =
        (one.chars().count().min(other.chars().count()), one.chars().count().max(other.chars().count()));
    one == other
        || shared >= LEAST_STEM && long - shared <= MOST_ENDING && (shared == short || shared > LEAST_STEM)
}

/// The letters that words of one stem share at least, and those of the longest ending.
const LEAST_STEM: usize = 4;
const MOST_ENDING: usize = 3;

#[cfg(test)]
mod tests;
