//! Roman numerals: `what is MCMXCIV?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "Roman numerals",
    source: include_str!("skills/roman.rs"),
    words: &[
        "roman*",
        "roemisch*",
        "numeral*",
        "number*",
        "zahl*",
        "ziffer*",
        "convert*",
        "conversion*",
        "umrechn*",
        "umwandel*",
        "umzuwandeln",
        "rechne*",
        "read*",
        "les*",
        "writ*",
        "schreib*",
        "translat*",
        "arabic",
        "arabisch*",
        "decimal",
        "integer*",
        "back",
        "forth",
        "turn",
        "vice",
        "versa",
        "normal*",
        "understand",
        "decode",
        "wandle",
        "digits",
    ],
    most_strangers: 0,
    fit,
};

const TOOLS: &[ToolShape] = &[
    tool(
        "to_roman",
        &["to_roman", "toroman", "arabic_to", "number_to", "int_to", "write", "encode"],
        &[&[needed("number", &["value", "n", "arabic", "integer", "zahl", "year"])]],
    ),
    tool(
        "from_roman",
        &[
            "from_roman",
            "fromroman",
            "roman_to",
            "to_number",
            "to_int",
            "to_arabic",
            "to_decimal",
            "read",
            "parse",
            "decode",
        ],
        &[&[needed("numeral", &["roman", "text", "value", "number", "numerals"])]],
    ),
    ToolShape {
        key: "convert",
        standard: false,
        words: &["convert", "conversion", "roman", "umrechn", "translate"],
        ways: &[&[needed("value", &["text", "input", "numeral", "number", "roman"])]],
    },
];

fn fit(wish: &Wish) -> Fit {
    const ROMAN: &[&str] = &["roman", "romans", "roemisch*"];
    const NUMBER: &[&str] = &["numeral*", "number*", "zahl*", "ziffer*", "digit*"];
    if !wish.has_all(&[ROMAN, NUMBER]) {
        return Fit::No;
    }
    let mut trials = Vec::new();
    for (number, numeral) in [(1994, "MCMXCIV"), (49, "XLIX"), (3888, "MMMDCCCLXXXVIII"), (2026, "MMXXVI")] {
        trials.push(example("to_roman", &[("number", json!(number))], numeral));
        trials.push(example("from_roman", &[("numeral", json!(numeral))], number.to_string()));
        trials.push(example("convert", &[("value", json!(numeral))], number.to_string()));
        trials.push(example("convert", &[("value", json!(number.to_string()))], numeral));
    }
    Fit::Yes(Plan { tools: TOOLS.to_vec(), trials, ..Plan::default() })
}
