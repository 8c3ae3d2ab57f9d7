//! What is said in a room beside the answers, in the profile's language; the words of each are in `libs/web/words`.

use crate::bodies::Turn;
use crate::frames::{Part, Refusal};

web::words! {
    "messenger":
    /// The sentences of a language.
    pub(crate) struct Words {
        pub(crate) interrupted,
        pub(crate) stale,
        pub(crate) edit,
        pub(crate) other,
        pub(crate) encrypted,
        pub(crate) crowd,
        pub(crate) group,
        pub(crate) foreign,
        pub(crate) hello,
        pub(crate) again,
        pub(crate) long,
        pub(crate) quoted,
        pub(crate) unkept,
        pub(crate) which,
        pub(crate) nothing,
        pub(crate) stopped,
        pub(crate) question,
        pub(crate) unasked,
        pub(crate) answer,
        pub(crate) aloud,
    }
}

impl Words {
    /// The words that the end of an answer comes to; nothing where it is not the end.
    pub(crate) fn end(&self, part: &Part) -> Option<String> {
        match part {
            // Only the end of this process calls a line off.
            Part::Refused { why: Refusal::Cancelled, .. } => Some(self.interrupted.to_owned()),
            Part::Refused { message, .. } => Some(self.retold(message)),
            Part::Done(body) => match serde_json::from_value::<Turn>(body.clone()) {
                Ok(turn) => {
                    let said = [turn.reply, turn.refused, turn.failed, turn.broke_off];
                    let said = said.into_iter().flatten().chain(turn.notes).chain(turn.ready);
                    let said: Vec<String> = said.filter(|said| !said.trim().is_empty()).collect();
                    Some(if said.is_empty() { self.nothing.to_owned() } else { said.join("\n\n") })
                }
                // The stop says its next step; a yes or a no needs no words.
                Err(_) => Some(if body["stopped"] == true { self.stopped } else { "" }.to_owned()),
            },
            _ => None,
        }
    }
}

/// The sentences of a profile's language; English if there are none.
pub(crate) fn of(language: Option<&str>) -> &'static Words {
    language.and_then(Words::of).unwrap_or(&ALL[0])
}
