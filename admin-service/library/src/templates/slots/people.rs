//! Names of people, what they do, and whose turn it is.

use serde::Deserialize;
use skill_sdk::Date;

use super::found::Found;
use crate::templates::condition::{Condition, World};
use crate::templates::patterns::Patterns;
use crate::templates::wish::Wish;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::templates) struct Names {
    /// Where no colon stands, the names begin behind the last of these words.
    after: Patterns,
    /// What stands between names beside a comma and a semicolon.
    and: Patterns,
    /// Below it the part `few` is there.
    fewest: usize,
    /// Above it the part `many` is there.
    most: usize,
}

impl Names {
    pub(super) fn fill(&self, wish: &Wish) -> Option<Found> {
        let (before, list) = self.halves(&wish.said);
        let names = self.names(list);
        let mut parts = vec![
            ("listed", names.join(", ")),
            ("count", names.len().to_string()),
            ("before", before.to_owned()),
        ];
        if names.len() < self.fewest {
            parts.push(("few", String::new()));
        }
        if names.len() > self.most {
            parts.push(("many", String::new()));
        }
        Some(Found { value: names.join(","), parts })
    }

    /// The part of a wish that holds the names, and what stands before it.
    fn halves<'a>(&self, said: &'a str) -> (&'a str, &'a str) {
        if let Some(halves) = said.rsplit_once(':') {
            return halves;
        }
        let padded = self.after.iter().map(|word| format!(" {word} "));
        let last = padded.filter_map(|word| said.rfind(&word).map(|at| (at, word.len()))).max();
        last.map_or((said, ""), |(at, length)| (&said[..at], &said[at + length..]))
    }

    /// Each has one or two words and begins with a capital. Empty if a part of the list is something else.
    fn names(&self, list: &str) -> Vec<String> {
        let list = list.trim().trim_end_matches(['.', '!', '?']);
        let list =
            self.and.iter().fold(list.to_owned(), |list, word| list.replace(&format!(" {word} "), ","));
        let mut names: Vec<String> = Vec::new();
        for name in list.split([',', ';']).map(str::trim).filter(|name| !name.is_empty()) {
            let words = name.split(' ').count();
            let letters =
                name.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '\'' | '’'));
            let begins = name.chars().next().is_some_and(char::is_uppercase);
            let again = names.iter().any(|other| other == name);
            if words > 2 || !letters || !begins || name.chars().count() > 30 || again {
                return Vec::new();
            }
            names.push(name.to_owned());
        }
        names
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::templates) struct Phrase {
    /// The value that it is a part of.
    pub(super) of: String,
    /// It begins behind the first of these that is there.
    after: Patterns,
    /// It ends before each of these.
    until: Patterns,
}

impl Phrase {
    pub(super) fn fill(&self, facts: &impl World) -> Option<Found> {
        let whole = facts.value(&self.of);
        let found = self.after.iter().find_map(|start| {
            let start = format!("{start} ");
            let at = whole.to_lowercase().find(&start)?;
            whole.get(at + start.len()..)
        });
        let phrase = found?;
        let phrase = self
            .until
            .iter()
            .fold(phrase, |phrase, end| phrase.split(format!(" {end} ").as_str()).next().unwrap_or(phrase));
        let phrase: String = shared_types::text::line(phrase);
        let phrase: String =
            phrase.trim_matches(|letter: char| !letter.is_alphanumeric()).chars().take(60).collect();
        Some(phrase.into())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::templates) struct Turn {
    /// The names, of the kind `names`.
    pub(super) of: String,
    /// The day on which it is the first one's turn.
    pub(super) from: String,
    on: String,
    /// Whether the turn changes with the week instead of the day.
    pub(super) weekly: Condition,
}

impl Turn {
    pub(super) fn fill(&self, facts: &impl World) -> Option<Found> {
        let names: Vec<&str> = facts.value(&self.of).split(',').filter(|name| !name.is_empty()).collect();
        let weekly = self.weekly.holds(facts);
        let turns = |date: Date| if weekly { (date.days() + 3).div_euclid(7) } else { date.days() };
        let turn = turns(Date::parse(&self.on)?) - turns(Date::parse(facts.value(&self.from))?);
        let at = turn.checked_rem_euclid(i64::try_from(names.len()).ok()?)?;
        let name = names.get(usize::try_from(at).ok()?)?;
        Some((*name).to_owned().into())
    }
}
