//! What is read from a wish: names, numbers, files, addresses, dates.

mod collection;
mod found;
mod people;

use serde::Deserialize;
use skill_sdk::Date;

use self::collection::Collection;
use self::found::Found;
use self::people::{Names, Phrase, Turn};
use super::condition::World;
use super::patterns::Patterns;
use super::wish::Wish;

/// One thing that is read from a wish, by its kind.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Slot {
    /// A file name with a given ending.
    File(File),
    /// What stands before a word, and the number behind it.
    NounAndNumber(NounAndNumber),
    /// Names with a capital, as a list.
    Names(Names),
    /// What stands between words of another value.
    Phrase(Phrase),
    /// Whose turn it is on a day.
    Turn(Turn),
    /// A name with a capital behind one of some words.
    Name(Name),
    /// The address that the line names, where its host is the one host of the proposal.
    Address(Address),
    /// The address of the configured service, where its host is the one host of the proposal.
    Service(Nothing),
    Date(Nothing),
    /// A word of the line, with the value that belongs to it.
    Word(Word),
    /// The day on which the wish was written down.
    Day(Nothing),
    /// What a list is about.
    Collection(Collection),
}

impl Slot {
    /// Whether it reads other slots.
    pub(super) fn is_derived(&self) -> bool {
        matches!(self, Slot::Phrase(_) | Slot::Turn(_))
    }

    /// What it finds in a wish.
    pub(super) fn fill(&self, facts: &impl World, wish: &Wish) -> Option<Found> {
        match self {
            Slot::File(slot) => slot.fill(wish),
            Slot::NounAndNumber(slot) => slot.fill(wish),
            Slot::Names(slot) => slot.fill(wish),
            Slot::Phrase(slot) => slot.fill(facts),
            Slot::Turn(slot) => slot.fill(facts),
            Slot::Name(slot) => slot.fill(wish),
            Slot::Address(slot) => slot.fill(wish),
            Slot::Service(_) => service(wish),
            Slot::Date(_) => date(wish),
            Slot::Word(slot) => slot.fill(wish),
            Slot::Day(_) => wish.day.map(|day| day.to_string().into()),
            Slot::Collection(slot) => slot.fill(wish),
        }
    }

    /// The values beside its own that it may have.
    pub(super) fn parts(&self) -> &'static [&'static str] {
        match self {
            Slot::NounAndNumber(_) => &["noun", "number"],
            Slot::Names(_) => &["listed", "count", "before", "few", "many"],
            Slot::Service(_) => &["before", "behind", "host"],
            Slot::Collection(_) => &["known"],
            _ => &[],
        }
    }

    /// What it reads of the facts: slots and their parts.
    pub(super) fn reads(&self) -> Vec<&str> {
        match self {
            Slot::Phrase(slot) => vec![&slot.of],
            Slot::Turn(slot) => {
                [&slot.of, &slot.from].map(String::as_str).into_iter().chain(slot.weekly.names()).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A kind without settings, written as `{}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// As in `.ics`.
    ending: String,
    /// What is taken where the wish names none.
    usual: Option<String>,
}

impl File {
    fn fill(&self, wish: &Wish) -> Option<Found> {
        let is_plain = |name: &&str| {
            let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
            letters && !name.starts_with('.') && name.len() > self.ending.len() && name.len() <= 60
        };
        let named = wish
            .said
            .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '„' | '“' | '”'))
            .map(|word| word.trim_end_matches(['.', '!', '?', ')', ':']).trim_start_matches('('))
            .filter(|word| word.ends_with(&self.ending))
            .find(is_plain);
        named.map(str::to_owned).or_else(|| self.usual.clone()).map(Found::from)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NounAndNumber {
    /// The words between the noun and the number.
    at: Patterns,
    /// Words before these that belong to neither.
    between: Patterns,
    /// Words before the noun.
    before: Patterns,
    /// The highest number.
    most: u32,
}

impl NounAndNumber {
    /// `switch the desk lamp on pin 17`; the noun may be missing.
    fn fill(&self, wish: &Wish) -> Option<Found> {
        let words = wish.typed();
        let at = words.iter().position(|word| self.at.names(word))?;
        let number: u32 = words[at + 1..]
            .iter()
            .find_map(|word| word.parse().ok())
            .filter(|number| *number <= self.most)?;
        let mut rest = &words[..at];
        while let Some((last, before)) = rest.split_last()
            && self.between.names(last)
        {
            rest = before;
        }
        let is_noun = |word: &&String| {
            !self.before.names(word) && word.chars().all(char::is_alphabetic) && word.chars().count() <= 24
        };
        let mut noun: Vec<&str> = rest.iter().rev().take_while(is_noun).take(2).map(String::as_str).collect();
        noun.reverse();
        let mut parts = vec![("number", number.to_string())];
        if !noun.is_empty() {
            parts.push(("noun", noun.join(" ")));
        }
        Some(Found { value: number.to_string(), parts })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Name {
    after: Patterns,
    most_words: usize,
}

impl Name {
    /// `learn to tell me the weather in New York`: what begins with a capital there.
    fn fill(&self, wish: &Wish) -> Option<Found> {
        let words: Vec<&str> = wish.said.split_whitespace().collect();
        let at = words.iter().rposition(|word| self.after.names(word))?;
        let is_name = |word: &&&str| word.chars().next().is_some_and(char::is_uppercase);
        let names: Vec<&str> =
            words[at + 1..].iter().take_while(is_name).take(self.most_words).copied().collect();
        let name = names.join(" ");
        let name = name.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let is_plain =
            name.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '.' | '\''));
        (!name.is_empty() && name.len() <= 60 && is_plain).then(|| name.to_owned().into())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Address {
    /// Words of which the line has one beside the address.
    beside: Patterns,
}

impl Address {
    fn fill(&self, wish: &Wish) -> Option<Found> {
        let address = language::address::of(&wish.said)?;
        // The words of the address itself tell nothing.
        let around = wish.said.replacen(address.url, "", 1);
        if !language::words::lower(&around).any(|word| self.beside.names(&word)) {
            return None;
        }
        is_only_host(wish, address.host).then(|| address.url.to_owned().into())
    }
}

/// The parts of the service's address before and behind the place.
fn service(wish: &Wish) -> Option<Found> {
    const PLACE: &str = "{place}";
    let address = wish.service.as_deref()?;
    let (before, behind) = address.split_once(PLACE)?;
    let named = language::address::of(before)?;
    let is_whole = named.url == before && !behind.contains(PLACE);
    (is_whole && is_only_host(wish, named.host)).then(|| Found {
        value: address.to_owned(),
        parts: vec![
            ("before", before.to_owned()),
            ("behind", behind.to_owned()),
            ("host", named.host.to_owned()),
        ],
    })
}

fn is_only_host(wish: &Wish, host: &str) -> bool {
    wish.hosts.len() == 1 && wish.hosts.iter().all(|only| only.as_str() == host)
}

/// A dash or a point divides words, so a date is three of them.
fn date(wish: &Wish) -> Option<Found> {
    wish.typed().windows(3).find_map(|three| {
        let date = [three.join("-"), three.join("."), three.join(" ")];
        date.iter().find_map(|text| Date::parse(text)).map(|date| date.to_string().into())
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Word {
    /// Each word with its value; the first that the line has.
    rows: Vec<(String, String)>,
}

impl Word {
    fn fill(&self, wish: &Wish) -> Option<Found> {
        let typed = |word: &str| wish.typed().iter().any(|typed| typed == word);
        let row = self.rows.iter().find(|(word, _)| typed(word));
        row.map(|(_, value)| value.clone().into())
    }
}
