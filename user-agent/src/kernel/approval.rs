//! Who is asked for a yes, and what they are told: the one place from which a call's approval is sought.

use std::sync::Arc;

use policy::Weight;
use serde_json::{Value, json};
use shared_types::event::Event;
use shared_types::risk::Risk;
use shared_types::text::cut;

use super::context::{KernelContext, output_event};
use super::{Kernel, MAX_DEPTH, permit};

/// The source of the question; no skill can be called so.
pub const GATE: &str = "the gate";

/// A call about which somebody is asked.
pub(super) struct Question<'a> {
    /// The tool, by its full name.
    pub(super) tool: &'a str,
    /// The place of its skill.
    pub(super) place: usize,
    /// The arguments.
    pub(super) args: &'a Value,
    /// What the call would do.
    pub(super) weight: &'a Weight,
    /// The risk at which it was judged.
    pub(super) risk: Risk,
    /// Why somebody is asked.
    pub(super) why: &'a str,
}

impl Kernel {
    /// Asks for a yes; answers who said it.
    ///
    /// # Errors
    /// Why there is none, with a lawful next step.
    pub(super) fn approval(
        self: &Arc<Self>,
        from: &KernelContext,
        asked: &Question<'_>,
    ) -> Result<String, String> {
        // In a minor's profile, and where nobody sits, the approver is asked and not the chat.
        match permit::is_needed(&self.shared) {
            true => permit::ask(from, asked.tool, asked.args, asked.risk, asked.why),
            false => self.approval_in_chat(from, asked),
        }
    }

    fn approval_in_chat(
        self: &Arc<Self>,
        from: &KernelContext,
        asked: &Question<'_>,
    ) -> Result<String, String> {
        let entry = &self.registry.entries()[asked.place];
        let question = json!({"approve": {
            "tool": asked.tool,
            "skill": entry.skill.name(),
            "learned": entry.learned,
            "risk": asked.risk,
            "reason": asked.why,
            "args": asked.args,
            "to": asked.weight.carries_to,
        }});
        let answer = self.ask_person(from, question).unwrap_or_default();
        match answer["approved"] == true {
            true => Ok("person".to_owned()),
            false => Err(cut(answer["error"].as_str().unwrap_or("no one is here to ask"), 300)),
        }
    }

    /// Hands the question to who shows things to the person, under a name that no skill has.
    fn ask_person(self: &Arc<Self>, from: &KernelContext, question: Value) -> Option<Value> {
        let event_type = output_event();
        let place = self.registry.handler(&event_type).filter(|_| from.depth() < MAX_DEPTH)?;
        let event =
            Event { source: GATE.to_owned(), ..self.shared.event(from.skill(), &event_type, question) };
        self.registry.entries()[place].skill.handle(&event, &from.onward(place))
    }
}
