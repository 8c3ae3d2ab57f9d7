//! Plays with the letters of texts.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if reverse
            .tool(
                Tool::new("@reverse", "Writes a text backwards")
                    .param(Param::text("@reverse.text", "the text"))
                    .phrase("en", "reverse [the] [word|text|sentence] {@reverse.text}")
                    .phrase("en", "write|say|spell [the] [word|text|sentence] {@reverse.text} backwards|backward")
                    .phrase("en", "what is {@reverse.text} backwards|backward")
                    .phrase("de", "schreibe|schreib|sage|sag [das] [wort] {@reverse.text} rückwärts")
                    .phrase("de", "was ist {@reverse.text} rückwärts")
                    .example("write snail backwards")
                    .example("schreib Schnecke rückwärts"),
            )
            // @end
            // @if palindrome
            .tool(
                Tool::new("@palindrome", "Tells whether a text reads the same both ways")
                    .param(Param::text("@palindrome.text", "the text"))
                    .phrase("en", "is [the] [word] {@palindrome.text} a palindrome")
                    .phrase("de", "ist [das] [wort] {@palindrome.text} ein palindrom")
                    .phrase("de", "prüfe|prüf [mal|bitte] ob [das] [wort] {@palindrome.text} ein palindrom ist")
                    .phrase("de", "palindrom {@palindrome.text}")
                    .phrase("en", "check|test if|whether [the] [word] {@palindrome.text} is a palindrome")
                    .phrase("en", "palindrome {@palindrome.text}")
                    .example("is level a palindrome?")
                    .example("ist Reliefpfeiler ein Palindrom?"),
            )
            // @end
            // @if anagram
            .tool(
                Tool::new("@anagram", "Tells whether two texts have the same letters")
                    .param(Param::text("@anagram.first", "the first text"))
                    .param(Param::text("@anagram.second", "the second text"))
                    .phrase("en", "are {@anagram.first} and {@anagram.second} anagrams")
                    .phrase("en", "is {@anagram.first} an anagram of {@anagram.second}")
                    .phrase("de", "sind {@anagram.first} und {@anagram.second} anagramme")
                    .phrase("de", "ist {@anagram.first} ein anagramm von {@anagram.second}")
                    .example("are listen and silent anagrams?")
                    .example("sind Lampe und Palme Anagramme?"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if reverse
            "@reverse" => Ok(call.text("@reverse.text")?.trim_end_matches('?').chars().rev().collect()),
            // @end
            // @if palindrome
            "@palindrome" => {
                let text = call.text("@palindrome.text")?;
                let letters = letters(text);
                if letters.is_empty() {
                    return Err(Refusal::not_mine());
                }
                let same = letters.iter().eq(letters.iter().rev());
                Ok(match (same, german(call)) {
                    (true, false) => format!("Yes, {} is a palindrome.", text),
                    (false, false) => format!("No, {} is not a palindrome.", text),
                    (true, true) => format!("Ja, {} ist ein Palindrom.", text),
                    (false, true) => format!("Nein, {} ist kein Palindrom.", text),
                })
            }
            // @end
            // @if anagram
            "@anagram" => {
                let (first, second) = (call.text("@anagram.first")?, call.text("@anagram.second")?);
                let (mut one, mut other) = (letters(first), letters(second));
                if one.is_empty() || other.is_empty() {
                    return Err(Refusal::not_mine());
                }
                let equal = one == other;
                one.sort_unstable();
                other.sort_unstable();
                Ok(match (one == other && !equal, german(call)) {
                    (true, false) => format!("Yes, {} and {} are anagrams.", first, second),
                    (false, false) => format!("No, {} and {} are not anagrams.", first, second),
                    (true, true) => format!("Ja, {} und {} sind Anagramme.", first, second),
                    (false, true) => format!("Nein, {} und {} sind keine Anagramme.", first, second),
                })
            }
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if palindrome|anagram
/// The letters and digits alone, in lower case.
fn letters(text: &str) -> Vec<char> {
    text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

// @include german

const GERMAN: &[&str] = &["ist", "sind", "ein", "palindrom", "anagramm", "anagramme", "und", "wort"];
// @end
