//! What may be said: one phrase a line, as a grammar in JSGF.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The largest file, in bytes.
pub const MOST_BYTES: u64 = 256 * 1024;
/// The most phrases.
pub const MOST_PHRASES: usize = 2_000;
/// The most words of one phrase.
pub const MOST_WORDS: usize = 30;
/// The most numbers of one phrase: which words are which number is tried.
pub const MOST_NUMBERS: usize = 4;
/// The most words of the whole grammar; a number counts as [`OF_A_NUMBER`].
pub const MOST_OF_ALL: usize = 40_000;
/// How many words a number comes to.
const OF_A_NUMBER: usize = 40;

/// The slot for a number from 0 to 100.
const NUMBER: &str = "<number>";

/// Numbers below twenty, and the tens from twenty on.
const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// Why a list of phrases is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// More phrases than are allowed.
    #[error("there are more than {MOST_PHRASES} phrases")]
    TooMany,
    /// A grammar that is too large.
    #[error("the phrases have more than {MOST_OF_ALL} words; a number counts as {OF_A_NUMBER}")]
    TooLong,
    /// Nothing can be heard.
    #[error("no phrase is left that can be heard")]
    Nothing,
}

/// Why one phrase is left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// A word is not in the dictionary.
    Word(String),
    /// A slot that does not exist.
    Slot(String),
    /// The phrase in this line is too long.
    Long(usize),
}

/// A part of a phrase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Word(String),
    Number,
}

/// What may be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrases {
    phrases: BTreeSet<Vec<Part>>,
    left_out: BTreeSet<LeftOut>,
}

impl Phrases {
    /// Reads phrases, one a line. Empty lines and lines that begin with `#` are skipped; case and marks of punctuation count nothing.
    /// A phrase with a word that is not `known` is left out.
    ///
    /// # Errors
    /// Too many phrases, too many words, or none.
    pub fn read(text: &str, known: impl Fn(&str) -> bool) -> Result<Phrases, Fault> {
        let mut phrases = Phrases::default();
        let mut words = 0;
        let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let parts: Result<Vec<Part>, LeftOut> =
                line.split_whitespace().filter_map(|word| part(word, &known)).collect();
            let parts = match parts {
                Ok(parts) if parts.len() > MOST_WORDS || numbers(&parts) > MOST_NUMBERS => {
                    Err(LeftOut::Long(number))
                }
                parts => parts,
            };
            match parts {
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
        self.phrases.iter().find_map(|phrase| matched(phrase, &words)).map(|words| words.join(" "))
    }

    /// The grammar. It holds letters and apostrophes of the phrases, and nothing else that comes from them.
    pub fn grammar(&self) -> String {
        let any = |words: &[&str]| words.join(" | ");
        let mut grammar = format!(
            "#JSGF V1.0;\ngrammar phrases;\n<digit> = {};\n<teen> = {};\n<ty> = {};\n\
             {NUMBER} = zero | <digit> | <teen> | <ty> | <ty> <digit> | one hundred;\npublic <phrase> =",
            any(&SMALL[1..10]),
            any(&SMALL[10..]),
            any(&TENS)
        );
        for (index, phrase) in self.phrases.iter().enumerate() {
            grammar.push_str(if index == 0 { "" } else { " |" });
            for part in phrase {
                let _ = match part {
                    Part::Word(word) => write!(grammar, " {word}"),
                    Part::Number => write!(grammar, " {NUMBER}"),
                };
            }
        }
        grammar.push_str(";\n");
        grammar
    }
}

impl Part {
    fn words(&self) -> usize {
        match self {
            Part::Word(_) => 1,
            Part::Number => OF_A_NUMBER,
        }
    }
}

fn numbers(phrase: &[Part]) -> usize {
    phrase.iter().filter(|part| **part == Part::Number).count()
}

/// The words that are this phrase, with its numbers in figures.
fn matched(phrase: &[Part], words: &[&str]) -> Option<Vec<String>> {
    let Some((part, phrase)) = phrase.split_first() else { return words.is_empty().then(Vec::new) };
    let after = |count: usize, said: String| {
        let mut after = matched(phrase, words.get(count..)?)?;
        after.insert(0, said);
        Some(after)
    };
    match part {
        Part::Word(word) => words.first().filter(|said| *said == word).and_then(|_| after(1, word.clone())),
        // The longer one first: `twenty five` is one number.
        Part::Number => (1..=2).rev().find_map(|count| {
            let figure = figure(words.get(..count)?)?;
            after(count, figure.to_string())
        }),
    }
}

/// The number that these words are, by the rules of [`Phrases::grammar`].
fn figure(words: &[&str]) -> Option<usize> {
    let at = |names: &[&str], word: &str| names.iter().position(|name| *name == word);
    match words {
        ["one", "hundred"] => Some(100),
        [word] => at(&SMALL, word).or_else(|| Some((at(&TENS, word)? + 2) * 10)),
        [tens, digit] => {
            let digit = at(&SMALL, digit).filter(|digit| (1..10).contains(digit))?;
            Some((at(&TENS, tens)? + 2) * 10 + digit)
        }
        _ => None,
    }
}

/// A word of a phrase; nothing where it is a mark alone.
fn part(word: &str, known: impl Fn(&str) -> bool) -> Option<Result<Part, LeftOut>> {
    if word.starts_with('<') {
        return Some(if word == NUMBER { Ok(Part::Number) } else { Err(LeftOut::Slot(shown(word))) });
    }
    let is_mark = |c: char| ".,;:!?\"()".contains(c);
    let word = word.trim_matches(is_mark).to_ascii_lowercase();
    if word.is_empty() {
        return None;
    }
    // The signs of the grammar never reach it, regardless of what the dictionary knows.
    let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'\'');
    Some(if is_plain && known(&word) { Ok(Part::Word(word)) } else { Err(LeftOut::Word(shown(&word))) })
}

/// A word for a person to read.
fn shown(word: &str) -> String {
    shared_types::text::cut(&shared_types::text::line(word), 40)
}

#[cfg(test)]
mod tests;
