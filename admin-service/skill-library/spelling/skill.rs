//! Spells words in the international spelling alphabet.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@spell", "Spells a text in the international spelling alphabet")
                .param(Param::text("@spell.text", "the text"))
                .phrase("en", "spell {@spell.text} in|with|using [the] phonetic|nato|spelling|radio alphabet")
                .phrase("en", "spell {@spell.text}")
                .phrase("en", "what is {@spell.text} in the phonetic|nato|spelling alphabet")
                .phrase("de", "wie buchstabiert|buchstabiere man|ich {@spell.text} [im|mit] [funkalphabet|buchstabieralphabet]")
                .phrase("de", "buchstabiere {@spell.text}")
                .phrase("de", "buchstabiere {@spell.text} im|mit funkalphabet|buchstabieralphabet")
                .example("spell Anna in the phonetic alphabet")
                .example("wie buchstabiert man Anna?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@spell" => spell(call.text("@spell.text")?),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn spell(text: &str) -> Answer {
    let mut words = Vec::new();
    for c in text.to_lowercase().chars().take(100) {
        match c {
            'ä' => words.extend(["Alfa", "Echo"]),
            'ö' => words.extend(["Oscar", "Echo"]),
            'ü' => words.extend(["Uniform", "Echo"]),
            'ß' => words.extend(["Sierra", "Sierra"]),
            _ => words.extend(WORDS.iter().find(|(sign, _)| *sign == c).map(|(_, word)| *word)),
        }
    }
    if words.is_empty() {
        return Err(Refusal::not_mine());
    }
    Ok(words.join(" "))
}

const WORDS: &[(char, &str)] = &[
    ('a', "Alfa"),
    ('b', "Bravo"),
    ('c', "Charlie"),
    ('d', "Delta"),
    ('e', "Echo"),
    ('f', "Foxtrot"),
    ('g', "Golf"),
    ('h', "Hotel"),
    ('i', "India"),
    ('j', "Juliett"),
    ('k', "Kilo"),
    ('l', "Lima"),
    ('m', "Mike"),
    ('n', "November"),
    ('o', "Oscar"),
    ('p', "Papa"),
    ('q', "Quebec"),
    ('r', "Romeo"),
    ('s', "Sierra"),
    ('t', "Tango"),
    ('u', "Uniform"),
    ('v', "Victor"),
    ('w', "Whiskey"),
    ('x', "X-ray"),
    ('y', "Yankee"),
    ('z', "Zulu"),
    ('0', "Zero"),
    ('1', "One"),
    ('2', "Two"),
    ('3', "Three"),
    ('4', "Four"),
    ('5', "Five"),
    ('6', "Six"),
    ('7', "Seven"),
    ('8', "Eight"),
    ('9', "Nine"),
];
