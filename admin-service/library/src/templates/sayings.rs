//! Jokes, riddles and facts: `tell me a joke`.

use std::collections::BTreeSet;

use shared_types::capability::Token;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "sayings",
    source: include_str!("skills/sayings.rs"),
    words: &[
        "joke*",
        "witz*",
        "riddle*",
        "raetsel*",
        "fact*",
        "fakt*",
        "wissenswert*",
        "interesting",
        "interessant*",
        "fun",
        "funny",
        "lustig*",
        "good",
        "gut*",
        "laugh*",
        "lachen",
        "day*",
        "tag*",
        "random*",
        "erzaehl*",
        "sagen",
        "stell*",
        "kids",
        "children",
        "kinder*",
    ],
    most_strangers: 2,
    fit,
};

const JOKE: ToolShape = tool("joke", &["joke", "witz", "laugh", "funny"], &[&[]]);
const RIDDLE: ToolShape = tool("riddle", &["riddle", "raetsel"], &[&[]]);
const FACT: ToolShape = tool("fact", &["fact", "fakt", "trivia"], &[&[]]);

fn fit(wish: &Wish) -> Fit {
    const JOKES: &[&str] =
        &["joke*", "witz", "witze", "witzen", "make me laugh", "make us laugh", "zum lachen"];
    const RIDDLES: &[&str] = &["riddle*", "raetsel"];
    const FACTS: &[&str] = &[
        "fact of the day",
        "facts of the day",
        "fun fact*",
        "random fact*",
        "interesting fact*",
        "tell facts",
        "tell me facts",
        "tell me a fact",
        "fakt des tages",
        "fakten",
        "wissenswertes",
    ];
    const SUBJECT: &[&str] = &["about", "ueber", "knock knock", "flachwitz*", "dad"];
    const OTHER: &[&str] = &[
        "write*",
        "schreib*",
        "invent*",
        "erfind*",
        "make up",
        "solve*",
        "loes*",
        "check*",
        "remember*",
        "merk*",
        "keep*",
        "store*",
        "collect*",
        "quiz*",
        "rate*",
        "explain*",
        "erklaer*",
        "translate*",
        "dirty",
        "adult",
        "racist",
        "send*",
        "schick*",
    ];
    let kinds = [(JOKE, JOKES), (RIDDLE, RIDDLES), (FACT, FACTS)];
    let tools: Vec<ToolShape> =
        kinds.into_iter().filter(|(_, words)| wish.has(words)).map(|(tool, _)| tool).collect();
    if tools.is_empty() || wish.has(OTHER) {
        return Fit::No;
    }
    if wish.says(SUBJECT) {
        return Fit::Beyond(
            "the template has jokes, riddles and facts of its own; a subject or kind needs a model to write them"
                .to_owned(),
        );
    }
    let may_ask = wish.capabilities.contains(Token::UserInput);
    Fit::Yes(Plan {
        parameters: tools.iter().map(|tool| tool.key).collect::<Vec<_>>().join("+"),
        tools,
        switches: if may_ask { BTreeSet::from(["ask"]) } else { BTreeSet::new() },
        // Which one is answered is left to chance.
        trials: vec![example("joke", &[], "."), example("riddle", &[], "?"), example("fact", &[], ".")],
        ..Plan::default()
    })
}
