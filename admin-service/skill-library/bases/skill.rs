//! Writes whole numbers in binary, hexadecimal and decimal.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if binary
            .tool(
                Tool::new("@binary", "Writes a number in binary")
                    .param(Param::text("@binary.number", "the number, such as 255, 0xff or hex ff"))
                    .phrase("en", "what is {@binary.number} in|as [a] binary [number]")
                    .phrase("en", "convert|write|turn|translate {@binary.number} to|in|into [a] binary [number]")
                    .phrase("en", "{@binary.number} in|to binary")
                    .phrase("de", "was ist {@binary.number} in|als binär|binärzahl|dualzahl")
                    .phrase("de", "schreibe|schreib|wandle {@binary.number} binär|in|als [binär|binärzahl|dualzahl] [um]")
                    .phrase("de", "{@binary.number} in|als binär|binärzahl|dualzahl")
                    .example("what is 255 in binary?")
                    .example("was ist 255 als Binärzahl?"),
            )
            // @end
            // @if hex
            .tool(
                Tool::new("@hex", "Writes a number in hexadecimal")
                    .param(Param::text("@hex.number", "the number, such as 255 or 0b1010"))
                    .phrase("en", "what is {@hex.number} in|as [a] hex|hexadecimal [number]")
                    .phrase("en", "convert|write|turn|translate {@hex.number} to|in|into [a] hex|hexadecimal [number]")
                    .phrase("en", "{@hex.number} in|to hex|hexadecimal")
                    .phrase("de", "was ist {@hex.number} in|als hex|hexadezimal|hexadezimalzahl")
                    .phrase("de", "schreibe|schreib|wandle {@hex.number} in|als hex|hexadezimal|hexadezimalzahl [um]")
                    .phrase("de", "{@hex.number} in|als hex|hexadezimal|hexadezimalzahl")
                    .example("what is 48879 in hex?")
                    .example("was ist 48879 als Hexadezimalzahl?"),
            )
            // @end
            // @if decimal
            .tool(
                Tool::new("@decimal", "Reads a binary or hexadecimal number")
                    .param(Param::text("@decimal.number", "the number with its base, such as 0xff, hex ff or binary 1010"))
                    .phrase("en", "what is {@decimal.number} in|as [a] decimal [number]")
                    .phrase("en", "convert|write|turn|translate {@decimal.number} to|in|into [a] decimal [number]")
                    .phrase("en", "{@decimal.number} in|to decimal")
                    .phrase("de", "was ist {@decimal.number} in|als dezimal|dezimalzahl")
                    .phrase("de", "schreibe|schreib|wandle {@decimal.number} in|als dezimal|dezimalzahl [um]")
                    .phrase("de", "{@decimal.number} in|als dezimal|dezimalzahl")
                    .example("what is 0xff in decimal?")
                    .example("was ist 0xff als Dezimalzahl?"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        let german = german(call);
        match call.tool() {
            // @if binary
            "@binary" => {
                let number = read(call.text("@binary.number")?).ok_or_else(Refusal::not_mine)?.0;
                Ok(told(number, format!("{:b}", number), if german { "binär" } else { "binary" }, german))
            }
            // @end
            // @if hex
            "@hex" => {
                let number = read(call.text("@hex.number")?).ok_or_else(Refusal::not_mine)?.0;
                Ok(told(number, format!("{:X}", number), if german { "hexadezimal" } else { "hexadecimal" }, german))
            }
            // @end
            // @if decimal
            "@decimal" => {
                let text = call.text("@decimal.number")?.trim();
                let (number, said) = read(text).ok_or_else(Refusal::not_mine)?;
                if !said {
                    return Err(Refusal::failed(if german {
                        "Sag mir, was es ist: binär 1010, hex ff oder 0xff."
                    } else {
                        "Tell me what it is: binary 1010, hex ff or 0xff."
                    }));
                }
                Ok(format!("{} {} {}.", text, if german { "ist" } else { "is" }, number))
            }
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if binary|hex
fn told(number: u64, digits: String, base: &str, german: bool) -> String {
    if german {
        format!("{} ist {} {}.", number, base, digits)
    } else {
        format!("{} is {} in {}.", number, digits, base)
    }
}
// @end

/// Reads `255`, `0xff`, `hex ff`, `1010 binary`; whether the base was said.
fn read(text: &str) -> Option<(u64, bool)> {
    let text = lower(text);
    let (mut base, mut digits) = (None, None);
    for word in text.split_whitespace() {
        match word {
            "binary" | "binär" | "binärzahl" | "dual" | "dualzahl" => base = Some(2),
            "octal" | "oktal" => base = Some(8),
            "hex" | "hexadecimal" | "hexadezimal" | "hexadezimalzahl" => base = Some(16),
            "the" | "number" | "die" | "zahl" | "von" | "from" => {}
            _ if digits.is_none() => digits = Some(word),
            _ => return None,
        }
    }
    let mut digits = digits?;
    for (prefix, its) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(rest) = digits.strip_prefix(prefix) {
            digits = rest;
            base = Some(its);
            break;
        }
    }
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !plain {
        return None;
    }
    let number = u64::from_str_radix(digits, base.unwrap_or(10)).ok()?;
    Some((number, base.is_some()))
}

// @include german

const GERMAN: &[&str] = &[
    "ist", "als", "schreibe", "schreib", "wandle", "binär", "binärzahl", "dualzahl", "dezimal", "dezimalzahl", "hexadezimal",
];
