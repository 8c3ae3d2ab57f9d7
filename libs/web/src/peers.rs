//! From which address a request comes, for limits.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use axum::http::HeaderMap;

/// What a proxy says of the addresses before it.
const FORWARDED: &str = "x-forwarded-for";

/// An address of IPv4, or the /64 of an address of IPv6: a household has that many, and more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Peer(IpAddr);

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Peer {
        match address.to_canonical() {
            IpAddr::V4(address) => Peer(address.into()),
            IpAddr::V6(address) => Peer(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into()),
        }
    }
}

impl FromStr for Peer {
    type Err = <IpAddr as FromStr>::Err;

    fn from_str(text: &str) -> Result<Peer, Self::Err> {
        text.parse::<IpAddr>().map(Peer::from)
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who sent a request that came by a connection of this address. Of what a request says of itself, only that counts which one of
/// `proxies` has added: each proxy adds, at the end, whom it was reached from.
pub fn sender(connected: IpAddr, proxies: &[IpAddr], headers: &HeaderMap) -> Peer {
    let mut address = connected.to_canonical();
    let texts = headers.get_all(FORWARDED).iter().rev().map(|value| value.to_str().unwrap_or_default());
    for entry in texts.flat_map(|text| text.rsplit(',')) {
        let is_proxy = proxies.iter().any(|proxy| proxy.to_canonical() == address);
        match entry.trim().parse::<IpAddr>() {
            Ok(before) if is_proxy => address = before.to_canonical(),
            _ => break,
        }
    }
    address.into()
}

#[cfg(test)]
mod tests;
