//! Number bases: `what is 255 in binary?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "number bases",
    source: include_str!("skills/bases.rs"),
    words: &[
        "binary",
        "binaer*",
        "dual*",
        "hex",
        "hexadecimal*",
        "hexadezimal*",
        "octal",
        "oktal*",
        "decimal*",
        "dezimal*",
        "base*",
        "basis",
        "number*",
        "zahl*",
        "convert*",
        "conversion*",
        "umrechn*",
        "umwandel*",
        "umzuwandeln",
        "umzurechnen",
        "rechne*",
        "wandle",
        "system*",
        "translat*",
        "read*",
        "writ*",
        "write",
        "les*",
        "schreib*",
        "back",
        "forth",
        "vice",
        "versa",
        "numeral*",
        "zahlensystem*",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[
    tool("binary", &["to_binary", "binary", "binaer", "dual"], &[NUMBER]),
    tool("hex", &["to_hex", "hex"], &[NUMBER]),
    tool("decimal", &["to_decimal", "decimal", "from_", "dezimal"], &[NUMBER]),
];
const NUMBER: &[super::offer::ParamShape] =
    &[needed("number", &["value", "n", "text", "input", "decimal", "binary", "hex", "integer", "zahl"])];

fn fit(wish: &Wish) -> Fit {
    const BASE: &[&str] = &[
        "binary",
        "binaer*",
        "dualzahl*",
        "dualsystem*",
        "hex",
        "hexadecimal*",
        "hexadezimal*",
        "number bases",
        "number base",
        "zahlensystem*",
    ];
    const CONVERT: &[&str] = &[
        "convert*",
        "conversion*",
        "umrechn*",
        "umzurechnen",
        "umwandel*",
        "umzuwandeln",
        "translat*",
        "read*",
        "writ*",
        "les*",
        "schreib*",
        "number*",
        "zahl*",
    ];
    const OTHER: &[&str] = &[
        "colour*",
        "color*",
        "farb*",
        "file*",
        "datei*",
        "tree*",
        "search*",
        "options",
        "text*",
        "star*",
        "editor*",
        "rgb",
        "dump*",
        "roman*",
        "roemisch*",
    ];
    if !wish.has_all(&[BASE, CONVERT]) || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            example("binary", &[("number", json!("255"))], format!("{:b}", 255)),
            example("hex", &[("number", json!("48879"))], format!("{:X}", 48_879)),
            example("decimal", &[("number", json!("0b101010"))], 0b10_1010.to_string()),
            example("decimal", &[("number", json!("hex ff"))], 0xff.to_string()),
        ],
        ..Plan::default()
    })
}
