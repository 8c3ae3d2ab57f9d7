//! Converts Roman numerals, both ways.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if to_roman
            .tool(
                Tool::new("@to_roman", "Writes a number from 1 to 3999 as a Roman numeral")
                    .param(Param::int("@to_roman.number", "the number"))
                    .phrase("en", "what is {@to_roman.number} in roman [numerals|numbers|numeral]")
                    .phrase("en", "what is {@to_roman.number} as [a] roman numeral|number")
                    .phrase("en", "write {@to_roman.number} in|as [a] roman [numerals|numeral|numbers]")
                    .phrase("en", "convert|change|turn {@to_roman.number} to|into [a] roman [numerals|numeral|numbers]")
                    .phrase("en", "{@to_roman.number} in|as [a] roman [numerals|numeral|numbers]")
                    .phrase("en", "how do|would you|i|we write|say {@to_roman.number} in|as [a] roman [numerals|numeral|numbers|number]")
                    .phrase("de", "was ist {@to_roman.number} in|als römischen|römische|römischer zahlen|zahl|ziffern")
                    .phrase("de", "schreibe|schreib {@to_roman.number} in|als römische|römischen zahl|zahlen|ziffern")
                    .phrase("de", "{@to_roman.number} in|als römische|römischen zahl|zahlen|ziffern")
                    .phrase("de", "wie schreibt|schreibe|sagt man|ich {@to_roman.number} [auf|in|mit|als] römisch|römische|römischen|römischer [zahl|zahlen|ziffern]")
                    .phrase("de", "schreibe|schreib|wandle|rechne {@to_roman.number} [auf|in|mit|als] römisch|römische|römischen [zahl|zahlen|ziffern] [um]")
                    .phrase("de", "{@to_roman.number} [auf] römisch")
                    .example("what is 1994 in Roman numerals?")
                    .example("was ist 1994 in römischen Zahlen?"),
            )
            // @end
            // @if from_roman
            .tool(
                Tool::new("@from_roman", "Reads a Roman numeral")
                    .param(Param::text("@from_roman.numeral", "the numeral, such as MCMXCIV"))
                    .phrase("en", "what is the roman numeral|number {@from_roman.numeral}")
                    .phrase("en", "what|which number is {@from_roman.numeral}")
                    .phrase("en", "what does {@from_roman.numeral} mean")
                    .phrase("en", "what is {@from_roman.numeral} as|in [a] [normal|arabic|ordinary] number|numbers|numerals|digits")
                    .phrase("en", "convert {@from_roman.numeral} to|into|from [a] [normal|arabic|ordinary|roman] number|numbers|numerals|digits|arabic")
                    .phrase("en", "convert|read {@from_roman.numeral}")
                    .phrase("en", "what is {@from_roman.numeral}")
                    .phrase("de", "welche zahl ist {@from_roman.numeral}")
                    .phrase("de", "was bedeutet {@from_roman.numeral}")
                    .phrase("de", "was heißt|steht|meint {@from_roman.numeral}")
                    .phrase("de", "für welche zahl steht {@from_roman.numeral}")
                    .phrase("de", "lies|lese {@from_roman.numeral} [vor]")
                    .phrase("de", "was ist [die] [römische] [zahl] {@from_roman.numeral}")
                    .example("what is MCMXCIV?")
                    .example("welche Zahl ist MCMXCIV?"),
            )
            // @end
            // @if convert
            .tool(
                Tool::new("@convert", "Reads a Roman numeral, or writes a number as one")
                    .param(Param::text("@convert.value", "a numeral such as MCMXCIV or a number from 1 to 3999"))
                    .phrase("en", "what is {@convert.value} in|as [a] roman [numerals|numeral|numbers]")
                    .phrase("en", "convert|write {@convert.value} to|into|in|as [a] roman [numerals|numeral|numbers]")
                    .phrase("en", "what is {@convert.value} as|in [a] [normal|arabic] number|numbers|numerals")
                    .phrase("en", "convert {@convert.value} to|into [a] [normal|arabic] number|numbers|numerals|arabic")
                    .phrase("en", "convert {@convert.value}")
                    .phrase("en", "what is {@convert.value}")
                    .phrase("de", "was ist {@convert.value} in|als römische|römischen zahl|zahlen|ziffern")
                    .phrase("de", "was ist {@convert.value}")
                    .example("what is MCMXCIV?")
                    .example("was ist MCMXCIV?"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if to_roman
            "@to_roman" => to_roman(call.int("@to_roman.number")?, german(call)),
            // @end
            // @if from_roman
            "@from_roman" => from_roman(call.text("@from_roman.numeral")?, call),
            // @end
            // @if convert
            "@convert" => {
                let value = call.text("@convert.value")?;
                match value.parse::<i64>() {
                    // A bare number after "what is" asks for something else.
                    Ok(_) if !call.line().is_empty() && !about_romans(call) => Err(Refusal::not_mine()),
                    Ok(number) => to_roman(number, german(call)),
                    Err(_) => from_roman(value, call),
                }
            }
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if to_roman|convert
fn to_roman(number: i64, german: bool) -> Answer {
    if !(1..=3999).contains(&number) {
        return Err(Refusal::failed(if german {
            "Römische Zahlen gibt es von 1 bis 3999."
        } else {
            "Roman numerals go from 1 to 3999."
        }));
    }
    let roman = numeral(number);
    Ok(if german { format!("{} ist {} in römischen Zahlen.", number, roman) } else { format!("{} is {} in Roman numerals.", number, roman) })
}
// @end

// @if from_roman|convert
fn from_roman(text: &str, call: &Call) -> Answer {
    let german = german(call);
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '?' | '!' | '"' | '\''));
    let upper = text.to_ascii_uppercase();
    let roman_letters = !upper.is_empty() && upper.bytes().all(|byte| b"IVXLCDM".contains(&byte));
    // "what is mix" is not about 1009, unless the person says so.
    let meant = text == upper || text.len() >= 4 || call.line().is_empty() || about_romans(call);
    match value(&upper) {
        Some(number) if meant => Ok(if german { format!("{} ist {}.", upper, number) } else { format!("{} is {}.", upper, number) }),
        None if roman_letters && text == upper && text.len() > 1 => Err(Refusal::failed(if german {
            format!("{} ist keine gültige römische Zahl.", upper)
        } else {
            format!("{} is not a valid Roman numeral.", upper)
        })),
        None if about_romans(call) || call.line().is_empty() => Err(Refusal::failed(if german {
            "Das ist keine römische Zahl."
        } else {
            "That is not a Roman numeral."
        })),
        _ => Err(Refusal::not_mine()),
    }
}

