//! The section `web_search`.

use models::Endpoint;
use shared_types::id::{HostName, SecretName};
use shared_types::settings::Section;

/// Where the search of Brave answers.
const BRAVE: &str = "https://api.search.brave.com";

/// The search engine behind the tool `web_search`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// How it is asked, and in which form it answers.
    pub engine: Engine,
    /// Where it answers.
    pub endpoint: Endpoint,
    /// The same as a grant names it.
    pub host: HostName,
    /// The secret with its key.
    pub secret: Option<SecretName>,
}

/// A kind of search engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// SearXNG, with answers in JSON.
    Searxng,
    /// Brave's search for programs.
    Brave,
}

impl Search {
    /// Reads the section; faults stay in it.
    pub(super) fn of(section: &mut Section, local: &[HostName]) -> Option<Search> {
        let (url, secret) = (section.text("url"), section.text("secret"));
        let engine = match section.word("engine").to_owned().as_str() {
            "searxng" => Engine::Searxng,
            "brave" => Engine::Brave,
            _ => {
                if url.is_some() || secret.is_some() {
                    section
                        .fault("engine", "is `none`; without an engine `url` and `secret` have no meaning");
                }
                return None;
            }
        };
        let secret = match secret.map(|name| name.parse::<SecretName>()).transpose() {
            Ok(secret) => secret,
            Err(e) => {
                section.fault("secret", e.to_string());
                return None;
            }
        };
        if engine == Engine::Brave && secret.is_none() {
            section.fault(
                "secret",
                "brave needs a key: `cl-admin secret set BRAVE_KEY --for api.search.brave.com`",
            );
        }
        let url = url.or_else(|| (engine == Engine::Brave).then(|| BRAVE.to_owned()));
        let Some(url) = url else {
            section.fault("url", "is missing; as in http://127.0.0.1:8888");
            return None;
        };
        let endpoint: Endpoint = url.parse().map_err(|e| section.fault("url", format!("{e}"))).ok()?;
        let port = if endpoint.tls() && endpoint.port() == 443 {
            String::new()
        } else {
            format!(":{}", endpoint.port())
        };
        let host = format!("{}{port}", endpoint.host());
        let host: HostName = host.parse().map_err(|e| section.fault("url", format!("{e}"))).ok()?;
        if endpoint.is_near()
            && !local
                .iter()
                .any(|named| named.host() == endpoint.host() && named.port() == Some(endpoint.port()))
        {
            let (host, port) = (endpoint.host(), endpoint.port());
            section.fault(
                "url",
                format!("is of this machine or network; `network.local` must name \"{host}:{port}\""),
            );
        }
        Some(Search { engine, endpoint, host, secret })
    }
}
