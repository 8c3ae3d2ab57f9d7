//! The form in which letters and words are compared.
//!
//! Of each character, in this order:
//! - lower case
//! - compatibility forms undone, as Unicode's tables say: wide letters, ligatures, styled letters
//! - accents and other combining marks off: `ä` is `a`, `é` is `e`
//! - letters that Unicode does not take apart, as people write them without the key for it: `ß` is `ss`, `æ` is `ae`
//! - typographic apostrophes are `'`, dashes and hyphens are `-`
//! - what is invisible and only joins or hides is gone: zero-width characters, soft hyphens, variation selectors
//!
//! Letters of other scripts stay letters of their script: a Cyrillic `а` is not a Latin `a`. Telling look-alikes is the
//! guard's.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};

/// Gives the folded form of a character: one, several or none.
pub fn each(c: char, mut give: impl FnMut(char)) {
    if c.is_ascii() {
        return give(c.to_ascii_lowercase());
    }
    if is_apostrophe(c) {
        return give('\'');
    }
    for lower in c.to_lowercase() {
        match spelled(lower) {
            Some(letters) => letters.chars().for_each(&mut give),
            None => decompose_compatible(lower, |part| plain(part, &mut give)),
        }
    }
}

/// A part of a character that Unicode takes apart.
fn plain(part: char, give: &mut impl FnMut(char)) {
    if canonical_combining_class(part) != 0 || is_invisible(part) {
        return;
    }
    if is_dash(part) {
        return give('-');
    }
    for lower in part.to_lowercase() {
        match spelled(lower) {
            Some(letters) => letters.chars().for_each(&mut *give),
            None => give(lower),
        }
    }
}

/// A word without the punctuation of sentences around it; empty for mere punctuation.
pub fn word(piece: &str) -> String {
    let mut folded = String::with_capacity(piece.len());
    for c in piece.trim_matches(|c| is_punctuation(c) || is_invisible(c)).chars() {
        each(c, |part| folded.push(part));
    }
    folded
}

/// A text in lower case with its umlauts written out, as in a name that takes plain letters only: `ü` is `ue`.
pub fn written_out(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss")
}

/// Whether a character belongs to a sentence and not to the word beside it.
pub(crate) fn is_punctuation(c: char) -> bool {
    matches!(
        c,
        ',' | '.' | ';' | ':' | '!' | '?' | '"' | '\'' | '(' | ')' | '[' | ']' | '…' | '„' | '“' | '”'
    ) || matches!(c, '‚' | '‘' | '’' | '«' | '»' | '¿' | '¡')
}

/// Letters that Unicode does not take apart.
#[inline]
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

/// Whether a character is an apostrophe, in any way of typing it.
#[inline]
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '´' | '＇')
}

#[inline]
fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Joins or hides, and never divides words.
#[inline]
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

#[cfg(test)]
mod tests;
