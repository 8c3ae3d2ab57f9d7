//! The phrase of a list that a transcript is: also where it has one word more or less that says nothing, or a word that sounds nearly the
//! same. Words that are short, and numbers, are the phrase's own.

use super::language::Language;
use super::slots::Slot;
use super::{Part, Phrases};

/// The most words of a transcript that can be a phrase.
const MOST_SAID: usize = 40;
/// The cost of a word that says nothing, where it is missing, or said and not expected.
const FILLER: u32 = 2;
/// The cost of each letter of a word that is another.
const LETTER: u32 = 3;
/// Letters of a word that may be another one in so many; a shorter word is taken as it is.
const OF_LETTERS: usize = 4;
/// What a transcript may cost for each of its words.
const FOR_A_WORD: u32 = 1;
/// More than any phrase may cost.
const TOO_MUCH: u32 = u32::MAX / 4;

/// How a part is said.
#[derive(Clone)]
enum Step {
    /// The phrase has ended.
    End,
    /// A word that was said says nothing here.
    Beside,
    /// A word of the phrase was not said.
    Missing(usize),
    /// This choice, as so many words of the transcript.
    Word(usize, usize),
    Slot(String, usize),
    Take,
    Skip(usize),
}

impl Phrases {
    /// The phrase that this transcript is, with its numbers in figures; nothing where it is none of them.
    pub fn nearest(&self, transcript: &str, language: Language) -> Option<String> {
        let count = u32::try_from(language.words(transcript).len()).unwrap_or(0);
        self.at_most(transcript, language, FOR_A_WORD * count)
    }

    /// The phrase that this transcript is, where it costs no more than this.
    pub(super) fn at_most(&self, transcript: &str, language: Language, most: u32) -> Option<String> {
        let words = language.words(transcript);
        if words.is_empty() || words.len() > MOST_SAID {
            return None;
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut best: Option<(u32, String)> = None;
        for phrase in &self.phrases {
            let least = best.as_ref().map_or(most + 1, |(cost, _)| *cost);
            let (cost, said) = Table::of(phrase, &words, language).best();
            if cost < least && !said.is_empty() {
                best = Some((cost, said));
            }
        }
        best.map(|(_, said)| said)
    }
}

/// What each part of a phrase costs beside each word of a transcript.
struct Table<'a> {
    phrase: &'a [Part],
    /// The words of each choice of each part, as they are compared.
    wanted: Vec<Vec<Vec<String>>>,
    words: &'a [&'a str],
    language: Language,
}

