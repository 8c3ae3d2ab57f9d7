//! The confined child that speaks with a server, and its parent's side of the conversation.
//!
//! Each frame is a line of JSON; after a line that says so, as many bytes. The child opens no file but those that resolve names and
//! hold certificates, and where root fetches it has another user.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use builder::compile::user;
use builder::workers::{NO_JAIL, NotStarted, laid_on};
use confine::{Briefing, Child, FileRules, Jail, Limits, Live, LiveError, Role, User};
use models::Endpoint;
use models::http::Arriving;
use models::http::blocking::Outbox;
use models::transport::TransportError;
use serde::{Deserialize, Serialize};
use shared_types::text;

/// The word of the child's hidden verb.
pub(in crate::commands) const VERB: &str = "fetch";
/// The most bytes of one frame.
const MOST: usize = 1 << 20;
/// The child gives up earlier, with a reason.
const PATIENCE: Duration = Duration::from_secs(180);

#[derive(Serialize, Deserialize)]
struct Orders {
    address: String,
    offset: u64,
    /// Whom it becomes, where root started it.
    user: Option<u32>,
}

/// What the child says.
#[derive(Serialize, Deserialize)]
pub(super) enum Heard<B = Vec<u8>> {
    /// Where what follows begins, and how long the whole is.
    Begins { offset: u64, total: Option<u64> },
    /// The next bytes; in a line how many follow it.
    Bytes(B),
    /// The end of the file.
    Ends,
    /// The server, or the way to it.
    Refused { status: Option<u16>, why: String },
}

/// One line of the child.
type Line = Heard<usize>;

/// A running child; it is killed when the value goes.
pub(super) struct Fetcher(Live);

impl Fetcher {
    /// Starts one that reads from `offset` on.
    pub(super) fn start(from: &Endpoint, offset: u64) -> std::io::Result<Fetcher> {
        let orders = Orders { address: from.to_string(), offset, user: user::for_a_command() };
        let orders = serde_json::to_vec(&orders)?;
        let child = Child::new(Path::new("/proc/self/exe")).args(["child", VERB]).orders(orders);
        child.max_output(16 << 10).start(MOST).map(Fetcher)
    }

    /// What it says next.
    ///
    /// # Errors
    /// See [`LiveError`]; a line that this program does not write is its end.
    pub(super) fn hear(&mut self, cancel: &AtomicBool) -> Result<Heard, LiveError> {
        let until = Instant::now() + PATIENCE;
        let line = self.0.hear(until, cancel)?;
        Ok(match serde_json::from_slice(&line).map_err(std::io::Error::from)? {
            Line::Begins { offset, total } => Heard::Begins { offset, total },
            Line::Bytes(count) => Heard::Bytes(self.0.receive(count, until, cancel)?),
            Line::Ends => Heard::Ends,
            Line::Refused { status, why } => Heard::Refused { status, why: text::line(&why) },
        })
    }

    /// Why it says no more.
    pub(super) fn why(&mut self, error: &LiveError) -> String {
        let reported = self.0.not_started().unwrap_or_default();
        let complaints = String::from_utf8_lossy(self.0.complaints()).into_owned();
        match (reported.as_str(), complaints.trim()) {
            ("", "") => format!("the child that fetches: {error}"),
            ("", words) | (words, _) => format!("the child that fetches: {}", text::line(words)),
        }
    }
}

/// The child's side.
pub(in crate::commands) fn serve(told: Briefing) -> ExitCode {
    let orders: Orders = match serde_json::from_slice(&told.orders) {
        Ok(orders) => orders,
        Err(why) => {
            told.report.not_started(&why.to_string());
            return ExitCode::FAILURE;
        }
    };
    // Before the walls: the C library loads what it resolves names with, and afterwards no code can be loaded.
    let _ = std::net::ToSocketAddrs::to_socket_addrs(&("localhost", 0));
    if let Err(why) = confined(orders.user) {
        told.report.not_started(&why.to_string());
        return ExitCode::from(NO_JAIL);
    }
    let end = match fetched(&orders) {
        Ok(()) => Line::Ends,
        Err(why) => {
            let status = match &why {
                TransportError::Status { status, .. } => Some(*status),
                _ => None,
            };
            Line::Refused { status, why: why.to_string() }
        }
    };
    match said(&end, &[]) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn confined(user: Option<u32>) -> Result<(), NotStarted> {
    let user = user.map(|number| User::find(&number.to_string(), None)).transpose()?;
    let files = FileRules { read: models::http::system_files(), ..FileRules::default() };
    let limits = Limits {
        address_space: Some(1 << 30),
        file_size: Some(0),
        open_files: Some(64),
        ..Limits::default()
    };
    laid_on(Jail { files, limits, user, ..Jail::new(Role::Net) }.enter())?;
    Ok(())
}

fn fetched(orders: &Orders) -> Result<(), TransportError> {
    let address: Endpoint = orders
        .address
        .parse()
        .map_err(|e: models::config::EndpointError| TransportError::Denied(e.to_string()))?;
    let outbox = Outbox::new().map_err(|e| TransportError::Network(e.to_string()))?;
    let mut reached = true;
    outbox.download(&address, orders.offset, &mut |arriving| {
        reached = match arriving {
            Arriving::Begins { offset, total } => said(&Line::Begins { offset, total }, &[]),
            Arriving::Bytes(bytes) => bytes.chunks(MOST).all(|piece| said(&Line::Bytes(piece.len()), piece)),
        };
        reached
    })?;
    if reached { Ok(()) } else { Err(TransportError::Cancelled) }
}

/// Writes a frame; false where nobody reads any more.
fn said(line: &Line, bytes: &[u8]) -> bool {
    let Ok(mut frame) = serde_json::to_vec(line) else { return false };
    frame.push(b'\n');
    frame.extend_from_slice(bytes);
    let mut output = std::io::stdout().lock();
    output.write_all(&frame).and_then(|()| output.flush()).is_ok()
}
