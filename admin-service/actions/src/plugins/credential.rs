//! The headers that a server elsewhere gets, and the secrets in them: `{{secret:NAME}}` stands for a value that the person set.
//!
//! A secret is put in for the one host and port that it was set for, at each request, and is blanked in what comes back.

use std::collections::BTreeMap;

use base::home::Home;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use beneath::{Folder, NotOpened};
use ledger::facts::Facts;
use models::Endpoint;
use shared_types::id::{HostName, SecretName};
use shared_types::secret::{BoundSecret, Secret};
use shared_types::text::{cut, is_unsafe};

use super::mcp::frames::FromReader;

/// What a plugin writes before the name of a secret, and after it.
const OPEN: &str = "{{secret:";
const CLOSE: &str = "}}";
/// The most headers of a plugin.
const MOST_HEADERS: usize = 8;
/// The longest name of a header, in bytes.
const MOST_NAME: usize = 64;
/// The longest value of a header as it is written, in bytes.
const MOST_VALUE: usize = 512;
/// The largest file of a secret, in bytes.
const MOST_FILE: u64 = 64 * 1024;
/// The shortest spelling that is blanked, in bytes: a shorter one stands in ordinary text too.
const LEAST_SPELLING: usize = 8;
/// The shortest beginning of a secret that is blanked where a text was cut, in bytes.
const LEAST_BEGINNING: usize = 4;

/// Headers that are the client's own, or the protocol's.
const RESERVED: [&str; 13] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "last-event-id",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
/// Beginnings of such names.
const RESERVED_FAMILIES: [&str; 2] = ["mcp-", "proxy-"];

/// Why a header's secret is not put in.
#[derive(Debug, thiserror::Error)]
pub enum NotFilled {
    /// The person has not set it.
    #[error("the secret {name} is not set; `cl-admin secret set {name} --for {host}` sets it")]
    Unset {
        /// The secret.
        name: SecretName,
        /// Whose it would be.
        host: String,
    },
    /// It belongs to another host.
    #[error(
        "the secret {name} is for {bound} only, and the server is {host}; `cl-admin secret set {name} --for {host}` replaces it"
    )]
    Elsewhere {
        /// The secret.
        name: SecretName,
        /// Whose it is.
        bound: HostName,
        /// Where it was to go.
        host: String,
    },
    /// Its file does not say what it is.
    #[error("the file of the secret {0} is damaged; `cl-admin secret set` writes it again")]
    Damaged(SecretName),
    /// Its file can be read or changed by others.
    #[error(
        "the file of the secret {name} has the mode {mode:04o}, so others may use it; `cl-admin secret set` writes it again"
    )]
    Wide {
        /// The secret.
        name: SecretName,
        /// Its permissions.
        mode: u32,
    },
    /// Its file cannot be opened.
    #[error("the file of the secret {name} cannot be read: {why}")]
    Unread {
        /// The secret.
        name: SecretName,
        why: NotOpened,
    },
    /// The connection could be read by others.
    #[error("a secret goes over https only, or to this machine")]
    Open,
    /// No secret can be set for the server.
    #[error("a secret belongs to a host name or an IPv4 address, and the server is [{0}]; write its url so")]
    NoHost(String),
    /// The closing braces or the name are missing.
    #[error("`{{{{secret:NAME}}}}` is not written out")]
    Form,
}

/// A part of a header's value.
enum Piece<'a> {
    Text(&'a str),
    Secret(SecretName),
}

/// What is wrong with the headers of a plugin, each with its name.
pub fn faults(headers: &BTreeMap<String, String>) -> Vec<String> {
    let mut faults = vec![];
    if headers.len() > MOST_HEADERS {
        faults.push(format!("headers: at most {MOST_HEADERS}, and there are {}", headers.len()));
    }
    let mut seen = vec![];
    for (name, value) in headers {
        let shown = cut(name, 40);
        let mut must = |holds: bool, what: &str| {
            if !holds {
                faults.push(format!("headers `{shown}`: {what}"));
            }
        };
        let lower = name.to_ascii_lowercase();
        let is_name = (1..=MOST_NAME).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        must(is_name, "a name has 1 to 64 letters, digits, `-` and `_`");
        let reserved = RESERVED.contains(&lower.as_str())
            || RESERVED_FAMILIES.iter().any(|family| lower.starts_with(family));
        must(!reserved, "this one belongs to the connection or the protocol");
        must(!seen.contains(&lower), "it is there twice");
        let plain = value.bytes().all(|b| b.is_ascii_graphic() || b == b' ') && !value.chars().any(is_unsafe);
        must(
            plain && (1..=MOST_VALUE).contains(&value.len()),
            "a value has 1 to 512 bytes of printable ASCII",
        );
        let pieces = pieces(value);
        must(pieces.is_ok(), "a secret is written {{secret:NAME}}, its name of A-Z, digits and `_`");
        let secret = pieces.is_ok_and(|p| p.iter().any(|piece| matches!(piece, Piece::Secret(_))));
        must(
            secret || lower != "authorization",
            "its value would stand in the journal; write {{secret:NAME}} and set it with `cl-admin secret set`",
        );
        seen.push(lower);
    }
    faults
}

