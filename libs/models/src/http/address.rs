//! Which addresses may be connected to.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::lookup::Lookup;

/// Resolves one host for one port, and lets through what may be connected to.
pub(super) struct Vetted {
    pub(super) host: String,
    pub(super) port: u16,
    /// Whether the configuration names this host and port: then any address will do.
    pub(super) named: bool,
    pub(super) lookup: Arc<dyn Lookup>,
}

/// A name whose addresses may not be connected to.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{host}` resolves to {address}, which is {why}; to allow it, name `{host}:{port}` in network.local of the configuration"
)]
pub(super) struct Refused {
    host: String,
    port: u16,
    address: IpAddr,
    why: &'static str,
}

impl Vetted {
    /// The addresses that may be connected to.
    ///
    /// # Errors
    /// A name that is not found, and [`Refused`].
    pub(super) fn addresses(&self) -> impl Future<Output = Result<Vec<SocketAddr>, BoxError>> + Send + use<> {
        let (host, port, named) = (self.host.clone(), self.port, self.named);
        let lookup = Arc::clone(&self.lookup);
        async move {
            let addresses = lookup.addresses(&host, port).await?;
            Ok(vet(&host, port, named, addresses)?)
        }
    }
}

impl Resolve for Vetted {
    fn resolve(&self, name: Name) -> Resolving {
        if name.as_str() != self.host {
            let why = format!("`{}` was not asked for", name.as_str());
            return Box::pin(async move { Err(why.into()) });
        }
        let addresses = self.addresses();
        Box::pin(async move { Ok(Box::new(addresses.await?.into_iter()) as Addrs) })
    }
}

/// Any failure of a look-up.
pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// One address that may not be reached spoils the whole answer: a mixed one is what an attacker's name server sends.
fn vet(host: &str, port: u16, named: bool, addresses: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Refused> {
    if !named {
        for address in addresses.iter().map(SocketAddr::ip) {
            if let Some(why) = refusal(address) {
                return Err(Refused { host: host.to_owned(), port, address, why });
            }
        }
    }
    Ok(addresses)
}

/// Why an address is not of the public internet; `None` when it is.
pub(super) fn refusal(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(v4) => refusal_v4(v4),
        IpAddr::V6(v6) => refusal_v6(v6),
    }
}

fn refusal_v4(v4: Ipv4Addr) -> Option<&'static str> {
    let [a, b, c, _] = v4.octets();
    Some(match (a, b, c) {
        (0, ..) => "unspecified",
        (127, ..) => "this machine",
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => "a private network",
        (169, 254, _) => "link-local",
        (100, 64..=127, _) => "a carrier's shared network",
        (192, 0, 0) | (192, 0, 2) | (192, 88, 99) | (198, 18..=19, _) | (198, 51, 100) | (203, 0, 113) => {
            "reserved for special use"
        }
        (224..=239, ..) => "multicast",
        (240.., ..) => "reserved",
        _ => return None,
    })
}

fn refusal_v6(v6: Ipv6Addr) -> Option<&'static str> {
    let segments = v6.segments();
    if v6.to_ipv4_mapped().is_some() {
        return Some("an IPv4 address in IPv6 clothing");
    }
    match segments {
        // NAT64: the real destination is the IPv4 address at the end.
        [0x64, 0xff9b, 0, 0, 0, 0, hi, lo] => {
            let ([a, b], [c, d]) = (hi.to_be_bytes(), lo.to_be_bytes());
            refusal_v4(Ipv4Addr::new(a, b, c, d))
        }
        [0, 0, 0, 0, 0, 0, 0, 0] => Some("unspecified"),
        [0, 0, 0, 0, 0, 0, 0, 1] => Some("this machine"),
        [0xfc00..=0xfdff, ..] => Some("a private network"),
        [0xfe80..=0xfeff, ..] => Some("link-local"),
        [0xff00..=0xffff, ..] => Some("multicast"),
        // Tunnels carry an IPv4 destination of the sender's choice.
        [0x2001, 0, ..] | [0x2002, ..] => Some("a tunnel"),
        [0x2001, 0xdb8, ..] => Some("reserved for special use"),
        [0x2000..=0x3fff, ..] => None,
        _ => Some("reserved"),
    }
}

#[cfg(test)]
mod tests;
