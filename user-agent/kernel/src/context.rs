//! The kernel as it stands, and what a skill sees of it during one call: who it is and what it was granted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use shared_types::described::Shown;
use shared_types::event::Event;
use shared_types::id::{ConversationId, SkillName};
use shared_types::message::Message;
use shared_types::risk::Risk;
use shared_types::taint::Taint;

use crate::grants::{Grants, UserInput, UserOutput};
use crate::program::Program;
use crate::registry::{Entry, Offered, Registry};

/// The running kernel.
pub struct Kernel<P: Program> {
    pub(super) registry: Registry<P>,
    pub(super) program: P,
    /// What the conversation holds.
    pub(super) taint: Mutex<Taint>,
    /// Held by the one call that is being judged.
    pub(super) judging: Mutex<()>,
}

impl<P: Program> Kernel<P> {
    /// A context for the skill of that name, as the verbs that only look something up need it.
    pub fn context_of(self: &Arc<Self>, name: &str) -> Option<KernelContext<P>> {
        let place = self.registry.entries().iter().position(|e| e.skill.name().as_str() == name)?;
        Some(self.context(place))
    }

    /// The program, for who booted the kernel; a skill holds a context and no kernel.
    pub fn program(&self) -> &P {
        &self.program
    }

    pub(super) fn context(self: &Arc<Self>, place: usize) -> KernelContext<P> {
        KernelContext { kernel: self.clone(), place, depth: 0, budget: None, shown: false, cancel: None }
    }

    /// An event of a skill: source, session and profile are the kernel's to say.
    pub(super) fn event(&self, source: &str, message: Message) -> Event<Message> {
        let program = &self.program;
        Event {
            event_type: message.event_type(),
            payload: message,
            source: source.to_string(),
            session_id: program.conversation(),
            profile_id: program.profile().clone(),
            metadata: std::collections::BTreeMap::new(),
        }
    }
}

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
    /// The context of the skill that answers this one.
    pub(super) fn onward(&self, place: usize) -> KernelContext<P> {
        KernelContext { place, depth: self.depth + 1, ..self.clone() }
    }

    /// As [`KernelContext::onward`], for a message: what a person only looks at is shown, and nothing else.
    pub(super) fn onward_with(&self, place: usize, message: &Message) -> KernelContext<P> {
        let looks = matches!(message, Message::Input(input) if input.is_look());
        KernelContext { shown: self.shown || looks, ..self.onward(place) }
    }

    /// The same context, for what is only shown.
    pub(super) fn shown(&self) -> KernelContext<P> {
        KernelContext { shown: true, ..self.clone() }
    }

    /// Whether what comes of this is only shown to the person.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    pub(super) fn kernel(&self) -> &Arc<Kernel<P>> {
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

    /// How many dispatches are above this call.
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

    /// What boot read: the profile, the settings, the system's abilities.
    pub fn shared(&self) -> &P {
        self.kernel.program()
    }

    /// The conversation.
    pub fn conversation(&self) -> ConversationId {
        self.shared().conversation()
    }

    /// The same context, ended by a flag of its own: for what continues when the turn has ended.
    pub fn ended_by(&self, cancel: Arc<AtomicBool>) -> KernelContext<P> {
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

    /// Every tool, whether this channel may call it or not.
    pub fn tools(&self) -> impl Iterator<Item = Offered<'_>> {
        self.kernel.registry.tools()
    }

    /// The risk of a call on its own, regardless of the gate, for callers that may call tools; without arguments the usual one
    /// of the tool, for everybody. `None` where the tool does not exist, the arguments do not fit, or a grant is missing.
    pub fn risk_of(&self, full_name: &str, args: Option<&Value>) -> Option<Risk> {
        let (place, tool) = self.kernel.registry.place_of(full_name)?;
        let (skill, ctx) = (&self.kernel.registry.entries()[place].skill, self.onward(place));
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
}
