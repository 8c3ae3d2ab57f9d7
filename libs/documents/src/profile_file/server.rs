//! What the sections of the messengers have in common: the server, and the name of the token.

use serde::{Serialize, Serializer};
use shared_types::id::{HostName, SecretName};
use shared_types::settings::Section;
use shared_types::text::cut;

/// A server of a messenger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Whether it is reached by TLS.
    pub tls: bool,
    /// The host, with a port where it is not that of `https`.
    pub host: HostName,
}

impl Server {
    /// The server that a section names.
    pub(super) fn read(section: &mut Section) -> Option<Server> {
        let allowed =
            "of a server; allowed: https://HOST, https://HOST:PORT or http://HOST:PORT, without a path";
        Server::named(section, "server", allowed, |_| true)
    }

    /// The pages of the review that a section names: by TLS, or on this machine.
    pub(super) fn review_page(section: &mut Section) -> Option<Server> {
        let allowed = "of the pages; allowed: https://HOST, https://HOST:PORT, and for this machine http://127.0.0.1:PORT";
        Server::named(section, "review_page", allowed, |page| page.tls || page.is_of_this_machine())
    }

    fn named(
        section: &mut Section,
        key: &str,
        allowed: &str,
        fits: impl Fn(&Server) -> bool,
    ) -> Option<Server> {
        let text = section.text(key)?;
        let server = Server::parse(&text).filter(fits);
        if server.is_none() {
            section.fault(key, format!("{:?} is not the address {allowed}", cut(&text, 80)));
        }
        server
    }

    fn parse(text: &str) -> Option<Server> {
        let (tls, rest) = match text.strip_prefix("https://") {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix("http://")?),
        };
        let host: HostName = rest.strip_suffix('/').unwrap_or(rest).parse().ok()?;
        // Only what is named with its port may be reached without TLS.
        (tls || host.port().is_some()).then_some(Server { tls, host })
    }

    /// Whether it is on the loopback.
    pub fn is_of_this_machine(&self) -> bool {
        let host = self.host.host();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }
}

impl std::fmt::Display for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", if self.tls { "https" } else { "http" }, self.host)
    }
}

impl Serialize for Server {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The name of the secret that holds the token of a section.
pub(super) fn secret(section: &mut Section) -> Option<SecretName> {
    let name = section.text("token")?;
    let parsed = name.parse::<SecretName>();
    parsed.map_err(|fault| section.fault("token", fault.to_string())).ok()
}

/// For a derived `Serialize`.
pub(super) fn as_text<S: Serializer>(name: &SecretName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name.as_str())
}
