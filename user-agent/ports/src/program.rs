//! What this program is to its kernel.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

use bot_base::error::Error;
use bot_base::log::{self, CallId, Event, Name};
use kernel::approval::{ApprovalRoute, Question};
use kernel::grants::Rights;
use kernel::program::{Attempt, Program, Report};
use kernel::skill::{Called, Outcome};
use kernel::stop::Stopped;
use receipts::Status;
use shared_types::id::{ConversationId, ProfileId, SkillName};
use shared_types::risk::{Autonomy, Risk};
use shared_types::verdict::{Decider, NoYes};

use super::actions::Actions;
use super::handles::{Handles, Services};
use super::{ByKernel, KernelContext, Shared, permit};
use crate::budget::Budget;

impl Program for Shared {
    type Services = Services;
    type Handles = Handles;
    type Actions = Actions;
    type Budget = Budget;
    type Span = log::Span;
    type Error = Error;

    fn handles(by: &ByKernel, rights: &Rights<'_>, services: &Services) -> Handles {
        Handles::make(by, rights, services)
    }

    fn profile(&self) -> &ProfileId {
        &self.profile
    }

    fn autonomy(&self) -> Autonomy {
        self.autonomy
    }

    fn conversation(&self) -> ConversationId {
        self.conversation()
    }

    fn turn_to(&self, _: &ByKernel, conversation: ConversationId) {
        log::event(Event::ConversationStarted { conversation: Name::of(conversation.as_str()) });
        *self.conversation.lock().unwrap_or_else(PoisonError::into_inner) = conversation;
    }

    fn cancel(&self) -> &Arc<AtomicBool> {
        &self.cancel
    }

    fn stopped(&self) -> Option<Stopped> {
        self.stopped()
    }

    fn met(&self, stopped: &Stopped) {
        log::event(Event::StopTriggered { by: Name::of(stopped.by) });
    }

    fn allows(&self, skill: &SkillName, full_name: &str) -> Result<(), &'static str> {
        let is_allowed = self.channel().allows_of(skill.as_str(), full_name);
        if is_allowed { Ok(()) } else { Err(self.session.through.tools_key()) }
    }

    fn no_driver() -> Error {
        Error::NoDriver
    }

    fn begin(&self, _: &ByKernel) -> Result<(), Error> {
        let channel = self.session.through.name();
        if !self.channel().enabled {
            return Err(Error::ChannelOff(channel));
        }
        let profile = Name::of(self.profile.as_str());
        log::event(Event::ChannelStarted { channel: Name::of(channel), profile });
        if let Some(first) = self.config.models.providers.first() {
            let kind = serde_json::to_value(first.kind).unwrap_or_default();
            let kind = Name::of(kind.as_str().unwrap_or_default());
            log::event(Event::ProviderSelected { provider: Name::of(&first.name), kind });
        }
        if self.session.conversation.is_none() {
            let conversation = self.conversation();
            log::event(Event::ConversationStarted { conversation: Name::of(conversation.as_str()) });
        }
        Ok(())
    }

    fn tell(&self, attempt: &Attempt<'_>, told: Report<'_>) {
        let call = call_of(attempt);
        log::event(match told {
            Report::Requested => Event::ToolRequested { call },
            Report::Approved(risk, by) => {
                Event::ToolApproved { call, risk: Name::of(risk.as_str()), by: Name::of(by.as_str()) }
            }
            Report::Completed(took) => Event::ToolCompleted { call, took },
            Report::Failed(took) => Event::ToolFailed { call, took },
            Report::Denied(rule) => Event::ToolDenied { call, rule: Name::of(rule.as_str()) },
        });
    }

    fn enter(&self, attempt: &Attempt<'_>) -> log::Span {
        log::in_call(&call_of(attempt))
    }

    fn no_receipt(&self, by: &ByKernel) -> Option<String> {
        self.places.0.receipts.missing(by)
    }

    fn keep_receipt(
        &self,
        by: &ByKernel,
        attempt: &Attempt<'_>,
        outcome: Outcome,
        (risk, approved_by): (Risk, &str),
    ) -> Called {
        let (status, result) = match &outcome {
            Outcome::Said(said) => (Status::Allowed, said.as_str()),
            Outcome::NotMine => (Status::Allowed, ""),
            Outcome::Failed(why) => (Status::Failed, why.as_str()),
            Outcome::Denied(_, why) => (Status::Denied, why.as_str()),
        };
        let (conversation, tool, args) = (attempt.conversation.as_str(), attempt.tool, attempt.args);
        // What net exchanged for a skill stands in net's own log.
        let network = &[];
        let kept = receipts::Attempt { conversation, tool, args, result, status, approved_by, risk, network };
        let receipt_id = self.places.0.receipts.keep(by, &kept);
        if let Some(id) = &receipt_id {
            log::event(Event::ReceiptWritten { id: Name::of(id), call: call_of(attempt) });
        }
        Called { outcome, receipt_id }
    }

    fn note_excused(&self, by: &ByKernel, tool: &str) -> bool {
        self.note_excused(by, tool)
    }

    fn excused_in(&self, by: &ByKernel, conversation: &ConversationId) -> usize {
        self.excused_in(by, conversation)
    }
}

impl ApprovalRoute for Shared {
    fn ask_elsewhere(
        &self,
        by: &ByKernel,
        from: &KernelContext,
        asked: &Question<'_>,
    ) -> Option<Result<Decider, NoYes>> {
        // In a minor's profile, and where nobody sits, the approver is asked and not the chat.
        let elsewhere = self.audience.is_minor() || self.session.scheduled;
        elsewhere.then(|| permit::ask(by, from, asked))
    }
}

fn call_of<'a>(attempt: &'a Attempt<'_>) -> CallId<'a> {
    let (tool, conversation) = (Name::of(attempt.tool), Name::of(attempt.conversation.as_str()));
    CallId { tool, conversation, number: attempt.number }
}
