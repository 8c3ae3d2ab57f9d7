//! What the pages say; the words of each language are in `libs/web/words`. What the service answers is retold where there are words
//! for it, and the pages of the review are shown as the service says them.

use language::fill;
use review::queue::Item;
use shared_types::status::{Status, Wait};
use shared_types::text::line;

web::words! {
    "review":
    /// The words of one language. Names in braces stand for facts.
    pub(super) struct Words {
        // Every page.
        pub(super) name,
        pub(super) skip,
        pub(super) sections,
        pub(super) queue,
        pub(super) leave,
        pub(super) stopped,
        pub(super) stop_hint,
        pub(super) footer,
        // The queue.
        pub(super) waiting,
        pub(super) none_waits,
        pub(super) empty,
        pub(super) others,
        pub(super) others_hint,
        pub(super) since,
        for_profile,
        asked_times,
        recommended,
        status_new,
        status_discovered,
        status_implementation,
        status_agent_review,
        status_human_review,
        status_accepted,
        status_rejected,
        status_removed,
        waits_for_person,
        waits_for_model,
        waits_for_compiler,
        waits_for_room,
        // The login.
        pub(super) login,
        pub(super) token,
        pub(super) token_hint,
        pub(super) enter,
        pub(super) nothing_typed,
        pub(super) no_token,
        pub(super) not_known,
        pub(super) slower,
        // The pages of the review.
        pub(super) by_others,
        pub(super) bad,
        pub(super) caution,
        // The decision.
        pub(super) decision,
        pub(super) notes_first,
        pub(super) not_now,
        pub(super) no_yes_while_stopped,
        pub(super) goes_to,
        pub(super) sign,
        pub(super) sign_hint,
        pub(super) unscripted,
        pub(super) preparing,
        pub(super) look_there,
        pub(super) sending,
        pub(super) blocked,
        silent,
        pub(super) closed,
        pub(super) broken,
        pub(super) elsewhere,
        pub(super) elsewhere_look,
        pub(super) download,
        pub(super) key_is_there,
        pub(super) needs_code,
        pub(super) gate,
        // A no, a note, a call.
        pub(super) reason,
        pub(super) reject,
        pub(super) rejected,
        pub(super) leave_note,
        pub(super) note,
        pub(super) keep_note,
        pub(super) try_it,
        arguments,
        call,
        pub(super) tried,
        pub(super) tried_hint,
        tried_by,
        // What went wrong.
        pub(super) failed,
        pub(super) back,
        pub(super) back_to_item,
        pub(super) no_page,
        pub(super) no_item,
        pub(super) other_method,
        pub(super) no_origin,
        wrong_host,
        pub(super) busy,
        pub(super) too_large,
        pub(super) too_late,
        pub(super) unfit,
    }
}

impl Words {
    /// For whom an item is.
    pub(super) fn for_profile(&self, profile: &str) -> String {
        fill(self.for_profile, &[("profile", &line(profile))])
    }

    /// How often an item was asked for.
    pub(super) fn asked_times(&self, count: u64) -> String {
        fill(self.asked_times, &[("count", &count.to_string())])
    }

    /// What the program recommends.
    pub(super) fn recommended(&self, what: &str) -> String {
        fill(self.recommended, &[("what", what)])
    }

    /// Where an item stands, and what it waits for.
    pub(super) fn state(&self, item: &Item) -> String {
        let status = self.status(item.status);
        match item.waits_for {
            // Its status says so.
            Some(Wait::Person) if item.status == Status::HumanReview => status.to_owned(),
            Some(wait) => format!("{status}, {}", self.waits_for(wait)),
            None => status.to_owned(),
        }
    }

    fn status(&self, status: Status) -> &'static str {
        match status {
            Status::New => self.status_new,
            Status::Discovered => self.status_discovered,
            Status::Implementation => self.status_implementation,
            Status::AgentReview => self.status_agent_review,
            Status::HumanReview => self.status_human_review,
            Status::Accepted => self.status_accepted,
            Status::Rejected => self.status_rejected,
            Status::Removed => self.status_removed,
        }
    }

    fn waits_for(&self, wait: Wait) -> &'static str {
        match wait {
            Wait::Person => self.waits_for_person,
            Wait::Model => self.waits_for_model,
            Wait::Compiler => self.waits_for_compiler,
            Wait::Room => self.waits_for_room,
        }
    }

    /// The signing page does not answer.
    pub(super) fn silent(&self, origin: &str) -> String {
        fill(self.silent, &[("origin", origin)])
    }

    /// What is typed for a call.
    pub(super) fn arguments(&self, tool: &str, parameters: &str) -> String {
        fill(self.arguments, &[("tool", tool), ("parameters", parameters)])
    }

    /// The button of a call.
    pub(super) fn call(&self, tool: &str) -> String {
        fill(self.call, &[("tool", tool)])
    }

    /// What stands above the answer of a call.
    pub(super) fn tried_by(&self, tool: &str) -> String {
        fill(self.tried_by, &[("tool", tool)])
    }

    /// A request that names another host.
    pub(super) fn wrong_host(&self, host: &str) -> String {
        fill(self.wrong_host, &[("host", host)])
    }
}

#[cfg(test)]
mod tests;
