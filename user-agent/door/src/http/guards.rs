//! What is looked at before anything else of a request, and what every answer carries.
//!
//! A page of the web can have a browser of this household send requests here. By its name such a request is not for this door
//! (`Host`, against DNS rebinding), and by its sender it is a stranger's (`Origin`): both are refused before `mind` hears of them.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app::{App, Rules};
use super::failure::Failed;
use super::request::{cookie, token};
use crate::frames::Ask;

/// The largest body of a request, in bytes.
const LARGEST: usize = 1024 * 1024;
/// The largest body that is read for anybody, in bytes.
const SMALL: u64 = 16 * 1024;
/// How long a client may take for the body of a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Looks at a request before it is answered.
pub(super) async fn look(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match admitted(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(failed) => failed.into_response(),
    };
    if response.status() == StatusCode::UNAUTHORIZED && !app.limits.stranger() {
        let is_page = response.headers().get(header::CONTENT_TYPE).is_some_and(is_html);
        let message = "too many requests without a valid token; wait a little";
        match is_page {
            true => *response.status_mut() = StatusCode::TOO_MANY_REQUESTS,
            false => response = Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message).into_response(),
        }
    }
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn is_html(kind: &HeaderValue) -> bool {
    kind.as_bytes().starts_with(b"text/html")
}

/// What an answer carries unless it says otherwise, as a page does: answers of an interface are no pages, belong to whoever asked, and are not kept.
const ALWAYS: [(&str, &str); 4] = [
    ("cache-control", "no-store"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
];

async fn admitted(app: &App, request: Request) -> Result<Request, Failed> {
    if !app.limits.take() {
        let message = "more requests than are answered; try again in a second";
        return Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
    }
    app.rules.check(request.headers())?;
    // A stranger fills no memory: what is large, or may be, is read for who may ask alone.
    if request.body().size_hint().upper().is_none_or(|size| size > SMALL) {
        let known = token(request.headers()).or_else(|| cookie(request.headers()));
        app.link.ask(known, Ask::Known)?.whole().await?;
    }
    let (head, body) = request.into_parts();
    let large = || {
        let message = format!("a body has at most {LARGEST} bytes");
        Failed::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    match tokio::time::timeout(PATIENCE, to_bytes(body, LARGEST)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err(large()),
        Err(_) => {
            let message = format!("the body did not come within {} s", PATIENCE.as_secs());
            Err(Failed::new(StatusCode::REQUEST_TIMEOUT, "too_late", message))
        }
    }
}

impl Rules {
    /// Whether a request is for this door, and comes from no page of somebody else.
    fn check(&self, headers: &HeaderMap) -> Result<(), Failed> {
        let text = |name: HeaderName| {
            let mut all = headers.get_all(name).iter();
            let first = all.next().map(|value| value.to_str().unwrap_or("?"));
            // Two of them are read differently by different programs.
            if all.next().is_some() { Some("?") } else { first }
        };
        let host = text(header::HOST);
        if !self.is_for_us(host) {
            let message = format!(
                "this door is not called `{}`; `door.hosts` in the profile's file names what it is called besides its address",
                shared_types::text::cut(&shared_types::text::line(host.unwrap_or("")), 80)
            );
            return Err(Failed::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", message));
        }
        match (text(header::ORIGIN), host) {
            (None, _) => Ok(()),
            (Some(origin), Some(host))
                if [format!("http://{host}"), format!("https://{host}")].contains(&origin.to_owned()) =>
            {
                Ok(())
            }
            (Some(_), _) => {
                let message = "a page of another origin may not call this door";
                Err(Failed::new(StatusCode::FORBIDDEN, "wrong_origin", message))
            }
        }
    }

    /// Whether a `Host` names this door. At a socket file no browser comes, and any name is fine.
    fn is_for_us(&self, host: Option<&str>) -> bool {
        let Some(address) = self.address else { return true };
        let Some(host) = host else { return false };
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, Some(port)),
            _ => (host, None),
        };
        if self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return true;
        }
        // By its address a door is called with its port, which a client may leave out where it is HTTP's own.
        let is_port = port.map_or(address.port() == 80, |port| port == address.port().to_string());
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let is_address = bare.parse::<IpAddr>().is_ok_and(|ip| ip == address.ip());
        let is_local = address.ip().is_loopback() && name.eq_ignore_ascii_case("localhost");
        is_port && (is_address || is_local)
    }
}

#[cfg(test)]
mod tests;
