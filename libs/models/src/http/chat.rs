//! A chat with a provider's server: one body out, an answer in that may come piece by piece.

use std::time::{Duration, Instant};

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use shared_types::secret::Secret;

use super::origin::Origin;
use super::{Client, Outgoing, blank, failed};
use crate::config::{Endpoint, ProviderConfig};
use crate::provider::Kind;
use crate::sse::{Parser, is_last};
use crate::transport::{MAX_ERROR_BODY, TransportError};

/// An answer with status 2xx that is on its way; dropping it closes the connection.
#[derive(Debug)]
pub struct Answer {
    response: reqwest::Response,
    shown: String,
    key: Option<Secret>,
    limits: Limits,
    /// The bytes so far, those of finished events included.
    bytes: u64,
    waiting_since: Instant,
    form: Form,
}

/// What came of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Batch {
    /// The data of the events that are whole by now; at least one.
    Events(Vec<String>),
    /// The whole body of a server that does not stream.
    Whole(String),
}

#[derive(Debug)]
enum Form {
    Stream(Parser),
    Whole,
    /// All is reported; `true` when only the server's own end is missing.
    Over(bool),
}

/// The limits of one chat, from its beginning.
#[derive(Debug, Clone, Copy)]
struct Limits {
    between: Duration,
    total: Duration,
    end: Instant,
    max_bytes: u64,
}

impl Client {
    /// Makes what a chat with this provider needs before one is asked for; where certificates are read, that takes longest of
    /// all. Nothing is sent, and what is wrong shows at the first request.
    pub fn prepare(&self, provider: &ProviderConfig) {
        if let Ok((_, origin, named)) = self.target(provider) {
            let _ = self.made(&mut self.origins(), origin, named);
        }
    }

    /// The address of a provider's chat endpoint, its origin, and whether the configuration names that host and port.
    fn target(&self, provider: &ProviderConfig) -> Result<(Url, Origin, bool), TransportError> {
        let Some(endpoint) = &provider.base_url else {
            return Err(TransportError::Denied(format!("`{}` has no base_url", provider.name)));
        };
        let url = Url::parse(&resource(provider.kind, endpoint))
            .map_err(|e| TransportError::Denied(format!("base_url: {e}")))?;
        let origin = Origin::of(&url)?;
        if origin.host != endpoint.host() || origin.port != endpoint.port() || origin.tls != endpoint.tls() {
            return Err(TransportError::Denied("base_url reads differently as a URL".to_owned()));
        }
        // An address or `localhost` in `base_url` is the configuration naming that host and port.
        let named = endpoint.address().is_some() || endpoint.is_loopback() || self.is_local(&origin);
        Ok((url, origin, named))
    }

    /// Posts a body to a provider's chat endpoint; the key goes to that endpoint only and is blanked in the answer.
    ///
    /// # Errors
    /// See [`TransportError`]; a status other than 2xx is one.
    pub async fn chat(
        &self,
        provider: &ProviderConfig,
        key: Option<&Secret>,
        body: Vec<u8>,
    ) -> Result<Answer, TransportError> {
        let (url, origin, named) = self.target(provider)?;
        let mut headers = authorization(provider.kind, key)?;
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        let shown = origin.to_string();
        let outgoing = Outgoing { method: reqwest::Method::POST, url, headers, body };
        let limits = Limits {
            between: provider.timeout,
            total: provider.total,
            end: Instant::now() + provider.total,
            max_bytes: provider.max_response_bytes,
        };
        let sent = limits.wait(&shown, Instant::now(), self.send(origin, named, outgoing, true)).await?;
        let status = sent.status().as_u16();
        let retry_after = retry_after(sent.headers());
        let streams = sent
            .headers()
            .get("content-type")
            .is_some_and(|kind| kind.as_bytes().to_ascii_lowercase().starts_with(b"text/event-stream"));
        let good = sent.status().is_success();
        let mut answer = Answer {
            response: sent,
            shown,
            key: key.map(|key| Secret::new(key.expose().to_owned())),
            limits,
            bytes: 0,
            waiting_since: Instant::now(),
            form: if good && streams { Form::Stream(Parser::default()) } else { Form::Whole },
        };
        if good { Ok(answer) } else { Err(answer.error(status, retry_after).await) }
    }
}

impl Answer {
    /// Waits for what comes next; `None` when the answer is complete. Giving up the wait loses nothing.
    ///
    /// # Errors
    /// A broken connection, an answer beyond the limits of bytes or time, or a stream that cannot be followed.
    pub async fn next(&mut self) -> Result<Option<Batch>, TransportError> {
        match &self.form {
            Form::Stream(_) => self.events().await,
            Form::Whole => {
                let body = self.whole().await?;
                self.form = Form::Over(false);
                Ok(Some(Batch::Whole(lossy(body))))
            }
            Form::Over(linger) => {
                if *linger {
                    // A server that ends properly leaves a connection that can be used again.
                    let _ = tokio::time::timeout(LINGER, self.response.chunk()).await;
                    self.form = Form::Over(false);
                }
                Ok(None)
            }
        }
    }

