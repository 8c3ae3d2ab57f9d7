//! What a skill sees of the kernel during one call: who it is, whom it may send to, and what it was granted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use guest::Rest;
use serde_json::{Value, json};
use shared_types::capability::TokenSet;
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::risk::Risk;
use shared_types::schema::Parameters;

use crate::kernel::Kernel;
use crate::kernel::gate::Turned;
use crate::kernel::grants::Grants;
use crate::kernel::registry::{Registry, Shown};
use crate::kernel::skill::{Outcome, Tool};
use crate::ports::Shared;
use crate::ports::actions::Actions;

/// The kernel as one skill sees it during one call.
#[derive(Clone)]
pub struct KernelContext {
    kernel: Arc<Kernel>,
    place: usize,
    depth: u8,
    budget: Option<Arc<Budget>>,
    /// What ends this call, where it may end without the turn.
    cancel: Option<Arc<AtomicBool>>,
    /// Whether what comes of this is only shown to the person.
    shown: bool,
}

/// What is left of a learned skill's limits while it waits for another; whoever computes for it spends from this.
#[derive(Debug)]
pub struct Budget {
    /// What was left when the dispatch began.
    pub rest: Rest,
    fuel: AtomicU64,
    micros: AtomicU64,
}

impl Budget {
    /// Starts with what is left.
    pub fn new(rest: Rest) -> Budget {
        Budget { rest, fuel: AtomicU64::new(0), micros: AtomicU64::new(0) }
    }

