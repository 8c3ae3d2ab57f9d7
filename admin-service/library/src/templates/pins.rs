//! What is wired to a pin: `turn the lamp on`, `is the button on?`.

use std::collections::{BTreeMap, BTreeSet};

use shared_types::capability::Token;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "pins",
    source: include_str!("skills/pins.rs"),
    words: &[
        "pin",
        "pins",
        "gpio",
        "switch*",
        "toggle*",
        "control*",
        "light*",
        "lamp*",
        "led*",
        "relay*",
        "fan",
        "pump*",
        "button*",
        "sensor*",
        "door*",
        "contact*",
        "read*",
        "check*",
        "state*",
        "status",
        "whether",
        "open*",
        "pressed",
        "closed",
        "schalt*",
        "einschalt*",
        "ausschalt*",
        "anschalt*",
        "einzuschalten",
        "auszuschalten",
        "anzuschalten",
        "steuer*",
        "lampe*",
        "licht*",
        "relais",
        "taster",
        "knopf*",
        "schalter*",
        "tuer*",
        "les*",
        "auslesen",
        "auszulesen",
        "abfrag*",
        "abzufragen",
        "pruef*",
        "zustand*",
        "gedrueckt",
        "offen",
        "wired",
        "connected",
    ],
    most_strangers: 2,
    fit,
};

const ON: ToolShape = tool("on", &["on", "start", "light", "an", "ein"], &[&[]]);
const OFF: ToolShape = tool("off", &["off", "stop", "dark", "aus"], &[&[]]);
const STATE: ToolShape =
    tool("state", &["state", "read", "check", "level", "status", "zustand", "lesen"], &[&[]]);
const WAIT: ToolShape = tool("wait", &["wait", "watch", "warten"], &[&[]]);

/// The highest number of a line that `cl-pins` takes.
const HIGHEST: u32 = 4_095;

fn fit(wish: &Wish) -> Fit {
    const LATER: &[&str] = &[
        "blink*",
        "flash*",
        "dim*",
        "fade*",
        "pwm",
        "every",
        "each",
        "when",
        "until",
        "after",
        "second*",
        "minute*",
        "hour*",
        "jede*",
        "wenn",
        "bis",
        "nach",
        "sekunde*",
        "stunde*",
        "temperature*",
        "temperatur*",
        "remember*",
        "count*",
        "zaehl*",
        "merk*",
    ];
    let (reads, switches) =
        (wish.capabilities.contains(Token::GpioRead), wish.capabilities.contains(Token::GpioWrite));
    if !(reads || switches) || !wish.says(&["pin", "pins", "gpio"]) {
        return Fit::No;
    }
    let Some((noun, number)) = wired(wish.typed()) else {
        return Fit::Beyond(
            "the template needs what is wired and the number of its pin, as in: learn to switch the lamp on pin 17"
                .to_owned(),
        );
    };
    if wish.says(LATER) {
        return Fit::Beyond(
            "the template switches a pin on and off, or reads it, when somebody asks; more than that needs a model to write it"
                .to_owned(),
        );
    }
    let line = format!("pin {number}");
    let shown = if noun == line { line.clone() } else { format!("{noun} ({line})") };
    let (mut tools, mut trials, mut needs) = (vec![], vec![], vec![]);
    if switches {
        tools.extend([ON, OFF]);
        trials.extend([
            example("on", &[], "is on").german("ist an"),
            example("off", &[], "is off").german("ist aus"),
        ]);
        needs.push(Token::GpioWrite);
    }
    if reads {
        tools.extend([STATE, WAIT]);
        // Nothing is wired in a trial: each line is off and stays so.
        trials.push(example("state", &[], "is off").german("ist aus"));
        trials.push(example("wait", &[], "did not change").german("nicht geändert"));
        needs.push(Token::GpioRead);
    }
    Fit::Yes(Plan {
        parameters: format!("line={shown}"),
        tools,
        switches: BTreeSet::new(),
        texts: BTreeMap::from([("line", line), ("shown", shown)]),
        words: BTreeMap::from([("noun", noun)]),
        needs,
        trials,
    })
}

/// What is wired, and the number of its pin: `switch the desk lamp on pin 17`. Where nothing is named, it is the pin.
fn wired(words: &[String]) -> Option<(String, u32)> {
    const BETWEEN: &[&str] =
        &["on", "at", "of", "to", "an", "am", "auf", "von", "vom", "connected", "wired", "gpio"];
    const BEFORE: &[&str] = &[
        "the", "a", "my", "our", "switch", "turn", "toggle", "control", "light", "read", "check", "on",
        "off", "and", "or", "whether", "if", "state", "of", "to", "learn", "tell", "me", "die", "der", "das",
        "den", "dem", "eine", "einen", "ein", "mein", "meine", "meinen", "unsere", "unseren", "ob", "lerne",
        "zustand", "vom", "von", "is",
    ];
    let at = words.iter().position(|word| word == "pin" || word == "gpio")?;
    let number =
        words[at + 1..].iter().find_map(|word| word.parse().ok()).filter(|number| *number <= HIGHEST)?;
    let mut rest = &words[..at];
    while let Some((last, before)) = rest.split_last()
        && BETWEEN.contains(&last.as_str())
    {
        rest = before;
    }
    let is_noun = |word: &&String| {
        !BEFORE.contains(&word.as_str())
            && word.chars().all(char::is_alphabetic)
            && word.chars().count() <= 24
    };
    let mut noun: Vec<&str> = rest.iter().rev().take_while(is_noun).take(2).map(String::as_str).collect();
    noun.reverse();
    let noun = if noun.is_empty() { format!("pin {number}") } else { noun.join(" ") };
    Some((noun, number))
}
