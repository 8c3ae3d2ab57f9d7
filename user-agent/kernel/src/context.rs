//! What a skill sees of the kernel during one call: who it is, whom it may send to, and what it was granted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use shared_types::described::Shown;
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::risk::Risk;

use crate::Kernel;
use crate::gate::Turned;
use crate::grants::Grants;
use crate::program::Program;
use crate::registry::{Entry, Offered, Registry};
use crate::skill::Outcome;

/// The kernel as one skill sees it during one call.
pub struct KernelContext<P: Program> {
    kernel: Arc<Kernel<P>>,
    place: usize,
    depth: u8,
    budget: Option<Arc<P::Budget>>,
    /// What ends this call, where it may end without the turn.
    cancel: Option<Arc<AtomicBool>>,
    /// Whether what comes of this is only shown to the person.
    shown: bool,
}

impl<P: Program> Clone for KernelContext<P> {
    fn clone(&self) -> Self {
        let (kernel, budget, cancel) = (self.kernel.clone(), self.budget.clone(), self.cancel.clone());
        KernelContext { kernel, budget, cancel, ..*self }
    }
}

impl<P: Program> KernelContext<P> {
    pub(super) fn new(kernel: Arc<Kernel<P>>, place: usize) -> Self {
        KernelContext { kernel, place, depth: 0, budget: None, shown: false, cancel: None }
    }

    /// The context of the skill that answers this one.
    pub(super) fn onward(&self, place: usize) -> KernelContext<P> {
        KernelContext { place, depth: self.depth + 1, ..self.clone() }
    }

    /// As [`KernelContext::onward`], for an event: what a person asks for by a command is shown, and nothing else.
    pub(super) fn onward_with(&self, place: usize, event: &Event) -> KernelContext<P> {
        let commands = event.event_type.as_str() == core::USER_INPUT
            && event.payload["command"].as_str().is_some_and(|command| command != "retry");
        KernelContext { shown: self.shown || commands, ..self.onward(place) }
    }

    /// The same context, for what is only shown.
    pub(super) fn shown(&self) -> KernelContext<P> {
        KernelContext { shown: true, ..self.clone() }
    }

