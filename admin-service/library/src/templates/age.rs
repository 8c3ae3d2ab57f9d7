//! Ages: `how old is somebody born on 17 May 1990?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "age",
    source: include_str!("skills/age.rs"),
    words: &[
        "age",
        "ages",
        "old",
        "alter",
        "alt",
        "calculat*",
        "compute*",
        "work",
        "birth*",
        "born",
        "geburt*",
        "geboren",
        "berechn*",
        "ausrechn*",
        "auszurechnen",
        "date*",
        "datum*",
        "year*",
        "jahr*",
        "day*",
        "tag*",
        "exact*",
        "genau*",
        "person*",
        "jemand*",
        "someones",
        "somebody",
        "lived",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "age",
    &["age", "old", "alter", "birth"],
    &[&[needed("born", &["birth", "date", "birthday", "birthdate", "birth_date", "dob", "geburt"])]],
)];

fn fit(wish: &Wish) -> Fit {
    const AGE: &[&str] = &["age", "ages", "how old", "alter", "wie alt"];
    const FROM: &[&str] = &[
        "calculat*",
        "compute*",
        "work out",
        "birth*",
        "born",
        "geburt*",
        "geboren",
        "berechn*",
        "ausrechn*",
        "auszurechnen",
        "someone*",
        "somebody*",
        "person*",
        "jemand*",
        "people",
    ];
    const OTHER: &[&str] = &[
        "ice age",
        "middle ages",
        "stone age",
        "guess*",
        "schaetz*",
        "dog*",
        "hund*",
        "cat",
        "cats",
        "tree*",
        "baum*",
        "wine",
        "retire*",
        "rente*",
        "pension*",
        "photo*",
        "picture*",
        "remind*",
        "universe",
        "earth",
    ];
    if !wish.has_all(&[AGE, FROM]) || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            // How many years depends on the day of the trial.
            example("age", &[("born", json!("1990-05-17"))], "years").german("Jahre"),
        ],
        ..Plan::default()
    })
}
