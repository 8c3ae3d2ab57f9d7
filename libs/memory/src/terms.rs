//! The words of a text as they are compared: lower case, without accents, in any script.
//!
//! Scripts that put no spaces between words are taken character by character and pair by pair, so that one character
//! finds a text, and two together find it better.

use twox_hash::XxHash3_64;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};

/// The longest word that is compared, in characters; what follows is left away.
const MAX_CHARS: usize = 32;

/// A hash that stays the same on every machine and in every build.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// A hash of two parts, the first of which says what the second is.
pub(crate) fn key(kind: u8, text: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(u64::from(kind), text.as_bytes())
}

/// Hands out every word of a text in order, folded; the buffer saves allocations from text to text.
pub(crate) fn each(text: &str, word: &mut String, mut found: impl FnMut(&str)) {
    word.clear();
    let mut splitter = Splitter { word, chars: 0, before: None };
    for c in text.chars() {
        if c.is_ascii() {
            match c {
                'a'..='z' | '0'..='9' => splitter.letter(c),
                'A'..='Z' => splitter.letter(c.to_ascii_lowercase()),
                // `don't` is one word.
                '\'' => {}
                _ => splitter.end(&mut found),
            }
            continue;
        }
        for lower in c.to_lowercase() {
            match spelled(lower) {
                Some(letters) => letters.chars().for_each(|c| splitter.letter(c)),
                None => decompose_compatible(lower, |part| splitter.other(part, &mut found)),
            }
        }
    }
    splitter.end(&mut found);
}

/// The words of a text, folded, with one space between them: two texts that differ in nothing else are the same.
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

struct Splitter<'a> {
    word: &'a mut String,
    chars: usize,
    /// The character before this one, of a script without spaces.
    before: Option<char>,
}

impl Splitter<'_> {
    fn letter(&mut self, c: char) {
        self.before = None;
        if self.chars < MAX_CHARS {
            self.word.push(c);
            self.chars += 1;
        }
    }

    fn other(&mut self, c: char, found: &mut impl FnMut(&str)) {
        if c.is_ascii_alphanumeric() {
            self.letter(c.to_ascii_lowercase());
        } else if canonical_combining_class(c) != 0 || is_invisible(c) || c == '’' {
            // An accent belongs to the letter before it, and to nothing that is compared.
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
            for lower in c.to_lowercase() {
                match spelled(lower) {
                    Some(letters) => letters.chars().for_each(|c| self.letter(c)),
                    None => self.letter(lower),
                }
            }
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

/// Letters that Unicode does not take apart, as people write them without the key for it.
fn spelled(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'ı' => "i",
        'þ' => "th",
        'ς' => "σ",
        _ => return None,
    })
}

/// Joins or hides, and never divides words.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Thai, Lao, Myanmar, Khmer, kana, ideographs.
fn is_unspaced(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(c,
            '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests;
