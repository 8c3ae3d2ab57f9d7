//! Chance: `flip a coin`, `choose between tea or coffee`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "chance",
    source: include_str!("skills/chance.rs"),
    words: &[
        "flip*",
        "toss*",
        "coin*",
        "muenze*",
        "werf*",
        "wirf",
        "head*",
        "tail*",
        "kopf",
        "zahl*",
        "choose*",
        "choice*",
        "pick*",
        "select*",
        "decid*",
        "decision*",
        "waehl*",
        "auswaehl*",
        "auszuwaehl*",
        "aussuch*",
        "auszusuch*",
        "mehreren",
        "dinge*",
        "sachen",
        "auszuwaehl*",
        "aussuch*",
        "auszusuch*",
        "entscheid*",
        "random*",
        "zufall*",
        "zufaellig*",
        "option*",
        "draw*",
        "lot*",
        "los*",
        "number*",
        "between",
        "list",
        "item*",
        "generat*",
    ],
    most_strangers: 0,
    fit,
};

const FLIP: ToolShape = tool("flip", &["flip", "coin", "toss", "muenz"], &[&[]]);
const CHOOSE: ToolShape = tool(
    "choose",
    &["choose", "pick", "choice", "decid", "select", "waehl"],
    &[&[needed("options", &["choices", "items", "list", "things", "text"])]],
);
const NUMBER: ToolShape = tool(
    "number",
    &["number", "random", "zahl"],
    &[&[
        needed("low", &["min", "from", "start", "a", "lower"]),
        needed("high", &["max", "to", "end", "b", "upper"]),
    ]],
);

fn fit(wish: &Wish) -> Fit {
    const COIN: &[&str] = &["coin*", "muenze*", "heads or tails", "kopf oder zahl"];
    const FLIPS: &[&str] = &["flip*", "toss*", "werf*", "wirf", "heads or tails", "kopf oder zahl"];
    const PICK: &[&str] = &[
        "choose*",
        "pick*",
        "choice*",
        "decide",
        "deciding",
        "waehl*",
        "auswaehl*",
        "auszuwaehl*",
        "aussuch*",
        "auszusuch*",
        "entscheid*",
        "random*",
        "zufall*",
    ];
    const AMONG: &[&str] = &[
        "between",
        "options",
        "choices",
        "for me",
        "several",
        "randomly",
        "at random",
        "random choice",
        "random option*",
        "zwischen",
        "mehreren",
        "fuer mich",
        "zufaellig*",
        "optionen",
        "things",
    ];
    const NUMBERS: &[&str] =
        &["random number*", "zufallszahl*", "pick a number", "pick number*", "zufaellige zahl*"];
    const OTHER: &[&str] = &[
        "dice",
        "wuerfel*",
        "password*",
        "passwort*",
        "movie*",
        "film*",
        "music",
        "book*",
        "stock*",
        "team*",
        "card*",
        "lottery",
        "collect*",
        "date*",
        "days",
        "name*",
        "colour*",
        "color*",
        "trick*",
    ];
    let mut tools = Vec::new();
    if wish.has_all(&[COIN, FLIPS]) {
        tools.push(FLIP);
    }
    if wish.has(NUMBERS) {
        tools.push(NUMBER);
    } else if wish.has_all(&[PICK, AMONG]) {
        tools.push(CHOOSE);
    }
    if tools.is_empty() || wish.has(OTHER) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        parameters: tools.iter().map(|tool| tool.key).collect::<Vec<_>>().join("+"),
        tools,
        trials: vec![
            example("flip", &[], "It is ").german("Es ist "),
            example("choose", &[("options", json!("tea, tea or tea"))], "tea"),
            example("number", &[("low", json!(7)), ("high", json!(7))], "7"),
        ],
        ..Plan::default()
    })
}
