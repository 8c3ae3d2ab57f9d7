//! How the profile's person reaches it through a Telegram bot.

use serde::Serialize;
use shared_types::id::SecretName;
use shared_types::settings::Section;

use super::server::{self, Server};

/// The channel; `cl-bot telegram` reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Telegram {
    /// The server of the Bot API.
    pub server: Server,
    /// The secret that holds the bot's token.
    #[serde(serialize_with = "server::as_text")]
    pub token: SecretName,
    /// Whether it holds for a child or a teenager as well.
    pub minors: bool,
    /// Whether an answer is shown while it comes.
    pub drafts: bool,
    /// Where the pages of the review are, for a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_page: Option<Server>,
    /// The users who are the profile's person.
    pub people: Vec<User>,
}

/// A user of Telegram who is the profile's person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct User {
    /// The number of the user.
    pub id: u64,
    /// Whether the user is asked about calls of medium risk.
    pub may_confirm: bool,
}

impl Telegram {
    /// Reads the section; nothing where it names neither a token nor people.
    pub(super) fn read(section: &mut Section) -> Option<Telegram> {
        let mut people: Vec<User> = Vec::new();
        for mut entry in section.sections("people") {
            match entry.optional_number("id") {
                Some(id) => {
                    if people.iter().any(|other| other.id == id) {
                        entry.fault("id", format!("`{id}` is named twice"));
                    }
                    people.push(User { id, may_confirm: entry.flag("may_confirm") });
                }
                None if !entry.has("id") => entry.fault("id", "missing"),
                // The number has its fault already.
                None => {}
            }
            section.close(entry);
        }
        let (server, token) = (Server::read(section), server::secret(section));
        if !section.has("token") && !section.has("people") {
            return None;
        }
        if !section.has("token") {
            section.fault("token", "is missing: `people` needs the bot's `token`");
        }
        if section.sections("people").is_empty() {
            section.fault("people", "is missing: `token` needs `people`");
        }
        let (minors, drafts) = (section.flag("minors"), section.flag("drafts"));
        let review_page = Server::review_page(section);
        Some(Telegram { server: server?, token: token?, minors, drafts, review_page, people })
    }
}

#[cfg(test)]
mod tests;
