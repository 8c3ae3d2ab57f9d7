//! Says a sentence and repeats the answer, in a conversation by voice.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Repeats what somebody says").tool(
            Tool::new("repeat", "Asks for a sentence and repeats it")
                .phrase("en", "repeat what i say")
                .phrase("de", "wiederhole was ich sage"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "repeat" => {
                audio::say("Say something.")?;
                Ok(match audio::listen(10)? {
                    Some(words) => format!("You said: {words}"),
                    None => "I heard nothing that I understand.".to_string(),
                })
            }
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}
