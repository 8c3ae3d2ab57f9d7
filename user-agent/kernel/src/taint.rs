//! Notes what a conversation holds, where it passes: the person's lines and what memory answers in the dispatch, what a tool
//! brings when the gate admits the call. No skill is asked, and nothing takes it away again but another conversation.

use std::sync::{MutexGuard, PoisonError};

use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::id::{ConversationId, EventType};
use shared_types::provenance::Provenance;
use shared_types::taint::{Taint, noted_on};

use super::context::{Kernel, KernelContext};
use super::program::{ByKernel, Program};

impl<P: Program> Kernel<P> {
    /// What the conversation holds; skills see no more of it than [`KernelContext::holds`].
    pub(super) fn taint(&self) -> MutexGuard<'_, Taint> {
        self.taint.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a line that the person types: it comes from a skill that is part of the bot and reads the person's lines.
    pub(super) fn hear(&self, from: &KernelContext<P>, event: &EventType, payload: &Value) {
        // What stands in a workflow was typed by nobody.
        let typed = event.as_str() == core::USER_INPUT && payload["untyped"] != true;
        let line = payload["text"].as_str().filter(|_| typed);
        if let Some(line) = line.filter(|_| !from.is_learned() && from.user_input().is_some()) {
            self.taint().line(line);
        }
    }

    /// Notes what memory answered. What the person only looks at enters no prompt, and marks nothing.
    pub(super) fn recall(
        &self,
        from: &KernelContext<P>,
        event: &EventType,
        asked: &Value,
        answer: Option<&Value>,
    ) {
        if event.as_str() != core::MEMORY_QUERY || from.is_shown() || asked["what"] == "last" {
            return;
        }
        let rows = answer.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        // A record may stand under its kind, as `show` answers.
        let all = rows.iter().flat_map(|row| [row, &row["fact"], &row["turn"]]);
        let noted = all.fold(Provenance::NONE, |noted, row| noted.with(noted_on(row)));
        if !rows.is_empty() {
            self.taint().bring(noted.with(Provenance::PRIVATE));
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
        let query = core::MEMORY_QUERY.parse().expect("the core event types are well-formed");
        let asked = json!({"what": "conversation", "id": conversation});
        let records = kernel.dispatch(&self.shown(), &query, asked).unwrap_or_default();
        let excused = kernel.program.excused_in(&ByKernel::new(), &conversation);
        let taint = Taint::of(records.as_array().map_or(&[], Vec::as_slice), excused);
        *kernel.taint() = taint;
        kernel.program.turn_to(&ByKernel::new(), conversation);
    }
}
