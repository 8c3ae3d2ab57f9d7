//! A learned skill behind trait [`Skill`]: a module for the interpreter, and the host that answers it by its tokens.

use std::sync::{Arc, OnceLock};

use guest::{CallError, Engine, Limits, LoadError, Module, ToolOutcome, tools};
use host::SkillHost;
use kernel::reach::Reach;
use kernel::skill::{Call, Outcome, Skill};
use ports::verified::{Bytes, NoModule};
use ports::{KernelContext, Shared};
use serde_json::Value;
use shared_types::capability::{Token, TokenSet};
use shared_types::described::DescribedTool;
use shared_types::described::Tool;
use shared_types::event::Event;
use shared_types::id::{EventType, HostName, SkillName, ToolName};
use shared_types::manifest;
use shared_types::risk::Risk;
use shared_types::verdict::Denial;
use shared_types::verdict::Weight;

mod host;

/// Why a call of a learned skill failed.
#[derive(Debug, thiserror::Error)]
enum CallFailed {
    /// Its module cannot be read, or changed since the start.
    #[error("{0}; start the chat again")]
    Unread(#[from] NoModule),
    /// The interpreter refuses the module.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The module does not answer.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// A skill that was learned.
pub struct Learned {
    name: SkillName,
    version: u32,
    description: String,
    tokens: TokenSet,
    handles: Vec<EventType>,
    emits: Vec<EventType>,
    tools: Vec<Tool>,
    hosts: Vec<HostName>,
    engine: Arc<dyn Engine>,
    bytes: Bytes,
    module: OnceLock<Result<Box<dyn Module>, LoadError>>,
    grants: guest::Grants,
    limits: Limits,
}

impl Learned {
    /// Makes a skill of a verified entry and its module, which is read at the first call.
    pub fn new(engine: Arc<dyn Engine>, entry: manifest::Learned, bytes: Bytes, limits: Limits) -> Learned {
        Learned {
            version: entry.version,
            description: entry.description,
            handles: own_events(&entry.name, entry.described.handles, &entry.handles_events),
            name: entry.name,
            tools: entry.described.tools.into_iter().map(tool_of).collect(),
            hosts: entry.network,
            engine,
            bytes,
            module: OnceLock::new(),
            grants: guest::Grants {
                tokens: entry.capabilities.clone(),
                emits: !entry.emits_events.is_empty(),
            },
            tokens: entry.capabilities,
            emits: entry.emits_events,
            limits,
        }
    }

    /// The module, checked by the interpreter when it is called first.
    fn module(&self) -> Result<&dyn Module, CallFailed> {
        let loaded = match self.module.get() {
            Some(loaded) => loaded,
            None => {
                // A failed read is not kept: the next call tries again.
                let bytes = (self.bytes)()?;
                self.module.get_or_init(|| self.engine.load(&bytes))
            }
        };
        loaded.as_deref().map_err(|e| e.clone().into())
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

    fn ask_module(&self, message: &guest::Value, ctx: &KernelContext) -> Result<guest::Value, CallFailed> {
        let module = self.module()?;
        let mut host = SkillHost::new(ctx);
        let limits = self.limits(ctx);
        let reply = module.call(&self.grants, &mut host, message, &limits, ctx.cancel());
        if let Some(budget) = ctx.budget() {
            // A failed call may have spent everything.
            match &reply {
                Ok(reply) => budget.spend(reply.usage.fuel, reply.usage.wall),
                Err(_) => budget.spend(limits.fuel, limits.wall),
            }
        }
        Ok(reply?.value)
    }
}

impl Skill<Shared> for Learned {
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

    /// By the grants that hold, regardless of what the skill says of itself.
    fn weigh(&self, _tool: &Tool, _args: &Value, ctx: &KernelContext) -> Result<Weight, Denial> {
        Ok(weight(&self.name, &self.hosts, &ctx.reach()))
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
            .and_then(|answer| Ok(ToolOutcome::read(&answer)?));
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

/// What a call of a learned skill would do at worst: that of its tokens, and medium where it reaches beyond its own.
fn weight(name: &SkillName, hosts: &[HostName], reach: &Reach) -> Weight {
    let mut weight = Weight::of(&of_a_call(&reach.tokens), reason(name, reach));
    // What somebody said in the room is theirs.
    weight.brings.private |= reach.tokens.contains(Token::AudioRead);
    if reach.wide {
        weight.risk = weight.risk.max(Risk::Medium);
        weight.brings.private = true;
        // It may overwrite any file of the workspace, and its arguments do not say which.
        weight.replaces = reach.tokens.contains(Token::FileWrite);
    }
    if weight.carries_to.is_some() {
        let own = hosts.iter().map(ToString::to_string);
        let through = reach.through.iter().map(|skill| format!("the hosts of {skill}"));
        let all: Vec<String> = own.chain(through).collect();
        weight.carries_to = Some(if all.is_empty() { "the network".to_owned() } else { all.join(", ") });
    }
    weight
}

/// What a call is weighed by. Sound is not: it reaches a skill in `cl-bot voice` alone, which a person starts, where all that is
/// heard is a line and every answer is spoken.
fn of_a_call(tokens: &TokenSet) -> TokenSet {
    tokens.iter().filter(|token| !matches!(token, Token::AudioRead | Token::AudioWrite)).collect()
}

/// What a skill may do, in words of the program.
fn reason(name: &SkillName, reach: &Reach) -> String {
    let does = |token: Token| match token {
        Token::FileWrite => Some("write files"),
        Token::FileRead => Some("read files"),
        Token::NetworkWrite => Some("send to the network"),
        Token::NetworkRead => Some("ask the network"),
        Token::AudioRead => Some("listen"),
        Token::AudioWrite => Some("make sounds"),
        Token::GpioRead => Some("read pins"),
        Token::GpioWrite => Some("switch pins"),
        _ => None,
    };
    let mut can: Vec<&str> = reach.tokens.iter().filter_map(does).collect();
    can.dedup();
    if reach.wide {
        can.push("get at more than its own records and files");
    }
    match can.is_empty() {
        true => format!("the learned skill {name} answers"),
        false => format!("the learned skill {name} may {}", can.join(", ")),
    }
}

/// Events of its own, and core events that the approver's decision names.
fn own_events(name: &SkillName, mut described: Vec<EventType>, granted: &[EventType]) -> Vec<EventType> {
    let own = format!("{name}.");
    described.retain(|event| event.as_str().starts_with(&own) || granted.contains(event));
    described
}

fn tool_of(tool: DescribedTool) -> Tool {
    Tool {
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
        phrases: tool.phrases,
        examples: tool.examples,
    }
}

#[cfg(test)]
mod tests;
