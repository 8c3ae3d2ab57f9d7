//! The spelling alphabet: `spell Anna in the phonetic alphabet`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "spelling alphabet",
    source: include_str!("skills/spelling.rs"),
    words: &[
        "spell*",
        "phonetic*",
        "nato",
        "alphabet*",
        "radio",
        "funk*",
        "funkalphabet*",
        "buchstabier*",
        "buchstabieralphabet*",
        "word*",
        "wort*",
        "woerter",
        "name*",
        "letter*",
        "buchstabe*",
        "aviation",
        "international*",
        "icao",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "spell",
    &["spell", "phonetic", "nato", "alphabet", "buchstabier"],
    &[&[needed("text", &["word", "name", "input", "string", "wort"])]],
)];

fn fit(wish: &Wish) -> Fit {
    const ALPHABET: &[&str] = &[
        "phonetic alphabet*",
        "nato alphabet*",
        "nato phonetic*",
        "spelling alphabet*",
        "radio alphabet*",
        "funkalphabet*",
        "buchstabieralphabet*",
        "icao alphabet*",
        "zu buchstabieren",
    ];
    const OTHER: &[&str] = &["quiz*", "frag*", "greek", "cyrillic", "thai", "symbols", "check", "bee"];
    if !wish.has(ALPHABET) || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![example("spell", &[("text", json!("Cab 7"))], "Charlie Alfa Bravo")],
        ..Plan::default()
    })
}