    async fn events(&mut self) -> Result<Option<Batch>, TransportError> {
        loop {
            let chunk = self.chunk().await?;
            let Form::Stream(parser) = &mut self.form else { return Ok(None) };
            let mut events = Vec::new();
            let mut take = |event: String| events.push(event);
            match &chunk {
                Some(bytes) => parser
                    .feed(bytes, &mut take)
                    .map_err(|e| TransportError::Network(format!("{}: {e}", self.shown)))?,
                None => std::mem::take(parser).finish(&mut take),
            }
            if events.iter().any(|event| is_last(event)) {
                self.form = Form::Over(chunk.is_some());
            } else if chunk.is_none() {
                self.form = Form::Over(false);
            }
            if let Some(key) = &self.key {
                events.iter_mut().for_each(|event| blank_text(event, key.expose()));
            }
            if !events.is_empty() {
                return Ok(Some(Batch::Events(events)));
            }
            if chunk.is_none() {
                return Ok(None);
            }
        }
    }

    async fn whole(&mut self) -> Result<Vec<u8>, TransportError> {
        if self.response.content_length().is_some_and(|n| n > self.limits.max_bytes) {
            return Err(TransportError::TooLarge(self.limits.max_bytes));
        }
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        if let Some(key) = &self.key {
            blank(&mut body, key.expose().as_bytes());
        }
        Ok(body)
    }

    /// An answer with another status than 2xx: its beginning is enough, regardless of what happens after it.
    async fn error(&mut self, status: u16, retry_after: Option<Duration>) -> TransportError {
        let mut body = Vec::new();
        while body.len() < MAX_ERROR_BODY
            && let Ok(Some(chunk)) = self.chunk().await
        {
            body.extend_from_slice(&chunk);
        }
        if let Some(key) = &self.key {
            blank(&mut body, key.expose().as_bytes());
        }
        body.truncate(MAX_ERROR_BODY);
        TransportError::Status { status, body, retry_after }
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, TransportError> {
        let (limits, since, shown) = (self.limits, self.waiting_since, self.shown.clone());
        let next = async { self.response.chunk().await.map_err(|e| failed(&shown, &e)) };
        let chunk = limits.wait(&shown, since, next).await?;
        self.waiting_since = Instant::now();
        let Some(chunk) = chunk else { return Ok(None) };
        self.bytes += chunk.len() as u64;
        if self.bytes > limits.max_bytes {
            return Err(TransportError::TooLarge(limits.max_bytes));
        }
        Ok(Some(chunk.into()))
    }
}

impl Limits {
    /// Waits until nothing has come for too long, counted from `since`, or the whole has taken too long.
    async fn wait<T>(
        self,
        shown: &str,
        since: Instant,
        work: impl Future<Output = Result<T, TransportError>>,
    ) -> Result<T, TransportError> {
        let silent = since + self.between;
        match tokio::time::timeout_at(silent.min(self.end).into(), work).await {
            Ok(result) => result,
            Err(_) if silent <= self.end => {
                let seconds = self.between.as_secs_f32();
                Err(TransportError::Timeout(format!(
                    "{shown} sent nothing for {seconds} s (timeout_seconds)"
                )))
            }
            Err(_) => {
                let seconds = self.total.as_secs_f32();
                Err(TransportError::Timeout(format!(
                    "{shown} was not done after {seconds} s (total_seconds)"
                )))
            }
        }
    }
}

/// The headers by which a server of this kind knows who asks.
pub(super) fn authorization(kind: Kind, key: Option<&Secret>) -> Result<HeaderMap, TransportError> {
    let mut headers = HeaderMap::new();
    if kind == Kind::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
    }
    let Some(key) = key else { return Ok(headers) };
    let (name, value) = match kind {
        Kind::Anthropic => (HeaderName::from_static("x-api-key"), key.expose().to_owned()),
        _ => (HeaderName::from_static("authorization"), format!("Bearer {}", key.expose())),
    };
    let mut value = HeaderValue::from_str(&value)
        .map_err(|_| TransportError::Denied("the key has characters that no header takes".to_owned()))?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}

/// The version of the wire format that [`crate::anthropic`] speaks.
const ANTHROPIC_VERSION: &str = "2023-06-01";
/// How long a server has to end a stream whose last event has come.
const LINGER: Duration = Duration::from_millis(100);

fn resource(kind: Kind, endpoint: &Endpoint) -> String {
    match kind {
        // Many write the address with the version, as other kinds need it.
        Kind::Anthropic if endpoint.to_string().ends_with("/v1") => endpoint.join("messages"),
        Kind::Anthropic => endpoint.join("v1/messages"),
        _ => endpoint.join("chat/completions"),
    }
}

/// Seconds; a date is not looked at.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: f64 = headers.get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn blank_text(text: &mut String, secret: &str) {
    if secret.len() >= 4 && text.contains(secret) {
        *text = text.replace(secret, &"*".repeat(secret.len()));
    }
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