impl<'a> Table<'a> {
    fn of(phrase: &'a [Part], words: &'a [&'a str], language: Language) -> Table<'a> {
        let wanted = phrase.iter().map(|part| match part {
            Part::Word(choices) => choices.iter().map(|choice| language.words(choice)).collect(),
            Part::Slot(_) | Part::Optional(_) => Vec::new(),
        });
        Table { phrase, wanted: wanted.collect(), words, language }
    }

    /// The least cost of the whole phrase, and what was said of it.
    fn best(&self) -> (u32, String) {
        let width = self.words.len() + 1;
        let mut table: Vec<(u32, Step)> = vec![(TOO_MUCH, Step::End); (self.phrase.len() + 1) * width];
        for part in (0..=self.phrase.len()).rev() {
            for word in (0..width).rev() {
                let found = self.step(part, word, |part, word| table[part * width + word].0);
                table[part * width + word] = found;
            }
        }
        let cost = table[0].0;
        if cost >= TOO_MUCH {
            return (cost, String::new());
        }
        let (mut part, mut word, mut said) = (0, 0, Vec::new());
        loop {
            match &table[part * width + word].1 {
                Step::End => break,
                Step::Beside => word += 1,
                Step::Missing(choice) => {
                    said.extend(self.choice(part, *choice));
                    part += 1;
                }
                Step::Word(choice, count) => {
                    said.extend(self.choice(part, *choice));
                    (part, word) = (part + 1, word + count);
                }
                Step::Slot(text, count) => {
                    said.push(text.clone());
                    (part, word) = (part + 1, word + count);
                }
                Step::Take => part += 1,
                Step::Skip(count) => part += 1 + count,
            }
        }
        (cost, said.join(" "))
    }

    fn choice(&self, part: usize, choice: usize) -> Option<String> {
        match &self.phrase[part] {
            Part::Word(choices) => choices.get(choice).cloned(),
            Part::Slot(_) | Part::Optional(_) => None,
        }
    }

    /// The cheapest step from a part and a word.
    fn step(&self, part: usize, word: usize, after: impl Fn(usize, usize) -> u32) -> (u32, Step) {
        let mut best = (TOO_MUCH, Step::End);
        let mut offer = |cost: u32, step: Step| {
            if cost < best.0 {
                best = (cost, step);
            }
        };
        if part == self.phrase.len() && word == self.words.len() {
            return (0, Step::End);
        }
        match self.words.get(word) {
            Some(said) if self.language.is_filler(said) => {
                offer(after(part, word + 1) + FILLER, Step::Beside)
            }
            _ => {}
        }
        match self.phrase.get(part) {
            None => {}
            Some(Part::Word(_)) => {
                for (at, wanted) in self.wanted[part].iter().enumerate() {
                    if let Some((cost, count)) = self.word(wanted, word) {
                        offer(after(part + 1, word + count) + cost, Step::Word(at, count));
                    }
                    if wanted.iter().all(|word| self.language.is_filler(word)) {
                        offer(after(part + 1, word) + FILLER, Step::Missing(at));
                    }
                }
            }
            Some(Part::Slot(slot)) => {
                for count in (1..=slot.longest()).rev() {
                    let Some(said) = self.words.get(word..word + count) else { continue };
                    if let Some(text) = slot.said(said, self.language) {
                        offer(after(part + 1, word + count), Step::Slot(text, count));
                    }
                }
            }
            Some(Part::Optional(count)) => {
                offer(after((part + 1 + count).min(self.phrase.len()), word), Step::Skip(*count));
                offer(after(part + 1, word), Step::Take);
            }
        }
        best
    }

    /// What it costs that the words from one on are the wanted ones, and how many of them are.
    fn word(&self, wanted: &[String], word: usize) -> Option<(u32, usize)> {
        let said = self.words.get(word..)?;
        if said.len() >= wanted.len() && wanted.iter().zip(said).all(|(one, other)| one == other) {
            return Some((0, wanted.len()));
        }
        let wanted = wanted.concat();
        let one = said.first().and_then(|said| Some((near(&wanted, said)?, 1)));
        // A word that was heard as two.
        let two = said.get(..2).and_then(|said| Some((near(&wanted, &said.concat())?, 2)));
        one.into_iter().chain(two).min()
    }
}

impl Slot {
    /// The text that words of a transcript come to in this slot.
    fn said(self, words: &[&str], language: Language) -> Option<String> {
        match (self, words) {
            (Slot::Number, words) => language.figures(words),
            (Slot::Date, words) => language.date(words),
            (Slot::Dice, words) => language.dice(words),
            (Slot::Unit, [word]) => language.unit(word),
            (Slot::Unit, _) => None,
        }
    }
}

/// What it costs that one word stands for another; nothing where they are too different.
fn near(wanted: &str, said: &str) -> Option<u32> {
    if wanted == said {
        return Some(0);
    }
    let (one, other): (Vec<char>, Vec<char>) = (wanted.chars().collect(), said.chars().collect());
    let most = one.len().min(other.len()) / OF_LETTERS;
    let is_word = one.iter().chain(&other).all(|c| !c.is_ascii_digit());
    if !is_word || most == 0 || one.len().abs_diff(other.len()) > most {
        return None;
    }
    let distance = distance(&one, &other);
    (distance <= most).then(|| LETTER * u32::try_from(distance).unwrap_or(TOO_MUCH))
}

/// How many letters, or words, must be put in, left out or changed.
pub(super) fn distance<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, c) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (to, d) in other.iter().enumerate() {
            let cost = (diagonal + usize::from(c != d)).min(row[to] + 1).min(row[to + 1] + 1);
            diagonal = row[to + 1];
            row[to + 1] = cost;
        }
    }
    row[other.len()]
}
