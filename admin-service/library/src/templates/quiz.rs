//! Quizzes: `quiz me`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use shared_types::capability::Token;

use super::family::{Example, Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "quiz",
    source: include_str!("skills/quiz.rs"),
    words: &[
        "quiz*",
        "test*",
        "frag*",
        "abfrag*",
        "abzufragen",
        "ask*",
        "train*",
        "practi*",
        "ueb*",
        "drill*",
        "capital*",
        "hauptstaedt*",
        "hauptstadt",
        "countr*",
        "land",
        "laender*",
        "world*",
        "welt*",
        "europe*",
        "europa*",
        "european*",
        "geograph*",
        "cities",
        "city",
        "state*",
        "bundesl*",
        "german*",
        "deutsch*",
        "american",
        "us",
        "usa",
        "multipl*",
        "einmaleins",
        "times",
        "table*",
        "math*",
        "mental",
        "arithmetic",
        "sum",
        "sums",
        "kopfrechn*",
        "rechn*",
        "addition*",
        "subtraction*",
        "division*",
        "divid*",
        "adding",
        "subtract*",
        "malnehmen",
        "mal",
        "plus",
        "minus",
        "chemi*",
        "element*",
        "symbol*",
        "periodic*",
        "question*",
        "check*",
        "random*",
        "score*",
        "game",
        "interactive*",
        "knowledge",
        "kleine*",
        "grosse*",
        "correct*",
        "right",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[
    tool(
        "quiz",
        &["quiz", "ask", "question", "start", "test", "frag", "play", "practice"],
        &[&[optional("questions", &["count", "number", "rounds", "num", "anzahl"])]],
    ),
    tool(
        "check",
        &["check", "answer", "verify", "pruef"],
        &[&[
            needed("question", &["country", "about", "state", "element", "frage", "land"]),
            needed("answer", &["capital", "guess", "reply", "antwort"]),
        ]],
    ),
];

const SUMS: &[(&str, &[&str])] = &[
    ("multiplication", &["multipl*", "times table*", "einmaleins", "malnehmen"]),
    ("division", &["division*", "divid*", "geteilt*", "dividier*"]),
    ("addition", &["addition*", "adding", "addier*", "plus*"]),
    ("subtraction", &["subtract*", "subtrah*", "minus*"]),
];

fn fit(wish: &Wish) -> Fit {
    const QUIZ: &[&str] = &[
        "quiz*",
        "test me",
        "frag mich",
        "frage mich",
        "abfrag*",
        "abzufragen",
        "ask me",
        "drill me",
        "practise",
        "practice",
        "train me",
    ];
    const CAPITALS: &[&str] = &["capital*", "hauptstaedt*", "hauptstadt"];
    const GERMANY: &[&str] = &["german states", "states of germany", "bundesland*", "bundeslaend*"];
    const STATES: &[&str] =
        &["us state*", "american state*", "state capital*", "states of america", "us bundesstaat*"];
    const ELEMENTS: &[&str] = &["chemical*", "chemi*", "periodic*", "element symbol*"];
    const ARITHMETIC: &[&str] =
        &["math*", "arithmetic", "sums", "kopfrechn*", "rechnen", "mental calculation*"];
    const LETTERS: &[&str] = &["capital letter*"];
    if !wish.has(QUIZ) || wish.has(LETTERS) {
        return Fit::No;
    }
    let mut signs: Vec<&'static str> =
        SUMS.iter().filter(|(_, words)| wish.has(words)).map(|(sign, _)| *sign).collect();
    if signs.is_empty() && wish.has(ARITHMETIC) {
        signs = SUMS.iter().map(|(sign, _)| *sign).collect();
    }
    if wish.has(CAPITALS) {
        let (part, topic, about, answer) = if wish.has(GERMANY) {
            ("germany", "capitals of German states", "Bavaria", "Munich")
        } else if wish.has(STATES) {
            ("states", "state capitals", "Texas", "Austin")
        } else {
            ("world", "capitals", "France", "Paris")
        };
        return plan(wish, topic, "capitals", &[part], about, answer);
    }
    if wish.has(ELEMENTS) {
        return plan(wish, "chemical elements", "elements", &[], "iron", "Fe");
    }
    if !signs.is_empty() {
        let (about, answer) = match signs[0] {
            "multiplication" => ("7 times 8", (7 * 8).to_string()),
            "division" => ("56 divided by 8", (56 / 8).to_string()),
            "addition" => ("17 plus 8", (17 + 8).to_string()),
            _ => ("17 minus 8", (17 - 8).to_string()),
        };
        let topic = if signs.len() == 1 { signs[0] } else { "arithmetic" };
        return plan(wish, topic, "sums", &signs, about, &answer);
    }
    Fit::Beyond("the quiz template has questions about capitals, chemical elements and sums; other subjects need a model to write it".to_owned())
}

fn plan(
    wish: &Wish,
    topic: &str,
    kind: &'static str,
    parts: &[&'static str],
    about: &str,
    answer: &str,
) -> Fit {
    let mut switches = BTreeSet::from([kind]);
    switches.extend(parts);
    let check = |answer: &str, expect: String| {
        example("check", &[("question", json!(about)), ("answer", json!(answer))], expect)
    };
    let mut trials: Vec<Example> = vec![
        example("quiz", &[], "?"),
        check(answer, "Right!".to_owned()).german("Richtig!"),
        check("nothing of the kind", answer.to_owned()),
    ];
    // Who may not ask puts the question into the answer.
    let may_ask = wish.capabilities.contains(Token::UserInput);
    if may_ask {
        switches.insert("ask");
        trials.push(example("quiz", &[("questions", json!(2))], "?"));
    }
    let mut tools = TOOLS.to_vec();
    if !may_ask {
        tools[0].ways = &[&[]];
    }
    Fit::Yes(Plan {
        parameters: format!("subject={topic}{}", if may_ask { "" } else { ", without asking" }),
        tools,
        switches,
        words: BTreeMap::from([("topic", topic.to_lowercase())]),
        trials,
        ..Plan::default()
    })
}