/// The secrets that a plugin's headers name, in order and none twice.
pub fn secrets(facts: &Facts) -> Vec<SecretName> {
    let all = facts.headers.values().filter_map(|value| pieces(value).ok()).flatten();
    let mut names: Vec<SecretName> = all
        .filter_map(|piece| match piece {
            Piece::Secret(name) => Some(name),
            Piece::Text(_) => None,
        })
        .collect();
    names.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    names.dedup();
    names
}

/// The host of a plugin's server as `cl-admin secret set --for` takes it.
pub fn host(endpoint: &Endpoint) -> String {
    match endpoint.port() {
        443 => endpoint.host().to_owned(),
        port => format!("{}:{port}", endpoint.host()),
    }
}

/// What keeps the secrets of a plugin from being put in, one for each.
pub fn missing(home: &Home, facts: &Facts) -> Vec<NotFilled> {
    let Some(endpoint) = facts.url.as_deref().and_then(|url| url.parse::<Endpoint>().ok()) else {
        return vec![];
    };
    secrets(facts).iter().filter_map(|name| value(home, name, &endpoint).err()).collect()
}

/// The headers of one server, which are filled in for each request.
#[derive(Debug)]
pub struct Credential {
    home: Home,
    headers: BTreeMap<String, String>,
    /// Every spelling of the secrets that were sent in this conversation.
    spellings: Vec<Secret>,
}

impl Credential {
    /// The headers of a plugin; nothing is read yet.
    pub fn of(home: &Home, facts: &Facts) -> Credential {
        Credential { home: home.clone(), headers: facts.headers.clone(), spellings: vec![] }
    }

    /// The headers for a request to an address, with the secrets as they are set now.
    ///
    /// # Errors
    /// See [`NotFilled`]; nothing is sent then.
    pub fn fill(&mut self, endpoint: &Endpoint) -> Result<Vec<(String, String)>, NotFilled> {
        let mut filled = vec![];
        for (name, written) in &self.headers {
            let mut whole = String::new();
            for piece in pieces(written)? {
                match piece {
                    Piece::Text(text) => whole.push_str(text),
                    Piece::Secret(name) => {
                        let secret = value(&self.home, &name, endpoint)?;
                        whole.push_str(secret.expose());
                        for spelling in spellings(secret.expose()) {
                            if !self.spellings.contains(&spelling) {
                                self.spellings.push(spelling);
                            }
                        }
                    }
                }
            }
            filled.push((name.clone(), whole));
        }
        Ok(filled)
    }

    /// Overwrites each spelling of the secrets that were sent, in any case of letters.
    pub fn blank(&self, bytes: &mut [u8]) {
        for spelling in &self.spellings {
            let spelling = spelling.expose().as_bytes();
            let mut from = 0;
            while let Some(at) =
                bytes[from..].windows(spelling.len()).position(|part| part.eq_ignore_ascii_case(spelling))
            {
                bytes[from + at..from + at + spelling.len()].fill(b'*');
                from += at + spelling.len();
            }
        }
    }

    /// How many of the last bytes could be the beginning of a secret that continues in the next part.
    pub fn unfinished(&self, bytes: &[u8]) -> usize {
        let begins = |spelling: &Secret| {
            let spelling = spelling.expose().as_bytes();
            let most = bytes.len().min(spelling.len() - 1);
            (1..=most)
                .rev()
                .find(|n| bytes[bytes.len() - n..].eq_ignore_ascii_case(&spelling[..*n]))
                .unwrap_or(0)
        };
        self.spellings.iter().map(begins).max().unwrap_or(0)
    }

