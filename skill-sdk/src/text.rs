//! Small letters and words without the tables of Unicode.

use alloc::string::String;
use alloc::vec::Vec;

/// Makes the letters of Latin, Greek and Cyrillic small and keeps all others. `str::to_lowercase` knows every script and
/// brings 20 KB of tables and code into a module.
pub fn lower(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for letter in text.chars() {
        lower.push(small(letter));
    }
    lower
}

fn small(letter: char) -> char {
    let number = u32::from(letter);
    let step = match letter {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => 32,
        'Ѐ'..='Џ' => 80,
        // Here a large letter is followed by its small one.
        'Ā'..='Į' | 'Ĳ'..='Ķ' | 'Ŋ'..='Ŷ' => 1 - number % 2,
        'Ĺ'..='Ň' | 'Ź'..='Ž' => number % 2,
        _ => 0,
    };
    char::from_u32(number + step).unwrap_or(letter)
}

/// The words of a text, without the marks around them. An apostrophe or hyphen within a word stays, and so do the point, comma
/// and colon of a number: `"Well-known: don't pay 3.50!"` has the words `Well-known`, `don't`, `pay` and `3.50`.
pub fn words(text: &str) -> Vec<&str> {
    let (mut words, mut begins, mut before) = (Vec::new(), None, ' ');
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let after = signs.peek().map_or(' ', |(_, sign)| *sign);
        if !ends_word(before, sign, after) {
            begins = begins.or(Some(at));
        } else if let Some(begin) = begins.take() {
            words.extend(text.get(begin..at));
        }
        before = sign;
    }
    words.extend(begins.and_then(|begin| text.get(begin..)));
    words
}

fn ends_word(before: char, sign: char, after: char) -> bool {
    match sign {
        '\'' | '\u{2019}' | '-' | '\u{2010}' | '\u{2011}' => is_mark(before) || is_mark(after),
        '.' | ',' | ':' => !(before.is_ascii_digit() && after.is_ascii_digit()),
        _ => is_mark(sign),
    }
}

/// Blanks and punctuation; letters, digits, accents and all that Unicode has beside them are parts of words.
fn is_mark(sign: char) -> bool {
    sign.is_whitespace()
        || sign.is_ascii_punctuation()
        || sign.is_ascii_control()
        || matches!(sign, '\u{2010}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{ff01}'..='\u{ff0f}')
        || matches!(sign, '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}')
}

#[cfg(test)]
mod tests;
