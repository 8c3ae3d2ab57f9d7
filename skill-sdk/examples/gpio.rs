//! Lights a lamp until a button is pressed.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Lights a lamp until a button is pressed").tool(
            Tool::new("signal", "Lights the lamp until the button is pressed")
                .phrase("en", "signal with the lamp")
                .phrase("de", "gib ein zeichen mit der lampe"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "signal" => {
                if gpio::read("button")? {
                    return Ok("The button is pressed already.".to_string());
                }
                gpio::write("lamp", true)?;
                let pressed = gpio::wait("button", "rising", 10_000)?;
                gpio::write("lamp", false)?;
                Ok(match pressed {
                    Some(_) => "Somebody pressed the button.".to_string(),
                    None => "Nobody pressed the button.".to_string(),
                })
            }
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}
