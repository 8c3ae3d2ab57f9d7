//! Averages: `what is the average of 2, 3 and 4?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "averages",
    source: include_str!("skills/average.rs"),
    words: &[
        "average*",
        "mean",
        "median*",
        "durchschnitt*",
        "mittelwert*",
        "zentralwert",
        "arithmetic",
        "find",
        "number*",
        "zahl*",
        "grade*",
        "mark*",
        "score*",
        "note*",
        "values",
        "werte",
        "calculat*",
        "compute*",
        "berechn*",
        "ausrechn*",
        "auszurechnen",
        "bilden",
        "list",
        "school",
        "schul*",
    ],
    most_strangers: 0,
    fit,
};

const AVERAGE: ToolShape = tool("average", &["average", "mean", "durchschnitt", "mittel"], &[NUMBERS]);
const MEDIAN: ToolShape = tool("median", &["median", "middle", "zentral"], &[NUMBERS]);
const NUMBERS: &[super::offer::ParamShape] =
    &[needed("numbers", &["values", "list", "text", "grades", "data", "input", "zahlen"])];

fn fit(wish: &Wish) -> Fit {
    const MEAN: &[&str] = &["average*", "mean", "arithmetic mean", "durchschnitt*", "mittelwert*", "median*"];
    const OF: &[&str] = &[
        "work out",
        "find",
        "tell",
        "number*",
        "grade*",
        "marks",
        "scores",
        "zahl*",
        "noten",
        "values",
        "werte",
        "calculat*",
        "compute*",
        "berechn*",
        "ausrechn*",
        "auszurechnen",
        "bilden",
    ];
    const OTHER: &[&str] = &[
        "temperature*",
        "temperatur*",
        "weather",
        "salary",
        "gehalt*",
        "speed",
        "moving",
        "stock*",
        "track*",
        "remember*",
        "keep*",
        "meaning*",
        "price*",
        "weighted",
        "gewichtet*",
    ];
    if !wish.has_all(&[MEAN, OF]) || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: vec![AVERAGE, MEDIAN],
        trials: vec![
            example("average", &[("numbers", json!("1, 2 and 6"))], ((1 + 2 + 6) / 3).to_string()),
            example("average", &[("numbers", json!("1 2"))], "1.5"),
            example("median", &[("numbers", json!("9, 1, 4"))], "4"),
        ],
        ..Plan::default()
    })
}
