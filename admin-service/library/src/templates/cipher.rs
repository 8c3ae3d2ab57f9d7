//! Ciphers: `encode HELLO with shift 3`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "cipher",
    source: include_str!("skills/cipher.rs"),
    words: &[
        "caesar*",
        "cesar",
        "caesars",
        "cipher*",
        "cypher*",
        "chiffre*",
        "encod*",
        "decod*",
        "encrypt*",
        "decrypt*",
        "encipher*",
        "decipher*",
        "verschluessel*",
        "entschluessel*",
        "secret*",
        "geheim*",
        "code*",
        "morse*",
        "morsecode",
        "morsezeichen",
        "rot13",
        "rot",
        "atbash",
        "shift*",
        "verschieb*",
        "text*",
        "message*",
        "nachricht*",
        "letter*",
        "buchstabe*",
        "alphabet*",
        "write",
        "read",
        "schreib*",
        "substitution",
        "classic*",
        "kodier*",
        "schrift*",
    ],
    most_strangers: 0,
    fit,
};

const CAESAR: &[ToolShape] = &[
    tool(
        "encode",
        &["encode", "encrypt", "encipher", "cipher", "verschluessel", "caesar", "shift"],
        &[
            &[needed("text", TEXT), optional("shift", SHIFT)],
            &[needed("text", TEXT), optional("shift", SHIFT), needed("direction", DIRECTION)],
        ],
    ),
    tool(
        "decode",
        &["decode", "decrypt", "decipher", "entschluessel"],
        &[&[needed("text", TEXT), optional("shift", SHIFT)]],
    ),
];
const PLAIN: &[ToolShape] = &[
    tool(
        "encode",
        &["encode", "encrypt", "encipher", "cipher", "verschluessel", "morse", "rot13", "atbash", "to_"],
        &[&[needed("text", TEXT)], &[needed("text", TEXT), needed("direction", DIRECTION)]],
    ),
    tool("decode", &["decode", "decrypt", "decipher", "entschluessel", "from_"], &[&[needed("text", TEXT)]]),
];
const TEXT: &[&str] = &["message", "plaintext", "ciphertext", "input", "word", "nachricht", "morse", "code"];
const SHIFT: &[&str] = &["key", "offset", "by", "places", "verschiebung", "n"];
const DIRECTION: &[&str] = &["mode", "operation", "action", "richtung"];

fn fit(wish: &Wish) -> Fit {
    const CIPHERS: &[(&str, &[&str])] = &[
        ("rot13", &["rot13", "rot 13"]),
        ("atbash", &["atbash"]),
        ("morse", &["morse*"]),
        (
            "caesar",
            &[
                "caesar*",
                "cesar",
                "cipher*",
                "cypher*",
                "secret code*",
                "geheimschrift*",
                "geheimcode*",
                "verschluessel*",
                "shift cipher*",
            ],
        ),
    ];
    const OTHER: &[&str] = &[
        "vigenere",
        "enigma",
        "aes",
        "rsa",
        "base64",
        "playfair",
        "polybius",
        "password*",
        "passwort*",
        "crack*",
        "break*",
        "caesar salad*",
        "pgp",
    ];
    let named = CIPHERS.iter().find(|(_, words)| wish.has(words)).map(|(name, _)| *name);
    let Some(cipher) = named.filter(|_| !wish.has(OTHER)) else {
        return Fit::No;
    };
    let text = "Hello, World";
    let (secret, code, sample, german) = match cipher {
        "rot13" => (shifted(text, 13), "rot13", "encode HELLO with rot13", "verschlüssele HALLO mit rot13"),
        "atbash" => (
            text.chars().map(mirrored).collect(),
            "atbash",
            "encode HELLO with atbash",
            "verschlüssele HALLO mit atbash",
        ),
        "morse" => (
            "... --- ... / ... --- ...".to_owned(),
            "morse code",
            "encode SOS in morse code",
            "verschlüssele SOS als Morse Code",
        ),
        _ => (
            shifted(text, 3),
            "caesar",
            "encode HELLO with shift 3",
            "verschlüssele HALLO mit Verschiebung 3",
        ),
    };
    let text = if cipher == "morse" { "SOS SOS" } else { text };
    let mut trials = vec![
        example("encode", &[("text", json!(text))], secret.clone()),
        example("decode", &[("text", json!(secret))], text),
        example("encode", &[("text", json!(secret)), ("direction", json!("decode"))], text),
    ];
    if cipher == "caesar" {
        trials.push(example(
            "encode",
            &[("text", json!("xyz XYZ!")), ("shift", json!(29))],
            shifted("xyz XYZ!", 29),
        ));
        trials.push(example("decode", &[("text", json!(shifted("Zebra", 7))), ("shift", json!(7))], "Zebra"));
    }
    let mut switches = BTreeSet::from([cipher]);
    if matches!(cipher, "rot13" | "atbash") {
        switches.insert("mirror");
    }
    Fit::Yes(Plan {
        parameters: format!("cipher={cipher}"),
        tools: if cipher == "caesar" { CAESAR.to_vec() } else { PLAIN.to_vec() },
        switches,
        words: BTreeMap::from([("code", code.to_owned())]),
        texts: BTreeMap::from([("example", sample.to_owned()), ("german_example", german.to_owned())]),
        trials,
        ..Plan::default()
    })
}

/// The examples' own reckoning: over an alphabet, not over codes.
fn shifted(text: &str, places: usize) -> String {
    let alphabet: Vec<char> = ('a'..='z').collect();
    let letter = |c: char| {
        let at = alphabet.iter().position(|letter| *letter == c.to_ascii_lowercase())?;
        let moved = alphabet[(at + places) % 26];
        Some(if c.is_ascii_uppercase() { moved.to_ascii_uppercase() } else { moved })
    };
    text.chars().map(|c| letter(c).unwrap_or(c)).collect()
}

fn mirrored(c: char) -> char {
    let mirror = |c: char| ('a'..='z').rev().nth(c as usize - 'a' as usize).unwrap_or(c);
    match c {
        'a'..='z' => mirror(c),
        'A'..='Z' => mirror(c.to_ascii_lowercase()).to_ascii_uppercase(),
        _ => c,
    }
}
