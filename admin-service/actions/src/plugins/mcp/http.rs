//! A server elsewhere: each message is a POST, and what comes back is moved unread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use models::http::Caps;
use models::http::blocking::Outbox;
use models::{Endpoint, TransportError};

use super::fault::{Ending, Fault, Hindrance, ProtocolFault};
use super::frames::{EVENTS, FromReader, MOST_MESSAGE, Method, Post, Resume, STATELESS, ToReader, VERSIONS};
use crate::plugins::credential::Credential;

/// The longest that a server is left alone before it is asked for the rest of a stream.
const MOST_WAIT: Duration = Duration::from_secs(30);
/// The shortest, so that a server without patience is not asked without end.
const LEAST_WAIT: Duration = Duration::from_millis(100);
/// How often a wait looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(50);
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
        let Post { version, method, body, mirrored } = post;
        let stateless = version_of(version) == Some(STATELESS);
        let name = Some(tool).filter(|_| stateless && method == Method::Call);
        let named = [
            ("content-type", Some("application/json")),
            ("accept", Some("application/json, text/event-stream")),
            ("mcp-method", stateless.then_some(method.as_str())),
            ("mcp-name", name),
        ];
        let mut headers = given(&named);
        headers.extend(mirrored);
        self.exchange(version, headers, Some(body), until, cancel, enough)
    }

    /// Asks for what follows an event of a stream that ended too early.
    ///
    /// # Errors
    /// As [`Posts::post`].
    pub fn resume(
        &mut self,
        resume: &Resume,
        until: Instant,
        cancel: &AtomicBool,
        enough: &mut dyn FnMut(&[u8]) -> Result<bool, Fault>,
    ) -> Result<ToReader, Fault> {
        let wait = Duration::from_millis(resume.wait.into()).clamp(LEAST_WAIT, MOST_WAIT);
        let begin = Instant::now() + wait;
        while Instant::now() < begin {
            if cancel.load(Ordering::Relaxed) {
                return Err(Fault::Cancelled);
            }
            if begin > until {
                return Err(Fault::Late);
            }
            std::thread::sleep(LOOK.min(begin.saturating_duration_since(Instant::now())));
        }
        let named = [("accept", Some(EVENTS)), ("last-event-id", Some(resume.after.as_str()))];
        self.exchange(resume.version, given(&named), None, until, cancel, enough)
    }

    /// Sends a message, or, without a message, asks for a stream.
    fn exchange(
        &mut self,
        version: Option<u8>,
        mut headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
        until: Instant,
        cancel: &AtomicBool,
        enough: &mut dyn FnMut(&[u8]) -> Result<bool, Fault>,
    ) -> Result<ToReader, Fault> {
        headers.extend(given(&[
            ("mcp-session-id", self.session.as_deref()),
            ("mcp-protocol-version", version_of(version)),
        ]));
        headers.extend(self.credential.fill(&self.endpoint).map_err(Hindrance::Credential)?);
        let timeout = until.saturating_duration_since(Instant::now());
        let caps = Caps { timeout, max_bytes: MOST_MESSAGE as u64 };
        let (mut broken, mut streams) = (None, false);
        let (credential, mut held) = (&self.credential, vec![]);
        let mut seen = |kind: &str, part: &[u8]| {
            streams = kind == EVENTS;
            streams
                && enough(&next(credential, &mut held, part)).unwrap_or_else(|fault| {
                    broken = Some(fault);
                    true
                })
        };
        let answered = self.outbox.converse(&self.endpoint, &headers, body, caps, &mut seen, cancel);
        if let Some(fault) = broken {
            return Err(fault);
        }
        let mut answer = match answered {
            // What is missing of a stream can be asked for.
            Err(TransportError::Unconnected(_) | TransportError::Network(_)) if streams => {
                return Ok(ToReader::Body { kind: EVENTS.to_owned(), bytes: vec![] });
            }
            answered => answered.map_err(unreachable)?,
        };
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
}

/// The version of a place in the list of those that are spoken.
fn version_of(place: Option<u8>) -> Option<&'static str> {
    VERSIONS.get(usize::from(place?)).copied()
}

/// The headers that have a value.
fn given(named: &[(&str, Option<&str>)]) -> Vec<(String, String)> {
    let header = |(name, value): &(&str, Option<&str>)| Some(((*name).to_owned(), (*value)?.to_owned()));
    named.iter().filter_map(header).collect()
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
