//! What the review says, in the approver's language: a file of `data` for each. Facts, ids and letters of commands are the same
//! in all of them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use base::config::Config;
use base::home::Home;
use documents::yaml;
use language::fill;
use shared_types::status::{Status, Wait};

/// Every file, with its language's code.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/words.rs"));
/// The language of those who choose none.
const DEFAULT: &str = "en";

type Table = BTreeMap<String, String>;

static TABLES: LazyLock<Vec<(&str, Table)>> = LazyLock::new(|| {
    let read = |text| yaml::from_program(text).expect("the words are part of the program and tested");
    FILES.iter().map(|(code, text)| (*code, read(text))).collect()
});

/// The words of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words(&'static str);

impl Words {
    /// Those of the language that holds where none is chosen.
    pub const DEFAULT: Words = Words(DEFAULT);

    /// The words of a language; those of the default where it has none.
    pub fn of(code: &str) -> Words {
        FILES.iter().find(|(known, _)| *known == code).map_or(Words::DEFAULT, |(known, _)| Words(known))
    }

    /// Those of every language.
    pub fn all() -> impl Iterator<Item = Words> {
        FILES.iter().map(|(code, _)| Words(code))
    }

    /// The code of the language.
    pub fn code(self) -> &'static str {
        self.0
    }

    /// The words that the home's configuration asks for; a configuration that cannot be read says so elsewhere.
    pub fn of_home(home: &Home) -> Words {
        Config::read(home).map_or(Words::DEFAULT, |config| Words::of(&config.language))
    }

    /// The words of that name.
    pub fn say(self, name: &str) -> &'static str {
        let table = TABLES.iter().find(|(code, _)| *code == self.0);
        table.and_then(|(_, table)| table.get(name)).map_or("", String::as_str)
    }

    /// The words of that name, with facts in their places.
    pub fn fill(self, name: &str, facts: &[(&str, &str)]) -> String {
        fill(self.say(name), facts)
    }

    /// Whether a typed answer, or one letter of it, says yes.
    pub fn is_yes(self, answer: &str) -> bool {
        let (words, answer) = (self, answer.to_lowercase());
        words.say("sure-yes").split(' ').any(|yes| yes == answer)
    }

    /// Where a proposal stands, for whom, and what it waits for.
    pub fn head(self, profile: &str, status: Status, waits_for: Option<Wait>) -> String {
        let facts = [("profile", profile), ("status", status.as_str())];
        let words = self;
        match waits_for {
            None => words.fill("head", &facts),
            Some(wait) => words.fill("head-waits", &[facts.as_slice(), &[("wait", wait.as_str())]].concat()),
        }
    }
}

/// A name of words that stands in a table, so that the test of all names finds it.
pub const fn label(name: &'static str) -> &'static str {
    name
}

#[cfg(test)]
mod tests;
