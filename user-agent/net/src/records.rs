//! `net`'s own log: what went through the network, regardless of what `mind` says about it.
//!
//! Each exchange leaves two records: one before its first byte leaves, since a `mind` that sends something out and ends
//! takes `net` along, and one with what came of it. They name who asked, host and port, method, sizes and times; never a
//! path, a query, a header or a body. They form a chain, are written at once, and are synced when nobody waits for it.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bot_base::error::Error;
use bot_base::owned::{PRIVATE, hand_over, made, own};
use confine::User;
use durable::RollingChain;
use jiff::Timestamp;
use models::TransportError;
use models::http::Exchange;
use serde::Serialize;
use shared_types::home::Home;
use shared_types::id::ProfileId;
use shared_types::text;

/// What one file of the log holds; there are two of them.
pub const MOST_BYTES: u64 = 1024 * 1024;
/// How long a record may wait before it is synced.
const SYNC_AFTER: Duration = Duration::from_secs(2);

/// The log's files, opened before confinement: the process that writes them has no right to their folder.
#[derive(Debug)]
pub struct RecordFiles([(File, PathBuf); 2]);

/// The open log.
#[derive(Debug)]
pub struct Records {
    chain: RefCell<RollingChain>,
    count: Cell<u64>,
    sync_planned: Cell<bool>,
}

/// On whose behalf an exchange happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// A conversation asks a provider.
    Chat,
    /// A learned skill fetches.
    Skill,
    /// A key is asked for, renewed or given back.
    Login,
    /// A conversation reads a page.
    Web,
}

/// What is known before the first byte leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaving<'a> {
    /// On whose behalf.
    pub by: By,
    /// The provider's or the skill's name.
    pub of: &'a str,
    /// The HTTP method.
    pub method: &'a str,
    /// Host and port, if there are any.
    pub host: &'a str,
    /// Bytes of the body.
    pub out: usize,
}

/// An exchange that has begun; given up without an end, it is recorded as cancelled.
#[derive(Debug)]
pub struct Running<'a> {
    records: &'a Records,
    exchange: String,
    since: Instant,
    ended: bool,
}

#[derive(Serialize)]
struct Begin<'a> {
    time: String,
    exchange: &'a str,
    by: By,
    of: &'a str,
    method: &'a str,
    host: &'a str,
    out: usize,
}

#[derive(Serialize)]
struct End<'a> {
    time: String,
    exchange: &'a str,
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    received: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'static str>,
    ms: u64,
}

impl RecordFiles {
    /// Opens the two files of a profile, and makes them where they are missing; `becomes` is the user to whom
    /// root hands over what it makes.
    ///
    /// # Errors
    /// The folder is missing and this user may not make it, or something else than a file is there.
    pub fn open(home: &Home, profile: &ProfileId, becomes: Option<&User>) -> Result<RecordFiles, Error> {
        let folder = made(&home.net(), PRIVATE)?;
        own(&folder, &[], becomes)?;
        let [first, second] = home.net_logs(profile);
        let open = |path: PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let file = folder.shared_log(name)?;
            hand_over(&file, &path, becomes)?;
            Ok::<_, Error>((file, path.clone()))
        };
        Ok(RecordFiles([open(first)?, open(second)?]))
    }

    /// The descriptors, to be kept when all others are closed.
    pub fn descriptors(&self) -> [RawFd; 2] {
        [self.0[0].0.as_raw_fd(), self.0[1].0.as_raw_fd()]
    }
}

impl Records {
    /// Continues the log in these files.
    pub fn new(files: RecordFiles) -> Records {
        let chain = RefCell::new(RollingChain::adopt(files.0, MOST_BYTES));
        Records { chain, count: Cell::new(0), sync_planned: Cell::new(false) }
    }

    /// Records that an exchange begins.
    ///
    /// # Errors
    /// The log cannot be written: then nothing may leave.
    pub fn begin(&self, leaving: &Leaving<'_>) -> Result<Running<'_>, TransportError> {
        self.count.set(self.count.get() + 1);
        let exchange = format!("{}-{}", std::process::id(), self.count.get());
        let begin = Begin {
            time: now(),
            exchange: &exchange,
            by: leaving.by,
            of: &text::cut(leaving.of, 64),
            method: &text::cut(leaving.method, 16),
            host: &text::cut(leaving.host, 120),
            out: leaving.out,
        };
        self.chain.borrow_mut().append(&begin).map_err(|e| {
            TransportError::Network(format!("nothing is sent while the network's log cannot be written: {e}"))
        })?;
        Ok(Running { records: self, exchange, since: Instant::now(), ended: false })
    }

    /// Syncs what was written, later and on another thread; within a [`tokio::task::LocalSet`].
    pub fn sync_soon(self: &Rc<Self>) {
        if self.sync_planned.replace(true) {
            return;
        }
        let records = Rc::clone(self);
        tokio::task::spawn_local(async move {
            tokio::time::sleep(SYNC_AFTER).await;
            records.sync_planned.set(false);
            let sync = records.chain.borrow().sync();
            if let Ok(sync) = sync {
                // What could not be synced is written all the same, and is synced with the next one.
                let _ = tokio::task::spawn_blocking(sync).await;
            }
        });
    }
}

impl Running<'_> {
    /// Records what came of it: a status and the bytes that were received, or a failure.
    pub fn end(mut self, outcome: Result<(u16, usize), &TransportError>) {
        self.ended = true;
        match outcome {
            Ok((status, received)) => self.write(Some(status), Some(received), None),
            Err(error) => self.write(None, None, Some(kind(error))),
        }
    }

    /// [`Running::end`] for a whole exchange.
    pub fn end_with(self, outcome: &Result<Exchange, TransportError>) {
        self.end(outcome.as_ref().map(|exchange| (exchange.status, exchange.body.len())));
    }

    fn write(&self, status: Option<u16>, received: Option<usize>, failure: Option<&'static str>) {
        let ms = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let end = End { time: now(), exchange: &self.exchange, received, status, failure, ms };
        // That the exchange began stands there already; the next one finds the log unwritable too and stops.
        let _ = self.records.chain.borrow_mut().append(&end);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.write(None, None, Some("cancelled"));
        }
    }
}

fn kind(error: &TransportError) -> &'static str {
    match error {
        TransportError::Unconnected(_) | TransportError::Network(_) | TransportError::Status { .. } => {
            "network"
        }
        TransportError::Timeout(_) => "timeout",
        TransportError::TooLarge(_) => "too-large",
        TransportError::Denied(_) => "denied",
        TransportError::NoKey(_) => "no-key",
        TransportError::Cancelled => "cancelled",
    }
}

/// To the millisecond, in universal time.
fn now() -> String {
    format!("{:.3}", Timestamp::now())
}

#[cfg(test)]
mod tests;
