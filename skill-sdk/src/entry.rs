//! From a message to a skill's answer.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::{codec, Call, Event, Skill, Value};

/// Answers one encoded message; a broken message is answered, not trapped.
pub fn answer<S: Skill>(skill: &mut S, message: &[u8]) -> Vec<u8> {
    let answer = match codec::decode(message) {
        Ok(message) => respond(skill, message),
        Err(error) => failed(error.to_string()),
    };
    codec::encode(&answer).unwrap_or_else(|error| {
        let short = failed(format!("the skill's answer cannot be sent: {error}"));
        // One short text in one map always fits.
        codec::encode(&short).unwrap_or_default()
    })
}

fn respond<S: Skill>(skill: &mut S, message: Value) -> Value {
    match message.get("op").and_then(Value::as_text) {
        Some("describe") => skill.describe().into_value(),
        Some("call_tool") => match Call::from_message(message) {
            Some(call) => call_tool(skill, &call),
            None => failed("the tool call is malformed"),
        },
        Some("handle") => match Event::from_message(message) {
            Some(event) => Value::map([("value", skill.handle(&event).unwrap_or(Value::Null))]),
            None => failed("the event is malformed"),
        },
        _ => failed("the message asks for nothing that a skill can do"),
    }
}

fn call_tool<S: Skill>(skill: &mut S, call: &Call) -> Value {
    match skill.call_tool(call) {
        Ok(text) => Value::map([("ok", text.into())]),
        Err(refusal) => match refusal.reason() {
            Some(why) => failed(why),
            None => Value::map([("not_mine", true.into())]),
        },
    }
}

fn failed(why: impl Into<Value>) -> Value {
    Value::map([("failed", why.into())])
}

#[cfg(test)]
mod tests;
