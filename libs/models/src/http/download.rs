//! Reads a large file piece by piece, from where an earlier attempt ended.

use std::future::Future;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_RANGE, HeaderMap, HeaderValue, RANGE};

use super::origin::Origin;
use super::visit::moved;
use super::{Address, Client, Outgoing, failed, named_by_us};
use crate::config::Endpoint;
use crate::transport::TransportError;

/// How often a server may point elsewhere: a hub points to its store, and that to a place near the caller.
const MOST_HOPS: usize = 5;
/// How long nothing may come.
const SILENCE: Duration = Duration::from_secs(60);

/// What arrives, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arriving<'a> {
    /// Where the bytes that follow begin; a server may send the whole file although a part was asked for.
    Begins {
        /// How many bytes of the file are before them.
        offset: u64,
        /// How many bytes the whole file has, as the server says.
        total: Option<u64>,
    },
    /// The next bytes.
    Bytes(&'a [u8]),
}

impl Client {
    /// Reads the file at an address that the program or the person at its command line names, from `offset` on, until the
    /// server has no more or `arriving` wants no more. A redirect from https is followed to https at a public address; one of plain
    /// http, which is for this machine, is not followed.
    ///
    /// # Errors
    /// See [`TransportError`]; a status other than 200 and 206 is one.
    pub async fn download(
        &self,
        from: &Endpoint,
        offset: u64,
        arriving: &mut dyn FnMut(Arriving<'_>) -> bool,
    ) -> Result<(), TransportError> {
        let (mut origin, mut url) = named_by_us(from)?;
        let mut named = true;
        for _ in 0..MOST_HOPS {
            let shown = origin.to_string();
            let mut headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("identity"))]);
            if offset > 0 {
                let range = HeaderValue::from_str(&format!("bytes={offset}-"));
                headers.insert(RANGE, range.expect("a number is a value of a header"));
            }
            let outgoing = Outgoing { method: reqwest::Method::GET, url: url.clone(), headers, body: vec![] };
            let response = in_time(&shown, self.send(origin, named, outgoing, false)).await??;
            let here = Address::of(url)?;
            if let Some(to) = moved(&here, &response)? {
                url = followed(&here, to)?;
                origin = Origin::of(&url)?;
                named = false;
                continue;
            }
            return pieces(response, &shown, arriving).await;
        }
        Err(TransportError::Denied(format!("more than {MOST_HOPS} servers point to the next one")))
    }
}

/// The next address, where a file may be read there.
fn followed(from: &Address, to: Address) -> Result<Url, TransportError> {
    match from.is_private() && to.is_private() {
        true => Ok(to.into_url()),
        false => Err(TransportError::Denied(format!(
            "{} points to {}: only from https to https is it followed",
            from.host_and_port(),
            to.host_and_port()
        ))),
    }
}

async fn pieces(
    mut response: reqwest::Response,
    shown: &str,
    arriving: &mut dyn FnMut(Arriving<'_>) -> bool,
) -> Result<(), TransportError> {
    let begins = match response.status().as_u16() {
        200 => Arriving::Begins { offset: 0, total: response.content_length() },
        206 => range(response.headers())
            .ok_or_else(|| TransportError::Network(format!("{shown} sends a part without saying which")))?,
        status => return Err(TransportError::Status { status, body: vec![], retry_after: None }),
    };
    if !arriving(begins) {
        return Ok(());
    }
    while let Some(piece) = in_time(shown, response.chunk()).await?.map_err(|e| failed(shown, &e))? {
        if !arriving(Arriving::Bytes(&piece)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads `Content-Range: bytes FIRST-LAST/TOTAL` (RFC 9110, 14.4).
fn range(headers: &HeaderMap) -> Option<Arriving<'static>> {
    let text = headers.get(CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?;
    let (span, total) = text.split_once('/')?;
    let offset = span.split_once('-')?.0.trim().parse().ok()?;
    Some(Arriving::Begins { offset, total: total.trim().parse().ok() })
}

async fn in_time<T>(shown: &str, work: impl Future<Output = T>) -> Result<T, TransportError> {
    let late = |_| TransportError::Timeout(format!("{shown} sent nothing for {} s", SILENCE.as_secs()));
    tokio::time::timeout(SILENCE, work).await.map_err(late)
}

#[cfg(test)]
mod tests;
