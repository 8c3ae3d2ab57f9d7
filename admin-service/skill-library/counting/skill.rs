//! Counts the words and letters of a text.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if words
            .tool(
                Tool::new("@words", "Counts the words of a text")
                    .param(Param::text("@words.text", "the text"))
                    .phrase("en", "how many words are|is [there] in {@words.text}")
                    .phrase("en", "how many words in {@words.text}")
                    .phrase("en", "how many words does|do {@words.text} have|contain")
                    .phrase("en", "count [the] words in|of {@words.text}")
                    .phrase("en", "count [the] words {@words.text}")
                    .phrase("en", "how many words is|are this|that|these|it {@words.text}")
                    .phrase("en", "how many words does|do|has|have the|this sentence|text|word {@words.text} have|contain")
                    .phrase("en", "word count of|for|in {@words.text}")
                    .phrase("de", "wie viele wörter|worte hat|haben {@words.text}")
                    .phrase("de", "wie viele wörter|worte sind|stehen in {@words.text}")
                    .phrase("de", "zähle|zähl [die] wörter|worte in|von {@words.text}")
                    .phrase("de", "zähle|zähl [mal|bitte] [die|alle] wörter|worte [in|im|von|vom] [dem|diesem] [satz|text|wort] {@words.text}")
                    .phrase("de", "wie viele wörter|worte hat|haben der|dieser|das|dieses satz|text|wort {@words.text}")
                    .phrase("de", "wie viele wörter|worte sind|hat|ist das|dies|es {@words.text}")
                    .phrase("de", "wie viele wörter|worte sind|stehen in|im dem|diesem satz|text|wort {@words.text}")
                    .phrase("de", "wieviele wörter|worte sind|hat|haben|ist [das|dies|es|der|dieser|in] [satz|text|wort] {@words.text}")
                    .phrase("de", "[die] wörter|worte zählen [in|von] {@words.text}")
                    .phrase("de", "[die] wörter|worte in|von {@words.text} zählen")
                    .example("how many words are in the quick brown fox?")
                    .example("wie viele Wörter hat der Satz: Heute scheint die Sonne?"),
            )
            // @end
            // @if letters
            .tool(
                Tool::new("@letters", "Counts the letters of a text")
                    .param(Param::text("@letters.text", "the text"))
                    .phrase("en", "how many letters|characters are|is [there] in {@letters.text}")
                    .phrase("en", "how many letters|characters in {@letters.text}")
                    .phrase("en", "how many letters|characters does|do {@letters.text} have|contain")
                    .phrase("en", "count [the] letters|characters in|of {@letters.text}")
                    .phrase("en", "count [the] letters|characters {@letters.text}")
                    .phrase("en", "how many letters|characters is|are this|that|these|it {@letters.text}")
                    .phrase("en", "how many letters|characters does|do|has|have the|this sentence|text|word {@letters.text} have|contain")
                    .phrase("en", "letter|character count of|for|in {@letters.text}")
                    .phrase("en", "how long is the word {@letters.text}")
                    .phrase("de", "wie lang ist das wort {@letters.text}")
                    .phrase("de", "wie viele buchstaben|zeichen hat|haben {@letters.text}")
                    .phrase("de", "wie viele buchstaben|zeichen sind|stehen in {@letters.text}")
                    .phrase("de", "zähle|zähl [die] buchstaben|zeichen in|von {@letters.text}")
                    .phrase("de", "zähle|zähl [mal|bitte] [die|alle] buchstaben|zeichen [in|im|von|vom] [dem|diesem] [satz|text|wort] {@letters.text}")
                    .phrase("de", "wie viele buchstaben|zeichen hat|haben der|dieser|das|dieses satz|text|wort {@letters.text}")
                    .phrase("de", "wie viele buchstaben|zeichen sind|hat|ist das|dies|es {@letters.text}")
                    .phrase("de", "wie viele buchstaben|zeichen sind|stehen in|im dem|diesem satz|text|wort {@letters.text}")
                    .phrase("de", "wieviele buchstaben|zeichen sind|hat|haben|ist [das|dies|es|der|dieser|in] [satz|text|wort] {@letters.text}")
                    .phrase("de", "[die] buchstaben|zeichen zählen [in|von] {@letters.text}")
                    .phrase("de", "[die] buchstaben|zeichen in|von {@letters.text} zählen")
                    .example("how many letters are in strawberry?")
                    .example("wie viele Buchstaben hat das Wort Erdbeere?"),
            )
            // @end
            // @if occurrences
            .tool(
                Tool::new("@occurrences", "Counts how often a letter or word occurs in a text")
                    .param(Param::text("@occurrences.sought", "the letter or word"))
                    .param(Param::text("@occurrences.text", "the text"))
                    .phrase("en", "how often|many [times] does|do {@occurrences.sought} appear|occur in {@occurrences.text}")
                    .phrase("en", "how many letters {@occurrences.sought} are [there] in {@occurrences.text}")
                    .phrase("de", "wie oft kommt|steht {@occurrences.sought} in {@occurrences.text} [vor]")
                    .phrase("de", "wie oft kommt|steht der|das buchstabe|wort {@occurrences.sought} in {@occurrences.text} [vor]"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        let german = german(call);
        match call.tool() {
            // @if words
            "@words" => words(call.text("@words.text")?, german),
            // @end
            // @if letters
            "@letters" => letters(call.text("@letters.text")?, german),
            // @end
            // @if occurrences
            "@occurrences" => occurrences(call.text("@occurrences.sought")?, call.text("@occurrences.text")?, german),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if words
fn words(text: &str, german: bool) -> Answer {
    let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    Ok(match (words, german) {
        (1, false) => "That is 1 word.".to_string(),
        (1, true) => "Das ist 1 Wort.".to_string(),
        (_, false) => format!("That is {} words.", words),
        (_, true) => format!("Das sind {} Wörter.", words),
    })
}
// @end

// @if letters
fn letters(text: &str, german: bool) -> Answer {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let all = text.chars().count();
    let also = match (letters == all, german) {
        (true, _) => String::new(),
        (false, false) => format!(" ({} characters with everything else)", all),
        (false, true) => format!(" ({} Zeichen mit allem anderen)", all),
    };
    Ok(match (letters, german) {
        (1, false) => format!("That is 1 letter{}.", also),
        (1, true) => format!("Das ist 1 Buchstabe{}.", also),
        (_, false) => format!("That is {} letters{}.", letters, also),
        (_, true) => format!("Das sind {} Buchstaben{}.", letters, also),
    })
}
// @end

// @if occurrences
fn occurrences(sought: &str, text: &str, german: bool) -> Answer {
    let quotes = |c: char| matches!(c, '"' | '\'' | '`');
    let sought = sought.trim_matches(quotes).to_lowercase();
    let sought = ["the letter ", "the word ", "der buchstabe ", "das wort "].iter().find_map(|start| sought.strip_prefix(start)).unwrap_or(&sought);
    let text = text.trim_matches(quotes);
    if sought.is_empty() {
        return Err(Refusal::not_mine());
    }
    let count = text.to_lowercase().matches(sought).count();
    Ok(match (count, german) {
        (1, false) => format!("{} occurs once in {}.", sought, text),
        (_, false) => format!("{} occurs {} times in {}.", sought, count, text),
        (_, true) => format!("{} kommt {} Mal in {} vor.", sought, count, text),
    })
}
// @end

// @include german

const GERMAN: &[&str] = &[
    "wie", "viele", "wieviele", "zählen", "hat", "haben", "sind", "wörter", "worte", "buchstaben", "zeichen", "zähle",
    "zähl", "kommt",
];
