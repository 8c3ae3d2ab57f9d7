//! Whose turn it is: `whose turn is it today?`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use skill_sdk::Date;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "turns",
    source: include_str!("skills/chores.rs"),
    // Names and chores may be any.
    words: &["*"],
    most_strangers: 0,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "turn",
    &["turn", "chore", "whose", "who", "rota", "plan", "dran", "reihe", "dienst", "today"],
    &[&[optional("day", &["date", "when", "tag", "datum"])]],
)];

/// How many may take turns.
const MOST: usize = 12;

fn fit(wish: &Wish) -> Fit {
    const TURNS: &[&str] = &[
        "whose turn",
        "who s turn",
        "take turns",
        "taking turns",
        "chore*",
        "rota",
        "roster",
        "dran ist",
        "wer dran",
        "an der reihe",
        "abwechseln*",
        "putzplan",
        "haushaltsplan",
        "dienstplan",
        "kuechendienst",
        "spueldienst",
        "muelldienst",
    ];
    const WEEKLY: &[&str] = &["week", "weeks", "weekly", "woche", "wochen", "woechentlich*"];
    if !wish.says(TURNS) {
        return Fit::No;
    }
    let names = names(&wish.said);
    if names.len() < 2 {
        return Fit::Beyond(
            "the template needs the names of those who take turns, as in: learn to tell whose turn it is to do the \
             dishes: Anna, Ben and Carl"
                .to_owned(),
        );
    }
    if names.len() > MOST {
        return Fit::Beyond(format!(
            "the template lets at most {MOST} take turns, and the wish names {}",
            names.len()
        ));
    }
    let weekly = wish.says(WEEKLY);
    let list = names.join(", ");
    let Some(first) = wish.day else { return Fit::No };
    let turns = |date: Date| if weekly { (date.days() + 3).div_euclid(7) } else { date.days() };
    let on = |day: &str| {
        let turn = Date::parse(day).map_or(0, turns) - turns(first);
        let who = &names[turn.rem_euclid(names.len() as i64) as usize];
        example("turn", &[("day", json!(day))], who.as_str())
    };
    let trials = vec![on("2030-01-01"), on("2030-01-14")];
    Fit::Yes(Plan {
        parameters: format!("names={list}, each={}", if weekly { "week" } else { "day" }),
        tools: TOOLS.to_vec(),
        switches: BTreeSet::from([if weekly { "weekly" } else { "daily" }]),
        texts: BTreeMap::from([
            ("names", names.join(",")),
            ("chore", chore(&wish.said)),
            ("first", first.to_string()),
        ]),
        trials,
        ..Plan::default()
    })
}

/// Where the names of a wish begin: behind the last colon, or else behind the last of these words.
const BEFORE: [&str; 8] =
    [" for ", " between ", " among ", " of ", " für ", " zwischen ", " von ", " unter "];

/// The part of a wish that holds the names, and what stands before it.
fn parts(said: &str) -> (&str, &str) {
    if let Some(parts) = said.rsplit_once(':') {
        return parts;
    }
    let last = BEFORE.iter().filter_map(|word| said.rfind(word).map(|at| (at, word.len()))).max();
    last.map_or((said, ""), |(at, length)| (&said[..at], &said[at + length..]))
}

/// The names of those who take turns: each has one or two words and begins with a capital. Empty if a part of the list is something else.
fn names(said: &str) -> Vec<String> {
    let (_, list) = parts(said);
    let list = list.trim().trim_end_matches(['.', '!', '?']);
    let list = [" and ", " und ", " & ", ";", " then ", " dann "]
        .iter()
        .fold(list.to_owned(), |list, word| list.replace(word, ","));
    let mut names: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let words = name.split(' ').count();
        let letters =
            name.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '\'' | '’'));
        let begins = name.chars().next().is_some_and(char::is_uppercase);
        if words > 2
            || !letters
            || !begins
            || name.chars().count() > 30
            || names.iter().any(|other| other == name)
        {
            return Vec::new();
        }
        names.push(name.to_owned());
    }
    names
}

/// What is done in turns, as far as the wish says it: `do the dishes`.
fn chore(said: &str) -> String {
    const ENDS: [&str; 4] = [" each ", " every ", " jede ", " jeden "];
    let (before, _) = parts(said);
    let found =
        ["turn it is to ", "turn it is for ", "take turns ", "taking turns "].iter().find_map(|start| {
            let at = before.to_lowercase().find(start)?;
            before.get(at + start.len()..)
        });
    let chore = found.unwrap_or_default();
    let chore = ENDS.iter().fold(chore, |chore, end| chore.split(end).next().unwrap_or(chore));
    let chore: String = shared_types::text::line(chore);
    chore.trim_matches(|letter: char| !letter.is_alphanumeric()).chars().take(60).collect()
}
