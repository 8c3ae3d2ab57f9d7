//! What outlives the process, so that nothing is done twice and nothing is lost: how far the server was read, the events that were taken,
//! and the messages that the server does not have yet. It is written and synced before a line is answered.

use std::collections::{BTreeMap, VecDeque};

use bot_base::paths::{Folder, PathError};
use serde::{Deserialize, Serialize};
use shared_types::id::ConversationId;

use super::frames::Outgoing;

/// The longest file, in bytes: every list at its bound, with each character of a message of Matrix escaped.
const LONGEST: u64 = 8 * 1024 * 1024;
/// The events that are remembered; the server hands over each again until it learned how far it was read.
const MOST_SEEN: usize = 2_000;
/// The messages that wait for the server; more drop the oldest.
const MOST_WAITING: usize = 200;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// What the server calls the point up to which it was read.
    pub since: Option<String>,
    seen: VecDeque<String>,
    /// The lines that are being answered: their events and rooms.
    pub open: BTreeMap<String, String>,
    /// The messages in which their answers grow, by the same events.
    pub drafts: BTreeMap<String, String>,
    /// The messages that the server does not have yet.
    pub outbox: VecDeque<Outgoing>,
    /// The conversation of each account, and when it was last used, in seconds since 1970.
    pub talks: BTreeMap<String, (String, i64)>,
    /// The room in which each account wrote last.
    pub rooms: BTreeMap<String, String>,
}

/// The file of a messenger, in the profile's folder.
fn file(messenger: &str) -> String {
    format!("{messenger}.json")
}

/// What is kept cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file cannot be opened.
    #[error(transparent)]
    Path(#[from] PathError),
    /// It holds something else.
    #[error(
        "{messenger}.json is damaged ({source}); move it away, and `cl-bot {messenger}` begins with what is said from then on"
    )]
    Content {
        /// Whose it is.
        messenger: &'static str,
        /// Why.
        source: serde_json::Error,
    },
}

impl Kept {
    /// Reads the file; without one nothing is kept yet.
    ///
    /// # Errors
    /// See [`Unreadable`].
    pub fn read(messenger: &'static str, folder: &Folder) -> Result<Kept, Unreadable> {
        match folder.read(&file(messenger), LONGEST) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map_err(|source| Unreadable::Content { messenger, source })
            }
            Err(error) if error.is_missing() => Ok(Kept::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the file and syncs it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, messenger: &str, folder: &Folder) -> Result<(), PathError> {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        folder.replace_secret(&file(messenger), &bytes)
    }

    /// Takes an event; false where it was taken before.
    pub fn takes(&mut self, event: &str) -> bool {
        if self.seen.iter().any(|seen| seen == event) {
            return false;
        }
        if self.seen.len() == MOST_SEEN {
            self.seen.pop_front();
        }
        self.seen.push_back(event.to_owned());
        true
    }

    /// Lets go of an event that could not be written down.
    pub fn gives_back(&mut self, event: &str) {
        self.seen.retain(|seen| seen != event);
        self.open.remove(event);
    }

    /// Knows the message in which the answer to an event grows, or no longer; true where that is new.
    pub fn grows(&mut self, event: &str, message: Option<String>) -> bool {
        let before = match message.clone() {
            Some(message) => self.drafts.insert(event.to_owned(), message),
            None => self.drafts.remove(event),
        };
        before != message
    }

    /// Adds a message that the server is to get.
    pub fn sends(&mut self, outgoing: Outgoing) {
        if self.outbox.len() == MOST_WAITING {
            self.outbox.pop_front();
        }
        self.outbox.push_back(outgoing);
    }

    /// The conversation of an account: the last one, unless it rested for longer than `rest` seconds.
    pub fn conversation(&mut self, sender: &str, now: i64, rest: i64) -> String {
        let talk = self.talks.get(sender).filter(|(_, last)| now.saturating_sub(*last) <= rest);
        let id = talk.map_or_else(|| ConversationId::generate().to_string(), |(id, _)| id.clone());
        self.talks.insert(sender.to_owned(), (id.clone(), now));
        id
    }
}

#[cfg(test)]
mod tests;
