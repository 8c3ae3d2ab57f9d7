//! How the profile's person reaches it through Matrix.

use serde::{Serialize, Serializer};
use shared_types::id::{HostName, SecretName};
use shared_types::settings::Section;
use shared_types::text::cut;

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
    #[serde(serialize_with = "as_text")]
    pub token: SecretName,
    /// Whether it holds for a child or a teenager as well.
    pub minors: bool,
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

/// A homeserver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Whether it is reached by TLS.
    pub tls: bool,
    /// The host, with a port where it is not that of `https`.
    pub host: HostName,
}

impl Server {
    fn parse(text: &str) -> Option<Server> {
        let (tls, rest) = match text.strip_prefix("https://") {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix("http://")?),
        };
        let host: HostName = rest.strip_suffix('/').unwrap_or(rest).parse().ok()?;
        // Only what is named with its port may be reached without TLS.
        (tls || host.port().is_some()).then_some(Server { tls, host })
    }

    /// Whether it is on the loopback.
    pub fn is_of_this_machine(&self) -> bool {
        let host = self.host.host();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }
}

impl std::fmt::Display for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", if self.tls { "https" } else { "http" }, self.host)
    }
}

impl Serialize for Server {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
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
        let (user, token) = (account(section, "user"), secret(section));
        let text = section.text("server")?;
        let Some(server) = Server::parse(&text) else {
            let why = format!(
                "{:?} is not the address of a homeserver; allowed: https://HOST, https://HOST:PORT or http://HOST:PORT, without a path",
                cut(&text, 80)
            );
            section.fault("server", why);
            return None;
        };
        let mut needed = |key: &str, is_there: bool| {
            if !is_there {
                section.fault(key, "is missing: `server` needs `user`, `token` and `people`");
            }
        };
        needed("user", user.is_some());
        needed("token", token.is_some());
        needed("people", !people.is_empty());
        let (user, token, minors) = (user?, token?, section.flag("minors"));
        if people.iter().any(|person| person.id == user) {
            section.fault("people", format!("`{user}` is the account of the assistant, not of a person"));
        }
        Some(Matrix { server, user, token, minors, people })
    }
}

fn account(section: &mut Section, key: &str) -> Option<String> {
    let id = section.text(key)?;
    let parts = id.strip_prefix('@').and_then(|rest| rest.split_once(':'));
    let fits = parts.is_some_and(|(local, server)| !local.is_empty() && !server.is_empty());
    if fits && id.len() <= LONGEST_ID && id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Some(id);
    }
    section.fault(key, format!("{:?} is no Matrix account; allowed: as in @anna:example.org", cut(&id, 80)));
    None
}

fn secret(section: &mut Section) -> Option<SecretName> {
    let name = section.text("token")?;
    let parsed = name.parse::<SecretName>();
    parsed.map_err(|fault| section.fault("token", fault.to_string())).ok()
}

fn as_text<S: Serializer>(name: &SecretName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name.as_str())
}

#[cfg(test)]
mod tests;
