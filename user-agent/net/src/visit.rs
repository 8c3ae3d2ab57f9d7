//! A page for the conversation: hop by hop, each judged by the profile's grants and recorded before its first byte leaves.

use std::time::Duration;

use models::TransportError;
use models::http::{Address, Caps, Hop};
use shared_types::grants::HostPattern;
use tokio::time::Instant;

use super::frames::{Reply, Sheet};
use super::keys::Wire;
use super::records::{By, Leaving};

/// From the first look-up to the last byte of the last hop.
const MOST_TIME: Duration = Duration::from_secs(20);
/// How much of a page is read, in bytes.
const MOST_BYTES: u64 = 1024 * 1024;
/// How often a server may point elsewhere.
const MOST_REDIRECTS: usize = 5;

/// Reads a page of a granted host.
pub(super) async fn visit(wire: &Wire, granted: &[HostPattern], url: &str) -> Result<Reply, TransportError> {
    let mut address = Address::parse(url)?;
    let end = Instant::now() + MOST_TIME;
    for _ in 0..=MOST_REDIRECTS {
        address.check(granted)?;
        let host = address.host_and_port();
        let leaving = Leaving { by: By::Web, of: "web", method: "GET", host: &host, out: 0 };
        let running = wire.records.begin(&leaving)?;
        let caps = Caps { timeout: end.saturating_duration_since(Instant::now()), max_bytes: MOST_BYTES };
        let hop = wire.client.visit(&address, granted, caps).await;
        running.end(hop.as_ref().map(|hop| match hop {
            Hop::Page(page) => (page.status, page.body.len()),
            Hop::Moved { status, .. } => (*status, 0),
        }));
        match hop? {
            Hop::Moved { to, .. } => address = to,
            Hop::Page(page) => {
                let sheet = Sheet { url: address.to_string(), kind: page.kind, cut: page.cut };
                return Ok(Reply {
                    status: page.status,
                    body: Some(page.body),
                    retry_after_ms: None,
                    sheet: Some(sheet),
                });
            }
        }
    }
    Err(TransportError::Network(format!("more than {MOST_REDIRECTS} redirects")))
}
