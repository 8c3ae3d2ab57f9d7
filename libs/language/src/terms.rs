//! The words by which a text is searched for: folded, in any script.
//!
//! Apostrophes divide no word here: `don't` is `dont`. Scripts that put no spaces between words are taken character by
//! character and pair by pair, so that one character finds a text, and two together find it better. Indexes on the disk hold
//! these words: what changes here makes them find less until they are made anew. What is marked to be inlined is compiled for
//! speed within the memory, and for size elsewhere.

use crate::{data, fold};

/// The longest word that is compared, in characters; what follows is left away.
const MAX_CHARS: usize = 32;

/// The most words of a query that count.
const MAX_QUERY: usize = 32;

/// Hands out every word of a text in order, folded; the buffer saves allocations from text to text.
pub fn each(text: &str, word: &mut String, mut found: impl FnMut(&str)) {
    word.clear();
    let mut splitter = Splitter { word, chars: 0, before: None };
    for c in text.chars() {
        match c {
            'a'..='z' | '0'..='9' => splitter.letter(c),
            'A'..='Z' => splitter.letter(c.to_ascii_lowercase()),
            // `don't` is one word; of the other forms of an apostrophe, indexes know only the usual one.
            '\'' => {}
            '‘' | '´' | '＇' => splitter.end(&mut found),
            _ if c.is_ascii() => splitter.end(&mut found),
            _ => fold::each(c, |part| splitter.part(part, &mut found)),
        }
    }
    splitter.end(&mut found);
}

/// The words of a text, folded, with one space between them: two texts that differ in nothing else are the same.
#[inline]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    each(text, &mut String::new(), |word| {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    });
    folded
}

/// Whether a folded word stands in most lines and says nothing about what they are about.
#[inline]
pub fn is_small(word: &str) -> bool {
    let Some(first) = word.bytes().next() else { return true };
    // Nearly every word is distinguished by its first letter and its length.
    word.len() < 16
        && LENGTHS[usize::from(first)] & (1 << word.len()) != 0
        && data::SMALL.binary_search(&word).is_ok()
}

/// The different words of a text that count, in order of their first place, at most `limit`.
#[inline]
pub fn distinct(text: &str, limit: usize) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    each(text, &mut String::new(), |word| {
        if known.len() < limit && !is_small(word) && !known.iter().any(|k| k == word) {
            known.push(word.to_owned());
        }
    });
    known
}

/// The different words of a query that count.
#[inline]
pub fn query(text: &str) -> Vec<String> {
    distinct(text, MAX_QUERY)
}

/// Of the small words, by the first byte: a bit for each length that one has.
static LENGTHS: [u16; 256] = {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < data::SMALL.len() {
        let word = data::SMALL[at].as_bytes();
        lengths[word[0] as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
};

struct Splitter<'a> {
    word: &'a mut String,
    chars: usize,
    /// The character before this one, of a script without spaces.
    before: Option<char>,
}

impl Splitter<'_> {
    #[inline]
    fn letter(&mut self, c: char) {
        self.before = None;
        if self.chars < MAX_CHARS {
            self.word.push(c);
            self.chars += 1;
        }
    }

    /// A part of a folded character.
    fn part(&mut self, c: char, found: &mut impl FnMut(&str)) {
        if c == '\'' {
            // The usual typographic apostrophe.
        } else if is_unspaced(c) {
            let before = self.before;
            self.end(found);
            let mut one = [0; 4];
            found(c.encode_utf8(&mut one));
            if let Some(before) = before {
                self.word.extend([before, c]);
                found(self.word);
                self.word.clear();
            }
            self.before = Some(c);
        } else if c.is_alphanumeric() {
            self.letter(c);
        } else {
            self.end(found);
        }
    }

    fn end(&mut self, found: &mut impl FnMut(&str)) {
        if !self.word.is_empty() {
            found(self.word);
            self.word.clear();
            self.chars = 0;
        }
        self.before = None;
    }
}

/// Thai, Lao, Myanmar, Khmer, kana, ideographs.
#[inline]
fn is_unspaced(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(c,
            '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests;
