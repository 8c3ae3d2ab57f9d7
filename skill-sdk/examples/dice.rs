//! Rolls dice: pure code and chance, no token.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Rolls dice").tool(
            Tool::new("roll", "Rolls dice such as 2d6+1")
                .param(Param::text("dice", "dice such as 2d6+1"))
                .phrase("en", "roll {dice}")
                .phrase("de", "würfle {dice}")
                .example("roll 2d6+1"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "roll" => roll(call.text("dice")?),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn roll(text: &str) -> Answer {
    // "roll up your sleeves" is for somebody else.
    let dice = Dice::parse(text).ok_or_else(Refusal::not_mine)?;
    if !(1..=100).contains(&dice.count) || !(2..=1000).contains(&dice.sides) {
        return Err(Refusal::failed("I roll 1 to 100 dice with 2 to 1000 sides."));
    }
    let mut rolls = Vec::new();
    for _ in 0..dice.count {
        rolls.push(host::random_between(1, dice.sides)?);
    }
    let total = rolls.iter().sum::<i64>() + dice.bonus;
    let each: Vec<String> = rolls.iter().map(i64::to_string).collect();
    Ok(format!("{total} ({})", each.join(" + ")))
}

#[derive(Debug, PartialEq)]
struct Dice {
    count: i64,
    sides: i64,
    bonus: i64,
}

impl Dice {
    fn parse(text: &str) -> Option<Dice> {
        let text: String = lower(text).split_whitespace().collect();
        let (count, rest) = text.split_once('d')?;
        let (sides, bonus) = match rest.find(['+', '-']) {
            Some(sign) => {
                (rest.get(..sign)?, rest.get(sign..)?.parse().ok().filter(|n: &i64| n.abs() < 100_000)?)
            }
            None => (rest, 0),
        };
        let count = if count.is_empty() { 1 } else { count.parse().ok()? };
        Some(Dice { count, sides: sides.parse().ok()?, bonus })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_read_with_and_without_count_and_bonus() {
        assert_eq!(Dice::parse("2d6+1"), Some(Dice { count: 2, sides: 6, bonus: 1 }));
        assert_eq!(Dice::parse("D20 - 3"), Some(Dice { count: 1, sides: 20, bonus: -3 }));
        assert_eq!(Dice::parse("the bones"), None);
    }
}
