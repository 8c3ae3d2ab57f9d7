//! The one way on which a tool is called: decided by the gate, made here, its receipt kept whatever came of it.
//!
//! A call whose effect may outlast the answer is made only while its receipt can be written too.

use std::sync::Arc;
use std::time::Instant;

use receipts::{Attempt, Status};
use serde_json::Value;
use shared_types::risk::Risk;

use super::Kernel;
use super::context::KernelContext;
use super::gate::Turned;
use crate::log::{self, Event, Name};
use crate::skills::{Call, Outcome};

impl Kernel {
    /// Has the gate decide about a call, makes it, and tells what came of it.
    pub(super) fn call_tool(
        self: &Arc<Self>,
        from: &KernelContext,
        full_name: &str,
        args: &Value,
        line: &str,
    ) -> Outcome {
        let admitted = match self.admit(from, full_name, args) {
            Ok(admitted) => admitted,
            Err(turned) => return self.turned_away(full_name, args, turned),
        };
        if admitted.risk > Risk::Low
            && let Some(why) = self.shared.receipts.missing()
        {
            let risk = admitted.risk;
            return self.turned_away(full_name, args, Turned { rule: "no-receipt", why, risk });
        }
        let entry = &self.registry.entries()[admitted.place];
        let tool = &entry.skill.tools()[admitted.tool];
        let ctx = from.onward(admitted.place);
        let begun = Instant::now();
        let outcome = entry.skill.call_tool(&tool.name, &Call { args, line }, &ctx);
        self.brought(&admitted.weight);
        let done = matches!(outcome, Outcome::Said(_));
        log::event(Event::ToolCall { tool: Name::of(full_name), done, took: begun.elapsed() });
        self.keep_receipt(full_name, args, &outcome, (admitted.risk, admitted.approved_by));
        outcome
    }

    /// Puts on record that a call is not made.
    pub(super) fn turned_away(&self, full_name: &str, args: &Value, turned: Turned) -> Outcome {
        log::event(Event::ToolDenied { tool: Name::of(full_name), rule: Name::of(turned.rule) });
        let by = if turned.rule == "not-approved" { "person" } else { "policy" };
        let outcome = Outcome::Denied(turned.why);
        self.keep_receipt(full_name, args, &outcome, (turned.risk, by));
        outcome
    }

    /// Keeps the receipt of an attempt.
    fn keep_receipt(
        &self,
        tool: &str,
        args: &Value,
        outcome: &Outcome,
        (risk, approved_by): (Risk, &'static str),
    ) {
        let (status, result) = match outcome {
            Outcome::Said(said) => (Status::Allowed, said.as_str()),
            Outcome::NotMine => (Status::Allowed, ""),
            Outcome::Failed(why) => (Status::Failed, why.as_str()),
            Outcome::Denied(why) => (Status::Denied, why.as_str()),
        };
        let conversation = self.shared.conversation();
        let conversation = conversation.as_str();
        self.shared.receipts.keep(&Attempt { conversation, tool, args, result, status, approved_by, risk });
    }
}
