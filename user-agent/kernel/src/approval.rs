//! Who is asked for a yes, and what they read: the one place from which a call's approval is sought.

use std::sync::Arc;

use serde_json::Value;
use shared_types::message::{Answer, CallQuestion, Show};
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::{Decider, NoYes, Weight};

use super::MAX_DEPTH;
use super::context::{Kernel, KernelContext};
use super::program::{ByKernel, Program};

/// The source of the question; no skill can be called so.
pub const GATE: &str = "the gate";

/// A call about which somebody is asked.
pub struct Question<'a> {
    /// The tool, by its full name.
    pub tool: &'a str,
    /// The place of its skill.
    pub(super) place: usize,
    /// The arguments.
    pub args: &'a Value,
    /// What the call would do.
    pub weight: &'a Weight,
    /// The risk at which it was judged.
    pub risk: Risk,
    /// Why somebody is asked.
    pub why: &'a str,
    /// The words of the arguments that the person did not type.
    pub strange: &'a [String],
}

/// A program that knows who else may say yes.
pub trait ApprovalRoute: Program {
    /// Asks for a yes where nobody in the chat may give it; `None` where the chat is to be asked.
    fn ask_elsewhere(
        &self,
        by: &ByKernel<Self>,
        from: &KernelContext<Self>,
        asked: &Question<'_>,
    ) -> Option<Result<Decider, NoYes>>;
}

impl<P: ApprovalRoute> Kernel<P> {
    /// Asks for a yes; answers who said it.
    ///
    /// # Errors
    /// Why there is none, with a lawful next step.
    pub(super) fn approval(
        self: &Arc<Self>,
        from: &KernelContext<P>,
        asked: &Question<'_>,
    ) -> Result<Decider, NoYes> {
        let elsewhere = self.program.ask_elsewhere(&ByKernel::new(), from, asked);
        elsewhere.unwrap_or_else(|| self.approval_in_chat(from, asked))
    }

    fn approval_in_chat(
        self: &Arc<Self>,
        from: &KernelContext<P>,
        asked: &Question<'_>,
    ) -> Result<Decider, NoYes> {
        let entry = &self.registry.entries()[asked.place];
        let question = CallQuestion {
            tool: asked.tool.to_owned(),
            skill: entry.skill.name().clone(),
            learned: entry.learned,
            risk: asked.risk,
            reason: asked.why.to_owned(),
            args: asked.args.clone(),
            to: asked.weight.carries_to.clone(),
            untyped: asked.strange.to_vec(),
        };
        let (why, asked) = match self.ask_person(from, question) {
            Some(Answer::Approved) => return Ok(Decider::Person),
            Some(Answer::Unapproved { why, asked }) => (cut(&why, 300), asked),
            _ => ("no one is here to ask".to_owned(), false),
        };
        Err(NoYes { why, by: if asked { Decider::Person } else { Decider::Policy } })
    }

    /// Hands the question to who shows things to the person, under a name that no skill has.
    fn ask_person(self: &Arc<Self>, from: &KernelContext<P>, question: CallQuestion) -> Option<Answer> {
        let event = self.event(GATE, Show::Approve { approve: Box::new(question) }.into());
        let place = self.registry.handler(&event.event_type).filter(|_| from.depth() < MAX_DEPTH)?;
        self.registry.entries()[place].skill.answer(&event, &from.onward(place))
    }
}
