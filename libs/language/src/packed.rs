//! Lists in one text. A slice of texts costs sixteen bytes an entry beside the text itself, and a place that the loader writes at
//! every start; here an entry costs one byte, or two where it is long.
//!
//! An entry is its length and its bytes. The length is written in characters of six bits each, the highest first; all but the last
//! have the seventh bit set. `source.rs` writes the lists.

use std::fmt;
use std::marker::PhantomData;

/// A list of entries, read one after the other.
pub struct List<T> {
    text: &'static str,
    entries: PhantomData<fn() -> T>,
}

/// Texts of which each can be taken alone; four bytes an entry beside its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texts {
    pub(crate) text: &'static str,
    /// Where each ends.
    pub(crate) ends: &'static [u32],
}

impl Texts {
    pub(crate) fn get(self, number: usize) -> &'static str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[number] as usize]
    }
}

/// How many texts are found by one start.
pub(crate) const BLOCK: usize = 16;

/// Texts of which each can be taken alone, in which a byte beyond ASCII, or a sign below the space, stands for a few letters; `symbols.rs` of the build writes them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed {
    pub(crate) bytes: &'static [u8],
    pub(crate) lengths: &'static [u8],
    /// Where the first of each [`BLOCK`] begins.
    pub(crate) starts: &'static [u32],
    /// What each symbol stands for.
    pub(crate) symbols: Texts,
}

impl Packed {
    pub(crate) fn len(self) -> usize {
        self.lengths.len()
    }

    pub(crate) fn get(self, number: usize) -> String {
        let block = number / BLOCK;
        let sum = |lengths: &[u8]| lengths.iter().map(|length| usize::from(*length)).sum::<usize>();
        let start = self.starts[block] as usize + sum(&self.lengths[block * BLOCK..number]);
        let bytes = &self.bytes[start..start + usize::from(self.lengths[number])];
        // One with letters beyond ASCII is written as it is, behind a zero.
        if let Some(plain) = bytes.strip_prefix(&[0]) {
            return String::from_utf8_lossy(plain).into_owned();
        }
        let mut text = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            // The signs below the space are symbols as well, behind those beyond ASCII.
            match *byte {
                symbol @ 0x80.. => text.push_str(self.symbols.get(usize::from(symbol) - 0x80)),
                symbol @ ..b' ' => text.push_str(self.symbols.get(usize::from(symbol) + 0x7f)),
                letter => text.push(char::from(letter)),
            }
        }
        text
    }
}

/// What a list holds.
pub trait Entry: Copy {
    /// Takes an entry from the beginning of a text.
    fn take(text: &mut &'static str) -> Self;
}

impl<T> List<T> {
    /// The list that a text is.
    pub const fn of(text: &'static str) -> List<T> {
        List { text, entries: PhantomData }
    }

    /// Whether there is no entry.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

impl<T: Entry> List<T> {
    /// How many entries there are.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// The entries, in order.
    pub fn iter(self) -> Entries<T> {
        Entries(self)
    }
}

impl List<&'static str> {
    /// Whether a text is one of the entries.
    pub fn contains(self, text: &str) -> bool {
        self.iter().any(|entry| entry == text)
    }
}

impl<T: Copy + Entry> List<(&'static str, T)> {
    /// What stands beside a key; the keys are sorted.
    pub fn get(self, key: &str) -> Option<T> {
        self.iter()
            .take_while(|(known, _)| *known <= key)
            .find(|(known, _)| *known == key)
            .map(|(_, value)| value)
    }
}

/// The entries of a list that are still to come.
pub struct Entries<T>(List<T>);

impl<T: Entry> Iterator for Entries<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        (!self.0.is_empty()).then(|| T::take(&mut self.0.text))
    }
}

impl<T: Entry> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = Entries<T>;

    fn into_iter(self) -> Entries<T> {
        self.iter()
    }
}

impl Entry for &'static str {
    fn take(text: &mut &'static str) -> &'static str {
        let (mut length, mut at) = (0, 0);
        for byte in text.bytes() {
            length = length << 6 | usize::from(byte & 63);
            at += 1;
            if byte < 64 {
                break;
            }
        }
        let (entry, rest) = text[at..].split_at(length);
        *text = rest;
        entry
    }
}

impl<T> Entry for List<T> {
    fn take(text: &mut &'static str) -> List<T> {
        List::of(<&str>::take(text))
    }
}

impl<A: Entry, B: Entry> Entry for (A, B) {
    fn take(text: &mut &'static str) -> (A, B) {
        (A::take(text), B::take(text))
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T: Entry + fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests;
