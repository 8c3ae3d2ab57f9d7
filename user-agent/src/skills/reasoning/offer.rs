//! Which tools a model is offered: few at first, and only ever more, so that a server can reuse what it has read.

use std::collections::BTreeSet;

use models::ToolSpec;

/// What the descriptions of all tools may take, in bytes, before the offer is made by what a line is about.
const MAX_BYTES: usize = 6 * 1024;
/// The most tools that one line adds.
const MOST_NEW: usize = 6;
/// The hidden tools that are named to the model.
const MOST_NAMED: usize = 60;

/// The tools of one conversation.
#[derive(Default)]
pub(super) struct Offer {
    all: Vec<ToolSpec>,
    /// Places in `all`, in the order in which they were offered.
    chosen: Vec<usize>,
}

impl Offer {
    /// Takes in which tools there are, and chooses for a line; a tool that was offered stays.
    pub(super) fn choose(&mut self, all: Vec<ToolSpec>, always: &dyn Fn(&str) -> bool, line: &str) {
        let same = self.all.len() == all.len() && self.all.iter().zip(&all).all(|(a, b)| a.name == b.name);
        if !same {
            *self = Offer { all, chosen: Vec::new() };
        }
        let size: usize = self.all.iter().map(size_of).sum();
        let fits = size <= MAX_BYTES;
        let wanted = words(line);
        let mut scored: Vec<(usize, usize)> = (0..self.all.len())
            .filter(|place| !self.chosen.contains(place))
            .map(|place| (shared(&self.all[place], &wanted), place))
            .collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut new = 0;
        for (score, place) in scored {
            let always = fits || always(&self.all[place].name);
            if always || (score > 0 && new < MOST_NEW) {
                new += usize::from(!always);
                self.chosen.push(place);
            }
        }
    }

    /// Offers a hidden tool from now on; whether it was hidden.
    pub(super) fn bring(&mut self, name: &str) -> bool {
        let hidden = self.all.iter().position(|tool| tool.name == name);
        match hidden.filter(|place| !self.chosen.contains(place)) {
            Some(place) => {
                self.chosen.push(place);
                true
            }
            None => false,
        }
    }

    /// What is offered, in the order in which it came.
    pub(super) fn offered(&self) -> Vec<ToolSpec> {
        self.chosen.iter().map(|place| self.all[*place].clone()).collect()
    }

    /// The names of the others.
    pub(super) fn hidden(&self) -> Vec<&str> {
        let hidden = (0..self.all.len()).filter(|place| !self.chosen.contains(place));
        hidden.map(|place| self.all[place].name.as_str()).take(MOST_NAMED).collect()
    }
}

fn size_of(tool: &ToolSpec) -> usize {
    tool.name.len() + tool.description.len() + tool.parameters.to_string().len()
}

/// How many words a tool and a line share.
fn shared(tool: &ToolSpec, wanted: &BTreeSet<String>) -> usize {
    let mut own = words(&tool.name);
    own.extend(words(&tool.description));
    for phrase in &tool.phrases {
        own.extend(words(&phrase.pattern));
    }
    let alike = |word: &&String| {
        own.iter().any(|other| {
            let (short, long) = if word.len() < other.len() { (*word, other) } else { (other, *word) };
            short == long || (short.chars().count() >= 4 && long.starts_with(short.as_str()))
        })
    };
    wanted.iter().filter(alike).count()
}

/// The words of a text that say what it is about.
fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 2 || !word.is_ascii())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests;
