//! Asks the person and shows a line: `user:input` and `user:output`.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Asks sums")
            .tool(Tool::new("quiz", "Asks one multiplication").phrase("en", "ask me a sum"))
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "quiz" => quiz(),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn quiz() -> Answer {
    let (a, b) = (host::random_between(2, 9)?, host::random_between(2, 9)?);
    say("Here comes a sum.")?;
    let answer = ask(&format!("What is {a} times {b}?"))?;
    Ok(if answer.trim().parse() == Ok(a * b) {
        "Right!".to_string()
    } else {
        format!("No, it is {}.", a * b)
    })
}
