//! Rolls dice.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@roll", "Rolls dice such as 3d6+2 and adds them up")
                .param(Param::text("@roll.dice", "the dice, such as 3d6+2, d20 or two dice; one die if not said").optional())
                .param(Param::int("@roll.count", "how many dice").min(1).max(100).optional())
                .param(Param::int("@roll.sides", "how many sides each has").min(1).max(1000))
                .param(Param::int("@roll.bonus", "a number to add").optional())
                .phrase("en", "roll|throw {@roll.dice}")
                .phrase("en", "roll|throw {@roll.count} dice|die with {@roll.sides} sides")
                .phrase("en", "roll|throw a die with {@roll.sides} sides")
                .phrase("en", "roll|throw a|one die|dice [for] [me|us] [please]")
                .phrase("en", "[give] [me|us] a dice|die roll")
                .phrase("de", "würfle|würfel|wirf {@roll.dice}")
                .phrase("de", "würfle|würfel|würfeln [mal|bitte|noch|nochmal] [einmal|mal] [für] [mich|uns] [bitte]")
                .phrase("de", "[lass|lasst] [mich|uns] [für] [mich|uns] [mal|bitte|noch|nochmal] [einmal|mal] würfeln [bitte]")
                .phrase("de", "ich will|möchte|muss|darf|kann [jetzt|mal] würfeln")
                .phrase("de", "würfelst du [mal|bitte|noch|nochmal] [einmal|mal] [für] [mich|uns]")
                .phrase("de", "{@roll.dice} werfen|würfeln")
                .phrase("de", "würfle|würfel|wirf {@roll.count} würfel mit {@roll.sides} seiten")
                .example("roll 3d6+2")
                .example("würfle 3W6+2"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@roll" => roll(&wanted(call)?, german(call)),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn wanted(call: &Call) -> Result<Vec<Term>, Refusal> {
    // @if roll.dice
    // "roll up your sleeves" is for somebody else.
    terms(call.opt_text("@roll.dice")?.unwrap_or("")).ok_or_else(Refusal::not_mine)
    // @end
    // @if roll.sides
    let mut terms = vec![Term {
        sign: 1,
        count: call.opt_int("@roll.count")?.unwrap_or(1),
        sides: Some(call.int("@roll.sides")?),
    }];
    if let Some(bonus) = call.opt_int("@roll.bonus")? {
        terms.push(Term { sign: if bonus < 0 { -1 } else { 1 }, count: bonus.saturating_abs(), sides: None });
    }
    Ok(terms)
    // @end
}

/// Some dice of one kind, or a number, added or taken away.
#[derive(Debug, Clone, PartialEq)]
struct Term {
    sign: i64,
    count: i64,
    sides: Option<i64>,
}

fn roll(terms: &[Term], german: bool) -> Answer {
    let dice: i64 = terms.iter().filter(|term| term.sides.is_some()).map(|term| term.count).fold(0, i64::saturating_add);
    let too_many_sides = terms.iter().any(|term| term.sides.map_or(false, |sides| !(1..=1000).contains(&sides)));
    let too_large = terms.iter().any(|term| term.count > 1_000_000);
    if !(1..=100).contains(&dice) || too_many_sides || too_large {
        return Err(Refusal::failed(if german {
            "Ich werfe 1 bis 100 Würfel mit 1 bis 1000 Seiten."
        } else {
            "I roll 1 to 100 dice with 1 to 1000 sides."
        }));
    }
    let (mine, die, comes_to) = if german { ("Mein Wurf mit", "W", "ergibt") } else { ("My roll of", "d", "comes to") };
    let (mut total, mut parts, mut name) = (0, String::new(), String::new());
    for term in terms {
        let sign = if term.sign < 0 { "-" } else { "+" };
        if !name.is_empty() || term.sign < 0 {
            name.push_str(sign);
        }
        name.push_str(&match term.sides {
            Some(sides) if term.count == 1 => format!("{}{}", die, sides),
            Some(sides) => format!("{}{}{}", term.count, die, sides),
            None => term.count.to_string(),
        });
        for number in numbers(term)? {
            total += term.sign * number;
            if !parts.is_empty() {
                parts.push_str(&format!(" {} ", sign));
            }
            parts.push_str(&number.to_string());
        }
    }
    if parts.contains(' ') && dice <= 20 {
        Ok(format!("{} {} {} {}: {}.", mine, name, comes_to, total, parts))
    } else {
        Ok(format!("{} {} {} {}.", mine, name, comes_to, total))
    }
}

