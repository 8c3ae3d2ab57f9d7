//! What may be said: one phrase a line, as a grammar in JSGF.
//!
//! ```text
//! what time is it
//! [please] roll|throw a die            [..] may be missing; a|b is one word or the other
//! remind me in <number> minutes        slots: a number, a date, dice, a unit of measure
//! ```

use std::collections::BTreeSet;

pub use language::Language;
use slots::Slot;

mod language;
mod nearest;
mod slots;
mod spellings;
pub mod walk;

/// The largest file, in bytes.
pub const MOST_BYTES: u64 = 256 * 1024;
pub const MOST_PHRASES: usize = 2_000;
/// The most words of one phrase.
pub const MOST_WORDS: usize = 30;
/// The most slots of one phrase.
pub const MOST_SLOTS: usize = 4;
/// The most choices of one word.
pub const MOST_CHOICES: usize = 60;
/// The most words of the whole grammar; a slot counts as the words that it may be.
pub const MOST_OF_ALL: usize = 60_000;

/// Why a list of phrases is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// More phrases than are allowed.
    #[error("there are more than {MOST_PHRASES} phrases")]
    TooMany,
    /// A grammar that is too large.
    #[error("the phrases have more than {MOST_OF_ALL} words; a slot counts as the words that it may be")]
    TooLong,
    /// Nothing can be heard.
    #[error("no phrase is left that can be heard")]
    Nothing,
}

/// Why one phrase, or a choice of it, is left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// A word is not in the dictionary.
    Word(String),
    /// A slot that does not exist.
    Slot(String),
    /// The phrase in this line is too long.
    Long(usize),
    /// A bracket of the phrase in this line is not in its place.
    Bracket(usize),
}

/// A part of a phrase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// One of these words.
    Word(Vec<String>),
    Slot(Slot),
    /// So many parts that follow may be missing together.
    Optional(usize),
}

/// What may be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrases {
    phrases: BTreeSet<Vec<Part>>,
    left_out: BTreeSet<LeftOut>,
}

impl Phrases {
    /// Reads phrases, one a line. Empty lines and lines that begin with `#` are skipped; case and marks of punctuation count nothing.
    /// A choice with a word that is not `known` is left out, and with it the phrase that cannot do without it.
    ///
    /// # Errors
    /// Too many phrases, too many words, or none.
    pub fn read(text: &str, known: impl Fn(&str) -> bool) -> Result<Phrases, Fault> {
        // The signs of the grammar never reach it, regardless of what the dictionary knows.
        Phrases::of(text, |word| is_of(word, |c| c.is_ascii_lowercase()) && known(word))
    }

    /// Reads phrases for a recogniser that knows any word, of any language.
    ///
    /// # Errors
    /// Too many phrases, too many words, or none.
    pub fn of_any_words(text: &str) -> Result<Phrases, Fault> {
        Phrases::of(text, |word| is_of(word, char::is_alphabetic))
    }

