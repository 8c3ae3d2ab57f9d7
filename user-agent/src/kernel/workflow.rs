//! What a workflow needs of the kernel beside the gate: to look at a call without making it.

use std::sync::Arc;

use serde_json::Value;
use shared_types::risk::Risk;

use super::Kernel;
use super::context::KernelContext;

impl Kernel {
    /// What is wrong with a call as far as that can be told beforehand: no such tool, one that this channel may not call, or
    /// arguments that do not fit. `args` is `None` where they are not whole yet.
    pub fn fault_of(&self, full_name: &str, args: Option<&Value>) -> Option<String> {
        let Some((place, tool)) = self.registry.place_of(full_name) else {
            let known: Vec<&str> = self.registry.tools().map(|(name, _)| name).collect();
            return Some(format!("there is no tool `{full_name}`; there is: {}", known.join(" ")));
        };
        let skill = &self.registry.entries()[place].skill;
        if !self.shared.config.cli.allows_of(skill.name().as_str(), full_name) {
            return Some(format!("`{full_name}` is not allowed here; `channels.cli.tools_allow` sets that"));
        }
        let faults = skill.tools()[tool].parameters.check(args?).err()?;
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Some(format!("the arguments do not fit: {}", faults.join("; ")))
    }

    /// The risk of a call by itself, whatever the gate says of it; `Blocked` where nothing lets it through.
    pub fn risk_of(self: &Arc<Self>, from: &KernelContext, full_name: &str, args: &Value) -> Risk {
        let Some((place, tool)) = self.registry.place_of(full_name) else { return Risk::Blocked };
        let skill = &self.registry.entries()[place].skill;
        let tool = &skill.tools()[tool];
        if tool.parameters.check(args).is_err() {
            return Risk::Blocked;
        }
        skill.weigh(tool, args, &from.onward(place)).map_or(Risk::Blocked, |weight| weight.risk)
    }

    /// Unloads every skill, so that what is still to be remembered is.
    pub fn unload(self: &Arc<Self>) {
        for (n, entry) in self.registry.entries().iter().enumerate() {
            entry.skill.on_unload(&self.context(n));
        }
    }
}