    /// Overwrites them in a text, and what is left of one at its end where it was cut.
    pub fn blank_text(&self, text: &mut String) {
        if self.spellings.is_empty() {
            return;
        }
        let mut bytes = std::mem::take(text).into_bytes();
        self.blank(&mut bytes);
        let rest = self.unfinished(&bytes);
        if rest >= LEAST_BEGINNING {
            let from = bytes.len() - rest;
            bytes[from..].fill(b'*');
        }
        // ASCII gave way to ASCII, so it is UTF-8 as before.
        *text = String::from_utf8(bytes).unwrap_or_default();
    }

    /// Overwrites them in what the child read out of an answer: there escapes of JSON are resolved.
    pub fn blank_read(&self, told: &mut FromReader) {
        match told {
            FromReader::Answered(answer) => self.blank_text(&mut answer.text),
            FromReader::Error { message, .. } => self.blank_text(message),
            FromReader::Misspoke(words) => self.blank_text(words),
            FromReader::Tool(tool) => {
                self.blank_text(&mut tool.name);
                self.blank_text(&mut tool.description);
                tool.schema.iter_mut().for_each(|schema| self.blank_text(schema));
            }
            FromReader::Say(_)
            | FromReader::Hear(_)
            | FromReader::Post(_)
            | FromReader::Resume(_)
            | FromReader::Enough(_)
            | FromReader::Greeted
            | FromReader::Listed(_)
            | FromReader::Changed(_)
            | FromReader::Refused(_) => {}
        }
    }
}

/// A secret's value, if it is for this address.
fn value(home: &Home, name: &SecretName, endpoint: &Endpoint) -> Result<Secret, NotFilled> {
    if !endpoint.tls() && !endpoint.is_loopback() {
        return Err(NotFilled::Open);
    }
    if endpoint.host().contains(':') {
        return Err(NotFilled::NoHost(endpoint.host().to_owned()));
    }
    let unread = |why: NotOpened| match why {
        NotOpened::Gone => NotFilled::Unset { name: name.clone(), host: host(endpoint) },
        why => NotFilled::Unread { name: name.clone(), why },
    };
    let folder = Folder::open(&home.secrets()).map_err(unread)?;
    let file = folder.file(format!("{name}.json")).map_err(unread)?;
    let mode = file.facts().mode;
    if mode & 0o027 != 0 {
        return Err(NotFilled::Wide { name: name.clone(), mode });
    }
    let text = Secret::new(file.text(MOST_FILE).map_err(unread)?);
    let bound: BoundSecret =
        serde_json::from_str(text.expose()).map_err(|_| NotFilled::Damaged(name.clone()))?;
    if !bound.is_for(endpoint.host(), endpoint.port()) {
        return Err(NotFilled::Elsewhere { name: name.clone(), bound: bound.host, host: host(endpoint) });
    }
    Ok(bound.into_secret())
}

/// The spellings in which a server can give a secret back without meaning to: as it is, in base64 at each of its three offsets,
/// in a query, and, where it is itself base64 as for `Basic`, what it stands for.
fn spellings(secret: &str) -> Vec<Secret> {
    let mut all = vec![secret.to_owned(), form_urlencoded::byte_serialize(secret.as_bytes()).collect()];
    for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
        for before in 0..3 {
            let whole = [&vec![0; before][..], secret.as_bytes()].concat();
            // The characters at both ends depend on the neighbours too.
            let (from, to) = ((before * 8).div_ceil(6), whole.len() * 8 / 6);
            all.push(engine.encode(&whole)[from..to].to_owned());
        }
    }
    if let Some(plain) = STANDARD.decode(secret).ok().and_then(|bytes| String::from_utf8(bytes).ok()) {
        all.extend(plain.split_once(':').map(|(_, password)| password.to_owned()));
        all.push(plain);
    }
    all.retain(|spelling| spelling.len() >= LEAST_SPELLING && spelling.is_ascii());
    all.sort();
    all.dedup();
    all.into_iter().map(Secret::new).collect()
}

fn pieces(value: &str) -> Result<Vec<Piece<'_>>, NotFilled> {
    let (mut rest, mut pieces) = (value, vec![]);
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) = after.split_once(CLOSE).ok_or(NotFilled::Form)?;
        pieces.push(Piece::Text(before));
        pieces.push(Piece::Secret(name.parse().map_err(|_| NotFilled::Form)?));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

#[cfg(test)]
mod tests;
