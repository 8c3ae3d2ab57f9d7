//! Who is asked for a yes, and what they are told: the one place from which a call's approval is sought.

use std::sync::Arc;

use serde_json::{Value, json};
use shared_types::event::Event;
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::Weight;

use super::context::{KernelContext, output_event};
use super::{ByKernel, Kernel, MAX_DEPTH};
use crate::ports::permit;

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
    /// The words of the arguments that the person did not type.
    pub(super) strange: &'a [String],
}

/// Who let a call happen, or did not, as its receipt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decider {
    /// The rules alone; nobody was asked.
    Policy,
    /// The person in the chat.
    Person,
    /// The admin service, which judges it again.
    Admin,
    /// An approver, by name.
    Approver(String),
}

impl Decider {
    /// The word of a receipt.
    pub fn as_str(&self) -> &str {
        match self {
            Decider::Policy => "policy",
            Decider::Person => "person",
            Decider::Admin => "admin",
            Decider::Approver(name) => name,
        }
    }
}

/// Why there is no yes, and whose no that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoYes {
    /// In words, with a lawful next step.
    pub why: String,
    /// The rules, where nobody was asked.
    pub by: Decider,
}

impl NoYes {
    /// Nobody could be asked, or nobody has answered yet.
    pub fn unasked(why: impl Into<String>) -> NoYes {
        NoYes { why: why.into(), by: Decider::Policy }
    }
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
    ) -> Result<Decider, NoYes> {
        // In a minor's profile, and where nobody sits, the approver is asked and not the chat.
        match self.shared.audience.is_minor() || self.shared.session.scheduled {
            true => permit::ask(&ByKernel(()), from, asked.tool, asked.args, asked.risk, asked.why),
            false => self.approval_in_chat(from, asked),
        }
    }

    fn approval_in_chat(
        self: &Arc<Self>,
        from: &KernelContext,
        asked: &Question<'_>,
    ) -> Result<Decider, NoYes> {
        let entry = &self.registry.entries()[asked.place];
        let question = json!({"approve": {
            "tool": asked.tool,
            "skill": entry.skill.name(),
            "learned": entry.learned,
            "risk": asked.risk,
            "reason": asked.why,
            "args": asked.args,
            "to": asked.weight.carries_to,
            "untyped": asked.strange,
        }});
        let answer = self.ask_person(from, question).unwrap_or_default();
        match answer["approved"] == true {
            true => Ok(Decider::Person),
            false => Err(NoYes {
                why: cut(answer["error"].as_str().unwrap_or("no one is here to ask"), 300),
                by: if answer["asked"] == true { Decider::Person } else { Decider::Policy },
            }),
        }
    }

    /// Hands the question to who shows things to the person, under a name that no skill has.
    fn ask_person(self: &Arc<Self>, from: &KernelContext, question: Value) -> Option<Value> {
        let event_type = output_event();
        let place = self.registry.handler(&event_type).filter(|_| from.depth() < MAX_DEPTH)?;
        let event = Event { source: GATE.to_owned(), ..self.event(from.skill(), &event_type, question) };
        self.registry.entries()[place].skill.handle(&event, &from.onward(place))
    }
}
