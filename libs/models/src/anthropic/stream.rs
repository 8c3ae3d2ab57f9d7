//! An answer, whole or in pieces.

use serde_json::Value;

use crate::draft::{Draft, End, MAX_CALLS, RawCall, excerpt, message_in};
use crate::error::ModelError;
use crate::exchange::{Wire, tell_call};
use crate::plain_calls::Teller;
use crate::transport::TransportError;
use crate::wire_names::WireNames;
use shared_types::message::Usage;

/// Puts an answer together from its events.
pub(super) struct Assembly<'a> {
    provider: &'a str,
    names: &'a WireNames,
    draft: Draft,
    /// Per call of the draft, the number of its block.
    slots: Vec<u64>,
    /// Whether the server said why the answer ended.
    ended: bool,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(provider: &'a str, names: &'a WireNames) -> Self {
        Assembly { provider, names, draft: Draft::default(), slots: Vec::new(), ended: false }
    }
}

impl Wire for Assembly<'_> {
    fn event(&mut self, data: &str, teller: &mut Teller<'_, '_>) -> Result<(), ModelError> {
        if data.trim().is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(data.as_bytes()).map_err(|_| {
            let shown = excerpt(data.as_bytes());
            self.broken(format!("a piece of the answer cannot be read: {shown}"))
        })?;
        match word(&value["type"]) {
            "message_start" => {
                let message = &value["message"];
                self.draft.model = message["model"].as_str().map(str::to_owned);
                self.count(&message["usage"]);
            }
            "content_block_start" => self.block(&value, data, teller)?,
            "content_block_delta" => self.delta(&value, teller),
            "message_delta" => {
                self.count(&value["usage"]);
                if let Some(reason) = value["delta"]["stop_reason"].as_str() {
                    self.ended = true;
                    end(&mut self.draft, reason);
                }
            }
            "message_stop" => self.ended = true,
            "error" => return Err(self.error(&value, data)),
            // `ping`, the end of a block, and anything that will be invented.
            _ => {}
        }
        Ok(())
    }

    fn whole(&self, text: &str) -> Result<Draft, ModelError> {
        let value: Value =
            serde_json::from_slice(text.as_bytes()).map_err(|_| self.malformed("not JSON", text))?;
        if word(&value["type"]) == "error" || value.get("error").is_some_and(|e| !e.is_null()) {
            return Err(self.error(&value, text));
        }
        let blocks = value["content"].as_array().ok_or_else(|| self.malformed("no `content`", text))?;
        let mut draft = Draft {
            model: value["model"].as_str().map(str::to_owned),
            usage: usage(&value["usage"]),
            ..Draft::default()
        };
        for block in blocks {
            match word(&block["type"]) {
                "text" => draft.text.push_str(word(&block["text"])),
                "tool_use" if word(&block["name"]).is_empty() => {
                    return Err(self.malformed("a tool call without a name", text));
                }
                "tool_use" => draft.calls.push(RawCall {
                    id: word(&block["id"]).to_owned(),
                    name: word(&block["name"]).to_owned(),
                    arguments: block["input"].to_string(),
                }),
                _ => {}
            }
        }
        end(&mut draft, word(&value["stop_reason"]));
        Ok(draft)
    }

    fn finish(self, _: &mut Teller<'_, '_>) -> Result<Draft, ModelError> {
        if self.ended {
            return Ok(self.draft);
        }
        Err(self.broken("the stream ended before the answer did".to_owned()))
    }
}

impl Assembly<'_> {
    fn block(&mut self, value: &Value, data: &str, teller: &mut Teller<'_, '_>) -> Result<(), ModelError> {
        let block = &value["content_block"];
        match word(&block["type"]) {
            "text" => self.text(word(&block["text"]), teller),
            "tool_use" => {
                let name = word(&block["name"]);
                if name.is_empty() {
                    return Err(self.malformed("a tool call without a name", data));
                }
                if self.slots.len() >= MAX_CALLS {
                    return Err(self.malformed("more than 32 tool calls in one answer", ""));
                }
                // The input comes in pieces; what stands here is empty, or all of it.
                let whole = block["input"].as_object().filter(|input| !input.is_empty());
                self.slots.push(value["index"].as_u64().unwrap_or_default());
                self.draft.calls.push(RawCall {
                    id: word(&block["id"]).to_owned(),
                    name: name.to_owned(),
                    arguments: whole.map(|_| block["input"].to_string()).unwrap_or_default(),
                });
                tell_call(name, self.names, teller);
            }
            _ => {}
        }
        Ok(())
    }

    fn delta(&mut self, value: &Value, teller: &mut Teller<'_, '_>) {
        let delta = &value["delta"];
        match word(&delta["type"]) {
            "text_delta" => self.text(word(&delta["text"]), teller),
            "input_json_delta" => {
                let index = value["index"].as_u64().unwrap_or_default();
                if let Some(slot) = self.slots.iter().rposition(|of| *of == index) {
                    self.draft.calls[slot].arguments.push_str(word(&delta["partial_json"]));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, more: &str, teller: &mut Teller<'_, '_>) {
        teller.text(more);
        self.draft.text.push_str(more);
    }

    /// What is counted at the beginning is the input; the output is counted again at the end.
    fn count(&mut self, told: &Value) {
        let Some(told) = usage(told) else { return };
        let known = self.draft.usage.unwrap_or(Usage { input: 0, output: 0 });
        self.draft.usage =
            Some(Usage { input: known.input.max(told.input), output: known.output.max(told.output) });
    }

    fn error(&self, value: &Value, data: &str) -> ModelError {
        let provider = self.provider.to_owned();
        let kind = word(&value["error"]["type"]);
        let told = message_in(value).unwrap_or_else(|| excerpt(data.as_bytes()));
        match STATUSES.iter().find(|(name, _)| *name == kind) {
            Some((_, status)) => {
                let body = data.as_bytes().to_vec();
                TransportError::Status { status: *status, body, retry_after: None }
                    .into_model_error(&provider)
            }
            None => {
                ModelError::Network { provider, detail: format!("the server broke the answer off: {told}") }
            }
        }
    }

    fn broken(&self, detail: String) -> ModelError {
        ModelError::Network { provider: self.provider.to_owned(), detail }
    }

    fn malformed(&self, what: &str, data: &str) -> ModelError {
        let detail =
            if data.is_empty() { what.to_owned() } else { format!("{what}: {}", excerpt(data.as_bytes())) };
        ModelError::Malformed { provider: self.provider.to_owned(), detail }
    }
}

/// The kinds of error inside an answer, and the statuses that they would have before one.
const STATUSES: [(&str, u16); 8] = [
    ("invalid_request_error", 400),
    ("authentication_error", 401),
    ("billing_error", 402),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", 413),
    ("rate_limit_error", 429),
    ("overloaded_error", 529),
];

fn end(draft: &mut Draft, reason: &str) {
    draft.end = match reason {
        "max_tokens" | "model_context_window_exceeded" => End::Length,
        "refusal" => End::Filtered,
        _ => End::Done,
    };
}

fn usage(value: &Value) -> Option<Usage> {
    let count = |key: &str| value.get(key).and_then(Value::as_u64);
    let read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map(count);
    let output = count("output_tokens");
    if read.iter().all(Option::is_none) && output.is_none() {
        return None;
    }
    let input = read.into_iter().flatten().fold(0_u64, u64::saturating_add);
    Some(Usage { input, output: output.unwrap_or_default() })
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
