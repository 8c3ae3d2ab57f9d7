//! A list as the tokens of a recogniser of any words: which tokens may follow some others, so that it finds nothing but phrases.

use std::collections::{BTreeMap, BTreeSet};

use super::language::Language;
use super::{Part, Phrases};

/// What may follow what, in tokens.
#[derive(Default)]
pub struct Walk {
    phrases: Vec<Vec<Step>>,
    /// How the words of a part may be written.
    tries: Vec<Trie>,
    /// The token of a comma, which may stand between words.
    comma: Option<i32>,
}

/// A part of a phrase.
enum Step {
    /// One of these ways to write it.
    Said(usize),
    /// So many parts that follow may be missing together.
    Optional(usize),
}

/// Texts by their tokens: for each node what may follow, and whether a text ends there. The first node is before all.
type Trie = Vec<(BTreeMap<i32, usize>, bool)>;

/// Where phrases stand behind some tokens: the phrase, the part of it that is said, and the node of that part's tokens.
pub type Places = BTreeSet<(usize, usize, usize)>;

impl Walk {
    /// The tokens of a list, by the tokens of a word that has its space before it.
    ///
    /// # Errors
    /// Those of the tokens.
    pub fn of<E>(
        list: &Phrases,
        language: Language,
        tokens: impl Fn(&str) -> Result<Vec<i32>, E>,
    ) -> Result<Walk, E> {
        let mut walk = Walk { phrases: Vec::new(), tries: Vec::new(), comma: tokens(",")?.first().copied() };
        let (mut words, mut known, mut slots) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for phrase in &list.phrases {
            let mut steps = Vec::new();
            for part in phrase {
                let (at, texts): (&mut usize, _) = match part {
                    Part::Optional(count) => {
                        steps.push(Step::Optional(*count));
                        continue;
                    }
                    Part::Word(choices) => (known.entry(choices).or_insert(usize::MAX), choices),
                    Part::Slot(slot) => (slots.entry(*slot).or_insert(usize::MAX), &vec![]),
                };
                if *at == usize::MAX {
                    *at = walk.tries.len();
                    let texts = match part {
                        Part::Slot(slot) => language.all(*slot),
                        _ => texts.iter().flat_map(|word| language.spellings(word)).collect(),
                    };
                    let mut trie = vec![(BTreeMap::new(), false)];
                    for text in texts {
                        add(&mut trie, &text, &mut words, &tokens)?;
                    }
                    walk.tries.push(trie);
                }
                steps.push(Step::Said(*at));
            }
            walk.phrases.push(steps);
        }
        Ok(walk)
    }

    /// Before the first token.
    pub fn start(&self) -> Places {
        let mut places = Places::new();
        (0..self.phrases.len()).for_each(|phrase| self.enter(phrase, 0, &mut places));
        places
    }

    fn enter(&self, phrase: usize, part: usize, places: &mut Places) {
        places.insert((phrase, part, 0));
        if let Some(Step::Optional(count)) = self.phrases[phrase].get(part) {
            self.enter(phrase, part + 1, places);
            self.enter(phrase, part + 1 + count, places);
        }
    }

    /// The tokens that may follow the last one, and where the phrases stand behind each.
    pub fn after(&self, places: &Places, last: Option<i32>) -> BTreeMap<i32, Places> {
        let mut after: BTreeMap<i32, Places> = BTreeMap::new();
        for (phrase, part, node) in places.iter().copied() {
            let Some(Step::Said(trie)) = self.phrases[phrase].get(part) else { continue };
            let trie = &self.tries[*trie];
            let is_between = part > 0 && node == 0 && last.is_some() && last != self.comma;
            if let Some(comma) = self.comma.filter(|_| is_between) {
                after.entry(comma).or_default().insert((phrase, part, node));
            }
            for (token, next) in &trie[node].0 {
                let places = after.entry(*token).or_default();
                if !trie[*next].0.is_empty() {
                    places.insert((phrase, part, *next));
                }
                if trie[*next].1 {
                    self.enter(phrase, part + 1, places);
                }
            }
        }
        after
    }

    /// Whether a phrase may end here.
    pub fn is_end(&self, places: &Places) -> bool {
        places.iter().any(|(phrase, part, _)| *part >= self.phrases[*phrase].len())
    }
}

/// Adds a text to those that a part may be. The tokens of each word are asked for once.
fn add<E>(
    trie: &mut Trie,
    text: &str,
    known: &mut BTreeMap<String, Vec<i32>>,
    tokens: &impl Fn(&str) -> Result<Vec<i32>, E>,
) -> Result<(), E> {
    let mut at = 0;
    let starts = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
    let mut from = 0;
    for end in starts.filter(|end| *end > 0) {
        let word = &text[from..end];
        from = end;
        let of_word = match known.get(word) {
            Some(tokens) => tokens,
            None => known.entry(word.to_owned()).or_insert(tokens(word)?),
        };
        for token in of_word {
            let new = trie.len();
            at = *trie[at].0.entry(*token).or_insert(new);
            if at == new {
                trie.push((BTreeMap::new(), false));
            }
        }
    }
    trie[at].1 |= at != 0;
    Ok(())
}

#[cfg(test)]
mod tests;
