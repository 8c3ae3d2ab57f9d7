//! One answer in.

use serde_json::{Value, json};
use shared_types::text;

use super::excerpt;
use super::names::WireNames;
use crate::error::ModelError;
use crate::request::{Response, ToolCall, Usage};
use crate::transport::TransportError;

/// More calls than this in one answer are a fault, not a plan.
const MAX_CALLS: usize = 32;

/// Reads an answer: strict about what is used, tolerant about how servers write it.
pub(super) fn parse(
    provider: &str,
    model: &str,
    names: &WireNames,
    answer: &[u8],
) -> Result<Response, ModelError> {
    let malformed = |what: &str| ModelError::Malformed {
        provider: provider.to_owned(),
        detail: format!("{what}: {}", excerpt(answer)),
    };
    let value: Value = serde_json::from_slice(answer).map_err(|_| malformed("not JSON"))?;
    if let Some(error) = value.get("error").filter(|e| !e.is_null()) {
        let code = error.get("code").and_then(Value::as_u64).and_then(|c| u16::try_from(c).ok());
        return Err(match code {
            Some(status) if status >= 400 => {
                TransportError::Status { status, body: answer.to_vec() }.into_model_error(provider)
            }
            _ => malformed("an error in place of an answer"),
        });
    }
    let choice = value.pointer("/choices/0").ok_or_else(|| malformed("no `choices`"))?;
    let message = choice.get("message").filter(|m| m.is_object()).ok_or_else(|| malformed("no `message`"))?;
    if let Some(reason) = message.get("refusal").and_then(Value::as_str).filter(|r| !r.is_empty()) {
        let reason = format!("the model declines: {}", text::cut(reason, 400));
        return Err(ModelError::Refused { provider: provider.to_owned(), reason });
    }
    let text = content(message.get("content")).ok_or_else(|| malformed("`content` is not a text"))?;
    let calls = match message.get("tool_calls") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(calls)) if calls.len() <= MAX_CALLS => calls.as_slice(),
        Some(_) => return Err(malformed("`tool_calls` is not a list of at most 32")),
    };
    let tool_calls = calls
        .iter()
        .enumerate()
        .map(|(i, call)| tool_call(i, call, names).ok_or_else(|| malformed("a tool call without a name")))
        .collect::<Result<Vec<_>, _>>()?;
    if text.trim().is_empty() && tool_calls.is_empty() {
        return Err(match choice.get("finish_reason").and_then(Value::as_str) {
            Some("content_filter") => ModelError::Refused {
                provider: provider.to_owned(),
                reason: "the server's content filter stopped the answer".to_owned(),
            },
            Some("length") => malformed("the answer was cut before it began (finish_reason: length)"),
            _ => malformed("an empty answer"),
        });
    }
    let count = |key: &str| value.pointer(key).and_then(Value::as_u64);
    let usage = match (count("/usage/prompt_tokens"), count("/usage/completion_tokens")) {
        (None, None) => None,
        (input, output) => {
            Some(Usage { input: input.unwrap_or_default(), output: output.unwrap_or_default() })
        }
    };
    let model = value.get("model").and_then(Value::as_str).map_or(model.to_owned(), |m| text::cut(m, 100));
    Ok(Response { text, tool_calls, usage, raw: None, provider: provider.to_owned(), model })
}

fn content(value: Option<&Value>) -> Option<String> {
    match value {
        None | Some(Value::Null) => Some(String::new()),
        Some(Value::String(text)) => Some(text.clone()),
        // Some servers answer in the form of parts that requests may have.
        Some(Value::Array(parts)) => {
            let texts: Vec<&str> =
                parts.iter().map(|p| p.get("text").and_then(Value::as_str)).collect::<Option<_>>()?;
            Some(texts.concat())
        }
        Some(_) => None,
    }
}

fn tool_call(index: usize, call: &Value, names: &WireNames) -> Option<ToolCall> {
    let wire = call.pointer("/function/name").and_then(Value::as_str).filter(|n| !n.is_empty())?;
    let id = match call.get("id").and_then(Value::as_str) {
        Some(id) if !id.is_empty() && id.len() <= 200 => id.to_owned(),
        _ => format!("call_{index}"),
    };
    let (arguments, mut fault) = match call.pointer("/function/arguments") {
        None | Some(Value::Null) => (json!({}), None),
        Some(Value::String(s)) if s.trim().is_empty() => (json!({}), None),
        Some(Value::String(s)) => match serde_json::from_str::<Value>(s) {
            Ok(value) if value.is_object() => (value, None),
            Ok(_) => (Value::Null, Some(format!("the arguments are not an object: {}", text::cut(s, 120)))),
            Err(e) => (Value::Null, Some(format!("the arguments are not JSON ({e}): {}", text::cut(s, 120)))),
        },
        Some(value) if value.is_object() => (value.clone(), None),
        Some(_) => (Value::Null, Some("the arguments are not an object".to_owned())),
    };
    let name = match names.to_own(wire) {
        Some(own) => own.to_owned(),
        None => {
            let wire = text::cut(wire, 80);
            fault = Some(format!("there is no tool `{wire}`; offered: {}", text::cut(&names.offered(), 400)));
            wire
        }
    };
    Some(ToolCall { id, name, arguments, fault })
}
