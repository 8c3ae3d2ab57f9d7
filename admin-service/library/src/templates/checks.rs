//! Check digits: `is 978-3-16-148410-0 a valid ISBN?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "check digits",
    source: include_str!("skills/checks.rs"),
    words: &[
        "isbn*",
        "iban*",
        "check*",
        "pruef*",
        "valid*",
        "gueltig*",
        "digit*",
        "ziffer*",
        "pruefziffer*",
        "number*",
        "nummer*",
        "book*",
        "buch*",
        "account*",
        "konto*",
        "bank",
        "verif*",
        "control",
        "kontroll*",
        "ueberpruef*",
        "correct*",
        "richtig*",
    ],
    most_strangers: 2,
    fit,
};

const ISBN: ToolShape =
    tool("isbn", &["isbn", "book"], &[&[needed("number", &["isbn", "code", "text", "value", "nummer"])]]);
const IBAN: ToolShape = tool(
    "iban",
    &["iban", "account", "konto"],
    &[&[needed("number", &["iban", "code", "text", "value", "nummer"])]],
);

fn fit(wish: &Wish) -> Fit {
    const ISBNS: &[&str] = &["isbn*"];
    const IBANS: &[&str] = &["iban*"];
    const OTHER: &[&str] = &[
        "look up",
        "lookup",
        "find*",
        "search*",
        "title*",
        "author*",
        "price*",
        "transfer*",
        "ueberweis*",
        "scan*",
        "owner*",
        "generat*",
        "buy",
    ];
    let mut tools = vec![];
    if wish.has(ISBNS) {
        tools.push(ISBN);
    }
    if wish.has(IBANS) {
        tools.push(IBAN);
    }
    if tools.is_empty() || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        parameters: tools.iter().map(|tool| tool.key).collect::<Vec<_>>().join("+"),
        tools,
        trials: vec![
            example("isbn", &[("number", json!("978-3-16-148410-0"))], "is valid").german("ist gültig"),
            example("isbn", &[("number", json!("0-306-40615-3"))], "should be 2").german("müsste 2"),
            example("iban", &[("number", json!("DE89 3704 0044 0532 0130 00"))], "is valid")
                .german("ist gültig"),
            example("iban", &[("number", json!("DE88 3704 0044 0532 0130 00"))], "is not valid")
                .german("ist nicht gültig"),
        ],
        ..Plan::default()
    })
}
