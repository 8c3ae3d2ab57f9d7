//! The words of a text as numbers.

use crate::hash;
use crate::words::{self, Listener, Word};

/// The keys of the words of a text, in order.
pub(crate) fn of(text: &str) -> Vec<u32> {
    let mut keys = Keys(Vec::new());
    words::read(text, &mut keys);
    keys.0
}

struct Keys(Vec<u32>);

impl Listener for Keys {
    fn word(&mut self, word: &Word) {
        self.0.push(word.key);
    }
    fn stop(&mut self, _: bool) {}
    fn line(&mut self) {}
    fn mark(&mut self, _: &str, _: bool) {}
    fn at_sign(&mut self) {}
    fn spaced(&mut self, letters: &[(char, bool)]) {
        self.0
            .push(hash::key(letters.iter().fold(hash::EMPTY, |hash, (letter, _)| hash::with(hash, *letter))));
    }
}
