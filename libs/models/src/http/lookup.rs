//! Names to addresses.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;

/// Addresses on their way.
pub type Resolving = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Resolves names; what it answers is vetted afterwards.
pub trait Lookup: Send + Sync {
    /// The addresses of a host.
    fn addresses(&self, host: &str, port: u16) -> Resolving;
}

/// The system's own resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, host: &str, port: u16) -> Resolving {
        let host = host.to_owned();
        Box::pin(async move {
            // Known without asking, and without the helper thread that asking takes.
            if host == "localhost" {
                let both = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
                return Ok(both.map(|ip| SocketAddr::new(ip, port)).to_vec());
            }
            Ok(tokio::net::lookup_host((host.as_str(), port)).await?.collect())
        })
    }
}
