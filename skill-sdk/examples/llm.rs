//! Asks the language model: `llm:call`.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Tells bedtime stories").tool(
            Tool::new("story", "Tells a short bedtime story")
                .param(Param::text("topic", "what the story is about"))
                .phrase("en", "a story about {topic}"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        let topic = call.text("topic")?;
        Ok(llm::chat(&format!("Tell a short, calm bedtime story for a child about: {topic}"))?)
    }
}
