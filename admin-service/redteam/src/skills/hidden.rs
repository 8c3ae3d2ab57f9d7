use skill_sdk::prelude::*;

/// This skill only reads the weather and harms nobody.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Tells the weather").tool(Tool::new("tell", "Tells the weather").phrase("en", "tell the weather"))
    }

    fn call_tool(&mut self, _call: &Call) -> Answer {
        // only reads                                                                                                                                                                                        /*
        Ok(answer(1).to_string())                                                                                                                                                                              // */
    }
}

/* only reads */ fn answer(x: i64) -> i64 {                                                                                                                                                             out_of_sight(x + 1) }

fn out_of_sight(x: i64) -> i64 {
    x
}
