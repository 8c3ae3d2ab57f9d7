//! Scheme, host and port, and the client that reaches nothing else.

use std::fmt;
use std::sync::Arc;

use reqwest::Url;
use shared_types::text;

use super::address::Vetted;
use crate::transport::TransportError;

/// Scheme, host and port, as the URL parser reads them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    pub(super) tls: bool,
    pub(super) host: String,
    pub(super) port: u16,
}

impl Origin {
    pub(super) fn of(url: &Url) -> Result<Origin, TransportError> {
        let tls = match url.scheme() {
            "https" => true,
            "http" => false,
            other => return Err(TransportError::Denied(format!("`{}:` is not https", text::cut(other, 20)))),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TransportError::Denied("a URL with a user name is refused".to_owned()));
        }
        let host =
            url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
        match url.port_or_known_default() {
            Some(port) if !host.is_empty() => Ok(Origin { tls, host, port }),
            _ => Err(TransportError::Denied("a URL without a host".to_owned())),
        }
    }
}

impl Origin {
    pub(super) fn host_and_port(&self) -> String {
        let host = text::cut(&self.host, 80);
        if host.contains(':') { format!("[{host}]:{}", self.port) } else { format!("{host}:{}", self.port) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.host_and_port())
    }
}

/// A client whose resolver knows one origin.
pub(super) fn client(tls: bool, resolver: Vetted) -> Result<reqwest::Client, reqwest::Error> {
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .referer(false)
        .http1_only()
        .pool_max_idle_per_host(2)
        .user_agent(concat!("tameclaw/", env!("CARGO_PKG_VERSION")))
        .dns_resolver(Arc::new(resolver));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    if tls {
        // A provider that other code installed would do as well, so a second attempt is not an error.
        let _ = rustls::crypto::CryptoProvider::install_default(Arc::unwrap_or_clone(provider));
        return builder.https_only(true).build();
    }
    // Without this, the client would read every certificate of the system before it speaks plain http.
    match rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions() {
        Ok(config) => {
            let config = config.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth();
            builder.tls_backend_preconfigured(config).build()
        }
        Err(_) => builder.build(),
    }
}
