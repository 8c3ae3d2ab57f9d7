//! Plays rock, paper, scissors.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@play", "Plays one round of rock, paper, scissors")
                .param(Param::text("@play.choice", "rock, paper or scissors").optional())
                .phrase("en", "i take|choose|pick|play|say {@play.choice}")
                .phrase("en", "rock paper scissors {@play.choice}")
                .phrase("en", "my move|choice is {@play.choice}")
                .phrase("en", "[let] [us] play [a] [round] [of] rock paper scissors")
                .phrase("en", "rock paper scissors")
                .phrase("de", "[lass|lasst|wollen] [uns|wir] [eine] [runde] schere stein papier [spielen]")
                .phrase("de", "spiel|spiele [mit] [mir|uns] [eine] [runde] schere stein papier")
                .phrase("de", "ich nehme|wähle|spiele|sage {@play.choice}")
                .phrase("de", "schere stein papier {@play.choice}")
                .phrase("de", "[ich] [nehme] {@play.choice} gegen dich")
                .example("I take rock")
                .example("ich nehme Stein"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@play" => {
                let text = match call.opt_text("@play.choice")? {
                    Some(text) => lower(text),
                    None => return Ok(rules(german(call))),
                };
                let word = text.trim_matches(|c: char| !c.is_alphanumeric());
                let yours = HANDS.iter().position(|hand| hand.iter().any(|name| lower(name) == word)).ok_or_else(Refusal::not_mine)?;
                let mine = host::random_below(3)? as usize;
                play(yours, mine, german(call))
            }
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

/// Each beats the one before it.
const HANDS: [[&str; 2]; 3] = [["rock", "Stein"], ["paper", "Papier"], ["scissors", "Schere"]];

fn rules(german: bool) -> String {
    match german {
        false => "Gladly! Say what you take: I take rock, I take paper or I take scissors.",
        true => "Gern! Sag, was du nimmst: ich nehme Schere, ich nehme Stein oder ich nehme Papier.",
    }
    .to_string()
}

fn play(yours: usize, mine: usize, german: bool) -> Answer {
    let name = |hand: usize| HANDS.get(hand).and_then(|names| names.get(usize::from(german))).copied().unwrap_or("");
    let result = match ((3 + yours - mine) % 3, german) {
        (0, false) => "A draw.",
        (1, false) => "You win!",
        (_, false) => "I win!",
        (0, true) => "Unentschieden.",
        (1, true) => "Du gewinnst!",
        (_, true) => "Ich gewinne!",
    };
    Ok(if german {
        format!("Du: {}, ich: {}. {}", name(yours), name(mine), result)
    } else {
        format!("You: {}, me: {}. {}", name(yours), name(mine), result)
    })
}

// @include german

const GERMAN: &[&str] = &["lass", "spielen", "wir", "ich", "nehme", "wähle", "spiele", "schere", "stein", "papier"];
