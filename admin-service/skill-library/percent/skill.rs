//! Calculates with percentages, exactly.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if of
            .tool(
                Tool::new("@of", "Takes a percentage of an amount")
                    .param(Param::number("@of.percent", "the percentage"))
                    .param(Param::number("@of.amount", "the amount"))
                    .phrase("en", "[what|how] [much] [is] {@of.percent} %|percent of {@of.amount}")
                    .phrase("de", "[was|wie] [viel] [ist|sind] {@of.percent} %|prozent von {@of.amount}")
                    .example("what is 15% of 80?")
                    .example("wie viel sind 15 % von 80?"),
            )
            // @end
            // @if share
            .tool(
                Tool::new("@share", "Tells what percentage one amount is of another")
                    .param(Param::number("@share.part", "the part"))
                    .param(Param::number("@share.whole", "the whole"))
                    .phrase("en", "what|which percent|percentage of {@share.whole} is|are {@share.part}")
                    .phrase("en", "{@share.part} is|are what|which percent|percentage of {@share.whole}")
                    .phrase("en", "what|which percent|percentage is|are {@share.part} of|from {@share.whole}")
                    .phrase("de", "wie viel|wieviel prozent von {@share.whole} sind|ist {@share.part}")
                    .phrase("de", "wie viel|wieviel prozent sind|ist {@share.part} von {@share.whole}"),
            )
            // @end
            // @if raise
            .tool(
                Tool::new("@raise", "Raises an amount by a percentage")
                    .param(Param::number("@raise.amount", "the amount"))
                    .param(Param::number("@raise.percent", "the percentage"))
                    .phrase("en", "add {@raise.percent} %|percent to {@raise.amount}")
                    .phrase("en", "increase|raise {@raise.amount} by {@raise.percent} %|percent")
                    .phrase("en", "[what] [is] {@raise.amount} plus {@raise.percent} %|percent")
                    .phrase("de", "erhöhe {@raise.amount} um {@raise.percent} %|prozent")
                    .phrase("de", "[was] [ist|sind] {@raise.amount} plus {@raise.percent} %|prozent"),
            )
            // @end
            // @if lower
            .tool(
                Tool::new("@lower", "Lowers an amount by a percentage")
                    .param(Param::number("@lower.amount", "the amount"))
                    .param(Param::number("@lower.percent", "the percentage"))
                    .phrase("en", "[take] [what] [is] {@lower.percent} %|percent off [of] {@lower.amount}")
                    .phrase("en", "decrease|reduce|lower {@lower.amount} by {@lower.percent} %|percent")
                    .phrase("en", "[what] [is] {@lower.amount} minus|less {@lower.percent} %|percent")
                    .phrase("de", "senke|verringere {@lower.amount} um {@lower.percent} %|prozent")
                    .phrase("de", "ziehe|zieh {@lower.percent} %|prozent von {@lower.amount} ab")
                    .phrase("de", "[was] [ist|sind] {@lower.amount} minus {@lower.percent} %|prozent"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        let german = german(call);
        match call.tool() {
            // @if of
            "@of" => {
                let (percent, amount) = (read(call, "@of.percent")?, read(call, "@of.amount")?);
                let result = part_of(percent, amount).ok_or_else(too_large)?;
                let words = [shown(percent, german)?, shown(amount, german)?, shown(result, german)?];
                Ok(if german {
                    format!("{} % von {} sind {}.", words[0], words[1], words[2])
                } else {
                    format!("{}% of {} is {}.", words[0], words[1], words[2])
                })
            }
            // @end
            // @if share
            "@share" => {
                let (part, whole) = (read(call, "@share.part")?, read(call, "@share.whole")?);
                if whole.top == 0 {
                    return Err(Refusal::failed(if german { "Von 0 gibt es keinen Anteil." } else { "There is no share of 0." }));
                }
                let result = part.times(Ratio::whole(100)).and_then(|hundred| hundred.over(whole)).ok_or_else(too_large)?;
                let words = [shown(part, german)?, shown(whole, german)?, shown(result, german)?];
                Ok(if german {
                    format!("{} sind {} % von {}.", words[0], words[2], words[1])
                } else {
                    format!("{} is {}% of {}.", words[0], words[2], words[1])
                })
            }
            // @end
            // @if raise
            "@raise" => {
                let (percent, amount) = (read(call, "@raise.percent")?, read(call, "@raise.amount")?);
                let result = part_of(percent, amount).and_then(|part| amount.plus(part)).ok_or_else(too_large)?;
                let words = [shown(amount, german)?, shown(percent, german)?, shown(result, german)?];
                Ok(if german {
                    format!("{} plus {} % sind {}.", words[0], words[1], words[2])
                } else {
                    format!("{} plus {}% is {}.", words[0], words[1], words[2])
                })
            }
            // @end
            // @if lower
            "@lower" => {
                let (percent, amount) = (read(call, "@lower.percent")?, read(call, "@lower.amount")?);
                let result = part_of(percent, amount).and_then(|part| amount.minus(part)).ok_or_else(too_large)?;
                let words = [shown(amount, german)?, shown(percent, german)?, shown(result, german)?];
                Ok(if german {
                    format!("{} minus {} % sind {}.", words[0], words[1], words[2])
                } else {
                    format!("{} minus {}% is {}.", words[0], words[1], words[2])
                })
            }
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn read(call: &Call, name: &str) -> Result<Ratio, Refusal> {
    let text = call.text(name)?.trim_end_matches(|c: char| c == '%' || c.is_whitespace());
    Ratio::parse(text, false).ok_or_else(|| Refusal::failed(format!("{} is not a number that I can read.", text)))
}

// @if of|raise|lower
fn part_of(percent: Ratio, amount: Ratio) -> Option<Ratio> {
    percent.times(amount)?.over(Ratio::whole(100))
}
// @end

fn shown(number: Ratio, german: bool) -> Answer {
    Ok(in_words(&number.shown(4).ok_or_else(too_large)?, german))
}

// @include ratio whole plus minus shown
// @include german

const GERMAN: &[&str] = &[
    "ist", "sind", "viel", "prozent", "von", "um", "erhöhe", "senke", "verringere", "ziehe", "zieh",
];
