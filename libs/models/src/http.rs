//! The only HTTP client of the workspace: no redirect, no proxy, no compression, vetted addresses, capped answers.
//!
//! A client is made per origin, when it is first needed or prepared for: its resolver hands out vetted addresses of that origin and
//! nothing else, so that what was checked is what is connected to. Certificates are only read for `https`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use shared_types::id::HostName;
use shared_types::secret::Secret;
use shared_types::text;

use crate::config::Endpoint;
use crate::provider::Kind;
use crate::transport::TransportError;

use address::Vetted;
use origin::Origin;

pub use chat::{Answer, Batch};
pub use converse::Conversed;
pub use download::Arriving;
pub use lookup::{Lookup, Resolving, SystemLookup, system_files};
pub use visit::{Address, Hop, Page};

mod address;
pub mod blocking;
pub mod charset;
mod chat;
mod converse;
mod download;
mod form;
mod headers;
mod lookup;
mod origin;
pub mod relay;
mod visit;

/// What a server answered, regardless of the status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The HTTP status.
    pub status: u16,
    pub body: Vec<u8>,
}

/// What one exchange may take and bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// From the first look-up to the last byte.
    pub timeout: Duration,
    /// The longest body.
    pub max_bytes: u64,
}

/// The methods that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Sends.
    Post,
    /// Sends what stands under a name from then on; no skill does.
    Put,
}

/// A request of a learned skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    pub method: Method,
    pub url: String,
    /// Header names and values.
    pub headers: Vec<(String, String)>,
    /// The body; empty for [`Method::Get`].
    pub body: Vec<u8>,
}

impl Fetch {
    /// The host and port that the URL names, for a log; `None` for what is not a URL with a host.
    pub fn origin(&self) -> Option<String> {
        let origin = Origin::of(&Url::parse(&self.url).ok()?).ok()?;
        Some(origin.host_and_port())
    }
}

/// The client; dropping a future of it cancels the request.
pub struct Client {
    /// Hosts with ports of this machine or network that the configuration names.
    local: Vec<HostName>,
    lookup: Arc<dyn Lookup>,
    /// By origin, and by whether the configuration names it: one that it does not name must not reach private addresses.
    origins: Mutex<BTreeMap<(Origin, bool), Made>>,
}

/// The client of an origin.
struct Made {
    client: reqwest::Client,
    /// Whether a request was made with it: connections may be kept.
    used: bool,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("local", &self.local).finish_non_exhaustive()
    }
}

impl Client {
    /// A client that reaches public addresses, and of the others only those that `local` names with host and port.
    pub fn new(local: Vec<HostName>) -> Self {
        Client::with_lookup(local, Arc::new(SystemLookup))
    }

    /// As [`Client::new`], with another way to resolve names.
    pub fn with_lookup(local: Vec<HostName>, lookup: Arc<dyn Lookup>) -> Self {
        Client { local, lookup, origins: Mutex::new(BTreeMap::new()) }
    }

