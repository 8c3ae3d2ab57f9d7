//! Passwords: `make a password with 20 characters`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "passwords",
    source: include_str!("skills/password.rs"),
    words: &[
        "password*",
        "passwort*",
        "passwoerter*",
        "passphrase*",
        "generat*",
        "random*",
        "secure*",
        "strong*",
        "safe",
        "sicher*",
        "invent*",
        "erfind*",
        "erzeug*",
        "ausdenk*",
        "auszudenken",
        "zufaellig*",
        "zufall*",
        "suggest*",
        "vorschlag*",
        "vorzuschlagen",
        "long",
        "lang",
        "laenge",
        "length",
        "characters",
        "zeichen",
        "words",
        "woerter",
        "pronounceable",
        "letters",
        "digits",
    ],
    most_strangers: 2,
    fit,
};

const PASSWORD: ToolShape = tool(
    "password",
    &["password", "passwort", "generate", "create"],
    &[&[optional("length", &["len", "characters", "chars", "size", "laenge", "zeichen"])]],
);
const PASSPHRASE: ToolShape = tool(
    "passphrase",
    &["passphrase", "phrase", "words", "pronounceable"],
    &[&[optional("words", &["count", "number", "length", "num", "woerter"])]],
);

fn fit(wish: &Wish) -> Fit {
    const PASS: &[&str] = &["password*", "passwort*", "passwoerter*", "passphrase*"];
    const MAKE: &[&str] = &[
        "generat*",
        "make*",
        "creat*",
        "invent*",
        "random*",
        "erzeug*",
        "erfind*",
        "ausdenk*",
        "auszudenken",
        "suggest*",
        "vorschlag*",
        "vorzuschlagen",
        "come up",
        "strong",
        "secure",
        "sicher*",
        "mach*",
    ];
    const OTHER: &[&str] = &[
        "manag*",
        "verwalt*",
        "stor*",
        "save*",
        "remember*",
        "speicher*",
        "merk*",
        "crack*",
        "knack*",
        "check*",
        "pruef*",
        "hack*",
        "leak*",
        "guess*",
        "errat*",
        "keep*",
        "strength*",
        "wifi",
    ];
    if !wish.has_all(&[PASS, MAKE]) || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: vec![PASSWORD, PASSPHRASE],
        trials: vec![
            // What is left to chance is not looked at.
            example("password", &[("length", json!(20))], "20 characters").german("20 Zeichen"),
            example("passphrase", &[("words", json!(4))], "4 words").german("4 Wörter"),
        ],
        ..Plan::default()
    })
}
