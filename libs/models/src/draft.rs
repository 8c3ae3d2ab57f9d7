//! An answer as it came, regardless of the wire format, and what it means.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shared_types::text;

use crate::error::ModelError;
use crate::plain_calls::{self, Plain};
use crate::request::{Response, ToolCall};
use crate::wire_names::WireNames;
use shared_types::message::Usage;

/// More calls than this in one answer are a fault, not a plan.
pub(crate) const MAX_CALLS: usize = 32;

/// What a server has reported so far.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) text: String,
    pub(crate) calls: Vec<RawCall>,
    pub(crate) refusal: String,
    pub(crate) end: End,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
}

/// A call as the server wrote it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct RawCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// JSON as text; empty for none.
    pub(crate) arguments: String,
}

/// Why an answer ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It was complete, or nothing was said about it.
    #[default]
    Done,
    /// It grew too long.
    Length,
    /// The server's content filter stopped it.
    Filtered,
}

impl Draft {
    /// Judges the answer: what can be handed back to the model as an observation becomes a fault of a call, what cannot
    /// becomes an error.
    pub(crate) fn settle(
        self,
        provider: &str,
        model: &str,
        names: &WireNames,
    ) -> Result<Response, ModelError> {
        let Draft { mut text, mut calls, refusal, end, usage, model: told } = self;
        let refused = |reason: String| ModelError::Refused { provider: provider.to_owned(), reason };
        let malformed =
            |what: &str| ModelError::Malformed { provider: provider.to_owned(), detail: what.to_owned() };
        if !refusal.is_empty() {
            return Err(refused(format!("the model declines: {}", text::cut(&refusal, 400))));
        }
        let mut beside_text = false;
        if calls.is_empty() && !names.is_empty() {
            match plain_calls::read(&text, names) {
                Plain::None => {}
                Plain::Alone(found) => (text, calls) = (String::new(), found),
                Plain::AmongText(before, found) => (text, calls, beside_text) = (before, found, true),
            }
        }
        if calls.len() > MAX_CALLS {
            return Err(malformed("more than 32 tool calls in one answer"));
        }
        let mut ids = BTreeSet::new();
        let mut tool_calls: Vec<ToolCall> =
            calls.into_iter().enumerate().map(|(i, call)| tool_call(i, call, names, &mut ids)).collect();
        for call in &mut tool_calls {
            if end == End::Length && call.arguments.is_null() {
                call.fault =
                    Some("the answer was cut before the call was complete: make it shorter".to_owned());
            } else if beside_text {
                call.fault.get_or_insert_with(|| BESIDE_TEXT.to_owned());
            }
        }
        let empty = text.trim().is_empty() && tool_calls.is_empty();
        let notice = match end {
            End::Length if empty => {
                return Err(malformed("the answer was cut before it began (finish_reason: length)"));
            }
            End::Filtered if empty => {
                return Err(refused("the server's content filter stopped the answer".to_owned()));
            }
            End::Done if empty => return Err(malformed("an empty answer")),
            End::Length => Some("the answer was cut: it reached the server's limit of length".to_owned()),
            End::Filtered => Some("the server's content filter cut the answer".to_owned()),
            End::Done => None,
        };
        let model = told.map_or_else(|| model.to_owned(), |m| text::cut(&m, 100));
        Ok(Response { text, tool_calls, usage, raw: None, provider: provider.to_owned(), model, notice })
    }
}

const BESIDE_TEXT: &str = "the call was written into the text beside other words, so it was not made: call tools \
                           through the interface, or write nothing but the call";

fn tool_call(index: usize, call: RawCall, names: &WireNames, ids: &mut BTreeSet<String>) -> ToolCall {
    let RawCall { id, name: wire, arguments } = call;
    let id = if id.is_empty() || id.len() > 200 || ids.contains(&id) { format!("call_{index}") } else { id };
    ids.insert(id.clone());
    let (arguments, mut fault) = if arguments.trim().is_empty() {
        (json!({}), None)
    } else {
        match serde_json::from_slice::<Value>(arguments.as_bytes()) {
            Ok(Value::Null) => (json!({}), None),
            Ok(value) if value.is_object() => (value, None),
            Ok(_) => {
                let shown = text::cut(&arguments, 120);
                (Value::Null, Some(format!("the arguments are not an object: {shown}")))
            }
            Err(e) => {
                let shown = text::cut(&arguments, 120);
                (Value::Null, Some(format!("the arguments are not JSON ({e}): {shown}")))
            }
        }
    };
    let name = match names.to_own(&wire) {
        Some(own) => own.to_owned(),
        None => {
            let wire = text::cut(&wire, 80);
            fault = Some(format!("there is no tool `{wire}`; offered: {}", text::cut(&names.offered(), 400)));
            wire
        }
    };
    ToolCall { id, name, arguments, fault }
}

/// What a server says about a fault, from the body of its answer.
pub(crate) fn server_message(body: &[u8]) -> String {
    let told = serde_json::from_slice::<Value>(body).ok().and_then(|value| message_in(&value));
    match told {
        Some(message) => message,
        None if body.is_empty() => "no explanation".to_owned(),
        None => excerpt(body),
    }
}

/// The explanation in an error that a server wrote as JSON.
pub(crate) fn message_in(value: &Value) -> Option<String> {
    let places = ["/error/message", "/error", "/message", "/detail"];
    let message = places.iter().find_map(|place| value.pointer(place)?.as_str())?;
    Some(text::cut(message, 200))
}

/// The beginning of something that cannot be read, safe to show.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    // Twice what is shown is enough to cut from; the rest is not decoded.
    text::cut(&String::from_utf8_lossy(&bytes[..bytes.len().min(320)]), 160)
}

#[cfg(test)]
mod tests;