    /// Fetches for a skill that may reach `hosts`: `https`, or plain `http` to a host and port that the configuration
    /// names as local.
    ///
    /// # Errors
    /// See [`TransportError`]; any status is an answer here, and a redirect is not followed.
    pub async fn fetch(
        &self,
        fetch: Fetch,
        hosts: &[HostName],
        caps: Caps,
    ) -> Result<Exchange, TransportError> {
        let denied = |why: String| Err(TransportError::Denied(why));
        if fetch.url.len() > MAX_URL || fetch.body.len() > MAX_SENT {
            return denied(format!("at most {MAX_URL} bytes of URL and {MAX_SENT} of body"));
        }
        if fetch.method == Method::Get && !fetch.body.is_empty() {
            return denied("a GET has no body".to_owned());
        }
        let url = match Url::parse(&fetch.url) {
            Ok(url) => url,
            Err(e) => return denied(format!("`{}` is not a URL: {e}", text::cut(&fetch.url, 80))),
        };
        let origin = Origin::of(&url)?;
        let granted = |h: &HostName| {
            h.host() == origin.host && h.port().map_or(url.port().is_none(), |port| port == origin.port)
        };
        if !hosts.iter().any(granted) {
            let hosts: Vec<&str> = hosts.iter().map(HostName::as_str).collect();
            let asked = text::cut(&origin.host, 80);
            return denied(format!("`{asked}` is not a host of this skill; allowed: {}", hosts.join(" ")));
        }
        let named = self.is_local(&origin);
        if !origin.tls && !named {
            let (host, port) = (&origin.host, origin.port);
            return denied(format!("plain http needs `{host}:{port}` in network.local of the configuration"));
        }
        let headers = headers::of_skill(&fetch.headers)?;
        let method = match fetch.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
        };
        self.exchange(origin, named, Outgoing { method, url, headers, body: fetch.body }, caps).await
    }

    /// Posts to an endpoint that the program's own configuration names, which may be of this machine or network; a `token`
    /// goes there as a bearer token, and is blanked in the answer.
    ///
    /// # Errors
    /// See [`TransportError`]; any status is an answer here, and a redirect is not followed.
    pub async fn post(
        &self,
        endpoint: &Endpoint,
        headers: &[(&str, &str)],
        token: Option<&Secret>,
        body: Vec<u8>,
        caps: Caps,
    ) -> Result<Exchange, TransportError> {
        let (origin, url) = named_by_us(endpoint)?;
        let given: Vec<(String, String)> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut all = headers::of_skill(&given)?;
        all.extend(chat::authorization(Kind::OpenaiCompatible, token)?);
        let outgoing = Outgoing { method: reqwest::Method::POST, url, headers: all, body };
        let mut exchange = self.exchange(origin, true, outgoing, caps).await?;
        if let Some(token) = token {
            blank(&mut exchange.body, token.expose().as_bytes());
        }
        Ok(exchange)
    }

    /// Gets what is at an endpoint that the program's own configuration or the person at its command line names, which may
    /// be of this machine or network.
    ///
    /// # Errors
    /// See [`TransportError`]; any status is an answer here, and a redirect is not followed.
    pub async fn get(&self, endpoint: &Endpoint, caps: Caps) -> Result<Exchange, TransportError> {
        let (origin, url) = named_by_us(endpoint)?;
        let outgoing =
            Outgoing { method: reqwest::Method::GET, url, headers: HeaderMap::new(), body: Vec::new() };
        self.exchange(origin, true, outgoing, caps).await
    }

    fn is_local(&self, origin: &Origin) -> bool {
        self.local.iter().any(|l| l.host() == origin.host && l.port() == Some(origin.port))
    }

    async fn exchange(
        &self,
        origin: Origin,
        named: bool,
        outgoing: Outgoing,
        caps: Caps,
    ) -> Result<Exchange, TransportError> {
        let shown = origin.to_string();
        let work = async {
            let response = self.send(origin, named, outgoing, false).await?;
            read(response, &shown, caps.max_bytes).await
        };
        match tokio::time::timeout(caps.timeout, work).await {
            Ok(result) => result,
            Err(_) => {
                let seconds = caps.timeout.as_secs_f32();
                Err(TransportError::Timeout(format!("{shown} took longer than {seconds} s")))
            }
        }
    }

    /// Sends one request and waits for the head of its answer; `again` allows a second attempt where a kept connection
    /// turns out to be closed, which some servers do after each stream without saying so.
    async fn send(
        &self,
        origin: Origin,
        named: bool,
        outgoing: Outgoing,
        again: bool,
    ) -> Result<reqwest::Response, TransportError> {
        // An address in a URL never reaches the resolver, so it is judged here.
        if let Ok(address) = origin.host.parse()
            && !named
            && let Some(why) = address::refusal(address)
        {
            return Err(TransportError::Denied(format!("{address} is {why}")));
        }
        let shown = origin.to_string();
        let (client, known) = self.client(origin, named)?;
        let Outgoing { method, url, headers, body } = outgoing;
        let mut request = client.request(method, url).headers(headers);
        if !body.is_empty() {
            request = request.body(body);
        }
        let second = if again && known { request.try_clone() } else { None };
        let sent = match (request.send().await, second) {
            (Err(error), Some(second)) if is_stale(&error) => second.send().await,
            (sent, _) => sent,
        };
        sent.map_err(|e| failed(&shown, &e))
    }

    /// The client of an origin, and whether a request was made with it before.
    fn client(&self, origin: Origin, named: bool) -> Result<(reqwest::Client, bool), TransportError> {
        let mut origins = self.origins();
        let made = self.made(&mut origins, origin, named)?;
        Ok((made.client.clone(), std::mem::replace(&mut made.used, true)))
    }

    fn made<'a>(
        &self,
        origins: &'a mut BTreeMap<(Origin, bool), Made>,
        origin: Origin,
        named: bool,
    ) -> Result<&'a mut Made, TransportError> {
        let free = match origins.entry((origin, named)) {
            Entry::Occupied(there) => return Ok(there.into_mut()),
            Entry::Vacant(free) => free,
        };
        let (Origin { tls, host, port }, _) = free.key();
        let resolver = Vetted { host: host.clone(), port: *port, named, lookup: Arc::clone(&self.lookup) };
        let client = origin::client(*tls, resolver)
            .map_err(|e| TransportError::Network(format!("{}: {}", free.key().0, causes(&e))))?;
        Ok(free.insert(Made { client, used: false }))
    }

    fn origins(&self) -> MutexGuard<'_, BTreeMap<(Origin, bool), Made>> {
        self.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const MAX_URL: usize = 4096;
