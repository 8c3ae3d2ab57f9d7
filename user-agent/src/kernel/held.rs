//! What a conversation holds: where its content comes from, what the person typed, and to what they said yes.
//!
//! All of it is noted by the kernel where it passes: the person's lines and what memory answers in the dispatch, what a
//! tool brings when the gate admits the call. No skill is asked, and nothing takes it away again but another conversation.

use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard, PoisonError};

use policy::typed::{Typed, addresses};
use policy::{Circumstances, Weight};
use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::id::{ConversationId, EventType};
use shared_types::provenance::Provenance;

use super::Kernel;
use super::context::KernelContext;
use super::shared::Shared;

/// The most flags of one call that still count as saying nothing.
const MOST_FLAGS: usize = 4;

/// What a conversation holds, and to what the person said yes in it.
#[derive(Debug, Clone, Default)]
pub struct Held {
    /// Where its content comes from.
    provenance: Provenance,
    /// What the person typed in it.
    typed: Typed,
    /// Arguments that a person wrote as a whole, on a command line.
    written: Vec<Value>,
    /// To what the person said yes.
    agreed: BTreeSet<Yes>,
}

/// What one yes covers: a tool, where it sends, and the addresses in the arguments that the person did not type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Yes {
    tool: String,
    to: String,
    addresses: BTreeSet<String>,
}

impl Held {
    /// What a conversation holds that is resumed from its records; a yes is given anew.
    fn of(records: &[Value]) -> Held {
        let mut held = Held::default();
        for record in records {
            held.provenance = held.provenance.with(noted_on(record));
            let untyped = record["metadata"]["untyped"] == true;
            if let (Some("user"), Some(line), false) =
                (record["role"].as_str(), record["content"].as_str(), untyped)
            {
                held.typed.line(line);
            }
        }
        held
    }

    /// Under which circumstances a call is judged.
    pub(super) fn circumstances(
        &self,
        shared: &Shared,
        weight: &Weight,
        tool: &str,
        args: &Value,
    ) -> Circumstances {
        let yes = self.yes(weight, tool, args);
        Circumstances {
            autonomy: shared.autonomy,
            holds: self.provenance,
            typed: self.typed_all(args),
            said_yes: yes.is_some_and(|yes| self.agreed.contains(&yes)),
        }
    }

    /// The yes that would cover a call; one to a call that goes nowhere covers no other.
    fn yes(&self, weight: &Weight, tool: &str, args: &Value) -> Option<Yes> {
        let to = weight.carries_to.clone()?;
        let mut said = Said::default();
        said.collect(args);
        let addresses = addresses(&self.typed, said.texts.iter().map(String::as_str)).into_iter().collect();
        Some(Yes { tool: tool.to_owned(), to, addresses })
    }

    /// Remembers that the person said yes to a call.
    pub(super) fn agree(&mut self, weight: &Weight, tool: &str, args: &Value) {
        let yes = self.yes(weight, tool, args);
        self.agreed.extend(yes);
    }

    /// Notes what came into the conversation.
    pub(super) fn bring(&mut self, more: Provenance) {
        self.provenance = self.provenance.with(more);
    }

    /// The same, for a judgement that looks ahead.
    pub(super) fn bringing(&self, more: Provenance) -> Held {
        let mut held = self.clone();
        held.bring(more);
        held
    }

    /// Whether the arguments say nothing but what the person typed.
    fn typed_all(&self, args: &Value) -> bool {
        if self.written.contains(args) {
            return true;
        }
        let mut said = Said::default();
        said.collect(args);
        said.flags <= MOST_FLAGS && self.typed.covers(said.texts.iter().map(String::as_str))
    }
}

/// What arguments say. The names of their fields say nothing: a tool's schema lists them all.
#[derive(Default)]
struct Said {
    texts: Vec<String>,
    flags: usize,
}

impl Said {
    fn collect(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(_) => self.flags += 1,
            Value::Number(number) => self.texts.push(number.to_string()),
            Value::String(text) => self.texts.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(fields) => fields.values().for_each(|inner| self.collect(inner)),
        }
    }
}

/// What a record of memory says about where it comes from.
fn noted_on(record: &Value) -> Provenance {
    Provenance { outside: record["outside"] == true, private: record["private"] == true }
}

impl Shared {
    pub(super) fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kernel {
    /// Notes a line that the person types: it comes from a skill that is part of the bot and reads the person's lines.
    pub(super) fn hear(&self, from: &KernelContext, event: &EventType, payload: &Value) {
        // What stands in a workflow was typed by nobody.
        let typed = event.as_str() == core::USER_INPUT && payload["untyped"] != true;
        let line = payload["text"].as_str().filter(|_| typed);
        if let Some(line) = line.filter(|_| !from.is_learned() && from.user_input().is_some()) {
            self.shared.held().typed.line(line);
        }
    }

    /// Notes what memory answered. What the person only looks at enters no prompt, and marks nothing.
    pub(super) fn recall(
        &self,
        from: &KernelContext,
        event: &EventType,
        asked: &Value,
        answer: Option<&Value>,
    ) {
        if event.as_str() != core::MEMORY_QUERY || from.is_shown() || asked["what"] == "last" {
            return;
        }
        let rows = answer.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        // A record may stand under its kind, as `show` answers.
        let all = rows.iter().flat_map(|row| [row, &row["fact"], &row["turn"]]);
        let noted = all.fold(Provenance::NONE, |noted, row| noted.with(noted_on(row)));
        if !rows.is_empty() {
            self.shared.held().bring(noted.with(Provenance::PRIVATE));
        }
    }

    /// Begins or resumes a conversation, with what its records hold.
    pub(super) fn turn_to(self: &Arc<Self>, from: &KernelContext, conversation: ConversationId) {
        let query = core::MEMORY_QUERY.parse().expect("the core event types are well-formed");
        let asked = json!({"what": "conversation", "id": conversation});
        let records = self.dispatch(&from.shown(), &query, asked).unwrap_or_default();
        let held = Held::of(records.as_array().map_or(&[], Vec::as_slice));
        self.shared.turn_to(conversation, held);
    }

    /// Takes the arguments of a command line as what the person typed. No skill can reach this.
    pub(crate) fn take_as_typed(&self, args: &Value) {
        self.shared.held().written.push(args.clone());
    }
}

impl KernelContext {
    /// What the conversation holds.
    pub fn holds(&self) -> Provenance {
        self.shared().held().provenance
    }

    /// Notes what came into the conversation, as a skill's host does for records that it hands out.
    pub fn brings(&self, more: Provenance) {
        self.shared().held().bring(more);
    }
}

#[cfg(test)]
mod tests;
