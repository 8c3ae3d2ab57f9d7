//! A server elsewhere: each message is a POST, and what comes back is moved unread.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use models::http::Caps;
use models::http::blocking::Outbox;
use models::{Endpoint, TransportError};

use super::fault::{Ending, Fault, Hindrance, ProtocolFault};
use super::frames::{EVENTS, FromReader, MOST_MESSAGE, Method, Post, STATELESS, ToReader, VERSIONS};
use crate::plugins::credential::Credential;

/// The longest name of a session, in bytes.
const MOST_SESSION: usize = 256;

/// The one address of a server, and what it calls this conversation.
#[derive(Debug)]
pub struct Posts {
    outbox: Outbox,
    endpoint: Endpoint,
    session: Option<String>,
    credential: Credential,
}

impl Posts {
    /// Talks to one address, with the headers of a plugin; nothing is connected yet.
    ///
    /// # Errors
    /// The system has no more descriptors.
    pub fn new(endpoint: Endpoint, credential: Credential) -> Result<Posts, Fault> {
        let outbox = Outbox::new().map_err(Hindrance::System)?;
        Ok(Posts { outbox, endpoint, session: None, credential })
    }

    /// Posts a message; `tool` is the one of a call. A stream of events goes to `enough` in parts, until it says so.
    ///
    /// # Errors
    /// See [`Fault`]; a status that says that the server does not take this is an answer.
    pub fn post(
        &mut self,
        post: Post,
        tool: &str,
        until: Instant,
        cancel: &AtomicBool,
        enough: &mut dyn FnMut(&[u8]) -> Result<bool, Fault>,
    ) -> Result<ToReader, Fault> {
        let mut headers = self.headers(&post, tool);
        headers.extend(self.credential.fill(&self.endpoint).map_err(Hindrance::Credential)?);
        let timeout = until.saturating_duration_since(Instant::now());
        let caps = Caps { timeout, max_bytes: MOST_MESSAGE as u64 };
        let mut broken = None;
        let (credential, mut held) = (&self.credential, vec![]);
        let mut seen = |kind: &str, part: &[u8]| {
            kind == EVENTS
                && enough(&next(credential, &mut held, part)).unwrap_or_else(|fault| {
                    broken = Some(fault);
                    true
                })
        };
        let mut answer = self
            .outbox
            .converse(&self.endpoint, &headers, post.body, caps, &mut seen, cancel)
            .map_err(unreachable)?;
        if let Some(fault) = broken {
            return Err(fault);
        }
        let fits = |s: &String| s.len() <= MOST_SESSION && s.bytes().all(|b| b.is_ascii_graphic());
        if let Some(session) = answer.session {
            if !fits(&session) {
                return Err(ProtocolFault::Session.into());
            }
            self.session = Some(session);
        }
        let mut kind = answer.kind;
        self.credential.blank_text(&mut kind);
        self.credential.blank(&mut answer.body);
        match answer.status {
            200..300 => {
                let bytes = if kind == EVENTS { vec![] } else { answer.body };
                Ok(ToReader::Body { kind, bytes })
            }
            status @ 300..400 => Err(Hindrance::Redirect { endpoint: self.endpoint.clone(), status }.into()),
            404 if self.session.is_some() => Err(Fault::Ended(Ending::Session)),
            status @ (400 | 404 | 405) => Ok(ToReader::Refused(status)),
            status => Err(self.refused(status).into()),
        }
    }

    /// What it means that it answers with this status.
    pub fn refused(&self, status: u16) -> Hindrance {
        Hindrance::Status { endpoint: self.endpoint.clone(), status }
    }

    /// Overwrites the secrets that this server was sent in what was read out of its answer.
    pub fn blank(&self, told: &mut FromReader) {
        self.credential.blank_read(told);
    }

    fn headers(&self, post: &Post, tool: &str) -> Vec<(String, String)> {
        let version = post.version.and_then(|place| VERSIONS.get(usize::from(place))).copied();
        let stateless = version == Some(STATELESS);
        let named = [
            ("content-type", Some("application/json")),
            ("accept", Some("application/json, text/event-stream")),
            ("mcp-session-id", self.session.as_deref()),
            ("mcp-protocol-version", version),
            ("mcp-method", stateless.then_some(post.method.as_str())),
            ("mcp-name", Some(tool).filter(|_| stateless && post.method == Method::Call)),
        ];
        let header = |(name, value): (&str, Option<&str>)| Some((name.to_owned(), value?.to_owned()));
        named.into_iter().filter_map(header).collect()
    }
}

/// The next part of a stream without secrets; what could be the beginning of one waits for the part after it.
fn next(credential: &Credential, held: &mut Vec<u8>, part: &[u8]) -> Vec<u8> {
    held.extend_from_slice(part);
    credential.blank(held);
    let whole = held.len() - credential.unfinished(held);
    held.drain(..whole).collect()
}

fn unreachable(error: TransportError) -> Fault {
    match error {
        TransportError::Cancelled => Fault::Cancelled,
        TransportError::Timeout(_) => Fault::Late,
        other => Hindrance::Transport(other).into(),
    }
}
