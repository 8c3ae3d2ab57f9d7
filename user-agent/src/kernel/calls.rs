//! The one way on which a tool is called: decided by the gate, made here, its receipt kept whatever came of it.
//!
//! A call whose effect may outlast the answer is made only while its receipt can be written too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use receipts::{Attempt, Status};
use serde_json::Value;
use shared_types::id::ConversationId;
use shared_types::risk::Risk;

use super::context::KernelContext;
use super::gate::Turned;
use super::stop::{self, Stopped};
use super::{ByKernel, Kernel};
use crate::kernel::skill::{Call, Outcome};
use crate::log::{self, CallId, Event, Name};

/// Counts the calls of this process, for the log.
static CALLS: AtomicU64 = AtomicU64::new(1);

/// One attempt, from its request to its receipt.
struct Trying<'a> {
    tool: &'a str,
    args: &'a Value,
    conversation: ConversationId,
    number: u64,
}

impl Trying<'_> {
    fn call(&self) -> CallId<'_> {
        let (tool, conversation) = (Name::of(self.tool), Name::of(self.conversation.as_str()));
        CallId { tool, conversation, number: self.number }
    }
}

impl Kernel {
    /// Has the gate decide about a call, makes it, and tells what came of it.
    pub(super) fn call_tool(
        self: &Arc<Self>,
        from: &KernelContext,
        full_name: &str,
        args: &Value,
        line: &str,
    ) -> Outcome {
        let trying = self.begin(full_name, args);
        let _span = log::in_call(&trying.call());
        let admitted = match self.admit(from, full_name, args) {
            Ok(admitted) => admitted,
            Err(turned) => return self.turn_away(&trying, turned),
        };
        if admitted.risk > Risk::Low
            && let Some(why) = self.shared.receipts.missing(&ByKernel(()))
        {
            let risk = admitted.risk;
            return self.turn_away(&trying, Turned::new("no-receipt", risk, why));
        }
        let (risk, by) = (Name::of(admitted.risk.as_str()), Name::of(admitted.approved_by.as_str()));
        log::event(Event::ToolApproved { call: trying.call(), risk, by });
        let entry = &self.registry.entries()[admitted.place];
        let tool = &entry.skill.tools()[admitted.tool];
        let begun = Instant::now();
        let made = self.unless_stopped(&from.onward(admitted.place), |ctx| {
            entry.skill.call_tool(&tool.name, &Call { args, line }, ctx)
        });
        let outcome = made.unwrap_or_else(|stopped| Outcome::Failed(stopped.words()));
        if let (true, Outcome::Said(text)) = (admitted.outside, &outcome) {
            self.taint().name_pages(text);
        }
        let (call, took) = (trying.call(), begun.elapsed());
        match &outcome {
            Outcome::Said(_) => log::event(Event::ToolCompleted { call, took }),
            Outcome::NotMine | Outcome::Failed(_) | Outcome::Denied(_) => {
                log::event(Event::ToolFailed { call, took });
            }
        }
        self.keep_receipt(&trying, &outcome, (admitted.risk, admitted.approved_by.as_str()));
        outcome
    }

    /// Puts on record that a call is not made at all.
    pub(super) fn turned_away(&self, full_name: &str, args: &Value, turned: Turned) -> Outcome {
        self.turn_away(&self.begin(full_name, args), turned)
    }

    fn begin<'a>(&self, tool: &'a str, args: &'a Value) -> Trying<'a> {
        let number = CALLS.fetch_add(1, Ordering::Relaxed);
        let trying = Trying { tool, args, conversation: self.shared.conversation(), number };
        log::event(Event::ToolRequested { call: trying.call() });
        trying
    }

    fn turn_away(&self, trying: &Trying<'_>, turned: Turned) -> Outcome {
        log::event(Event::ToolDenied { call: trying.call(), rule: Name::of(turned.rule) });
        let outcome = Outcome::Denied(format!("{} (rule `{}`)", turned.why, turned.rule));
        self.keep_receipt(trying, &outcome, (turned.risk, turned.by.as_str()));
        outcome
    }

    /// Keeps the receipt of an attempt.
    fn keep_receipt(&self, trying: &Trying<'_>, outcome: &Outcome, (risk, approved_by): (Risk, &str)) {
        let (status, result) = match outcome {
            Outcome::Said(said) => (Status::Allowed, said.as_str()),
            Outcome::NotMine => (Status::Allowed, ""),
            Outcome::Failed(why) => (Status::Failed, why.as_str()),
            Outcome::Denied(why) => (Status::Denied, why.as_str()),
        };
        let (conversation, tool, args) = (trying.conversation.as_str(), trying.tool, trying.args);
        let attempt = Attempt { conversation, tool, args, result, status, approved_by, risk };
        if let Some(id) = self.shared.receipts.keep(&ByKernel(()), &attempt) {
            log::event(Event::ReceiptWritten { id: Name::of(&id), call: trying.call() });
        }
    }

    /// Does something in a context that ends by itself when the emergency stop appears.
    ///
    /// # Errors
    /// The stop, where it held already or came meanwhile.
    pub(super) fn unless_stopped<T>(
        self: &Arc<Self>,
        ctx: &KernelContext,
        work: impl FnOnce(&KernelContext) -> T,
    ) -> Result<T, Stopped> {
        if let Some(stopped) = self.shared.stopped() {
            stop::told(&stopped);
            return Err(stopped);
        }
        let outer = ctx.cancel().clone();
        let (worked, stopped) = stop::watched(&self.shared, &outer, |cancel| work(&ctx.ended_by(cancel)));
        match stopped {
            None => Ok(worked),
            Some(stopped) => {
                stop::told(&stopped);
                Err(stopped)
            }
        }
    }
}
