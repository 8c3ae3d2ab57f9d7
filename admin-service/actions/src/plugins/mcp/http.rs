//! A server elsewhere: each message is a POST, its answer JSON or a stream of events.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use models::http::blocking::Outbox;
use models::http::{Caps, Conversed};
use models::sse::Parser;
use models::{Endpoint, TransportError};
use serde_json::Value;

use super::message::{Heard, sort};
use super::{Ending, Fault, Hindrance, MOST_MESSAGE, ProtocolFault, STATELESS, Wire};

/// The longest name of a session, in bytes.
const MOST_SESSION: usize = 256;

/// The one address of a server, and what it calls this conversation.
#[derive(Debug)]
pub struct Posts {
    outbox: Outbox,
    endpoint: Endpoint,
    session: Option<String>,
    version: Option<String>,
}

impl Posts {
    /// Talks to one address; nothing is connected yet.
    ///
    /// # Errors
    /// The system has no more descriptors.
    pub fn new(endpoint: Endpoint) -> Result<Posts, Fault> {
        let outbox = Outbox::new().map_err(Hindrance::System)?;
        Ok(Posts { outbox, endpoint, session: None, version: None })
    }

    fn post(
        &mut self,
        message: &Value,
        until: Instant,
        cancel: &AtomicBool,
        enough: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<Conversed, Fault> {
        let mut headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("accept".to_owned(), "application/json, text/event-stream".to_owned()),
        ];
        headers.extend(self.session.iter().map(|s| ("mcp-session-id".to_owned(), s.clone())));
        headers.extend(self.version.iter().map(|v| ("mcp-protocol-version".to_owned(), v.clone())));
        if self.version.as_deref() == Some(STATELESS) {
            let named = [("mcp-method", &message["method"]), ("mcp-name", &message["params"]["name"])];
            let header = |(name, value): (&str, &Value)| Some((name.to_owned(), value.as_str()?.to_owned()));
            headers.extend(named.into_iter().filter_map(header));
        }
        let timeout = until.saturating_duration_since(Instant::now());
        let caps = Caps { timeout, max_bytes: MOST_MESSAGE as u64 };
        let body = message.to_string().into_bytes();
        let answer = self
            .outbox
            .converse(&self.endpoint, &headers, body, caps, enough, cancel)
            .map_err(unreachable)?;
        let fits = |s: &String| s.len() <= MOST_SESSION && s.bytes().all(|b| b.is_ascii_graphic());
        if let Some(session) = answer.session.clone() {
            if !fits(&session) {
                return Err(ProtocolFault::Session.into());
            }
            self.session = Some(session);
        }
        match answer.status {
            200..300 => Ok(answer),
            status @ 300..400 => Err(Hindrance::Redirect { endpoint: self.endpoint.clone(), status }.into()),
            404 if self.session.is_some() => Err(Fault::Ended(Ending::Session)),
            status => Err(Hindrance::Status { endpoint: self.endpoint.clone(), status }.into()),
        }
    }
}

impl Wire for Posts {
    fn ask(&mut self, id: u64, request: &Value, until: Instant, cancel: &AtomicBool) -> Result<Value, Fault> {
        let mut parser = Parser::default();
        let mut found: Option<Result<Value, Fault>> = None;
        let mut enough = |kind: &str, bytes: &[u8]| {
            if kind != "text/event-stream" {
                return false;
            }
            let fed = parser.feed(bytes, &mut |event| {
                if found.is_none() {
                    found = match sort(event.as_bytes(), id) {
                        Ok(Heard::Answer(answer)) => Some(answer),
                        // What it asks of us over a stream gets no answer: nothing of it is offered.
                        Ok(Heard::Reply(_) | Heard::Changed | Heard::Nothing) => None,
                        Err(fault) => Some(Err(fault)),
                    };
                }
            });
            if let Err(e) = fed {
                found.get_or_insert(Err(ProtocolFault::Stream(e).into()));
            }
            found.is_some()
        };
        let answer = self.post(request, until, cancel, &mut enough)?;
        if let Some(found) = found {
            return found;
        }
        if answer.kind != "application/json" {
            return Err(ProtocolFault::Kind(shared_types::text::cut(&answer.kind, 60)).into());
        }
        match sort(&answer.body, id)? {
            Heard::Answer(answer) => answer,
            Heard::Reply(_) | Heard::Changed | Heard::Nothing => Err(ProtocolFault::NoResult.into()),
        }
    }

    fn tell(&mut self, notification: &Value, until: Instant, cancel: &AtomicBool) -> Result<(), Fault> {
        self.post(notification, until, cancel, &mut |_, _| false).map(drop)
    }

    fn agreed(&mut self, version: &str) {
        self.version = Some(version.to_owned());
    }
}

fn unreachable(error: TransportError) -> Fault {
    match error {
        TransportError::Cancelled => Fault::Cancelled,
        TransportError::Timeout(_) => Fault::Late,
        other => Hindrance::Transport(other).into(),
    }
}