    /// Whether what comes of this is only shown to the person.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    pub(super) fn registry(&self) -> &Registry<P> {
        &self.kernel.registry
    }

    pub(super) fn kernel(&self) -> &Kernel<P> {
        &self.kernel
    }

    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// Whether the skill was learned.
    pub(super) fn is_learned(&self) -> bool {
        self.kernel.registry.entries()[self.place].learned
    }

    pub(super) fn grants(&self) -> &Grants<P> {
        &self.kernel.registry.entries()[self.place].grants
    }

    /// The skill's own name.
    pub fn skill(&self) -> &SkillName {
        self.kernel.registry.entries()[self.place].skill.name()
    }

    /// How many dispatches lie above this call.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// What the skills above, on whose behalf this call is made, have left.
    pub fn budget(&self) -> Option<&Arc<P::Budget>> {
        self.budget.as_ref()
    }

    /// The same context, spending from a budget.
    #[must_use]
    pub fn spending(&self, budget: Arc<P::Budget>) -> KernelContext<P> {
        KernelContext { budget: Some(budget), ..self.clone() }
    }

    /// Sends an event; `None` when no skill handles it, when this skill may not send it, or four dispatches deep.
    pub fn dispatch(&self, event_type: &EventType, payload: Value) -> Option<Value> {
        if !self.grants().emits(event_type) {
            return None;
        }
        self.kernel.dispatch(self, event_type, payload)
    }

    /// Sends an event whose type stands in the source.
    pub fn send(&self, event_type: &'static str, payload: Value) -> Option<Value> {
        let event_type = event_type.parse().expect("event types in the source are well-formed");
        self.dispatch(&event_type, payload)
    }

    /// Runs a tool by its full name; only the conversation may.
    pub fn call_tool(&self, full_name: &str, args: &Value, line: &str) -> Outcome {
        if !self.grants().calls_tools {
            return Outcome::Failed("this skill may not call tools".to_owned());
        }
        self.kernel.call_tool(self, full_name, args, line)
    }

    /// Puts on record that a call is not made: its arguments cannot be read, or the conversation made it too often.
    pub fn refuse_call(&self, full_name: &str, args: &Value, rule: &'static str, why: &str) {
        if self.grants().calls_tools {
            self.kernel.turned_away(full_name, args, Turned::new(rule, Risk::Low, why));
        }
    }

    /// What boot read: the profile, the settings, the system's abilities.
    pub fn shared(&self) -> &P {
        self.kernel.program()
    }

    /// The conversation.
    pub fn conversation(&self) -> ConversationId {
        self.shared().conversation()
    }

    /// Begins or resumes a conversation; only who reads the person's lines may.
    pub fn turn_to(&self, conversation: ConversationId) {
        if self.user_input().is_some() {
            self.kernel.turn_to(self, conversation);
        }
    }

    /// The same context, ended by a flag of its own.
    pub(super) fn ended_by(&self, cancel: Arc<AtomicBool>) -> KernelContext<P> {
        KernelContext { cancel: Some(cancel), ..self.clone() }
    }

    /// Becomes true when the running turn is to end, or this call alone.
    pub fn cancel(&self) -> &Arc<AtomicBool> {
        self.cancel.as_ref().unwrap_or_else(|| self.shared().cancel())
    }

    /// Whether the running turn is to end, or this call alone.
    pub fn is_cancelled(&self) -> bool {
        self.cancel().load(Ordering::Relaxed)
    }

    /// The active skills.
    pub fn skills(&self) -> Vec<Shown> {
        self.kernel.registry.entries().iter().map(Entry::shown).collect()
    }

    /// Which calls of one round may be made beside each other.
    pub fn independent(&self, calls: &[(&str, &Value)]) -> Vec<bool> {
        self.kernel.independent(self, calls)
    }

    /// Every tool, whether this channel may call it or not.
    pub fn tools(&self) -> impl Iterator<Item = Offered<'_>> {
        self.registry().tools()
    }

    /// The risk of a call by itself, whatever the gate says of it, for who may call tools; without arguments the usual one of
    /// the tool, for everybody. `None` where there is no such tool, the arguments do not fit, or a grant is missing.
    pub fn risk_of(&self, full_name: &str, args: Option<&Value>) -> Option<Risk> {
        let (place, tool) = self.registry().place_of(full_name)?;
        let (skill, ctx) = (&self.registry().entries()[place].skill, self.onward(place));
        let tool = &skill.tools()[tool];
        let Some(args) = args else { return skill.usual_risk(tool, &ctx) };
        tool.parameters.check(args).ok().filter(|()| self.grants().calls_tools)?;
        skill.weigh(tool, args, &ctx).ok().map(|weight| weight.risk)
    }

    /// What the skill reaches.
    pub fn handles(&self) -> &P::Handles {
        &self.grants().services
    }

    /// The person's answers, with `user:input`.
    pub fn user_input(&self) -> Option<&UserInput> {
        self.grants().user_input.as_ref()
    }

    /// The screen, with `user:output`.
    pub fn user_output(&self) -> Option<&UserOutput> {
        self.grants().user_output.as_ref()
    }

    /// Shows the person what the running call waits for, under the skill's name; what is `told` stays on the screen.
    pub fn waiting(&self, _: &P::Actions, what: &str, told: bool) {
        self.kernel.show(self, json!({"waiting": what, "told": told}));
    }
}

impl<P: Program> Kernel<P> {
    /// An event of a skill: source, session and profile are the kernel's to say.
    pub(super) fn event(&self, source: &SkillName, event_type: &EventType, payload: Value) -> Event {
        let program = &self.program;
        Event {
            event_type: event_type.clone(),
            payload,
            source: source.to_string(),
            session_id: program.conversation(),
            profile_id: program.profile().clone(),
            metadata: std::collections::BTreeMap::new(),
        }
    }
}

/// The right to ask the person.
pub struct UserInput(pub(super) ());

impl UserInput {
    /// Asks under the skill's name and waits for the line.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    pub fn ask<P: Program>(&self, ctx: &KernelContext<P>, question: &str) -> Result<String, String> {
        let answer = ctx.kernel.show(ctx, json!({"ask": question})).unwrap_or_default();
        match answer.get("answer").and_then(Value::as_str) {
            Some(line) => Ok(line.to_owned()),
            None => Err(answer["error"].as_str().unwrap_or("no one is here to answer").to_owned()),
        }
    }
}

/// The right to show the person something.
pub struct UserOutput(pub(super) ());

impl UserOutput {
    /// Shows a text under the skill's name.
    pub fn say<P: Program>(&self, ctx: &KernelContext<P>, text: &str) {
        ctx.kernel.show(ctx, json!({"say": text}));
    }
}

/// The event by which something is shown.
pub(super) fn output_event() -> EventType {
    core::ASSISTANT_OUTPUT.parse().expect("the core event types are well-formed")
}
