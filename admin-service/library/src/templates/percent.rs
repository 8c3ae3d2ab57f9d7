//! Percentages: `what is 15% of 80?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "percentages",
    source: include_str!("skills/percent.rs"),
    words: &[
        "percent*",
        "prozent*",
        "calculat*",
        "berechn*",
        "rechn*",
        "discount*",
        "rabatt*",
        "vat",
        "mehrwertsteuer",
        "increase*",
        "decrease*",
        "work",
        "compute*",
        "number*",
        "math*",
        "share*",
        "anteil*",
        "amount*",
        "add*",
        "subtract*",
        "figure",
        "change*",
    ],
    most_strangers: 0,
    fit,
};

const AMOUNT: &[&str] = &["value", "number", "base", "price", "total", "betrag", "whole", "x", "of"];
const PERCENT: &[&str] = &["percentage", "rate", "p", "prozent", "discount"];
const TOOLS: &[ToolShape] = &[
    tool(
        "of",
        &["percent_of", "percentage_of", "of", "calculate", "percent", "prozent"],
        &[&[needed("percent", PERCENT), needed("amount", AMOUNT)]],
    ),
    tool(
        "share",
        &["what_percent", "share", "ratio", "is_what", "anteil"],
        &[&[
            needed("part", &["value", "amount", "a", "teil"]),
            needed("whole", &["total", "of", "base", "b", "ganze"]),
        ]],
    ),
    tool(
        "raise",
        &["increase", "raise", "add", "markup", "plus"],
        &[&[needed("amount", AMOUNT), needed("percent", PERCENT)]],
    ),
    tool(
        "lower",
        &["decrease", "discount", "reduce", "lower", "off", "subtract", "rabatt"],
        &[&[needed("amount", AMOUNT), needed("percent", PERCENT)]],
    ),
];

fn fit(wish: &Wish) -> Fit {
    const PERCENT: &[&str] = &["percent*", "prozent*", "discount*", "rabatt*"];
    const OTHER: &[&str] = &[
        "tip",
        "tips",
        "trinkgeld*",
        "bill*",
        "rechnung*",
        "interest*",
        "zins*",
        "loan*",
        "kredit*",
        "battery",
        "discount code*",
        "percentile*",
    ];
    if !wish.has(PERCENT) || wish.has(OTHER) {
        return Fit::No;
    }
    let amounts = [("amount", json!(80)), ("percent", json!(15))];
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            example("of", &[("percent", json!(15)), ("amount", json!(80))], (80 * 15 / 100).to_string()),
            example("of", &[("percent", json!(12.5)), ("amount", json!(40))], "5"),
            example("share", &[("part", json!(30)), ("whole", json!(120))], format!("{}%", 30 * 100 / 120)),
            example("raise", &amounts, (80 + 80 * 15 / 100).to_string()),
            example("lower", &amounts, (80 - 80 * 15 / 100).to_string()),
        ],
        ..Plan::default()
    })
}
