//! The model servers of this machine: those that answer `GET /v1/models` on a known port.

use std::time::Duration;

use models::Endpoint;
use models::http::Caps;
use models::http::blocking::Outbox;
use serde_json::Value;

use super::listener::{self, Listener};

/// How long a server may take.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// The most of its answer that is read.
const MOST_BYTES: u64 = 256 * 1024;
/// The most of its models that are offered.
const MOST_MODELS: usize = 20;

/// A server, and the models that it names.
#[derive(Debug, Clone)]
pub(super) struct Server {
    pub(super) address: Endpoint,
    pub(super) models: Vec<String>,
    /// Whose process it is, where the kernel tells.
    pub(super) listener: Option<Listener>,
}

/// Looks at each port of this machine, and at no other machine.
pub(super) fn find(ports: &[u16]) -> Vec<Server> {
    let addresses = ports.iter().filter_map(|port| format!("http://127.0.0.1:{port}/v1").parse().ok());
    addresses.filter_map(|address| ask(&address)).collect()
}

/// What a server of this machine says of its models; nothing where it does not answer so.
pub(super) fn ask(address: &Endpoint) -> Option<Server> {
    let models: Endpoint = address.join("models").parse().ok()?;
    let caps = Caps { timeout: PATIENCE, max_bytes: MOST_BYTES };
    let answer = Outbox::new().ok()?.get(&models, caps).ok().filter(|answer| answer.status == 200)?;
    let listed: Value = serde_json::from_slice(&answer.body).ok()?;
    let names = listed["data"].as_array()?.iter().filter_map(|model| model["id"].as_str());
    let models: Vec<String> =
        names.filter(|name| is_name(name)).take(MOST_MODELS).map(str::to_owned).collect();
    let listener = listener::of_port(address.port());
    (!models.is_empty()).then(|| Server { address: address.clone(), models, listener })
}

/// Whether a text can be a model's name; a server is not asked for anything else, and nothing else is shown.
pub(super) fn is_name(name: &str) -> bool {
    let fine = |c: char| !shared_types::text::is_unsafe(c) && !c.is_whitespace();
    (1..=200).contains(&name.chars().count()) && name.chars().all(fine)
}
