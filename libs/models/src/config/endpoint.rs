//! Where a model server is: a strict subset of URLs, so that no two parsers can read it differently.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// `http(s)://host[:port][/path]`; plain `http` for loopback only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    tls: bool,
    host: String,
    port: Option<u16>,
    path: String,
}

/// A text that is not an endpoint, or one that would send a key in the clear.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Not of the form.
    #[error("must be https://HOST[:PORT][/PATH] or, for this machine only, http://127.0.0.1:PORT[/PATH]")]
    Form,
    /// Plain http to another machine.
    #[error("plain http is for this machine only (127.0.0.1, [::1], localhost); `{0}` needs https")]
    Plain(String),
}

impl Endpoint {
    /// Whether the connection is encrypted.
    pub fn tls(&self) -> bool {
        self.tls
    }

    /// The host; an IPv6 address without its brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, the scheme's own when none is written.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(if self.tls { 443 } else { 80 })
    }

    /// The host as an address, if it is one.
    pub fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    /// Whether the host is this machine, by address or as `localhost`.
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.address().is_some_and(|a| a.is_loopback())
    }

    /// Whether the host is this machine or in a private network, as far as its address or the end of its name tells (RFC 1918, 4193,
    /// 6762, 8375).
    pub fn is_near(&self) -> bool {
        let private = |address| match address {
            IpAddr::V4(v4) => v4.is_private() || v4.is_link_local(),
            IpAddr::V6(v6) => v6.is_unique_local() || v6.is_unicast_link_local(),
        };
        let named = || [".local", ".home.arpa", ".internal"].iter().any(|end| self.host.ends_with(end));
        self.is_loopback() || self.address().map_or_else(named, private)
    }

    /// Whether it is a host without a path.
    pub fn is_top(&self) -> bool {
        self.path.is_empty()
    }

    /// The URL of a resource below the endpoint.
    pub fn join(&self, resource: &str) -> String {
        format!("{self}/{resource}")
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "https" } else { "http" };
        let (open, close) = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{scheme}://{open}{}{close}", self.host)?;
        if let Some(port) = self.port {
            write!(f, ":{port}")?;
        }
        f.write_str(&self.path)
    }
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(s: &str) -> Result<Self, EndpointError> {
        let (tls, rest) = if let Some(rest) = s.strip_prefix("https://") {
            (true, rest)
        } else if let Some(rest) = s.strip_prefix("http://") {
            (false, rest)
        } else {
            return Err(EndpointError::Form);
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let path = path.trim_end_matches('/');
        let path_fits = path.split('/').all(|part| part != "." && part != "..")
            && path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-_.~".contains(&b));
        if s.len() > 400 || !path_fits {
            return Err(EndpointError::Form);
        }
        let (host, port) = split(authority).ok_or(EndpointError::Form)?;
        let endpoint = Endpoint { tls, host, port, path: path.to_owned() };
        if !tls && !endpoint.is_loopback() {
            return Err(EndpointError::Plain(endpoint.host));
        }
        Ok(endpoint)
    }
}

fn split(authority: &str) -> Option<(String, Option<u16>)> {
    if let Some(rest) = authority.strip_prefix('[') {
        let (address, after) = rest.split_once(']')?;
        let address: std::net::Ipv6Addr = address.parse().ok()?;
        let port = match after {
            "" => None,
            _ => Some(port(after.strip_prefix(':')?)?),
        };
        return Some((address.to_string(), port));
    }
    let (host, port) = match authority.split_once(':') {
        Some((host, digits)) => (host, Some(port(digits)?)),
        None => (authority, None),
    };
    let label_fits = |l: &str| {
        (1..=63).contains(&l.len())
            && !l.starts_with('-')
            && !l.ends_with('-')
            && l.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    if host.len() > 253 || !host.split('.').all(label_fits) {
        return None;
    }
    // A last label that is a number makes an address of the whole for URL parsers, in several spellings (octal, hex,
    // shortened): only the ordinary spelling is taken.
    let last = host.rsplit('.').next().unwrap_or(host);
    if last.starts_with(|c: char| c.is_ascii_digit()) && host.parse::<std::net::Ipv4Addr>().is_err() {
        return None;
    }
    Some((host.to_owned(), port))
}

fn port(digits: &str) -> Option<u16> {
    if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
