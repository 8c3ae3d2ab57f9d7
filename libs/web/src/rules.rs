//! From where a server may be called.
//!
//! A page of the web can have a browser of this household send requests here. By its name such a request is not for this server
//! (`Host`, against DNS rebinding), and by its sender it is a stranger's (`Origin`).

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};

use crate::cookie;

/// From where a server may be called.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Its address, where it is one; at a socket file no browser comes, and any name is fine.
    pub address: Option<SocketAddr>,
    /// Names by which it may be called besides.
    pub hosts: Vec<String>,
    /// Whether it answers by TLS itself.
    pub is_tls: bool,
    /// The addresses of the proxies that say from where a request came.
    pub proxies: Vec<IpAddr>,
}

/// Why a request is not for this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// It names another host: this one.
    Host(String),
    /// It comes from a page of somebody else.
    Origin,
}

/// A text that is not an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoAddress;

impl fmt::Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address is IP:PORT, as in 127.0.0.1:8787 or [::1]:8787")
    }
}

impl Error for NoAddress {}

/// Reads the address of a command line.
///
/// # Errors
/// A name in place of numbers, or no port.
pub fn address(text: &str) -> Result<SocketAddr, NoAddress> {
    text.parse().map_err(|_| NoAddress)
}

impl Rules {
    /// Whether a request is for this server, and comes from no page of somebody else.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Wrong> {
        let text = |name: HeaderName| {
            let mut all = headers.get_all(name).iter();
            let first = all.next().map(|value| value.to_str().unwrap_or("?"));
            // Two of them are read differently by different programs.
            if all.next().is_some() { Some("?") } else { first }
        };
        let host = text(header::HOST);
        if !self.is_for_us(host) {
            let shown = shared_types::text::line(host.unwrap_or(""));
            return Err(Wrong::Host(shared_types::text::cut(&shown, 80)));
        }
        match (text(header::ORIGIN), host) {
            (None, _) => Ok(()),
            (Some(origin), Some(host)) if self.is_own(origin, host) => Ok(()),
            (Some(_), _) => Err(Wrong::Origin),
        }
    }

    /// Whether a page of this server is the sender. Without TLS a program before it may have it.
    fn is_own(&self, origin: &str, host: &str) -> bool {
        let by = |scheme: &str| origin.strip_prefix(scheme) == Some(host);
        by("https://") || !self.is_tls && by("http://")
    }

    /// Whether the browser came over TLS: to this server, or to a program before it.
    pub fn is_secure(&self, headers: &HeaderMap) -> bool {
        self.is_tls || cookie::is_secure(headers)
    }

    /// Whether a `Host` names this server.
    fn is_for_us(&self, host: Option<&str>) -> bool {
        let Some(address) = self.address else { return true };
        let Some(host) = host else { return false };
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, Some(port)),
            _ => (host, None),
        };
        if self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return true;
        }
        // By its address it is called with its port, which a client may leave out where it is the scheme's own.
        let usual = if self.is_tls { 443 } else { 80 };
        let is_port = port.map_or(address.port() == usual, |port| port == address.port().to_string());
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let is_address = bare.parse::<IpAddr>().is_ok_and(|ip| ip == address.ip());
        let is_local = address.ip().is_loopback() && name.eq_ignore_ascii_case("localhost");
        is_port && (is_address || is_local)
    }
}

#[cfg(test)]
mod tests;
