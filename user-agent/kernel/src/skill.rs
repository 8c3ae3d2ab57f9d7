//! The trait of every skill, and the types by which the kernel talks with it.

use serde_json::Value;
use shared_types::capability::TokenSet;
use shared_types::described::Tool;
use shared_types::event::Event;
use shared_types::id::{EventType, SkillName, ToolName};
use shared_types::message::{Answer, Message};
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::{Denial, Weight};

use super::context::KernelContext;
use super::program::Program;

pub use super::program::{Called, Outcome};

/// A named unit of behaviour with declared capabilities.
pub trait Skill<P: Program>: Send + Sync {
    /// The name.
    fn name(&self) -> &SkillName;

    /// One line about it.
    fn description(&self) -> &str;

    /// The version, for people.
    fn version(&self) -> String;

    /// The tokens that it needs.
    fn capabilities(&self) -> TokenSet;

    /// The events that it receives.
    fn handles_events(&self) -> Vec<EventType> {
        vec![]
    }

    /// The events that it sends.
    fn emits_events(&self) -> Vec<EventType> {
        vec![]
    }

    /// What it offers to the model.
    fn tools(&self) -> &[Tool] {
        &[]
    }

    /// The name by which a tool is offered and called everywhere; those of learned skills carry the skill's name.
    fn full_name(&self, tool: &ToolName) -> String {
        format!("{}.{tool}", self.name())
    }

    /// Weighs a call of one of its tools before it is made; the arguments fit the tool's parameters. Without more it
    /// follows from the tokens.
    ///
    /// # Errors
    /// What no autonomy and no person lets through: a path or host that no grant names.
    fn weigh(&self, tool: &Tool, _args: &Value, _ctx: &KernelContext<P>) -> Result<Weight, Denial> {
        Ok(Weight::of(&self.capabilities(), cut(&tool.description, 120)))
    }

    /// The risk of a tool while its arguments are not known, for people; `None` where it depends on them.
    fn usual_risk(&self, tool: &Tool, ctx: &KernelContext<P>) -> Option<Risk> {
        self.weigh(tool, &Value::Object(serde_json::Map::new()), ctx).ok().map(|weight| weight.risk)
    }

    /// Whether the admin service judges each of its calls again and asks a person where one is to be asked, so that the
    /// chat does not ask as well. What the gate refuses is refused all the same.
    fn is_decided_elsewhere(&self) -> bool {
        false
    }

    /// Called once, before anything else, when every skill is registered.
    ///
    /// # Errors
    /// Why the skill cannot work; it is then left out of nothing, but the sentence is shown.
    fn on_load(&self, _ctx: &KernelContext<P>) -> Result<(), String> {
        Ok(())
    }

    /// Answers a message, or `None`. A part of the bot answers by types; without more this is [`Skill::handle`].
    fn answer(&self, event: &Event<Message>, ctx: &KernelContext<P>) -> Option<Answer> {
        Answer::read(&event.payload, self.handle(&event.to_json(), ctx)?)
    }

    /// Answers an event with JSON, as a learned skill does, or `None`.
    fn handle(&self, _event: &Event, _ctx: &KernelContext<P>) -> Option<Value> {
        None
    }

    /// Runs one of its tools; the arguments fit the tool's parameters.
    fn call_tool(&self, tool: &ToolName, _call: &Call<'_>, _ctx: &KernelContext<P>) -> Outcome {
        Outcome::Failed(format!("there is no tool `{tool}`"))
    }

    /// Called once, when the program ends.
    fn on_unload(&self, _ctx: &KernelContext<P>) {}

    /// Drives the program until the person leaves; `None` where the skill is not a driver.
    fn run(&self, _ctx: &KernelContext<P>) -> Option<Result<u8, P::Error>> {
        None
    }
}

/// One call of a tool.
#[derive(Debug)]
pub struct Call<'a> {
    /// The arguments, already checked.
    pub args: &'a Value,
    /// The line that the person typed.
    pub line: &'a str,
}
