//! Notes what a conversation holds, where it passes: the person's lines and what memory answers in the dispatch, what a tool
//! brings when the gate admits the call. No skill is asked, and nothing takes it away again but another conversation.

use std::sync::{MutexGuard, PoisonError};

use serde_json::Value;
use shared_types::id::ConversationId;
use shared_types::message::{Answer, Input, Line, Message, Recall};
use shared_types::provenance::Provenance;
use shared_types::taint::Taint;

use super::context::{Kernel, KernelContext};
use super::program::{ByKernel, Program};

impl<P: Program> Kernel<P> {
    /// What the conversation holds; skills see no more of it than [`KernelContext::holds`].
    pub(super) fn taint(&self) -> MutexGuard<'_, Taint> {
        self.taint.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a line that the person types: it comes from a skill that is part of the bot and reads the person's lines.
    pub(super) fn hear(&self, from: &KernelContext<P>, message: &Message) {
        // What stands in a workflow was typed by nobody.
        if let Message::Input(Input::Line(Line { text, untyped: false, .. })) = message
            && !from.is_learned()
            && from.user_input().is_some()
        {
            self.taint().line(text);
        }
    }

    /// Notes what memory answered. What the person only looks at enters no prompt, and marks nothing.
    pub(super) fn recall(&self, from: &KernelContext<P>, asked: &Message, answer: Option<&Answer>) {
        if let (Message::Recall(_), Some(brings)) = (asked, answer.and_then(Answer::brings))
            && !from.is_shown()
        {
            self.taint().bring(brings);
        }
    }

    /// Takes the arguments of a command line as what the person typed. No skill can reach this.
    pub fn take_as_typed(&self, args: &Value) {
        self.taint().written(args);
    }
}

impl<P: Program> KernelContext<P> {
    /// What the conversation holds.
    pub fn holds(&self) -> Provenance {
        self.kernel().taint().provenance()
    }

    /// Notes what came into the conversation, as a skill's host does for records that it hands out.
    pub fn brings(&self, more: Provenance) {
        self.kernel().taint().bring(more);
    }

    /// Begins or resumes a conversation, with what its records hold; only who reads the person's lines may.
    pub fn turn_to(&self, conversation: ConversationId) {
        if self.user_input().is_none() {
            return;
        }
        let kernel = self.kernel();
        let records = match kernel.dispatch(&self.shown(), Recall::conversation(&conversation).into()) {
            Some(Answer::Turns(records)) => Some(records),
            Some(Answer::Failed(_)) => None,
            _ => Some(vec![]),
        };
        let excused = kernel.program.excused_in(&ByKernel::new(), &conversation);
        *kernel.taint() = Taint::of(records.as_deref(), excused);
        kernel.program.turn_to(&ByKernel::new(), conversation);
    }
}
