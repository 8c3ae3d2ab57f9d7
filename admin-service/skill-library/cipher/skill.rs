//! Writes texts in a cipher, and reads them.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if encode
            .tool(
                Tool::new("@encode", "Writes a text in the cipher")
                    .param(Param::text("@encode.text", "the text"))
                    // @if caesar
                    .param(Param::int("@encode.shift", "by how many letters, 3 if not said").min(-1000).max(1000).optional())
                    // @end
                    .param(Param::text("@encode.direction", "encode or decode").optional())
                    // @if caesar
                    .phrase("en", "encode|encrypt|encipher {@encode.text} with|using|by [a] [shift|key] [of] {@encode.shift}")
                    .phrase("en", "shift {@encode.text} by {@encode.shift}")
                    .phrase("de", "verschlüssele|verschlüssel|kodiere {@encode.text} mit|um [der|einer] [verschiebung|schlüssel] [von] {@encode.shift}")
                    // @end
                    .phrase("en", "encode|encrypt|encipher|write {@encode.text} in|with|as|to [the] @code")
                    .phrase("en", "encode|encrypt|encipher {@encode.text}")
                    .phrase("en", "@code {@encode.text}")
                    .phrase("en", "what is {@encode.text} in @code")
                    .phrase("de", "verschlüssele|verschlüssel|kodiere {@encode.text} in|mit|als @code")
                    .phrase("de", "verschlüssele|verschlüssel|kodiere {@encode.text}")
                    .example("@example")
                    .example("@german_example"),
            )
            // @end
            // @if decode
            .tool(
                Tool::new("@decode", "Reads a text in the cipher")
                    .param(Param::text("@decode.text", "the text in the cipher"))
                    // @if caesar
                    .param(Param::int("@decode.shift", "by how many letters it was shifted, 3 if not said").min(-1000).max(1000).optional())
                    .phrase("en", "decode|decrypt|decipher {@decode.text} with|using|by [a] [shift|key] [of] {@decode.shift}")
                    .phrase("de", "entschlüssele|entschlüssel|dekodiere {@decode.text} mit|um [der|einer] [verschiebung|schlüssel] [von] {@decode.shift}")
                    // @end
                    .phrase("en", "decode|decrypt|decipher {@decode.text} from|in|with [the] @code")
                    .phrase("en", "decode|decrypt|decipher {@decode.text}")
                    .phrase("de", "entschlüssele|entschlüssel|dekodiere {@decode.text}"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if encode
            "@encode" => {
                // @if encode.direction
                let direction = lower(call.opt_text("@encode.direction")?.unwrap_or_default());
                let back = ["de", "ent", "back"].iter().any(|start| direction.starts_with(start));
                // @end
                // @if !encode.direction
                let back = false;
                // @end
                // @if caesar
                change(call.text("@encode.text")?, call.opt_int("@encode.shift")?.unwrap_or(3), back)
                // @end
                // @if morse
                change(&signs(call, call.text("@encode.text")?), back)
                // @end
                // @if mirror
                change(call.text("@encode.text")?, back)
                // @end
            }
            // @end
            // @if decode
            // @if caesar
            "@decode" => change(call.text("@decode.text")?, call.opt_int("@decode.shift")?.unwrap_or(3), true),
            // @end
            // @if morse
            "@decode" => change(&signs(call, call.text("@decode.text")?), true),
            // @end
            // @if mirror
            "@decode" => change(call.text("@decode.text")?, true),
            // @end
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if caesar
fn change(text: &str, shift: i64, back: bool) -> Answer {
    let places = shift.rem_euclid(26);
    let text: String = text.chars().map(|c| shifted(c, if back { 26 - places } else { places })).collect();
    Ok(text)
}

/// Moves a letter along the alphabet; its case and every other character stay.
fn shifted(c: char, places: i64) -> char {
    let first = match c {
        'a'..='z' => b'a',
        'A'..='Z' => b'A',
        _ => return c,
    };
    let letter = i64::from(c as u32 as u8 - first);
    let moved = (letter + places).rem_euclid(26) as u8;
    char::from(first + moved)
}
// @end
// @if rot13
fn change(text: &str, _back: bool) -> Answer {
    // Thirteen letters on is thirteen letters back.
    Ok(text.chars().map(halfway).collect())
}

fn halfway(c: char) -> char {
    let first = match c {
        'a'..='z' => b'a',
        'A'..='Z' => b'A',
        _ => return c,
    };
    char::from(first + (c as u32 as u8 - first + 13) % 26)
}
// @end
// @if atbash
fn change(text: &str, _back: bool) -> Answer {
    // The mirror of the mirror is the text.
    Ok(text.chars().map(mirrored).collect())
}

fn mirrored(c: char) -> char {
    match c {
        'a'..='z' => char::from(b'a' + (b'z' - c as u32 as u8)),
        'A'..='Z' => char::from(b'A' + (b'Z' - c as u32 as u8)),
        _ => c,
    }
}
// @end
// @if morse
fn change(text: &str, back: bool) -> Answer {
    let text = text.to_uppercase();
    let only_signs = !text.is_empty() && text.chars().all(|c| matches!(c, '.' | '-' | '/' | ' ' | '\u{b7}' | '\u{2022}' | '\u{2013}' | '\u{2212}' | '|'));
    if back {
        if !only_signs {
            return Err(Refusal::failed("Morse code consists of dots, dashes and blanks, with / between words."));
        }
        read_morse(&text)
    } else {
        write_morse(&text)
    }
}

/// The text, with the dots that look like the end of a sentence.
fn signs(call: &Call, text: &str) -> String {
    let line = call.line();
    let is_sign = |c: char| matches!(c, '.' | '-' | '/' | '|' | '\u{b7}' | '\u{2022}' | '\u{2013}' | '\u{2212}' | ' ');
    let start = line.trim_end_matches(is_sign).len();
    let tail = line.get(start..).unwrap_or_default().trim();
    if text.chars().all(is_sign) && !tail.is_empty() {
        tail.to_string()
    } else {
        text.to_string()
    }
}

fn write_morse(text: &str) -> Answer {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let mut signs = Vec::new();
        for c in word.chars() {
            match MORSE.iter().find(|(letter, _)| *letter == c) {
                Some((_, sign)) => signs.push(*sign),
                None => return Err(Refusal::failed(format!("Morse code has no sign for {}.", c))),
            }
        }
        words.push(signs.join(" "));
    }
    Ok(words.join(" / "))
}

fn read_morse(text: &str) -> Answer {
    let text: String = text
        .chars()
        .map(|c| match c {
            '\u{b7}' | '\u{2022}' => '.',
            '\u{2013}' | '\u{2212}' => '-',
            '|' => '/',
            other => other,
        })
        .collect();
    let mut words = Vec::new();
    for word in text.split('/') {
        let mut letters = String::new();
        for sign in word.split_whitespace() {
            match MORSE.iter().find(|(_, known)| *known == sign) {
                Some((letter, _)) => letters.push(*letter),
                None => return Err(Refusal::failed(format!("No letter is written {} in Morse code.", sign))),
            }
        }
        words.push(letters);
    }
    Ok(words.join(" "))
}

const MORSE: &[(char, &str)] = &[
    ('A', ".-"), ('B', "-..."), ('C', "-.-."), ('D', "-.."), ('E', "."), ('F', "..-."), ('G', "--."), ('H', "...."),
    ('I', ".."), ('J', ".---"), ('K', "-.-"), ('L', ".-.."), ('M', "--"), ('N', "-."), ('O', "---"), ('P', ".--."),
    ('Q', "--.-"), ('R', ".-."), ('S', "..."), ('T', "-"), ('U', "..-"), ('V', "...-"), ('W', ".--"), ('X', "-..-"),
    ('Y', "-.--"), ('Z', "--.."), ('0', "-----"), ('1', ".----"), ('2', "..---"), ('3', "...--"), ('4', "....-"),
    ('5', "....."), ('6', "-...."), ('7', "--..."), ('8', "---.."), ('9', "----."), ('.', ".-.-.-"), (',', "--..--"),
    ('?', "..--.."), ('!', "-.-.--"), ('-', "-....-"), ('/', "-..-."), ('\'', ".----."), ('(', "-.--."), (')', "-.--.-"),
    (':', "---..."), ('=', "-...-"), ('+', ".-.-."), ('@', ".--.-."), ('Ä', ".-.-"), ('Ö', "---."), ('Ü', "..--"),
];
// @end
