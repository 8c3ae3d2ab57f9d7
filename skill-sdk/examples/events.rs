//! Sends an event and handles one: needs them in the proposal, no token.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Plays ping pong")
            .tool(Tool::new("ping", "Sends a ping").phrase("en", "ping"))
            .handles("pingpong.ping")
            .emits("pingpong.ping")
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "ping" => ping(),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }

    fn handle(&mut self, event: &Event) -> Option<Value> {
        match event.kind() {
            "pingpong.ping" => Some(Value::map([("pong", event.payload().clone())])),
            _ => None,
        }
    }
}

fn ping() -> Answer {
    match events::dispatch("pingpong.ping", "ball".into())? {
        Some(answer) => Ok(json::write(&answer)),
        None => Err(Refusal::failed("nobody plays")),
    }
}
