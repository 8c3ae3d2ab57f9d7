//! Rock, paper, scissors: `I take rock`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "rock paper scissors",
    source: include_str!("skills/rps.rs"),
    words: &[
        "rock", "paper", "scissors", "schere", "stein", "papier", "play*", "spiel*", "games", "against",
        "gegen", "round*", "runde*",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "play",
    &["play", "rock", "game", "move", "schere", "spiel"],
    &[&[needed("choice", &["move", "hand", "pick", "player", "wahl"])]],
)];

fn fit(wish: &Wish) -> Fit {
    const ENGLISH: &[&[&str]] = &[&["rock"], &["paper"], &["scissors"]];
    const GERMAN: &[&[&str]] = &[&["schere"], &["stein"], &["papier"]];
    const OTHER: &[&str] = &["lizard", "spock", "echse", "brunnen", "tournament*", "turnier*", "score*"];
    if !(wish.has_all(ENGLISH) || wish.has_all(GERMAN)) || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            // Who wins is left to chance; what the person chose is not.
            example("play", &[("choice", json!("rock"))], "You: rock, me: ").german("Du: Stein, ich: "),
            example("play", &[("choice", json!("Schere"))], "scissors").german("Schere"),
        ],
        ..Plan::default()
    })
}