    fn of(text: &str, known: impl Fn(&str) -> bool) -> Result<Phrases, Fault> {
        let mut phrases = Phrases::default();
        let mut words = 0;
        let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let mut reader = Reader { known: &known, left_out: &mut phrases.left_out };
            match reader.phrase(line, number) {
                Ok(parts) if !parts.is_empty() => {
                    words += parts.iter().map(Part::words).sum::<usize>();
                    phrases.phrases.insert(parts);
                }
                Ok(_) => {}
                Err(why) => {
                    phrases.left_out.insert(why);
                }
            }
            if phrases.phrases.len() > MOST_PHRASES {
                return Err(Fault::TooMany);
            }
            if words > MOST_OF_ALL {
                return Err(Fault::TooLong);
            }
        }
        if phrases.phrases.is_empty() { Err(Fault::Nothing) } else { Ok(phrases) }
    }

    /// Why phrases were left out.
    pub fn left_out(&self) -> impl Iterator<Item = &LeftOut> {
        self.left_out.iter()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.phrases.len()
    }

    /// The phrase of the list that these words are, with its numbers in figures; nothing where they are none of them.
    pub fn matched(&self, words: &str) -> Option<String> {
        let words: Vec<&str> = words.split_whitespace().collect();
        self.phrases.iter().find_map(|phrase| Match::of(phrase, &words)).map(|words| words.join(" "))
    }

    /// The same of a transcript in this language, word for word.
    pub fn is(&self, transcript: &str, language: Language) -> Option<String> {
        self.at_most(transcript, language, 0)
    }

    /// Whether two lines that came out are the same phrase with the same numbers, days and units.
    pub fn are_same(&self, one: &str, other: &str, language: Language) -> bool {
        let numbers = |line: &str| -> Vec<String> {
            line.split(' ')
                .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
                .map(str::to_owned)
                .collect()
        };
        let (of_one, of_other) = (numbers(one), numbers(other));
        let is_of = |phrase: &Vec<Part>, line: &str| {
            Phrases { phrases: BTreeSet::from([phrase.clone()]), left_out: BTreeSet::new() }
                .is(line, language)
                .is_some()
        };
        of_one == of_other && self.phrases.iter().any(|phrase| is_of(phrase, one) && is_of(phrase, other))
    }

    /// The grammar. It holds letters and apostrophes of the phrases, and nothing else that comes from them.
    pub fn grammar(&self) -> String {
        let rules: String = Slot::ALL.iter().map(|slot| slot.rules()).collect();
        let phrases: Vec<String> = self.phrases.iter().map(|phrase| spoken(phrase)).collect();
        format!("#JSGF V1.0;\ngrammar phrases;\n{rules}public <phrase> = {};\n", phrases.join(" | "))
    }
}

/// A phrase as the grammar has it.
fn spoken(phrase: &[Part]) -> String {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(part) = phrase.get(at) {
        at += 1;
        match part {
            Part::Word(choices) => words.push(match choices.as_slice() {
                [word] => word.clone(),
                choices => format!("( {} )", choices.join(" | ")),
            }),
            Part::Slot(slot) => words.push(slot.name().to_owned()),
            Part::Optional(count) => {
                let end = (at + count).min(phrase.len());
                words.push(format!("[ {} ]", spoken(&phrase[at..end])));
                at = end;
            }
        }
    }
    words.join(" ")
}

impl Part {
    fn words(&self) -> usize {
        match self {
            Part::Word(choices) => choices.len(),
            Part::Slot(slot) => slot.words(),
            Part::Optional(_) => 0,
        }
    }
}

/// Reads one phrase.
struct Reader<'a, K> {
    known: &'a K,
    left_out: &'a mut BTreeSet<LeftOut>,
}

