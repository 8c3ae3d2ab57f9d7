//! One whole answer in.

use serde_json::Value;

use crate::draft::{Draft, End, MAX_CALLS, RawCall, excerpt};
use crate::error::ModelError;
use crate::transport::TransportError;
use shared_types::message::Usage;

/// Reads an answer: strict about what is used, tolerant about how servers write it.
pub(super) fn read(provider: &str, answer: &str) -> Result<Draft, ModelError> {
    let malformed = |what: &str| ModelError::Malformed {
        provider: provider.to_owned(),
        detail: format!("{what}: {}", excerpt(answer.as_bytes())),
    };
    let value: Value = serde_json::from_slice(answer.as_bytes()).map_err(|_| malformed("not JSON"))?;
    if let Some(error) = value.get("error").filter(|e| !e.is_null()) {
        return Err(match status_in(error) {
            Some(status) => status_error(status, answer).into_model_error(provider),
            None => malformed("an error in place of an answer"),
        });
    }
    let choice = value.pointer("/choices/0").ok_or_else(|| malformed("no `choices`"))?;
    let message = choice.get("message").filter(|m| m.is_object()).ok_or_else(|| malformed("no `message`"))?;
    let text = content(message.get("content")).ok_or_else(|| malformed("`content` is not a text"))?;
    let calls = match message.get("tool_calls") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(calls)) if calls.len() <= MAX_CALLS => calls.as_slice(),
        Some(_) => return Err(malformed("`tool_calls` is not a list of at most 32")),
    };
    let calls = calls
        .iter()
        .map(|call| raw_call(call).ok_or_else(|| malformed("a tool call without a name")))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Draft {
        text,
        calls,
        refusal: word(message.get("refusal")).to_owned(),
        end: end(choice.get("finish_reason")),
        usage: usage(&value),
        model: value.get("model").and_then(Value::as_str).map(str::to_owned),
    })
}

/// The HTTP status that an error inside an answer stands for.
pub(super) fn status_in(error: &Value) -> Option<u16> {
    let code = error.get("code").or_else(|| error.get("status"))?;
    let code = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
    u16::try_from(code).ok().filter(|status| (400..600).contains(status))
}

pub(super) fn status_error(status: u16, body: &str) -> TransportError {
    TransportError::Status { status, body: body.as_bytes().to_vec(), retry_after: None }
}

pub(super) fn usage(value: &Value) -> Option<Usage> {
    let count = |key: &str| value.pointer(key).and_then(Value::as_u64);
    match (count("/usage/prompt_tokens"), count("/usage/completion_tokens")) {
        (None, None) => None,
        (input, output) => {
            Some(Usage { input: input.unwrap_or_default(), output: output.unwrap_or_default() })
        }
    }
}

pub(super) fn end(reason: Option<&Value>) -> End {
    match word(reason) {
        "length" | "max_tokens" => End::Length,
        "content_filter" => End::Filtered,
        _ => End::Done,
    }
}

/// The text of a message or of a piece of one.
pub(super) fn content(value: Option<&Value>) -> Option<String> {
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

/// Arguments as text, however they are written.
pub(super) fn arguments(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

pub(super) fn word(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

fn raw_call(call: &Value) -> Option<RawCall> {
    let name = call.pointer("/function/name").and_then(Value::as_str).filter(|n| !n.is_empty())?;
    let id = word(call.get("id")).to_owned();
    Some(RawCall { id, name: name.to_owned(), arguments: arguments(call.pointer("/function/arguments")) })
}
