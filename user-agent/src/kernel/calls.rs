//! The one way on which a tool is called: decided by the gate, made here, recorded whatever came of it.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

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
            Err(Turned { rule, why, .. }) => {
                log::event(Event::ToolDenied { tool: Name::of(full_name), rule: Name::of(rule) });
                return Outcome::Denied(format!("{why} (rule `{rule}`)"));
            }
        };
        let entry = &self.registry.entries()[admitted.place];
        let tool = &entry.skill.tools()[admitted.tool];
        let ctx = from.onward(admitted.place);
        let begun = Instant::now();
        let outcome = entry.skill.call_tool(&tool.name, &Call { args, line }, &ctx);
        let done = matches!(outcome, Outcome::Said(_));
        log::event(Event::ToolCall { tool: Name::of(full_name), done, took: begun.elapsed() });
        outcome
    }
}
