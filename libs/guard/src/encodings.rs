//! Text that is hidden in other text: found, and given as what it says.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// The shortest run that is taken for base64 or hexadecimal, in bytes.
const SHORTEST: usize = 16;

/// The longest text that is turned around or rotated, in bytes.
pub(crate) const MOST_TURNED: usize = 64 * 1024;

/// Calls `found` with each text that a run of base64 or hexadecimal letters stands for.
pub(crate) fn runs(text: &str, mut found: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // From the far end of a shortest run: most words end before, and are passed over in one step.
        if let Some(back) =
            bytes[at..bytes.len().min(at + SHORTEST)].iter().rposition(|b| !IN_RUN[usize::from(*b)])
        {
            at += back + 1;
            continue;
        }
        let length = bytes[at..].iter().position(|b| !IN_RUN[usize::from(*b)]).unwrap_or(bytes.len() - at);
        let run = &text[at..at + length];
        if length >= SHORTEST
            && let Some(decoded) = hexadecimal(run).or_else(|| base64(run))
        {
            found(&decoded);
        }
        at += length + 1;
    }
}

/// The text without escapes (`%41`, `&#65;`, `&lt;`, `\u0041`, `\x41`), if it has at least three.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if bytes.iter().filter(|b| matches!(b, b'%' | b'&' | b'\\')).take(3).count() < 3 {
        return None;
    }
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        match escape(&bytes[at..]) {
            Some((Meant::Byte(byte), length)) => {
                plain.push(byte);
                (at, count) = (at + length, count + 1);
            }
            Some((Meant::Char(c), length)) => {
                plain.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                (at, count) = (at + length, count + 1);
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    (count >= 3).then(|| String::from_utf8_lossy(&plain).into_owned())
}

/// The beginning of the text with each letter moved by thirteen.
pub(crate) fn rotated(text: &str) -> String {
    let turn = |c: char, a: u8| char::from((c as u8 - a + 13) % 26 + a);
    start(text)
        .chars()
        .map(|c| match c {
            'a'..='z' => turn(c, b'a'),
            'A'..='Z' => turn(c, b'A'),
            _ => c,
        })
        .collect()
}

/// The beginning of the text read from its end.
pub(crate) fn reversed(text: &str) -> String {
    start(text).chars().rev().collect()
}

/// The text of Morse signs, if it has at least six in a row.
pub(crate) fn morse(text: &str) -> Option<String> {
    if !text.contains(" .") && !text.contains(" -") {
        return None;
    }
    let mut plain = String::new();
    let mut letters = 0;
    for sign in start(text).split_ascii_whitespace() {
        if let Some(at) = MORSE.iter().position(|m| *m == sign) {
            plain.push(char::from(b'a' + u8::try_from(at).expect("26 letters")));
            letters += 1;
        } else if !plain.ends_with(' ') {
            plain.push(' ');
        }
    }
    (letters >= 6).then_some(plain)
}

fn start(text: &str) -> &str {
    let mut end = text.len().min(MOST_TURNED);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn base64(run: &str) -> Option<String> {
    let run = run.trim_end_matches('=');
    let engine = if run.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    // Four letters are three bytes; a single one left over says nothing.
    let whole = if run.len() % 4 == 1 { &run[..run.len() - 1] } else { run };
    readable(engine.decode(whole).ok()?)
}

fn hexadecimal(run: &str) -> Option<String> {
    if !run.len().is_multiple_of(2) {
        return None;
    }
    let bytes: Option<Vec<u8>> = run.as_bytes().chunks(2).map(byte).collect();
    readable(bytes?)
}

/// The bytes as text, if a person could have written it.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let (mut good, mut all) = (0, 0);
    for c in text.chars() {
        if c.is_control() && !c.is_ascii_whitespace() {
            return None;
        }
        good += usize::from(c.is_alphabetic() || c == ' ');
        all += 1;
    }
    (good * 10 >= all * 7).then_some(text)
}

enum Meant {
    Byte(u8),
    Char(char),
}

/// What the escape at the beginning of the bytes means, and its length.
fn escape(bytes: &[u8]) -> Option<(Meant, usize)> {
    match bytes {
        [b'%', high, low, ..] => Some((Meant::Byte(byte(&[*high, *low])?), 3)),
        [b'\\', b'x', high, low, ..] => Some((Meant::Byte(byte(&[*high, *low])?), 4)),
        [b'\\', b'u', b'{', ..] => {
            let length = bytes.iter().take(10).position(|b| *b == b'}')?;
            Some((Meant::Char(character(&bytes[3..length], 16)?), length + 1))
        }
        [b'\\', b'u', rest @ ..] => Some((Meant::Char(character(rest.get(..4)?, 16)?), 6)),
        [b'&', b'#', b'x' | b'X', ..] => {
            let length = bytes.iter().take(12).position(|b| *b == b';')?;
            Some((Meant::Char(character(&bytes[3..length], 16)?), length + 1))
        }
        [b'&', b'#', ..] => {
            let length = bytes.iter().take(12).position(|b| *b == b';')?;
            Some((Meant::Char(character(&bytes[2..length], 10)?), length + 1))
        }
        [b'&', ..] => ENTITIES
            .iter()
            .find(|(name, _)| bytes[1..].starts_with(name.as_bytes()))
            .map(|(name, c)| (Meant::Char(*c), name.len() + 1)),
        _ => None,
    }
}

fn byte(pair: &[u8]) -> Option<u8> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let [high, low] = pair else { return None };
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

fn character(digits: &[u8], radix: u32) -> Option<char> {
    let digits = std::str::from_utf8(digits).ok().filter(|d| !d.starts_with('+'))?;
    char::from_u32(u32::from_str_radix(digits, radix).ok()?)
}

const LOOSE: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LOOSE);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LOOSE);

const ENTITIES: [(&str, char); 7] = [
    ("lt;", '<'),
    ("gt;", '>'),
    ("amp;", '&'),
    ("quot;", '"'),
    ("apos;", '\''),
    ("nbsp;", ' '),
    ("shy;", '\u{AD}'),
];

const MORSE: [&str; 26] = [
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---",
    ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
];

/// The bytes that base64 is written with.
static IN_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_' | b'=');
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests;
