//! Where a person can log in to a provider: OAuth 2.0, authorization code with PKCE, as a public client.

use std::fmt;
use std::str::FromStr;

use shared_types::settings::Section;

use super::{Endpoint, EndpointError};

/// An authorization server, and who this program is to it; nothing of it is built in, and nothing of it is secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginConfig {
    /// The page that the person opens.
    pub authorization_url: LoginUrl,
    /// Where a code or a refresh token becomes an access token.
    pub token_url: LoginUrl,
    /// Where a token is declared void, if the server has such a place.
    pub revocation_url: Option<LoginUrl>,
    /// The client that the person registered with the server.
    pub client_id: String,
    /// What is asked for.
    pub scopes: Vec<String>,
    /// Where the server sends the browser; nobody listens there, the person copies the address.
    pub redirect_uri: LoginUrl,
}

/// A URL without query and fragment: `https`, or plain `http` to this machine.
///
/// It keeps a closing slash, which [`Endpoint`] drops and some servers insist on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginUrl {
    text: String,
    endpoint: Endpoint,
}

impl LoginUrl {
    /// The URL as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its scheme, host and port.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

impl fmt::Display for LoginUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for LoginUrl {
    type Err = EndpointError;

    fn from_str(s: &str) -> Result<Self, EndpointError> {
        Ok(LoginUrl { endpoint: s.parse()?, text: s.to_owned() })
    }
}

/// Reads a login; faults stay in the section.
pub(super) fn read(section: &mut Section) -> Option<LoginConfig> {
    let authorization_url = url(section, "authorization_url");
    let token_url = url(section, "token_url");
    let revocation_url = url(section, "revocation_url");
    let redirect_uri = url(section, "redirect_uri");
    let client_id = section.text("client_id");
    if client_id.as_ref().is_some_and(|id| !is_token(id, 200)) {
        section.fault("client_id", "must be 1 to 200 printable ASCII characters without spaces");
    }
    let scopes = section.texts("scopes");
    if scopes.len() > 32 || !scopes.iter().all(|scope| is_token(scope, 200)) {
        section.fault("scopes", "at most 32, each of printable ASCII characters without spaces");
    }
    if section.has("client_secret") {
        let why = "a secret in a configuration is not secret: only public clients are used, with PKCE";
        section.fault("client_secret", why);
    }
    Some(LoginConfig {
        authorization_url: authorization_url?,
        token_url: token_url?,
        revocation_url,
        client_id: client_id?,
        scopes,
        redirect_uri: redirect_uri?,
    })
}

fn url(section: &mut Section, key: &str) -> Option<LoginUrl> {
    section.text(key)?.parse().map_err(|e: EndpointError| section.fault(key, e.to_string())).ok()
}

/// RFC 6749 allows more in a client's name; nobody needs it.
fn is_token(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic() && b != b'"' && b != b'\\')
}

#[cfg(test)]
mod tests;
