//! Hearing and speaking in a conversation by voice: `can you hear me?`, `say dinner is ready aloud`.

use serde_json::json;
use shared_types::capability::Token;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "voice",
    source: include_str!("skills/voice.rs"),
    words: &[
        "talk*",
        "speak*",
        "voice*",
        "aloud",
        "loud",
        "out",
        "hear*",
        "listen*",
        "conversation*",
        "chat*",
        "spoken",
        "sprech*",
        "sprich*",
        "red*",
        "stimme*",
        "laut*",
        "hoer*",
        "gespraech*",
        "unterhalt*",
        "per",
        "meiner",
        "deiner",
    ],
    most_strangers: 0,
    fit,
};

const TOOLS: &[ToolShape] = &[
    tool("hear", &["hear", "listen", "repeat", "talk", "voice", "hoer", "sprech"], &[&[]]),
    tool(
        "aloud",
        &["aloud", "say", "speak", "read", "laut"],
        &[&[needed("text", &["words", "what", "satz", "sentence"])]],
    ),
];

fn fit(wish: &Wish) -> Fit {
    const SPEECH: &[&str] = &[
        "by voice",
        "your voice",
        "my voice",
        "to me aloud",
        "with me aloud",
        "out loud",
        "speak aloud",
        "voice chat",
        "mit mir zu sprechen",
        "mit mir sprechen",
        "mit mir zu reden",
        "per stimme",
        "deiner stimme",
        "meiner stimme",
        "laut zu sprechen",
        "laut sprechen",
    ];
    if !wish.says(SPEECH) {
        return Fit::No;
    }
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        switches: ["hear", "aloud"].into_iter().collect(),
        needs: vec![Token::AudioRead, Token::AudioWrite],
        trials: vec![
            // Nobody speaks in a trial.
            example("hear", &[], "I heard nothing").german("nichts gehört"),
            example("aloud", &[("text", json!("dinner is ready"))], "I said it aloud.").german("laut gesagt"),
        ],
        ..Plan::default()
    })
}
