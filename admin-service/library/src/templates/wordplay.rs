//! Wordplay: `write snail backwards`, `is level a palindrome?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "wordplay",
    source: include_str!("skills/wordplay.rs"),
    words: &[
        "revers*",
        "backward*",
        "rueckwaerts",
        "palindrom*",
        "anagram*",
        "word*",
        "wort*",
        "woerter",
        "text*",
        "sentence*",
        "satz*",
        "saetze",
        "string*",
        "letter*",
        "buchstabe*",
        "writ*",
        "schreib*",
        "check*",
        "pruef*",
        "whether",
        "turn*",
        "around",
        "spell*",
        "two",
        "name*",
        "erkenn*",
        "recogni*",
        "same",
        "test*",
        "play*",
        "games",
        "drehe*",
        "umdreh*",
        "umzudrehen",
    ],
    most_strangers: 2,
    fit,
};

const REVERSE: ToolShape = tool(
    "reverse",
    &["reverse", "backward", "rueckwaerts", "umdreh"],
    &[&[needed("text", &["word", "sentence", "input", "string", "wort", "satz"])]],
);
const PALINDROME: ToolShape = tool(
    "palindrome",
    &["palindrom"],
    &[&[needed("text", &["word", "sentence", "input", "string", "wort", "satz"])]],
);
const ANAGRAM: ToolShape = tool(
    "anagram",
    &["anagram"],
    &[&[
        needed("first", &["a", "one", "word1", "text1"]),
        needed("second", &["b", "two", "word2", "text2", "other"]),
    ]],
);

fn fit(wish: &Wish) -> Fit {
    const TURN: &[&str] = &["reverse*", "reversing", "backward*", "rueckwaerts", "umzudrehen", "umdreh*"];
    const TEXT: &[&str] = &[
        "text*",
        "word*",
        "wort*",
        "woerter",
        "sentence*",
        "satz*",
        "saetze",
        "string*",
        "letter*",
        "name*",
        "spell*",
        "write*",
        "schreib*",
        "buchstabe*",
    ];
    const PALINDROMES: &[&str] = &["palindrom*", "same backward*", "same forward*"];
    const ANAGRAMS: &[&str] = &["anagram*"];
    const OTHER: &[&str] = &[
        "find*",
        "solv*",
        "unscrambl*",
        "image*",
        "bild*",
        "engineer*",
        "search",
        "list all",
        "generat*",
        "translat*",
        "lookup",
        "order*",
        "reihenfolge",
    ];
    let mut tools = vec![];
    if wish.has_all(&[TURN, TEXT]) {
        tools.push(REVERSE);
    }
    if wish.has(PALINDROMES) {
        tools.push(PALINDROME);
    }
    if wish.has(ANAGRAMS) {
        tools.push(ANAGRAM);
    }
    // A word is looked at for being one; anagrams of it are looked for.
    let is_other = wish.has(OTHER) && !(wish.has(PALINDROMES) && wish.has(&["find*"]));
    if tools.is_empty() || is_other {
        return Fit::No;
    }
    Fit::Yes(Plan {
        parameters: tools.iter().map(|tool| tool.key).collect::<Vec<_>>().join("+"),
        tools,
        trials: vec![
            example(
                "reverse",
                &[("text", json!("snail mail"))],
                "snail mail".chars().rev().collect::<String>(),
            ),
            example("palindrome", &[("text", json!("Never odd or even"))], "is a palindrome")
                .german("ist ein Palindrom"),
            example("palindrome", &[("text", json!("snail"))], "not a palindrome").german("kein Palindrom"),
            example("anagram", &[("first", json!("Listen")), ("second", json!("silent"))], "are anagrams")
                .german("sind Anagramme"),
        ],
        ..Plan::default()
    })
}
