//! What the pages say; the words of each language are in `libs/web/words`. What `mind` refuses is English, so another language says
//! the kind of refusal in its own words, and those of `mind` only where they say more.

use axum::http::HeaderMap;
use language::fill;

use super::super::app::App;
use super::super::failure::Failed;

/// The code of a failure whose message is in the page's language.
pub(super) const IN_WORDS: &str = "in_words";

web::words! {
    "door":
    /// The words of one language.
    pub(super) struct Words {
        pub(super) skip,
        pub(super) sections,
        pub(super) chat,
        pub(super) memory,
        pub(super) receipts,
        pub(super) leave,
        pub(super) stop,
        pub(super) stopped,
        pub(super) stop_reason,
        pub(super) stop_set,
        pub(super) stop_hint,
        pub(super) halted,
        ready_one,
        ready_many,
        pub(super) nothing_approved,
        pub(super) talk,
        pub(super) empty,
        pub(super) line,
        pub(super) keys,
        pub(super) send,
        pub(super) files,
        pub(super) choose,
        pub(super) kinds,
        pub(super) too_much,
        pub(super) abort,
        pub(super) begin,
        pub(super) you,
        pub(super) bot,
        pub(super) waiting,
        pub(super) asked,
        pub(super) asked_facts,
        pub(super) yes,
        pub(super) no,
        pub(super) aborted,
        pub(super) broken,
        pub(super) login,
        pub(super) pin,
        pub(super) use_token,
        pub(super) token,
        pub(super) token_hint,
        pub(super) enter,
        pub(super) nothing_typed,
        pub(super) no_token,
        pub(super) no_pin,
        pub(super) pin_unset,
        pub(super) slower,
        pub(super) search,
        pub(super) find,
        pub(super) all,
        pub(super) facts,
        pub(super) outside,
        pub(super) forget,
        pub(super) correct,
        pub(super) right,
        pub(super) keep,
        pub(super) conversations,
        pub(super) unnamed,
        pub(super) nothing,
        pub(super) receipts_are,
        pub(super) time,
        pub(super) tool,
        pub(super) status,
        pub(super) risk,
        pub(super) by,
        pub(super) failed,
        pub(super) back,
        pub(super) no_origin,
        pub(super) line_length,
        pub(super) fact_length,
    }
}

impl Words {
    /// The words of the profile's language, or of the one that a browser likes best.
    pub(super) fn spoken(app: &App, headers: &HeaderMap) -> &'static Words {
        app.language.as_deref().and_then(Words::of).unwrap_or_else(|| Words::accepted(headers))
    }

    /// How many packages wait for an approver.
    pub(super) fn of_ready(&self, count: usize) -> String {
        match count {
            1 => self.ready_one.to_owned(),
            _ => fill(self.ready_many, &[("count", &count.to_string())]),
        }
    }

    /// What failed: what its kind is called, with the words of the program where they say more.
    pub(super) fn of_failure(&self, failed: &Failed) -> String {
        let why = self.retold(&failed.message);
        match self.language.find("door", &format!("refusal.{}", failed.code)) {
            Some(words) => fill(words, &[("why", &why)]),
            None => why,
        }
    }

    /// The same failure, in these words.
    pub(super) fn told(&self, failed: Failed) -> Failed {
        Failed { message: self.of_failure(&failed), ..failed }
    }
}

#[cfg(test)]
mod tests;
