//! Long runs of the system's own text.

use std::collections::HashMap;

use super::notes::{LEAK, Notes};
use crate::hash::{self, EMPTY};

/// How many words in a row are a run that is left out.
const RUN: u32 = 10;

/// The most words of the system's text, and the most places of one word, that are looked at.
const MOST_WORDS: usize = 8_192;
const MOST_PLACES: usize = 16;

/// The longest word, in bytes: a longer one is taken in pieces.
const LONGEST_WORD: usize = 256;

/// What stands in the place of a run.
const LEFT_OUT: &str = "[part of my instructions left out] ";

/// Leaves out runs of the system's text; holds back the words that may become one.
#[derive(Debug)]
pub(super) struct Filter {
    words: Vec<u32>,
    places: HashMap<u32, Vec<usize>>,
    /// A word that has not ended, with what stands before it.
    open: String,
    /// Whether the open word has letters yet.
    lettered: bool,
    /// Words that are part of a run that is not yet long enough, each with what follows it.
    held: Vec<String>,
    /// Where in the system's text the last word may stand, and how long the run to it is.
    runs: Vec<(usize, u32)>,
    cutting: bool,
}

impl Filter {
    pub(super) fn new(system: &str) -> Filter {
        let mut words = Vec::new();
        for word in system.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).take(MOST_WORDS) {
            words.push(key(word));
        }
        let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, word) in words.iter().enumerate() {
            let known = places.entry(*word).or_default();
            if known.len() < MOST_PLACES {
                known.push(at);
            }
        }
        Filter {
            words,
            places,
            open: String::new(),
            lettered: false,
            held: Vec::new(),
            runs: Vec::new(),
            cutting: false,
        }
    }

    pub(super) fn take(&mut self, text: &str, done: bool, notes: &mut Notes) -> String {
        if (self.words.len() as u64) < u64::from(RUN) {
            return text.to_owned();
        }
        let mut given = String::with_capacity(text.len());
        for c in text.chars() {
            if c.is_alphanumeric() && self.open.len() < LONGEST_WORD {
                self.open.push(c);
                self.lettered = true;
            } else {
                self.end_word(&mut given, notes);
                self.separate(c, &mut given);
            }
        }
        if done {
            self.end_word(&mut given, notes);
            given.extend(self.held.drain(..));
        }
        given
    }

    /// Puts a sign behind the last word.
    fn separate(&mut self, c: char, given: &mut String) {
        match self.held.last_mut() {
            Some(last) => last.push(c),
            None if self.cutting => {}
            None => given.push(c),
        }
    }

    fn end_word(&mut self, given: &mut String, notes: &mut Notes) {
        if !self.lettered {
            return;
        }
        let word = std::mem::take(&mut self.open);
        self.lettered = false;
        self.follow(key(&word));
        let run = self.runs.iter().map(|(_, length)| *length).max().unwrap_or(0);
        if run >= RUN {
            if !self.cutting {
                notes.add(LEAK);
                given.push_str(LEFT_OUT);
            }
            self.cutting = true;
            self.held.clear();
            return;
        }
        self.cutting = false;
        self.held.push(word);
        // What no run reaches back to any more may go.
        let keep = (run as usize).min(self.held.len());
        let go = self.held.len() - keep;
        given.extend(self.held.drain(..go));
    }

    /// Extends the runs by a word, and begins one wherever it stands.
    fn follow(&mut self, word: u32) {
        let extended: Vec<(usize, u32)> = self
            .runs
            .iter()
            .filter(|(at, _)| self.words.get(at + 1) == Some(&word))
            .map(|(at, length)| (at + 1, length + 1))
            .collect();
        let fresh = self.places.get(&word).map_or(&[][..], Vec::as_slice);
        let fresh =
            fresh.iter().filter(|at| extended.iter().all(|(known, _)| known != *at)).map(|at| (*at, 1));
        self.runs = fresh.chain(extended.iter().copied()).collect();
    }
}

fn key(word: &str) -> u32 {
    hash::key(word.chars().flat_map(char::to_lowercase).fold(EMPTY, hash::with))
}