/// The value of a numeral in its one proper spelling; IIII and IC are refused.
fn value(text: &str) -> Option<i64> {
    let mut rest = text;
    let mut number = 0;
    for (sign, worth) in SIGNS {
        while let Some(tail) = rest.strip_prefix(sign) {
            number += worth;
            rest = tail;
            if number > 3999 {
                return None;
            }
        }
    }
    let proper = rest.is_empty() && number > 0 && numeral(number) == text;
    if proper {
        Some(number)
    } else {
        None
    }
}

// @end
// @if from_roman|convert
fn about_romans(call: &Call) -> bool {
    let line = lower(call.line());
    line.contains("roman") || line.contains("römisch")
}
// @end

fn numeral(number: i64) -> String {
    let mut rest = number;
    let mut text = String::new();
    for (sign, worth) in SIGNS {
        while rest >= *worth {
            rest -= worth;
            text.push_str(sign);
        }
    }
    text
}

const SIGNS: &[(&str, i64)] = &[
    ("M", 1000),
    ("CM", 900),
    ("D", 500),
    ("CD", 400),
    ("C", 100),
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
];

// @include german

const GERMAN: &[&str] = &[
    "ist", "welche", "bedeutet", "römisch", "römische", "römischen", "schreibe", "schreib", "zahl",
];
