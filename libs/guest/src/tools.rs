//! Tool calls and events as messages.

use std::sync::atomic::AtomicBool;

use serde_json::Value as Json;
use shared_types::event::Event;

use crate::error::{BadMessage, CallError};
use crate::json::{from_json, to_json};
use crate::limits::{Grants, Limits};
use crate::{Host, Module, Value};

/// What a tool call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ToolOutcome {
    /// The answer for the person.
    Ok(String),
    /// The skill could not do it, and says why.
    Failed(String),
    /// The sentence is not for this tool: another may try.
    NotMine,
}

impl ToolOutcome {
    /// Reads a module's answer to [`tool_message`].
    ///
    /// # Errors
    /// If the answer is not one of the three.
    pub fn read(answer: &Value) -> Result<ToolOutcome, CallError> {
        let text = |key| answer.get(key).and_then(Value::as_text).map(ToOwned::to_owned);
        if let Some(answer) = text("ok") {
            Ok(ToolOutcome::Ok(answer))
        } else if let Some(why) = text("failed") {
            Ok(ToolOutcome::Failed(why))
        } else if answer.get("not_mine") == Some(&Value::Bool(true)) {
            Ok(ToolOutcome::NotMine)
        } else {
            Err(BadMessage::ToolAnswer.into())
        }
    }
}

/// The message that calls a tool; `line` is what the person typed, or empty.
pub fn tool_message(tool: &str, args: &Json, line: &str) -> Value {
    Value::map([
        ("op", "call_tool".into()),
        ("tool", tool.into()),
        ("args", from_json(args)),
        ("text", line.into()),
    ])
}

/// The message that hands an event to a skill.
pub fn event_message(event: &Event) -> Value {
    let event = Value::map([
        ("type", event.event_type.as_str().into()),
        ("payload", from_json(&event.payload)),
        ("source", event.source.as_str().into()),
        ("session_id", event.session_id.as_str().into()),
        ("profile_id", event.profile_id.as_str().into()),
    ]);
    Value::map([("op", "handle".into()), ("event", event)])
}

/// Calls one tool.
///
/// # Errors
/// As [`Module::call`], or if the answer is not a tool's.
#[expect(
    clippy::too_many_arguments,
    reason = "each is a different thing, and a struct would only name them again"
)]
pub fn call_tool(
    module: &dyn Module,
    grants: &Grants,
    host: &mut dyn Host,
    tool: &str,
    args: &Json,
    line: &str,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<ToolOutcome, CallError> {
    let reply = module.call(grants, host, &tool_message(tool, args, line), limits, cancel)?;
    ToolOutcome::read(&reply.value)
}

/// Hands an event to a skill; nothing if it does not answer.
///
/// # Errors
/// As [`Module::call`], or if the answer is not an event handler's.
pub fn handle(
    module: &dyn Module,
    grants: &Grants,
    host: &mut dyn Host,
    event: &Event,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Option<Json>, CallError> {
    let reply = module.call(grants, host, &event_message(event), limits, cancel)?;
    match reply.value.get("value") {
        Some(Value::Null) => Ok(None),
        Some(value) => Ok(Some(to_json(value))),
        None => Err(BadMessage::EventAnswer.into()),
    }
}