fn numbers(term: &Term) -> Result<Vec<i64>, HostError> {
    match term.sides {
        Some(sides) => (0..term.count).map(|_| host::random_between(1, sides)).collect(),
        None => Ok(vec![term.count]),
    }
}

// @if roll.dice
/// Reads `3d6+2`, `d20`, `2w6`, `a die`, `two dice` or `3 six-sided dice`.
fn terms(text: &str) -> Option<Vec<Term>> {
    let text = lower(text);
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!' | '?'));
    let words: Vec<&str> = text.split_whitespace().filter(|word| !POLITE.contains(word)).collect();
    let words = match words.split_first() {
        Some((&"mit" | &"with", rest)) => rest,
        _ => words.as_slice(),
    };
    let (first, rest) = match words.split_first() {
        Some(found) => found,
        // "roll again" is one of the usual kind.
        None => return Some(vec![Term { sign: 1, count: 1, sides: Some(6) }]),
    };
    match small_number(first) {
        Some(count) if !rest.is_empty() => match notation(&rest.concat()) {
            Some(mut terms) => {
                let head = terms.first_mut()?;
                if rest.concat().starts_with(|c: char| c.is_ascii_digit()) {
                    return None;
                }
                head.count = count;
                Some(terms)
            }
            None => Some(vec![Term { sign: 1, count, sides: Some(in_words(rest)?) }]),
        },
        _ => match notation(&words.concat()) {
            Some(terms) => Some(terms),
            // "the dice" are two of the usual kind.
            None => {
                let many = words.iter().any(|word| *word == "dice");
                Some(vec![Term { sign: 1, count: if many { 2 } else { 1 }, sides: Some(in_words(words)?) }])
            }
        },
    }
}

/// Words that say nothing of the dice.
const POLITE: &[&str] = &[
    "please", "now", "the", "again", "for", "me", "us", "bitte", "den", "die", "mal", "nochmal", "einmal", "noch", "jetzt", "für",
    "mich", "uns",
];

fn notation(text: &str) -> Option<Vec<Term>> {
    let mut terms = Vec::new();
    let mut rest = text;
    let mut sign = 1;
    while terms.len() < 10 {
        let end = rest.find(|c| c == '+' || c == '-').unwrap_or(rest.len());
        let (term, tail) = (rest.get(..end)?, rest.get(end..)?);
        terms.push(one_term(term, sign)?);
        if tail.is_empty() {
            let has_dice = terms.iter().any(|term| term.sides.is_some());
            return if has_dice { Some(terms) } else { None };
        }
        sign = if tail.starts_with('-') { -1 } else { 1 };
        rest = tail.get(1..)?;
    }
    None
}

fn one_term(text: &str, sign: i64) -> Option<Term> {
    let number = |digits: &str| -> Option<i64> {
        let plain = !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain {
            digits.parse().ok()
        } else {
            None
        }
    };
    match text.split_once(|c| c == 'd' || c == 'w') {
        Some((count, sides)) => {
            let count = if count.is_empty() { 1 } else { number(count)? };
            let sides = if sides == "%" { 100 } else { number(sides)? };
            Some(Term { sign, count, sides: Some(sides) })
        }
        None => Some(Term { sign, count: number(text)?, sides: None }),
    }
}

/// The sides of dice in words; six unless they say otherwise.
fn in_words(words: &[&str]) -> Option<i64> {
    let mut sides = 6;
    let mut dice = false;
    for word in words {
        let number = ["-sided", "-seitige", "-seitigen"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        let number = small_number(number);
        match *word {
            "die" | "dice" | "würfel" | "würfeln" => dice = true,
            "with" | "mit" | "sides" | "sided" | "seiten" | "je" | "of" => {}
            _ => sides = number?,
        }
    }
    if dice {
        Some(sides)
    } else {
        None
    }
}

fn small_number(word: &str) -> Option<i64> {
    let number = match word {
        "a" | "an" | "one" | "ein" | "eine" | "einen" => 1,
        "two" | "zwei" => 2,
        "three" | "drei" => 3,
        "four" | "vier" => 4,
        "five" | "fünf" => 5,
        "six" | "sechs" => 6,
        "seven" | "sieben" => 7,
        "eight" | "acht" => 8,
        "nine" | "neun" => 9,
        "ten" | "zehn" => 10,
        "twelve" | "zwölf" => 12,
        "twenty" | "zwanzig" => 20,
        digits => digits.parse().ok().filter(|number| (1..=1000).contains(number))?,
    };
    Some(number)
}

// @end

// @include german

const GERMAN: &[&str] = &[
    "würfle", "würfel", "würfeln", "wirf",
];
