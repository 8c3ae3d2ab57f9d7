//! The headers that a skill may set.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use shared_types::text;

use crate::transport::TransportError;

const MAX_HEADERS: usize = 16;

/// The connection is the client's business: a skill may not set what shapes it, nor name another host.
const NOT_FOR_SKILLS: [&str; 9] = [
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
    "keep-alive",
    "expect",
];

/// Reads what a skill asks for.
pub(super) fn of_skill(headers: &[(String, String)]) -> Result<HeaderMap, TransportError> {
    let denied = |why: String| TransportError::Denied(why);
    if headers.len() > MAX_HEADERS {
        return Err(denied(format!("at most {MAX_HEADERS} headers")));
    }
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let shown = text::cut(name, 40);
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| denied(format!("`{shown}` is not a header name")))?;
        if NOT_FOR_SKILLS.contains(&name.as_str()) || name.as_str().starts_with("proxy-") {
            return Err(denied(format!("the header `{shown}` is not a skill's to set")));
        }
        if value.len() > 2048 {
            return Err(denied(format!("the header `{shown}` is longer than 2048 bytes")));
        }
        let value = HeaderValue::from_str(value)
            .map_err(|_| denied(format!("the header `{shown}` has characters that are not allowed")))?;
        map.append(name, value);
    }
    Ok(map)
}
