//! A learned skill behind trait [`Skill`]: a module for the interpreter, and the host that answers it by its tokens.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use guest::{Described, Engine, Limits, Module, ToolOutcome, tools};
use serde_json::Value;
use shared_types::capability::TokenSet;
use shared_types::event::Event;
use shared_types::id::{EventType, SkillName, ToolName};
use shared_types::manifest;

use crate::kernel::context::KernelContext;
use crate::skills::{Call, Outcome, Skill, Tool};
use host::SkillHost;

mod host;

/// A skill that was learned.
pub struct Learned {
    name: SkillName,
    version: u32,
    description: String,
    tokens: TokenSet,
    handles: Vec<EventType>,
    emits: Vec<EventType>,
    tools: Vec<Tool>,
    module: Box<dyn Module>,
    grants: guest::Grants,
    limits: Limits,
}

impl Learned {
    /// Loads a module whose digest was checked, linking the functions of the entry's tokens only, and lets it describe
    /// itself.
    ///
    /// # Errors
    /// A sentence that says why the skill is left out.
    pub fn load(
        engine: &dyn Engine,
        entry: &manifest::Learned,
        module: &[u8],
        limits: Limits,
    ) -> Result<Learned, String> {
        let out = |why: String| {
            format!("the skill {} is left out: {}", entry.name, shared_types::text::cut(&why, 300))
        };
        let module = engine.load(module).map_err(|e| out(e.to_string()))?;
        let grants =
            guest::Grants { tokens: entry.capabilities.clone(), emits: !entry.emits_events.is_empty() };
        let described =
            guest::describe(&*module, &grants, &describe_limits(&limits), &AtomicBool::new(false))
                .map_err(|e| out(e.to_string()))?;
        Ok(Learned {
            name: entry.name.clone(),
            version: entry.version,
            description: entry.description.clone(),
            tokens: entry.capabilities.clone(),
            handles: own_events(&entry.name, &described.handles, &entry.handles_events),
            emits: entry.emits_events.clone(),
            tools: tools_of(&described),
            module,
            grants,
            limits,
        })
    }

    /// The limits of one call: the skill's own, or what the skill that waits for it has left.
    fn limits(&self, ctx: &KernelContext) -> Limits {
        let mut limits = self.limits.clone();
        if let Some(budget) = ctx.budget() {
            let left = budget.left();
            limits.fuel = limits.fuel.min(left.fuel);
            limits.wall = limits.wall.min(left.wall);
            limits.memory_bytes = limits.memory_bytes.min(left.memory_bytes);
        }
        limits
    }

    fn ask_module(
        &self,
        message: &guest::Value,
        ctx: &KernelContext,
    ) -> Result<guest::Value, guest::CallError> {
        let mut host = SkillHost::new(ctx);
        let limits = self.limits(ctx);
        let reply = self.module.call(&self.grants, &mut host, message, &limits, ctx.cancel());
        if let Some(budget) = ctx.budget() {
            // A failed call may have spent everything.
            match &reply {
                Ok(reply) => budget.spend(reply.usage.fuel, reply.usage.wall),
                Err(_) => budget.spend(limits.fuel, limits.wall),
            }
        }
        reply.map(|reply| reply.value)
    }
}

impl Skill for Learned {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn version(&self) -> String {
        self.version.to_string()
    }

    fn capabilities(&self) -> TokenSet {
        self.tokens.clone()
    }

    fn handles_events(&self) -> Vec<EventType> {
        self.handles.clone()
    }

    fn emits_events(&self) -> Vec<EventType> {
        self.emits.clone()
    }

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        match self.ask_module(&tools::event_message(event), ctx) {
            Ok(answer) => answer.get("value").map(guest::json::to_json).filter(|value| !value.is_null()),
            Err(e) => {
                ctx.shared().log(self.name.as_str(), &format!("{}: {e}", event.event_type));
                None
            }
        }
    }

    fn call_tool(&self, tool: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        let answer = self
            .ask_module(&tools::tool_message(tool.as_str(), call.args, call.line), ctx)
            .and_then(|answer| ToolOutcome::read(&answer));
        match answer {
            Ok(ToolOutcome::Ok(text)) => Outcome::Said(text),
            Ok(ToolOutcome::NotMine) => Outcome::NotMine,
            Ok(ToolOutcome::Failed(why)) => Outcome::Failed(why),
            Err(e) => {
                ctx.shared().log(self.name.as_str(), &format!("{tool}: {e}"));
                Outcome::Failed(e.to_string())
            }
        }
    }
}

/// A description is a small computation, whatever the skill's own limits are.
fn describe_limits(limits: &Limits) -> Limits {
    Limits { wall: limits.wall.min(Duration::from_secs(1)), ..limits.clone() }
}

/// Events of its own, and core events that the approver's decision names.
fn own_events(name: &SkillName, described: &[EventType], granted: &[EventType]) -> Vec<EventType> {
    let own = format!("{name}.");
    described.iter().filter(|e| e.as_str().starts_with(&own) || granted.contains(e)).cloned().collect()
}

fn tools_of(described: &Described) -> Vec<Tool> {
    described
        .tools
        .iter()
        .map(|tool| Tool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            parameters: tool.parameters.clone(),
            phrases: tool
                .phrases
                .iter()
                .map(|(language, pattern)| models::Phrase {
                    language: language.clone(),
                    pattern: pattern.clone(),
                })
                .collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests;
