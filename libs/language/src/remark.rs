//! What asks for nothing: small talk around a line, and remarks.

use crate::fold;
use crate::intent::{self, Intent, Meant};
use crate::languages::{self, Language};

/// The small talk in a line that nothing else answers: a clause of it, or its first word, says hello, thanks, goodbye or how
/// somebody feels. Nothing where another part of the line asks for something.
pub fn small_talk(line: &str, spoken: Language) -> Option<Meant> {
    use Intent::{Comfort, Feeling, Fun, Goodbye, Greeting, HowAreYou, Joy, Thanks};
    // What tells most of the person counts.
    let rank = |meant: &Meant| match meant.intent {
        Comfort => 6,
        Feeling | Joy => 5,
        Goodbye => 4,
        Thanks => 3,
        HowAreYou => 2,
        Greeting | Fun => 1,
        _ => 0,
    };
    let meant = |text: &str| intent::intent_in(text, spoken).filter(|meant| rank(meant) > 0);
    let (mut found, mut beside) = (Vec::new(), 0);
    for (at, clause) in intent::clauses(line).into_iter().enumerate() {
        let first = || clause.split_whitespace().next().filter(|_| at == 0);
        match meant(clause) {
            Some(said) => found.push(said),
            None if intent::looks_like_request(clause) => return None,
            None => {
                beside += clause.split_whitespace().count();
                let greets = |said: &Meant| said.intent == Greeting;
                found.extend(
                    first().filter(|word| languages::day(word).is_none()).and_then(meant).filter(greets),
                );
            }
        }
    }
    // Thanks for something is said in few words; more tell something else.
    found.retain(|said| said.intent != Thanks || beside <= MOST_BESIDE_THANKS);
    found.into_iter().max_by_key(rank)
}

/// The most words beside thanks.
const MOST_BESIDE_THANKS: usize = 6;

/// The line as one person would say it for themselves, where it is said for several: `quiz me` for `quiz us`.
pub fn for_one(line: &str) -> Vec<String> {
    let ours = Language::all().flat_map(|l| l.data().ours);
    let named = ours.filter(|(ours, _)| line.split_whitespace().any(|word| fold::word(word) == *ours));
    let said = |(ours, one): (&str, &str)| {
        let words = line.split_whitespace().map(|word| if fold::word(word) == ours { one } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    named.flat_map(|(ours, one)| one.split(' ').map(move |one| (ours, one))).map(said).collect()
}

/// The fewest words of a remark.
const LEAST: usize = 3;

/// Whether a line tells something and asks for nothing: it begins as remarks do, or its second word tells how something is.
pub fn is_remark(line: &str) -> bool {
    if intent::looks_like_request(line) || intent::asks_within(line) {
        return false;
    }
    let words = languages::loose_reading(line).or_else(|| languages::readings(line).pop());
    let Some(words) = words else { return false };
    let begins = |l: Language| l.data().openers.contains(words.norm(0));
    let tells = |l: Language| l.data().statements.tells.contains(words.norm(1));
    words.len() >= LEAST && Language::all().any(|l| begins(l) || tells(l))
}

#[cfg(test)]
mod tests;
