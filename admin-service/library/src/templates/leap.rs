//! Leap years: `is 2100 a leap year?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "leap years",
    source: include_str!("skills/leap.rs"),
    words: &[
        "leap*",
        "year*",
        "schaltjahr*",
        "jahr*",
        "check*",
        "determine*",
        "whether",
        "given",
        "next",
        "naechst*",
        "recogni*",
        "erkenn*",
        "detect*",
        "identif*",
        "find",
        "calendar",
        "gregorian",
        "spot",
        "calculat*",
        "berechn*",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[
    tool("leap", &["leap", "is_", "check", "schaltjahr"], &[&[needed("year", &["jahr", "y"])]]),
    tool("next", &["next", "naechst", "upcoming"], &[&[optional("after", &["year", "from", "nach"])]]),
];

fn fit(wish: &Wish) -> Fit {
    const LEAP: &[&str] = &["leap year*", "leap day*", "schaltjahr*", "leapyear*"];
    if !wish.has(LEAP) {
        return Fit::No;
    }
    let sure = |year: i64, yes: bool| {
        let (english, german) = if yes { ("Yes", "Ja") } else { ("No", "Nein") };
        example("leap", &[("year", json!(year))], english).german(german)
    };
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            sure(2100, false),
            sure(2000, true),
            sure(2024, true),
            sure(2023, false),
            example("next", &[("after", json!(2096))], "2104"),
        ],
        ..Plan::default()
    })
}
