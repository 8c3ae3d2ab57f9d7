//! Reads a page for a conversation: one hop at a time, each judged by the same grants, text only, capped.

use std::fmt;

use reqwest::Url;
use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use shared_types::grants::HostPattern;
use shared_types::id::HostName;
use shared_types::text;

use super::charset;
use super::origin::Origin;
use super::{Caps, Client, MAX_URL, Outgoing, failed};
use crate::transport::TransportError;

/// A web address: `http` or `https`, a host, no user name. Both processes read addresses through this type, so that the
/// host that one judges is the host that the other asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    url: Url,
    tls: bool,
}

/// What one hop brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hop {
    /// An answer, regardless of its status.
    Page(Page),
    /// The server points elsewhere.
    Moved {
        status: u16,
        /// Where to.
        to: Address,
    },
}

/// A text that a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The HTTP status.
    pub status: u16,
    /// The content type without its parameters, in lower case; empty where the server names none.
    pub kind: String,
    /// The text.
    pub body: String,
    /// Whether there was more than was read.
    pub cut: bool,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// [`TransportError::Denied`] for anything else.
    pub fn parse(address: &str) -> Result<Address, TransportError> {
        if address.len() > MAX_URL {
            return Err(TransportError::Denied(format!("an address has at most {MAX_URL} bytes")));
        }
        let url = Url::parse(address).map_err(|e| {
            let ascii = if address.is_ascii() {
                ""
            } else {
                "; letters beyond ASCII in a host are written as `xn--`"
            };
            TransportError::Denied(format!("`{}` is not a URL: {e}{ascii}", text::cut(address, 80)))
        })?;
        Address::of(url)
    }

    pub(super) fn of(mut url: Url) -> Result<Address, TransportError> {
        let tls = Origin::of(&url)?.tls;
        url.set_fragment(None);
        Ok(Address { url, tls })
    }

    pub(super) fn into_url(self) -> Url {
        self.url
    }

    /// What a text in the page at this address points to, if that is a web address.
    pub fn join(&self, reference: &str) -> Option<Address> {
        let url = self.url.join(reference).ok()?;
        Address::of(url).ok().filter(|address| address.url.as_str().len() <= MAX_URL)
    }

    /// The host, with its port where that is not the usual one; `None` for what grants cannot name, such as an IPv6 address.
    pub fn host(&self) -> Option<HostName> {
        let host = self.url.host_str()?;
        let named = match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        named.parse().ok()
    }

    /// Host and port, for a log.
    pub fn host_and_port(&self) -> String {
        Origin::of(&self.url).map(|origin| origin.host_and_port()).unwrap_or_default()
    }

    /// Whether nobody on the way can read along.
    pub fn is_private(&self) -> bool {
        self.tls
    }

    /// Whether one of these grants names its host.
    ///
    /// # Errors
    /// [`TransportError::Denied`], with what is granted.
    pub fn check(&self, granted: &[HostPattern]) -> Result<(), TransportError> {
        if self.host().is_some_and(|host| granted.iter().any(|pattern| pattern.matches(&host))) {
            return Ok(());
        }
        let asked = text::cut(&self.host_and_port(), 120);
        let named: Vec<String> = granted.iter().map(ToString::to_string).collect();
        let named = if named.is_empty() { "none".to_owned() } else { named.join(" ") };
        Err(TransportError::Denied(format!("no grant names `{asked}`; granted hosts: {named}")))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str())
    }
}