    /// Takes away what a call spent.
    pub fn spend(&self, fuel: u64, time: Duration) {
        self.fuel.fetch_add(fuel, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// What is left now.
    pub fn left(&self) -> Rest {
        let spent = Duration::from_micros(self.micros.load(Ordering::Relaxed));
        Rest {
            fuel: self.rest.fuel.saturating_sub(self.fuel.load(Ordering::Relaxed)),
            wall: self.rest.wall.saturating_sub(spent),
            ..self.rest.clone()
        }
    }
}

impl KernelContext {
    pub(super) fn new(kernel: Arc<Kernel>, place: usize) -> Self {
        KernelContext { kernel, place, depth: 0, budget: None, shown: false, cancel: None }
    }

    /// The context of the skill that answers this one.
    pub(super) fn onward(&self, place: usize) -> KernelContext {
        KernelContext { place, depth: self.depth + 1, ..self.clone() }
    }

    /// As [`KernelContext::onward`], for an event: what a person asks for by a command is shown, and nothing else.
    pub(super) fn onward_with(&self, place: usize, event: &Event) -> KernelContext {
        let commands = event.event_type.as_str() == core::USER_INPUT
            && event.payload["command"].as_str().is_some_and(|command| command != "retry");
        KernelContext { shown: self.shown || commands, ..self.onward(place) }
    }

    /// The same context, for what is only shown.
    pub(super) fn shown(&self) -> KernelContext {
        KernelContext { shown: true, ..self.clone() }
    }

    /// Whether what comes of this is only shown to the person.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    pub(super) fn registry(&self) -> &Registry {
        self.kernel.registry()
    }

    pub(super) fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// Whether the skill was learned.
    pub(super) fn is_learned(&self) -> bool {
        self.kernel.registry().entries()[self.place].learned
    }

    pub(crate) fn grants(&self) -> &Grants {
        &self.kernel.registry().entries()[self.place].grants
    }

    /// The skill's own name.
    pub fn skill(&self) -> &SkillName {
        self.kernel.registry().entries()[self.place].skill.name()
    }

    /// How many dispatches lie above this call.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// What the skills above, on whose behalf this call is made, have left.
    pub fn budget(&self) -> Option<&Arc<Budget>> {
        self.budget.as_ref()
    }

    /// The same context, spending from a budget.
    #[must_use]
    pub fn spending(&self, budget: Arc<Budget>) -> KernelContext {
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
        if !self.grants().calls_tools() {
            return Outcome::Failed("this skill may not call tools".to_owned());
        }
        self.kernel.call_tool(self, full_name, args, line)
    }

    /// Puts on record that a call is not made: its arguments cannot be read, or the conversation made it too often.
    pub fn refuse_call(&self, full_name: &str, args: &Value, rule: &'static str, why: &str) {
        if self.grants().calls_tools() {
            self.kernel.turned_away(full_name, args, Turned::new(rule, Risk::Low, why));
        }
    }

    /// What boot read: the profile, the settings, the system's abilities.
    pub fn shared(&self) -> &Shared {
        self.kernel.shared()
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
    pub(super) fn ended_by(&self, cancel: Arc<AtomicBool>) -> KernelContext {
        KernelContext { cancel: Some(cancel), ..self.clone() }
    }

    /// Becomes true when the running turn is to end, or this call alone.
    pub fn cancel(&self) -> &Arc<AtomicBool> {
        self.cancel.as_ref().unwrap_or(&self.shared().cancel)
    }

    /// Whether the running turn is to end, or this call alone.
    pub fn is_cancelled(&self) -> bool {
        self.cancel().load(Ordering::Relaxed)
    }

    /// The active skills.
    pub fn skills(&self) -> Vec<Shown> {
        self.kernel.registry().entries().iter().map(Shown::from).collect()
    }

    /// Which calls of one round may be made beside each other.
    pub fn independent(&self, calls: &[(&str, &Value)]) -> Vec<bool> {
        self.kernel.independent(self, calls)
    }

    /// The tools with their full names, as they are offered to a model.
    pub fn tools(&self) -> Vec<models::ToolSpec> {
        let spec = |(name, tool): (&str, &Tool)| models::ToolSpec {
            name: name.to_owned(),
            description: tool.description.clone(),
            parameters: tool.parameters.as_json().clone(),
            phrases: tool.phrases.clone(),
        };
        self.allowed_tools().map(|(name, _, tool)| spec((name, tool))).collect()
    }

    /// The same tools as people are shown them.
    pub fn listed_tools(&self) -> Vec<Listed> {
        let listed = |(name, place, tool): (&str, usize, &Tool)| {
            let entry = &self.kernel.registry().entries()[place];
            Listed {
                name: name.to_owned(),
                skill: entry.skill.name().clone(),
                learned: entry.learned,
                tokens: entry.grants.tokens().clone(),
                risk: entry.skill.usual_risk(tool, &self.onward(place)),
                description: tool.description.clone(),
                parameters: tool.parameters.clone(),
            }
        };
        self.allowed_tools().map(listed).collect()
    }

    fn allowed_tools(&self) -> impl Iterator<Item = (&str, usize, &Tool)> {
        let registry = self.kernel.registry();
        let found =
            registry.tools().filter_map(|(name, tool)| Some((name, registry.place_of(name)?.0, tool)));
        found.filter(|(name, place, _)| {
            self.shared().config.cli.allows_of(registry.entries()[*place].skill.name().as_str(), name)
        })
    }

    /// The person's answers, with `user:input`.
    pub fn user_input(&self) -> Option<&UserInput> {
        self.grants().user_input()
    }

    /// The screen, with `user:output`.
    pub fn user_output(&self) -> Option<&UserOutput> {
        self.grants().user_output()
    }

    /// Shows the person what the running call waits for, under the skill's name; what is `told` stays on the screen.
    pub(crate) fn waiting(&self, _: &Actions, what: &str, told: bool) {
        self.kernel.show(self, json!({"waiting": what, "told": told}));
    }
}

impl Kernel {
    /// An event of a skill: source, session and profile are the kernel's to say.
    pub(super) fn event(&self, source: &SkillName, event_type: &EventType, payload: Value) -> Event {
        let shared = &self.shared;
        Event {
            event_type: event_type.clone(),
            payload,
            source: source.to_string(),
            session_id: shared.conversation(),
            profile_id: shared.profile.clone(),
            metadata: std::collections::BTreeMap::new(),
        }
    }
}

/// A tool as people are shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The full name.
    pub name: String,
    /// The skill that has it.
    pub skill: SkillName,
    /// Whether that skill was learned.
    pub learned: bool,
    /// What the skill was granted.
    pub tokens: TokenSet,
    /// How much a call could do; `None` where the arguments decide.
    pub risk: Option<Risk>,
    /// One line.
    pub description: String,
    /// The parameters.
    pub parameters: Parameters,
}

/// The right to ask the person.
pub struct UserInput(pub(super) ());

impl UserInput {
    /// Asks under the skill's name and waits for the line.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    pub fn ask(&self, ctx: &KernelContext, question: &str) -> Result<String, String> {
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
    pub fn say(&self, ctx: &KernelContext, text: &str) {
        ctx.kernel.show(ctx, json!({"say": text}));
    }
}

/// The event by which something is shown.
pub(super) fn output_event() -> EventType {
    core::ASSISTANT_OUTPUT.parse().expect("the core event types are well-formed")
}
