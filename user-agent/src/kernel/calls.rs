//! The one way on which a tool is called: decided by the gate, made here, recorded whatever came of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::Value;
use shared_types::id::ConversationId;

use super::Kernel;
use super::context::KernelContext;
use super::gate::Turned;
use super::stop::{self, Stopped};
use crate::log::{self, CallId, Event, Name};
use crate::skills::{Call, Outcome};

/// Counts the calls of this process, for the log.
static CALLS: AtomicU64 = AtomicU64::new(1);

fn call_id<'a>(full_name: &'a str, conversation: &'a ConversationId) -> CallId<'a> {
    CallId {
        tool: Name::of(full_name),
        conversation: Name::of(conversation.as_str()),
        number: CALLS.fetch_add(1, Ordering::Relaxed),
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
        let conversation = self.shared.conversation();
        let call = call_id(full_name, &conversation);
        log::event(Event::ToolRequested { call });
        let admitted = match self.admit(from, full_name, args) {
            Ok(admitted) => admitted,
            Err(Turned { rule, why, .. }) => {
                log::event(Event::ToolDenied { call, rule: Name::of(rule) });
                return Outcome::Denied(why);
            }
        };
        let (risk, by) = (Name::of(admitted.risk.as_str()), Name::of(admitted.approved_by));
        log::event(Event::ToolApproved { call, risk, by });
        let entry = &self.registry.entries()[admitted.place];
        let tool = &entry.skill.tools()[admitted.tool];
        let begun = Instant::now();
        let made = self.unless_stopped(&from.onward(admitted.place), |ctx| {
            entry.skill.call_tool(&tool.name, &Call { args, line }, ctx)
        });
        self.brought(&admitted.weight);
        let outcome = made.unwrap_or_else(|stopped| Outcome::Failed(stopped.words()));
        let took = begun.elapsed();
        match &outcome {
            Outcome::Said(_) => log::event(Event::ToolCompleted { call, took }),
            Outcome::NotMine | Outcome::Failed(_) | Outcome::Denied(_) => {
                log::event(Event::ToolFailed { call, took });
            }
        }
        outcome
    }

    /// Records a call that cannot be made at all.
    pub(super) fn refuse_call(
        &self,
        full_name: &str,
        _args: &Value,
        rule: &'static str,
        why: &str,
    ) -> Outcome {
        let conversation = self.shared.conversation();
        let call = call_id(full_name, &conversation);
        log::event(Event::ToolRequested { call });
        log::event(Event::ToolDenied { call, rule: Name::of(rule) });
        Outcome::Denied(why.to_owned())
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