impl Client {
    /// Asks for one page of a granted host; plain `http` is allowed, since the grant is for reading. Nothing of the person
    /// is sent: no cookie, no key, no referrer. A redirect is reported and not followed.
    ///
    /// # Errors
    /// See [`TransportError`]: a host without a grant, an address that is not public and not named in `network.local`, a
    /// kind of content that is not text, a step from https down to http.
    pub async fn visit(
        &self,
        address: &Address,
        granted: &[HostPattern],
        caps: Caps,
    ) -> Result<Hop, TransportError> {
        address.check(granted)?;
        let origin = Origin::of(&address.url)?;
        let shown = origin.to_string();
        let named = self.is_local(&origin);
        let headers = HeaderMap::from_iter([
            (ACCEPT, HeaderValue::from_static(WANTED)),
            (HeaderName::from_static("accept-encoding"), HeaderValue::from_static("identity")),
        ]);
        let outgoing =
            Outgoing { method: reqwest::Method::GET, url: address.url.clone(), headers, body: vec![] };
        let work = async {
            let response = self.send(origin, named, outgoing, true).await?;
            match moved(address, &response)? {
                Some(to) => Ok(Hop::Moved { status: response.status().as_u16(), to }),
                None => page(response, &shown, caps.max_bytes).await.map(Hop::Page),
            }
        };
        match tokio::time::timeout(caps.timeout, work).await {
            Ok(result) => result,
            Err(_) => Err(TransportError::Timeout(format!(
                "{shown} took longer than {} s",
                caps.timeout.as_secs_f32().ceil()
            ))),
        }
    }
}

/// What is asked for, the best first.
const WANTED: &str = "text/html, text/plain, application/json, application/xml;q=0.9, text/*;q=0.8";

/// Where an answer points, if it does.
pub(super) fn moved(from: &Address, response: &reqwest::Response) -> Result<Option<Address>, TransportError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location =
        response.headers().get(LOCATION).and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
    let Some(location) = location else {
        return Err(TransportError::Network(format!("{} points nowhere", from.host_and_port())));
    };
    onward(from, location).map(Some)
}

/// The address to which a page points.
fn onward(from: &Address, location: &str) -> Result<Address, TransportError> {
    let denied = |why: &str| {
        let (host, to) = (from.host_and_port(), text::cut(location, 120));
        Err(TransportError::Denied(format!("{host} points to `{to}`: {why}")))
    };
    match from.join(location) {
        None => denied("that is not a web address that may be read"),
        Some(to) if from.tls && !to.tls => denied("from https down to plain http is not followed"),
        Some(to) => Ok(to),
    }
}

async fn page(mut response: reqwest::Response, shown: &str, most: u64) -> Result<Page, TransportError> {
    let status = response.status().as_u16();
    let header = |name| response.headers().get(name).and_then(|v: &HeaderValue| v.to_str().ok());
    if let Some(coding) = header(CONTENT_ENCODING).filter(|coding| !coding.eq_ignore_ascii_case("identity")) {
        let coding = text::cut(coding, 40);
        return Err(TransportError::Denied(format!(
            "{shown} answers compressed ({coding}), which is not read"
        )));
    }
    let full = header(CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    let kind = full.split(';').next().unwrap_or_default().trim().to_owned();
    if !is_text(&kind) {
        let kind = text::cut(&kind, 60);
        return Err(TransportError::Denied(format!(
            "{shown} answers `{kind}`; only text, HTML, JSON and XML are read"
        )));
    }
    let mut bytes = Vec::new();
    let mut cut = false;
    while let Some(chunk) = response.chunk().await.map_err(|e| failed(shown, &e))? {
        let room = usize::try_from(most).unwrap_or(usize::MAX) - bytes.len();
        bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            // The rest stays where it is: the connection goes with the response.
            cut = true;
            break;
        }
    }
    let body = charset::decode(&bytes, &full, cut)
        .map_err(|why| TransportError::Denied(format!("{shown}: {why}")))?;
    Ok(Page { status, kind, body, cut })
}

/// Whether content of that type is read; one that is not named may be text, and is looked at.
fn is_text(kind: &str) -> bool {
    let named = ["application/json", "application/xml", "application/xhtml+xml", "application/yaml"];
    kind.is_empty()
        || kind.starts_with("text/")
        || named.contains(&kind)
        || kind.starts_with("application/") && (kind.ends_with("+json") || kind.ends_with("+xml"))
}

#[cfg(test)]
mod tests;
