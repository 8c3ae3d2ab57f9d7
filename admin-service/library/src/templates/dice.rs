//! Dice: `roll 3d6+2`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "dice",
    source: include_str!("skills/dice.rs"),
    words: &[
        "roll*",
        "throw*",
        "dice*",
        "die",
        "dies",
        "d",
        "wuerf*",
        "wirf",
        "werfe*",
        "number*",
        "sides",
        "sided",
        "seiten",
        "modifier*",
        "standard",
        "notation",
        "random*",
        "rpg",
        "dungeons",
        "dragons",
        "expression*",
        "total*",
        "sum",
        "board",
        "games",
        "virtual",
        "polyhedral",
        "roller",
        "ndm",
        "zufall*",
        "add*",
        "bonus*",
        "results",
        "result",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "roll",
    &["roll", "dice", "throw", "würf", "wuerf", "wurf"],
    &[
        &[needed("dice", &["notation", "expression", "spec", "formula", "roll", "wuerfel"])],
        &[
            optional("count", &["number", "num", "amount", "quantity", "n", "anzahl"]),
            needed("sides", &["faces", "die", "size", "seiten"]),
            optional("bonus", &["modifier", "plus", "add"]),
        ],
    ],
)];

fn fit(wish: &Wish) -> Fit {
    const DICE: &[&str] = &["dice", "die roll*", "d6", "d20", "wuerfel", "wuerfeln", "wuerfle", "wuerfelt"];
    const ROLL: &[&str] = &["roll*", "throw*", "wuerfel*", "wuerfle", "wirf", "werfe*", "dice"];
    const GAME: &[&str] = &[
        "game",
        "play*",
        "spiel",
        "spiele",
        "yahtzee",
        "kniffel",
        "probabilit*",
        "odds",
        "cheat*",
        "double*",
        "pasch*",
    ];
    if !wish.has_all(&[DICE, ROLL]) || wish.has(GAME) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        parameters: "verb=roll".to_owned(),
        tools: TOOLS.to_vec(),
        trials: vec![
            // One-sided dice leave nothing to chance.
            example("roll", &[("dice", json!("3d1+2"))], (3 + 2).to_string()),
            example("roll", &[("dice", json!("4d1-1"))], (4 - 1).to_string()),
            example("roll", &[("count", json!(3)), ("sides", json!(1))], "3"),
            // An ordinary roll: what it comes to is left to chance.
            example("roll", &[("dice", json!("2d6"))], "2d6 comes to ").german("2W6 ergibt "),
            example("roll", &[("count", json!(2)), ("sides", json!(6))], "2d6 comes to ")
                .german("2W6 ergibt "),
        ],
        ..Plan::default()
    })
}
