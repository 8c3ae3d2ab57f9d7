//! The one way on which a tool is called: it must be there, allowed, and called with what it takes.

use std::sync::Arc;

use serde_json::Value;
use shared_types::text::cut;

use super::context::KernelContext;
use super::{Kernel, MAX_DEPTH};
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
        let Some((place, tool)) = self.registry.tool(full_name).filter(|_| from.depth() < MAX_DEPTH) else {
            return Outcome::Failed(format!("there is no tool `{}`", cut(full_name, 80)));
        };
        if !self.shared.config.cli.allows(full_name) {
            return Outcome::Failed(format!("`{full_name}` is not allowed through this channel"));
        }
        if let Err(faults) = tool.parameters.check(args) {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return Outcome::Failed(format!("the arguments do not fit: {}", faults.join("; ")));
        }
        let ctx = from.onward(place);
        self.registry.entries()[place].skill.call_tool(&tool.name, &Call { args, line }, &ctx)
    }
}
