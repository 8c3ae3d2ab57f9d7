//! A request whose answer may be a stream that continues after what is wanted of it.

use super::{Caps, Client, Outgoing, failed, headers};
use crate::config::Endpoint;
use crate::transport::TransportError;

/// An answer with the few headers that matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversed {
    /// The HTTP status.
    pub status: u16,
    /// The media type, without parameters, in lower case.
    pub kind: String,
    /// The header `mcp-session-id`.
    pub session: Option<String>,
    /// The body, as far as it was read.
    pub body: Vec<u8>,
}

impl Client {
    /// Sends a POST request with `body`, or a GET request without one, to an endpoint that a person granted. Reads until the body ends
    /// or `enough` returns true for the media type and the next bytes. An address of this machine or network is reached only where the endpoint names it as such.
    ///
    /// # Errors
    /// See [`TransportError`]; any status is an answer here, and a redirect is not followed.
    pub async fn converse(
        &self,
        endpoint: &Endpoint,
        given: &[(String, String)],
        body: Option<Vec<u8>>,
        caps: Caps,
        enough: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<Conversed, TransportError> {
        let (origin, url) = super::named_by_us(endpoint)?;
        let named = endpoint.address().is_some() || endpoint.is_loopback() || self.is_local(&origin);
        let headers = headers::of_skill(given)?;
        let shown = origin.to_string();
        let method = if body.is_some() { reqwest::Method::POST } else { reqwest::Method::GET };
        let outgoing = Outgoing { method, url, headers, body: body.unwrap_or_default() };
        let work = async {
            let mut response = self.send(origin, named, outgoing, false).await?;
            let header = |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok());
            let kind = header("content-type").unwrap_or_default();
            let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            let session = header("mcp-session-id").map(str::to_owned);
            let status = response.status().as_u16();
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(|e| failed(&shown, &e))? {
                if (body.len() + chunk.len()) as u64 > caps.max_bytes {
                    return Err(TransportError::TooLarge(caps.max_bytes));
                }
                body.extend_from_slice(&chunk);
                if enough(&kind, &chunk) {
                    break;
                }
            }
            Ok(Conversed { status, kind, session, body })
        };
        match tokio::time::timeout(caps.timeout, work).await {
            Ok(result) => result,
            Err(_) => {
                let seconds = caps.timeout.as_secs_f32();
                Err(TransportError::Timeout(format!("{endpoint} took longer than {seconds} s")))
            }
        }
    }
}
