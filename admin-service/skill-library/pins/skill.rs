//! Switches or reads what is wired to a pin.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The pin, as `cl-pins` finds it.
const LINE: &str = "@line";

/// What is wired there, with its pin.
const SHOWN: &str = "@shown";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if on
            .tool(
                Tool::new("@on", "Switches it on")
                    .phrase("en", "turn|switch on [the|my] @noun [please]")
                    .phrase("en", "turn|switch [the|my] @noun on [please]")
                    .phrase("en", "[the] @noun on")
                    .phrase("de", "schalt|schalte|mach|mache [mal|bitte] [die|den|das|meine|meinen] @noun [bitte] an|ein")
                    .phrase("de", "[die|der|das] @noun an|ein")
                    .example("turn the @noun on")
                    .example("schalte @noun an"),
            )
            // @end
            // @if off
            .tool(
                Tool::new("@off", "Switches it off")
                    .phrase("en", "turn|switch off [the|my] @noun [please]")
                    .phrase("en", "turn|switch [the|my] @noun off [please]")
                    .phrase("en", "[the] @noun off")
                    .phrase("de", "schalt|schalte|mach|mache [mal|bitte] [die|den|das|meine|meinen] @noun [bitte] aus")
                    .phrase("de", "[die|der|das] @noun aus")
                    .example("turn the @noun off")
                    .example("schalte @noun aus"),
            )
            // @end
            // @if state
            .tool(
                Tool::new("@state", "Tells whether it is on")
                    .phrase("en", "is [the|my] @noun on|off|pressed|open|closed|down [now]")
                    .phrase("en", "read|check [the|my] @noun [now|please]")
                    .phrase("en", "what is the state of [the|my] @noun")
                    .phrase("de", "ist [die|der|das|mein|meine] @noun [gerade] an|aus|ein|gedrückt|offen|zu")
                    .phrase("de", "lies|prüfe [mal|bitte] [die|den|das|meinen|meine] @noun [ab|aus]")
                    .phrase("de", "wie ist der zustand von @noun")
                    .example("is the @noun on?")
                    .example("ist @noun an?"),
            )
            // @end
            // @if wait
            .tool(
                Tool::new("@wait", "Waits ten seconds for a change")
                    .phrase("en", "wait for [the|my] @noun [please]")
                    .phrase("de", "warte [mal|bitte] auf [die|den|das|meinen|meine] @noun")
                    .example("wait for the @noun")
                    .example("warte auf @noun"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if on
            "@on" => switch(true, german(call)),
            // @end
            // @if off
            "@off" => switch(false, german(call)),
            // @end
            // @if state
            "@state" => Ok(level(gpio::read(LINE)?, german(call))),
            // @end
            // @if wait
            "@wait" => Ok(match (gpio::wait(LINE, "any", 10_000)?, german(call)) {
                (Some(on), german) => level(on, german),
                (None, false) => format!("{} did not change within ten seconds.", SHOWN),
                (None, true) => format!("{} hat sich in zehn Sekunden nicht geändert.", SHOWN),
            }),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if on|off
fn switch(on: bool, german: bool) -> Answer {
    gpio::write(LINE, on)?;
    Ok(level(on, german))
}
// @end

fn level(on: bool, german: bool) -> String {
    let level = match (on, german) {
        (true, false) => "is on",
        (false, false) => "is off",
        (true, true) => "ist an",
        (false, true) => "ist aus",
    };
    format!("{} {}.", SHOWN, level)
}

// @include german

const GERMAN: &[&str] = &["schalt", "schalte", "mach", "mache", "ist", "warte", "auf", "an", "aus", "ein", "lies", "prüfe", "zustand", "offen", "zu", "gedrückt"];
