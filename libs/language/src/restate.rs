//! A remembered fact, found by a question and said back to the person.

use crate::fold;
use crate::languages::{self, Language};
use crate::words::Words;

/// The words of a question, or of what it is about.
struct Asked {
    words: Vec<String>,
    /// The places of the telling words.
    telling: Vec<usize>,
}

impl Asked {
    /// Nothing where no word tells anything.
    fn of(what: &str) -> Option<Asked> {
        let ignored = |w: &str| Language::all().any(|l| l.data().ignore.contains(&w));
        let words = Words::of(what, languages::expansion)?;
        let words: Vec<String> = words.norms().flat_map(|word| word.split('-')).map(str::to_owned).collect();
        let telling: Vec<usize> = (0..words.len()).filter(|at| !ignored(&words[*at])).collect();
        (!telling.is_empty()).then_some(Asked { words, telling })
    }

    /// The telling words that a fact holds.
    fn hits(&self, fact: &[String]) -> Vec<usize> {
        let holds = |at: &usize| fact.iter().any(|word| same(&self.words[*at], word));
        self.telling.iter().copied().filter(holds).collect()
    }

    /// Whether a word stands behind `my` or `I`: then a fact without it is about something else.
    fn is_own(&self, at: usize) -> bool {
        let turns = |word: &str| Language::all().any(|l| languages::found(l.data().swap, word).is_some());
        at > 0 && turns(&self.words[at - 1])
    }
}

fn words_of(fact: &str) -> Vec<String> {
    let pieces = fact.split(|c: char| c.is_whitespace() || c == '-').filter(|piece| !piece.is_empty());
    pieces.map(fold::word).collect()
}

/// The fact that answers a question about `what`: the one that holds most of its telling words.
pub fn find<'a>(what: &str, facts: &'a [String]) -> Option<&'a str> {
    let asked = Asked::of(what)?;
    let rank = |fact: &str| {
        let words = words_of(fact);
        (asked.hits(&words).len(), words.starts_with(&asked.words))
    };
    // The first of equals: the caller's order is by relevance.
    let best = facts.iter().rev().max_by_key(|fact| rank(fact))?;
    // All that was asked for, or nearly all of a longer question: a fact about somebody else is no answer.
    let all = asked.telling.len();
    (rank(best).0 + all / 4 >= all).then_some(best.as_str())
}

/// The fact that may help with a question that none answers: it holds half of the telling words, and all that the person calls
/// their own; without such a word there is none.
pub fn near<'a>(what: &str, facts: &'a [String]) -> Option<&'a str> {
    let asked = Asked::of(what)?;
    let own: Vec<usize> = asked.telling.iter().copied().filter(|at| asked.is_own(*at)).collect();
    if own.is_empty() {
        return None;
    }
    let hits = |fact: &str| {
        let hits = asked.hits(&words_of(fact));
        if own.iter().all(|at| hits.contains(at)) { hits.len() } else { 0 }
    };
    let best = facts.iter().rev().max_by_key(|fact| hits(fact))?;
    (hits(best) > 0 && hits(best) * 2 >= asked.telling.len()).then_some(best.as_str())
}

/// Whether two words mean the same, across languages: `what is my name` finds `ich heiße Anna`.
fn same(a: &str, b: &str) -> bool {
    // `erdnuesse` is how `Erdnüsse` is typed without the key for it.
    let stem = |w: &str| {
        let stem = w.strip_suffix("'s").or(w.strip_suffix('s')).unwrap_or(w);
        stem.replace("ae", "a").replace("oe", "o").replace("ue", "u")
    };
    let (stem_of_a, stem_of_b) = (stem(a), stem(b));
    let topic = |word: &str| {
        let known = |l: Language| l.data().same.iter().find(|(_, words)| words.contains(&word));
        Language::all().find_map(known).map(|(topic, _)| *topic)
    };
    a == b
        || is_part(&stem_of_a, &stem_of_b)
        || topic(a).is_some_and(|topic_of_a| topic(b) == Some(topic_of_a))
}

/// The shortest word that is found as a part of a longer one, in characters.
const MIN_PART: usize = 3;
/// Longer words may differ by this many characters at their ends.
const MAX_ENDING: usize = 3;

/// Whether two words are the same, one ends with the other (`peanut` with `nut`), or begins with it and has a short ending.
fn is_part(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let size = short.chars().count();
    let ends = long.ends_with(short);
    let begins =
        size > MIN_PART && long.strip_prefix(short).is_some_and(|end| end.chars().count() <= MAX_ENDING);
    a == b || size >= MIN_PART && ends || begins
}

/// A fact as the program says it: `my name is Anna` becomes `Your name is Anna.`; where turning it round could change
/// its meaning, it is quoted.
pub fn say(fact: &str, language: Language) -> String {
    let facts_own = languages::detect(fact);
    match turned(fact, facts_own) {
        // Turned round in another language than the question's would read oddly.
        Some(turned) if facts_own == language => turned,
        _ => languages::fill(language.says().quoted, &[("fact", fact.trim())]),
    }
}

fn turned(fact: &str, language: Language) -> Option<String> {
    let data = language.data();
    let words = Words::of(fact.trim(), languages::expansion)?;
    let mut said = String::new();
    let mut at = 0;
    let mut changed = false;
    while at < words.len() {
        if !said.is_empty() {
            said.push(' ');
        }
        let swap = (1..=2.min(words.len() - at)).rev().find_map(|n| {
            let key: Vec<&str> = (at..at + n).map(|i| words.norm(i)).collect();
            Some((n, languages::found(data.swap, &key.join(" "))?))
        });
        match swap {
            Some((n, instead)) => {
                said.push_str(instead);
                said.push_str(punctuation_after(words.raw(at + n - 1)));
                at += n;
                changed = true;
            }
            None if data.quote.contains(&words.norm(at)) => return None,
            None => {
                said.push_str(words.raw(at));
                at += 1;
            }
        }
    }
    if !changed {
        return None;
    }
    let mut chars = said.chars();
    let first = chars.next()?;
    Some(format!("{}{}.", first.to_uppercase(), chars.as_str()))
}

fn punctuation_after(raw: &str) -> &str {
    &raw[raw.trim_end_matches([',', ';', ':', '.', '!', '?']).len()..]
}
