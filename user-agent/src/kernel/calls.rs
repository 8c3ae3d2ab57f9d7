//! The one way on which a tool is called: it must be there, allowed, and called with what it takes.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use shared_types::text::cut;

use super::context::KernelContext;
use super::{Kernel, MAX_DEPTH};
use crate::log::{self, Event, Name};
use crate::skills::{Call, Outcome};

impl Kernel {
    /// Checks a call against the channel and the tool's parameters, and makes it.
    pub(super) fn call_tool(
        self: &Arc<Self>,
        from: &KernelContext,
        full_name: &str,
        args: &Value,
        line: &str,
    ) -> Outcome {
        let denied = |rule: &str, why: String| {
            log::event(Event::ToolDenied { tool: Name::of(full_name), rule: Name::of(rule) });
            Outcome::Failed(why)
        };
        let Some((place, tool)) = self.registry.tool(full_name).filter(|_| from.depth() < MAX_DEPTH) else {
            return denied("unknown", format!("there is no tool `{}`", cut(full_name, 80)));
        };
        if !self.shared.config.cli.allows(full_name) {
            return denied("channel", format!("`{full_name}` is not allowed through this channel"));
        }
        if let Err(faults) = tool.parameters.check(args) {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return denied("arguments", format!("the arguments do not fit: {}", faults.join("; ")));
        }
        let ctx = from.onward(place);
        let begun = Instant::now();
        let outcome = self.registry.entries()[place].skill.call_tool(&tool.name, &Call { args, line }, &ctx);
        let done = matches!(outcome, Outcome::Said(_));
        log::event(Event::ToolCall { tool: Name::of(full_name), done, took: begun.elapsed() });
        outcome
    }
}
