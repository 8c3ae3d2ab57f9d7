//! Words and letters: `how many letters are in strawberry?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "counting",
    source: include_str!("skills/counting.rs"),
    words: &[
        "count*",
        "zaehl*",
        "word*",
        "wort*",
        "woerter*",
        "letter*",
        "buchstabe*",
        "character*",
        "zeichen*",
        "text*",
        "sentence*",
        "satz*",
        "saetze*",
        "number*",
        "anzahl",
        "occur*",
        "often",
        "oft",
        "appear*",
        "frequency",
        "times",
        "length*",
        "laenge*",
        "stehen",
        "viele",
    ],
    most_strangers: 0,
    fit,
};

const WORDS: ToolShape = tool("words", &["word", "wort", "woerter"], &[&[needed("text", TEXT)]]);
const LETTERS: ToolShape =
    tool("letters", &["letter", "character", "char", "buchstab"], &[&[needed("text", TEXT)]]);
const OCCURRENCES: ToolShape = tool(
    "occurrences",
    &["occur", "often", "frequen", "times", "appear", "letter", "word"],
    &[&[needed("sought", &["letter", "word", "needle", "character", "of"]), needed("text", TEXT)]],
);
const TEXT: &[&str] = &["sentence", "input", "word", "string", "content", "satz", "in"];

fn fit(wish: &Wish) -> Fit {
    const COUNT: &[&str] = &["count*", "zaehl*", "how many", "wie viele", "anzahl", "how often", "wie oft"];
    const WORD: &[&str] = &["word", "words", "wort", "worte", "woerter*"];
    const LETTER: &[&str] = &["letter", "letters", "character*", "buchstabe*", "zeichen"];
    const OTHER: &[&str] =
        &["file*", "datei*", "day*", "tage*", "calorie*", "countdown*", "syllable*", "silbe*"];
    let (words, letters) = (wish.has(WORD), wish.has(LETTER));
    if !wish.has(COUNT) || !(words || letters) || wish.has(OTHER) {
        return Fit::No;
    }
    let mut tools = Vec::new();
    if words {
        tools.push(WORDS);
    }
    if letters {
        tools.extend([LETTERS, OCCURRENCES]);
    }
    let text = "the quick brown fox";
    Fit::Yes(Plan {
        parameters: match (words, letters) {
            (true, true) => "of=words and letters",
            (true, false) => "of=words",
            _ => "of=letters",
        }
        .to_owned(),
        tools,
        trials: vec![
            example("words", &[("text", json!(text))], format!("{} words", text.split(' ').count()))
                .german(format!("{} Wörter", text.split(' ').count())),
            example("letters", &[("text", json!(text))], format!("{} letters", text.replace(' ', "").len()))
                .german(format!("{} Buchstaben", text.replace(' ', "").len())),
            example(
                "occurrences",
                &[("sought", json!("o")), ("text", json!(text))],
                format!("{} times", text.matches('o').count()),
            )
            .german(format!("{} Mal", text.matches('o').count())),
        ],
        ..Plan::default()
    })
}