impl<K: Fn(&str) -> bool> Reader<'_, K> {
    fn phrase(&mut self, line: &str, number: usize) -> Result<Vec<Part>, LeftOut> {
        let mut parts: Vec<Part> = Vec::new();
        // Where a group that may be missing begins, and why it is left out.
        let mut group: Option<(usize, Option<LeftOut>)> = None;
        let spaced = line.replace('[', " [ ").replace(']', " ] ");
        for word in spaced.split_whitespace() {
            match (word, &mut group) {
                ("[", None) => {
                    group = Some((parts.len(), None));
                    parts.push(Part::Optional(0));
                }
                ("]", Some(_)) => {
                    let Some((start, fault)) = group.take() else { continue };
                    let count = parts.len() - start - 1;
                    if fault.is_some() || count == 0 {
                        parts.truncate(start);
                    } else {
                        parts[start] = Part::Optional(count);
                    }
                    self.left_out.extend(fault);
                }
                ("[" | "]", _) => return Err(LeftOut::Bracket(number)),
                (word, group) => match (self.part(word), group) {
                    (Ok(part), _) => parts.extend(part),
                    (Err(why), Some((_, fault))) => *fault = Some(why),
                    (Err(why), None) => return Err(why),
                },
            }
        }
        if group.is_some() {
            return Err(LeftOut::Bracket(number));
        }
        let slots = parts.iter().filter(|part| matches!(part, Part::Slot(_))).count();
        let is_long = parts.len() > MOST_WORDS
            || slots > MOST_SLOTS
            || parts.iter().any(|part| matches!(part, Part::Word(choices) if choices.len() > MOST_CHOICES));
        // What must be said is a word or a slot outside of each group.
        let mut at = 0;
        while let Some(Part::Optional(count)) = parts.get(at) {
            at += count + 1;
        }
        match () {
            () if is_long => Err(LeftOut::Long(number)),
            () if at >= parts.len() => Ok(vec![]),
            () => Ok(parts),
        }
    }

    /// A word of a phrase, or one of several; nothing where it is a mark alone.
    fn part(&mut self, word: &str) -> Result<Option<Part>, LeftOut> {
        if word.starts_with('<') {
            let slot = Slot::named(word).ok_or_else(|| LeftOut::Slot(shown(word)))?;
            return Ok(Some(Part::Slot(slot)));
        }
        let is_mark = |c: char| ".,;:!?\"()".contains(c);
        if word.trim_matches(is_mark).is_empty() {
            return Ok(None);
        }
        let mut choices = BTreeSet::new();
        let mut missing = None;
        for choice in word.split('|') {
            let choice = choice.trim_matches(is_mark).to_lowercase();
            if (self.known)(&choice) {
                choices.insert(choice);
            } else {
                missing = Some(LeftOut::Word(shown(&choice)));
            }
        }
        match (choices.is_empty(), missing) {
            (true, Some(why)) => Err(why),
            (_, missing) => {
                self.left_out.extend(missing);
                Ok(Some(Part::Word(choices.into_iter().collect())))
            }
        }
    }
}

/// Whether words are a phrase. What did not match once is not tried again, so that no phrase takes long.
struct Match<'a> {
    phrase: &'a [Part],
    words: &'a [&'a str],
    failed: BTreeSet<(usize, usize)>,
}

impl Match<'_> {
    /// The words that are this phrase, with its numbers in figures.
    fn of(phrase: &[Part], words: &[&str]) -> Option<Vec<String>> {
        let mut said = Match { phrase, words, failed: BTreeSet::new() }.from(0, 0)?;
        said.reverse();
        Some(said)
    }

    /// What is said from a part and a word on, its last word first.
    fn from(&mut self, part: usize, word: usize) -> Option<Vec<String>> {
        if part == self.phrase.len() {
            return (word == self.words.len()).then(Vec::new);
        }
        if self.failed.contains(&(part, word)) {
            return None;
        }
        let (phrase, words) = (self.phrase, self.words);
        let found = match &phrase[part] {
            Part::Word(choices) => {
                words.get(word).filter(|said| choices.iter().any(|one| one == *said)).and_then(|said| {
                    let mut after = self.from(part + 1, word + 1)?;
                    after.push((*said).to_owned());
                    Some(after)
                })
            }
            // The longer one first: `twenty five` is one number.
            Part::Slot(slot) => (1..=slot.longest()).rev().find_map(|count| {
                let said = slot.read(words.get(word..word + count)?)?;
                let mut after = self.from(part + 1, word + count)?;
                after.push(said);
                Some(after)
            }),
            Part::Optional(count) => self.from(part + 1, word).or_else(|| self.from(part + 1 + count, word)),
        };
        if found.is_none() {
            self.failed.insert((part, word));
        }
        found
    }
}

/// Whether a word is of these letters and apostrophes.
fn is_of(word: &str, is_letter: impl Fn(char) -> bool) -> bool {
    !word.is_empty() && word.chars().all(|c| is_letter(c) || c == '\'')
}

/// A word for a person to read.
fn shown(word: &str) -> String {
    shared_types::text::cut(&shared_types::text::line(word), 40)
}

#[cfg(test)]
mod tests;
