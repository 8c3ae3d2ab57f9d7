//! One character as the rules see it: small, without accents, and with its Latin look-alike.
//!
//! `build.rs` reads the rules with this file too, so that both sides fold alike. `language::fold` is for what people type and
//! may be widened; this is what the weights were learned from, and keeps the marks of scripts that change a word's meaning.

use unicode_normalization::char::decompose_compatible;

/// Gives the folded forms of a character: compatibility forms undone, accents gone, lower case.
pub(crate) fn fold(c: char, mut give: impl FnMut(char)) {
    if let Some(letter) = drawn(c) {
        return give(letter);
    }
    decompose_compatible(c, |part| {
        if is_mark(part) {
            return;
        }
        match part {
            'ß' | 'ẞ' => "ss".chars().for_each(&mut give),
            'æ' | 'Æ' => "ae".chars().for_each(&mut give),
            'œ' | 'Œ' => "oe".chars().for_each(&mut give),
            'ø' | 'Ø' => give('o'),
            'ł' | 'Ł' => give('l'),
            'đ' | 'Đ' => give('d'),
            'ı' | 'İ' => give('i'),
            _ => part.to_lowercase().filter(|c| !is_mark(*c)).for_each(&mut give),
        }
    });
}

/// Whether a character has no shape of its own: it can hide text or cut words apart unseen.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
        || (!c.is_control() && shared_types::text::is_unsafe(c))
}

/// Whether an invisible character does its duty in some script or emoji.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' | '\u{AD}')
}

/// The ASCII character that a tag character stands for.
pub(crate) fn tagged(c: char) -> Option<char> {
    match c {
        '\u{E0020}'..='\u{E007E}' => char::from_u32(c as u32 - 0xE0000),
        _ => None,
    }
}

/// Whether a character is a word of its own, because its script writes no spaces.
pub(crate) fn stands_alone(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The Latin letter that a folded letter of another script looks like.
pub(crate) fn look_alike(c: char) -> Option<char> {
    let at = LOOK_ALIKES.binary_search_by_key(&c, |(from, _)| *from).ok()?;
    Some(LOOK_ALIKES[at].1)
}

/// The letters that a digit or sign may be written for; only a capital I and a small L share theirs.
pub(crate) fn leet(byte: u8) -> Option<(char, char)> {
    let one = |c| Some((c, c));
    match byte {
        b'0' => one('o'),
        b'1' | b'!' | b'|' => Some(('i', 'l')),
        b'3' => one('e'),
        b'4' | b'@' => one('a'),
        b'5' | b'$' => one('s'),
        b'7' | b'+' => one('t'),
        b'8' => one('b'),
        b'9' => one('g'),
        _ => None,
    }
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}' | '\u{FE20}'..='\u{FE2F}')
}

/// Letters that are drawn as pictures and have no compatibility form.
fn drawn(c: char) -> Option<char> {
    let from = |start: u32| char::from_u32('a' as u32 + (c as u32 - start));
    match c {
        '\u{1F150}'..='\u{1F169}' => from(0x1F150),
        '\u{1F170}'..='\u{1F189}' => from(0x1F170),
        '\u{1F1E6}'..='\u{1F1FF}' => from(0x1F1E6),
        _ => None,
    }
}

/// Lower-case letters of other scripts, small capitals and signs that are read as Latin letters; sorted.
const LOOK_ALIKES: [(char, char); 81] = [
    ('ƅ', 'b'),
    ('ǀ', 'l'),
    ('ɑ', 'a'),
    ('ɡ', 'g'),
    ('ɢ', 'g'),
    ('ɩ', 'i'),
    ('ɪ', 'i'),
    ('ɯ', 'w'),
    ('ɴ', 'n'),
    ('ʀ', 'r'),
    ('ʏ', 'y'),
    ('ʙ', 'b'),
    ('ʜ', 'h'),
    ('ʟ', 'l'),
    ('α', 'a'),
    ('γ', 'y'),
    ('ε', 'e'),
    ('η', 'n'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('μ', 'u'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('σ', 'o'),
    ('τ', 't'),
    ('υ', 'u'),
    ('χ', 'x'),
    ('ω', 'w'),
    ('ϲ', 'c'),
    ('ϳ', 'j'),
    ('а', 'a'),
    ('в', 'b'),
    ('г', 'r'),
    ('е', 'e'),
    ('и', 'u'),
    ('к', 'k'),
    ('м', 'm'),
    ('н', 'h'),
    ('о', 'o'),
    ('п', 'n'),
    ('р', 'p'),
    ('с', 'c'),
    ('т', 't'),
    ('у', 'y'),
    ('х', 'x'),
    ('ь', 'b'),
    ('я', 'r'),
    ('ѕ', 's'),
    ('і', 'i'),
    ('ј', 'j'),
    ('ѡ', 'w'),
    ('ѵ', 'v'),
    ('ү', 'y'),
    ('һ', 'h'),
    ('ӏ', 'l'),
    ('ԁ', 'd'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('ա', 'w'),
    ('զ', 'q'),
    ('հ', 'h'),
    ('ո', 'n'),
    ('ս', 'u'),
    ('ց', 'g'),
    ('օ', 'o'),
    ('ᴀ', 'a'),
    ('ᴄ', 'c'),
    ('ᴅ', 'd'),
    ('ᴇ', 'e'),
    ('ᴊ', 'j'),
    ('ᴋ', 'k'),
    ('ᴍ', 'm'),
    ('ᴏ', 'o'),
    ('ᴘ', 'p'),
    ('ᴛ', 't'),
    ('ᴜ', 'u'),
    ('ᴠ', 'v'),
    ('ᴡ', 'w'),
    ('ᴢ', 'z'),
    ('ꜱ', 's'),
];

// The path is given because `build.rs` reads this file too.
#[cfg(test)]
#[path = "chars/tests.rs"]
mod tests;