const MAX_SENT: usize = 1024 * 1024;

struct Outgoing {
    method: reqwest::Method,
    url: Url,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// The origin and the URL of an endpoint, as both parsers read it.
fn named_by_us(endpoint: &Endpoint) -> Result<(Origin, Url), TransportError> {
    let url = Url::parse(&endpoint.to_string())
        .map_err(|e| TransportError::Denied(format!("the address is not a URL: {e}")))?;
    let origin = Origin::of(&url)?;
    if origin.host != endpoint.host() || origin.port != endpoint.port() || origin.tls != endpoint.tls() {
        return Err(TransportError::Denied("the address reads differently as a URL".to_owned()));
    }
    Ok((origin, url))
}

async fn read(
    mut response: reqwest::Response,
    shown: &str,
    max_bytes: u64,
) -> Result<Exchange, TransportError> {
    let status = response.status().as_u16();
    if response.content_length().is_some_and(|n| n > max_bytes) {
        return Err(TransportError::TooLarge(max_bytes));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|e| failed(shown, &e))? {
        if (body.len() + chunk.len()) as u64 > max_bytes {
            return Err(TransportError::TooLarge(max_bytes));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Exchange { status, body })
}

/// Overwrites every occurrence of `secret`, so that a server that echoes the key does not hand it to the model.
pub fn blank(body: &mut [u8], secret: &[u8]) {
    if secret.len() < 4 {
        return;
    }
    let mut from = 0;
    while let Some(at) = body[from..].windows(secret.len()).position(|w| w == secret) {
        body[from + at..from + at + secret.len()].fill(b'*');
        from += at + secret.len();
    }
}

fn failed(shown: &str, error: &reqwest::Error) -> TransportError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<address::Refused>() {
            return TransportError::Denied(refused.to_string());
        }
        cause = inner.source();
    }
    if error.is_timeout() {
        return TransportError::Timeout(format!("{shown} did not answer in time"));
    }
    let kind = if error.is_connect() { TransportError::Unconnected } else { TransportError::Network };
    kind(format!("{shown}: {}", causes(error)))
}

/// Whether a connection was closed before any byte of an answer came.
fn is_stale(error: &reqwest::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let closed = inner.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message);
        let reset = inner
            .downcast_ref::<io::Error>()
            .is_some_and(|e| matches!(e.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe));
        if closed || reset {
            return !error.is_connect();
        }
        cause = inner.source();
    }
    false
}

/// The innermost cause: the outer ones only repeat the URL.
fn causes(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    text::cut(&innermost.to_string(), 160)
}

#[cfg(test)]
mod tests;
