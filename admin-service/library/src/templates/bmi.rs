//! The body mass index: `bmi for 70 kg and 175 cm`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "body mass index",
    source: include_str!("skills/bmi.rs"),
    words: &[
        "bmi",
        "body",
        "mass",
        "index",
        "koerpermasse*",
        "koerpermassindex",
        "calculat*",
        "compute*",
        "berechn*",
        "ausrechn*",
        "auszurechnen",
        "weight*",
        "gewicht*",
        "height*",
        "groesse*",
        "kg",
        "cm",
        "m",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "bmi",
    &["bmi", "body", "mass", "calculate"],
    &[&[
        needed("weight", &["kg", "mass", "weight_kg", "gewicht"]),
        needed("height", &["m", "cm", "size", "height_m", "height_cm", "groesse"]),
    ]],
)];

fn fit(wish: &Wish) -> Fit {
    const INDEX: &[&str] = &["bmi", "body mass*", "koerpermasse*", "koerpermassindex"];
    const OTHER: &[&str] = &["diet*", "diaet*", "lose", "abnehm*", "track*", "recipe*", "plan*"];
    if !wish.has(INDEX) || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            example(
                "bmi",
                &[("weight", json!("81")), ("height", json!("1.8"))],
                (81 * 100 / (18 * 18)).to_string(),
            ),
            example("bmi", &[("weight", json!("81")), ("height", json!("180"))], "25.0"),
        ],
        ..Plan::default()
    })
}
