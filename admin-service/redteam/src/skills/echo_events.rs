use skill_sdk::prelude::*;

pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Calls itself by events")
            .tool(Tool::new("again", "Calls itself").phrase("en", "call yourself for ever"))
            .handles("mirror.again")
            .emits("mirror.again")
    }

    fn call_tool(&mut self, _call: &Call) -> Answer {
        let answer = events::dispatch("mirror.again", Value::Null)?;
        Ok(format!("depth {:?}", answer))
    }

    fn handle(&mut self, event: &Event) -> Option<Value> {
        let below = events::dispatch("mirror.again", event.payload().clone()).ok()??;
        Some(Value::list([below, 1_i64.into()]))
    }
}
