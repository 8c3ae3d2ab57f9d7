//! How the profile's person reaches it through Matrix.

use serde::Serialize;
use shared_types::id::SecretName;
use shared_types::settings::Section;
use shared_types::text::cut;

use super::server::{self, Server};

/// The longest id of an account, in bytes, as Matrix has it (appendix 4.2).
const LONGEST_ID: usize = 255;

/// The channel; `cl-bot matrix` reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Matrix {
    /// The homeserver.
    pub server: Server,
    /// The account of the assistant.
    pub user: String,
    /// The secret that holds its access token.
    #[serde(serialize_with = "server::as_text")]
    pub token: SecretName,
    /// Whether it holds for a child or a teenager as well.
    pub minors: bool,
    /// Whether an answer is shown while it comes.
    pub drafts: bool,
    /// Where the pages of the review are, for a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_page: Option<Server>,
    /// The accounts of the profile's person.
    pub people: Vec<Account>,
}

/// An account of the profile's person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Account {
    /// As in `@anna:example.org`.
    pub id: String,
    /// Whether it is asked about calls of medium risk.
    pub may_confirm: bool,
}

impl Matrix {
    /// Reads the section; nothing where it names no server.
    pub(super) fn read(section: &mut Section) -> Option<Matrix> {
        let mut people: Vec<Account> = Vec::new();
        for mut entry in section.sections("people") {
            if let Some(id) = account(&mut entry, "id") {
                if people.iter().any(|other| other.id == id) {
                    entry.fault("id", format!("`{id}` is named twice"));
                }
                people.push(Account { id, may_confirm: entry.flag("may_confirm") });
            }
            section.close(entry);
        }
        let (user, token) = (account(section, "user"), server::secret(section));
        let server = Server::read(section)?;
        let mut needed = |key: &str, is_there: bool| {
            if !is_there {
                section.fault(key, "is missing: `server` needs `user`, `token` and `people`");
            }
        };
        needed("user", user.is_some());
        needed("token", token.is_some());
        needed("people", !people.is_empty());
        let (user, token) = (user?, token?);
        let (minors, drafts) = (section.flag("minors"), section.flag("drafts"));
        let review_page = Server::review_page(section);
        if people.iter().any(|person| person.id == user) {
            section.fault("people", format!("`{user}` is the account of the assistant, not of a person"));
        }
        Some(Matrix { server, user, token, minors, drafts, review_page, people })
    }
}

fn account(section: &mut Section, key: &str) -> Option<String> {
    let id = section.text(key)?;
    let parts = id.strip_prefix('@').and_then(|rest| rest.split_once(':'));
    let fits = parts.is_some_and(|(local, server)| !local.is_empty() && !server.is_empty());
    if fits && id.len() <= LONGEST_ID && id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Some(id);
    }
    section
        .fault(key, format!("{:?} is not a Matrix account; allowed: as in @anna:example.org", cut(&id, 80)));
    None
}

#[cfg(test)]
mod tests;
