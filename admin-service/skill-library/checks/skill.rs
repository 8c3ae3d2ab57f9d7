//! Checks the check digits of numbers.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if isbn
            .tool(
                Tool::new("@isbn", "Checks an ISBN of 10 or 13 digits")
                    .param(Param::text("@isbn.number", "the ISBN"))
                    .phrase("en", "is {@isbn.number} a valid|correct isbn")
                    .phrase("en", "is [the] isbn {@isbn.number} valid|correct")
                    .phrase("en", "check [the] isbn {@isbn.number}")
                    .phrase("de", "ist {@isbn.number} eine gültige|richtige isbn")
                    .phrase("de", "prüfe|prüf die isbn {@isbn.number}")
                    .example("is 978-3-16-148410-0 a valid ISBN?")
                    .example("ist 978-3-16-148410-0 eine gültige ISBN?"),
            )
            // @end
            // @if iban
            .tool(
                Tool::new("@iban", "Checks an IBAN")
                    .param(Param::text("@iban.number", "the IBAN"))
                    .phrase("en", "is {@iban.number} a valid|correct iban")
                    .phrase("en", "is [the] iban {@iban.number} valid|correct")
                    .phrase("en", "check [the] iban {@iban.number}")
                    .phrase("de", "ist {@iban.number} eine gültige|richtige iban")
                    .phrase("de", "prüfe|prüf die iban {@iban.number}")
                    .example("check the IBAN DE89 3704 0044 0532 0130 00")
                    .example("prüfe die IBAN DE89 3704 0044 0532 0130 00"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if isbn
            "@isbn" => isbn(&bare(call.text("@isbn.number")?), german(call)),
            // @end
            // @if iban
            "@iban" => iban(&bare(call.text("@iban.number")?), german(call)),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

/// Without spaces and hyphens, in capitals.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_uppercase()
}

// @if isbn
fn isbn(text: &str, german: bool) -> Answer {
    let (body, last) = match text.char_indices().last() {
        Some((at, last)) if text.len() == 10 || text.len() == 13 => (text.get(..at).unwrap_or_default(), last),
        _ => {
            return Err(Refusal::failed(if german {
                "Eine ISBN hat 10 oder 13 Ziffern."
            } else {
                "An ISBN has 10 or 13 digits."
            }))
        }
    };
    let digits: Option<Vec<u32>> = body.chars().map(|c| c.to_digit(10)).collect();
    let digits = digits.ok_or(if german { "Darin steht etwas anderes als Ziffern." } else { "It holds something else than digits." })?;
    let right = if text.len() == 10 {
        let sum: u32 = digits.iter().zip(1..).map(|(digit, place)| digit * place).sum();
        "0123456789X".chars().nth(sum as usize % 11)
    } else {
        let sum: u32 = digits.iter().zip([1, 3].iter().cycle()).map(|(digit, weight)| digit * weight).sum();
        char::from_digit((10 - sum % 10) % 10, 10)
    };
    let right = right.unwrap_or('?');
    Ok(match (right == last, german) {
        (true, false) => format!("The ISBN {} is valid.", text),
        (false, false) => format!("The ISBN {} is not valid: its last digit should be {}.", text, right),
        (true, true) => format!("Die ISBN {} ist gültig.", text),
        (false, true) => format!("Die ISBN {} ist nicht gültig: die letzte Ziffer müsste {} sein.", text, right),
    })
}
// @end

// @if iban
fn iban(text: &str, german: bool) -> Answer {
    let starts_well = text.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        && text.bytes().skip(2).take(2).all(|byte| byte.is_ascii_digit());
    if !(15..=34).contains(&text.len()) || !starts_well {
        return Err(Refusal::failed(if german {
            "Eine IBAN hat 15 bis 34 Zeichen: zwei Buchstaben, zwei Ziffern und die Kontonummer."
        } else {
            "An IBAN has 15 to 34 characters: two letters, two digits and the account."
        }));
    }
    let (head, account) = text.split_at(4);
    let mut rest = 0_u32;
    for c in account.chars().chain(head.chars()) {
        let value = c.to_digit(36).unwrap_or(0);
        rest = (rest * if value > 9 { 100 } else { 10 } + value) % 97;
    }
    Ok(match (rest == 1, german) {
        (true, false) => format!("The IBAN {} is valid; whether there is such an account it does not tell.", text),
        (false, false) => format!("The IBAN {} is not valid: its check digits do not fit.", text),
        (true, true) => format!("Die IBAN {} ist gültig; ob es das Konto gibt, sagt das nicht.", text),
        (false, true) => format!("Die IBAN {} ist nicht gültig: die Prüfziffern passen nicht.", text),
    })
}
// @end

// @include german

const GERMAN: &[&str] = &["ist", "eine", "gültige", "richtige", "prüfe", "prüf", "die"];
