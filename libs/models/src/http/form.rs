//! A form for an authorization server.

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderValue};

use super::{Caps, Client, Exchange, Outgoing};
use crate::config::LoginUrl;
use crate::http::origin::Origin;
use crate::transport::TransportError;

impl Client {
    /// Posts a form, already encoded, to one place of a configured authorization server.
    ///
    /// # Errors
    /// See [`TransportError`]; any status is an answer here, and a redirect is not followed.
    pub async fn form(&self, place: &LoginUrl, form: String, caps: Caps) -> Result<Exchange, TransportError> {
        let denied = |why: String| TransportError::Denied(why);
        let url = Url::parse(place.as_str()).map_err(|e| denied(format!("{place}: {e}")))?;
        let (origin, endpoint) = (Origin::of(&url)?, place.endpoint());
        if origin.host != endpoint.host() || origin.port != endpoint.port() || origin.tls != endpoint.tls() {
            return Err(denied(format!("{place} reads differently as a URL")));
        }
        // An address or `localhost` is the configuration naming that host and port.
        let named = endpoint.address().is_some() || endpoint.is_loopback() || self.is_local(&origin);
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("application/x-www-form-urlencoded"));
        headers.insert("accept", HeaderValue::from_static("application/json"));
        let request = Outgoing { method: reqwest::Method::POST, url, headers, body: form.into_bytes() };
        self.exchange(origin, named, request, caps).await
    }
}
