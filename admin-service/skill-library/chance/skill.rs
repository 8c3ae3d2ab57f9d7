//! Leaves a choice to chance.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if flip
            .tool(
                Tool::new("@flip", "Flips a coin")
                    .phrase("en", "flip|toss a coin")
                    .phrase("en", "heads or tails")
                    .phrase("en", "coin flip|toss")
                    .phrase("en", "flip|toss [me] a|the coin [for] [me|us] [please]")
                    .phrase("en", "i want|need to flip|toss a coin")
                    .phrase("de", "wirf [eine] münze")
                    .phrase("de", "wirf|werfe [mal|bitte|noch|nochmal] [eine|ne|die] münze [für] [mich|uns]")
                    .phrase("de", "[lass|lasst] [mich|uns] [für] [mich|uns] [mal|bitte|noch] [eine|ne|die] münze werfen")
                    .phrase("de", "münzwurf [bitte]")
                    .phrase("de", "wirf|mach [mal|bitte] einen münzwurf")
                    .phrase("de", "kopf oder zahl")
                    .example("flip a coin")
                    .example("wirf eine Münze"),
            )
            // @end
            // @if choose
            .tool(
                Tool::new("@choose", "Picks one of several things")
                    .param(Param::text("@choose.options", "the things, such as tea, coffee or milk"))
                    .phrase("en", "choose|pick|decide|select [one] between|from|of {@choose.options}")
                    .phrase("en", "choose|pick [for] [me] {@choose.options}")
                    .phrase("de", "wähle|wähl|entscheide [eins|eines] zwischen|aus|von {@choose.options}")
                    .phrase("de", "was|welches soll ich nehmen|wählen|machen|essen {@choose.options}")
                    .phrase("de", "such|wähle|wähl [dir|mir] [eins] [aus] {@choose.options} aus")
                    .phrase("de", "entscheide|entscheid [du] [mal|bitte] {@choose.options}")
                    .phrase("de", "entscheide|entscheid für mich|uns {@choose.options}")
                    .phrase("de", "such|wähle|wähl [mir|uns] [mal|bitte] eins|eines|einen|etwas aus {@choose.options}")
                    .phrase("en", "decide for me|us {@choose.options}")
                    .phrase("en", "should i have|take|choose|pick {@choose.options}")
                    .example("choose between tea, coffee or milk")
                    .example("entscheide zwischen Tee, Kaffee oder Milch"),
            )
            // @end
            // @if number
            .tool(
                Tool::new("@number", "Picks a whole number")
                    .param(Param::int("@number.low", "the least number"))
                    .param(Param::int("@number.high", "the greatest number"))
                    .phrase("en", "[pick|choose|give|think] [me] [of] [a] [random] number between|from {@number.low} and|to {@number.high}")
                    .phrase("de", "[wähle|nenne|gib] [mir] eine zahl|zufallszahl zwischen|von {@number.low} und|bis {@number.high}")
                    .phrase("de", "zufallszahl zwischen|von {@number.low} und|bis {@number.high}")
                    .phrase("de", "denk|denke dir [mal|bitte] eine zahl zwischen|von {@number.low} und|bis {@number.high} [aus]")
                    .phrase("de", "gib|nenn|nenne|sag|wähle [mir|uns] [mal|bitte] eine [zufällige|beliebige] zahl|zufallszahl zwischen|von {@number.low} und|bis {@number.high}")
                    .example("pick a number between 1 and 10")
                    .example("nenne mir eine Zahl zwischen 1 und 10"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if flip
            "@flip" => flip(german(call)),
            // @end
            // @if choose
            "@choose" => choose(call.text("@choose.options")?, german(call)),
            // @end
            // @if number
            "@number" => number(call.int("@number.low")?, call.int("@number.high")?),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if flip
fn flip(german: bool) -> Answer {
    let heads = host::random_below(2)? == 0;
    Ok(match (heads, german) {
        (true, false) => "It is heads.",
        (false, false) => "It is tails.",
        (true, true) => "Es ist Kopf.",
        (false, true) => "Es ist Zahl.",
    }
    .to_string())
}
// @end

// @if choose
fn choose(text: &str, german: bool) -> Answer {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.'));
    let mut options = vec![text];
    for separator in [",", ";", " or ", " oder ", " and ", " und "] {
        options = options.iter().flat_map(|option| option.split(separator)).collect();
    }
    let options: Vec<&str> = options
        .iter()
        .map(|option| option.trim())
        .map(|option| option.strip_prefix("or ").or_else(|| option.strip_prefix("oder ")).unwrap_or(option).trim())
        .filter(|option| !option.is_empty())
        .collect();
    // "pick flowers" is for somebody else.
    if options.len() < 2 {
        return Err(Refusal::not_mine());
    }
    let picked = host::pick(&options)?;
    Ok(if german { format!("Ich wähle {}.", picked) } else { format!("I choose {}.", picked) })
}
// @end

// @if number
fn number(low: i64, high: i64) -> Answer {
    let (low, high) = (low.min(high), low.max(high));
    Ok(format!("{}", host::random_between(low, high)?))
}
// @end

// @include german

const GERMAN: &[&str] = &[
    "wirf", "münze", "kopf", "zahl", "wähle", "wähl", "entscheide", "zwischen", "und", "oder",
];
