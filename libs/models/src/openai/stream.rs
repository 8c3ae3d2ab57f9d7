//! An answer that comes in pieces.

use serde_json::Value;

use super::answer;
use crate::draft::{Draft, End, MAX_CALLS, RawCall, excerpt, message_in};
use crate::error::ModelError;
use crate::exchange::{Wire, tell_call};
use crate::plain_calls::Teller;
use crate::wire_names::WireNames;

/// Puts an answer together from its events.
pub(super) struct Assembly<'a> {
    provider: &'a str,
    names: &'a WireNames,
    draft: Draft,
    /// Per call of the draft: the number by which the server refers to it, and whether it was reported.
    slots: Vec<(Option<u64>, bool)>,
    /// Whether the server said that the answer is complete.
    ended: bool,
}

impl Wire for Assembly<'_> {
    fn event(&mut self, data: &str, teller: &mut Teller<'_, '_>) -> Result<(), ModelError> {
        let data = data.trim();
        if data == "[DONE]" {
            self.ended = true;
            return Ok(());
        }
        if data.is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(data.as_bytes()).map_err(|_| {
            let shown = excerpt(data.as_bytes());
            self.broken(format!("a piece of the answer cannot be read: {shown}"))
        })?;
        if let Some(error) = value.get("error").filter(|e| !e.is_null()) {
            return Err(match answer::status_in(error) {
                Some(status) => answer::status_error(status, data).into_model_error(self.provider),
                None => {
                    let told = message_in(&value).unwrap_or_else(|| excerpt(data.as_bytes()));
                    self.broken(format!("the server broke the answer off: {told}"))
                }
            });
        }
        if let Some(usage) = answer::usage(&value) {
            self.draft.usage = Some(usage);
        }
        if let (None, Some(model)) = (&self.draft.model, value.get("model").and_then(Value::as_str)) {
            self.draft.model = Some(model.to_owned());
        }
        // The event with the usage has no choice.
        let Some(choice) = value.pointer("/choices/0") else { return Ok(()) };
        // Some servers send the last event in the form of a whole answer; then nothing of it is new.
        if let Some(delta) = choice.get("delta") {
            self.delta(delta, data, teller)?;
        }
        if choice.get("finish_reason").is_some_and(|r| !r.is_null()) {
            self.ended = true;
            self.draft.end = answer::end(choice.get("finish_reason"));
        }
        Ok(())
    }

    fn whole(&self, text: &str) -> Result<Draft, ModelError> {
        answer::read(self.provider, text)
    }

    fn finish(mut self, teller: &mut Teller<'_, '_>) -> Result<Draft, ModelError> {
        if !self.ended {
            return Err(self.broken("the stream ended before the answer did".to_owned()));
        }
        for slot in 0..self.slots.len() {
            self.tell(slot, teller);
        }
        if self.draft.calls.iter().any(|call| call.name.is_empty()) && self.draft.end != End::Length {
            return Err(self.malformed("a tool call without a name", ""));
        }
        self.draft.calls.retain(|call| !call.name.is_empty());
        Ok(self.draft)
    }
}

impl<'a> Assembly<'a> {
    pub(super) fn new(provider: &'a str, names: &'a WireNames) -> Self {
        Assembly { provider, names, draft: Draft::default(), slots: Vec::new(), ended: false }
    }

    fn delta(&mut self, delta: &Value, data: &str, teller: &mut Teller<'_, '_>) -> Result<(), ModelError> {
        let text = answer::content(delta.get("content"))
            .ok_or_else(|| self.malformed("`content` is not a text", data))?;
        teller.text(&text);
        self.draft.text.push_str(&text);
        self.draft.refusal.push_str(answer::word(delta.get("refusal")));
        let calls = match delta.get("tool_calls") {
            None | Some(Value::Null) => return Ok(()),
            Some(Value::Array(calls)) => calls,
            Some(_) => return Err(self.malformed("`tool_calls` is not a list", data)),
        };
        for call in calls {
            let slot = self.slot(call);
            if slot >= MAX_CALLS {
                return Err(self.malformed("more than 32 tool calls in one answer", ""));
            }
            let (name, arguments) = (
                answer::word(call.pointer("/function/name")),
                answer::arguments(call.pointer("/function/arguments")),
            );
            let known = &mut self.draft.calls[slot];
            if known.id.is_empty() {
                known.id = answer::word(call.get("id")).to_owned();
            }
            // Some servers repeat the name with every piece of the arguments.
            if known.name != name {
                known.name.push_str(name);
            }
            known.arguments.push_str(&arguments);
            if !arguments.is_empty() {
                self.tell(slot, teller);
            }
        }
        Ok(())
    }

    /// Which call of the draft a piece belongs to; a new one where it belongs to none.
    fn slot(&mut self, piece: &Value) -> usize {
        let (index, id) = (piece.get("index").and_then(Value::as_u64), answer::word(piece.get("id")));
        let same = |slot: usize, draft: &Draft| {
            // Some servers give every call the number 0, and an id of its own.
            let known = draft.calls[slot].id.as_str();
            id.is_empty() || known.is_empty() || id == known
        };
        let found = match index {
            Some(_) => self.slots.iter().rposition(|(of, _)| *of == index),
            None => self.slots.len().checked_sub(1),
        };
        match found.filter(|slot| same(*slot, &self.draft)) {
            Some(slot) => slot,
            None => {
                self.slots.push((index, false));
                self.draft.calls.push(RawCall::default());
                self.slots.len() - 1
            }
        }
    }

    /// Tells once that a call has begun.
    fn tell(&mut self, slot: usize, teller: &mut Teller<'_, '_>) {
        let name = &self.draft.calls[slot].name;
        if name.is_empty() || std::mem::replace(&mut self.slots[slot].1, true) {
            return;
        }
        tell_call(name, self.names, teller);
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
