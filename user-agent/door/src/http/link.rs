//! The socket to `mind`: requests go out with a number, and parts of answers come back to the code that waits for it.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use net::frames::{decode, encode};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::failure::Failed;
use crate::frames::{Answered, Ask, Asked, MOST_OPEN, Part, ToDoor};

/// Who waits for the answer to which request.
type Open = Arc<Mutex<HashMap<u64, UnboundedSender<Part>>>>;

/// The way to `mind`.
pub(super) struct Link {
    open: Open,
    last: AtomicU64,
    frames: UnboundedSender<Vec<u8>>,
}

/// A request that is open. Where it is dropped before its end, it is called off.
pub(super) struct Pending {
    id: u64,
    open: Open,
    frames: UnboundedSender<Vec<u8>>,
    parts: UnboundedReceiver<Part>,
    is_over: bool,
}

impl Link {
    /// Takes the door's end. The first future is ready when `mind` asks the door to leave, the second one when `mind` has ended.
    pub(super) fn new(
        socket: OwnedFd,
    ) -> io::Result<(Link, impl Future<Output = ()>, impl Future<Output = ()>)> {
        let socket = UnixStream::from(socket);
        socket.set_nonblocking(true)?;
        let (mut from, mut to) = tokio::net::UnixStream::from_std(socket)?.into_split();
        let open = Open::default();
        let (frames, mut waiting) = unbounded_channel::<Vec<u8>>();
        let writes = async move {
            while let Some(frame) = waiting.recv().await {
                if to.write_all(&frame).await.is_err() {
                    return;
                }
            }
        };
        let receivers = open.clone();
        let leave = Arc::new(Notify::new());
        let asked = leave.clone();
        let reads = async move {
            let (mut received, mut piece) = (Vec::new(), vec![0; 64 * 1024]);
            loop {
                match decode::<ToDoor>(&mut received) {
                    Ok(Some(ToDoor::Leave)) => {
                        leave.notify_one();
                        continue;
                    }
                    Ok(Some(ToDoor::Answered(answered))) => {
                        hand_over(&receivers, answered);
                        continue;
                    }
                    Ok(None) => {}
                    Err(_) => return,
                }
                match from.read(&mut piece).await {
                    Ok(0) | Err(_) => return,
                    Ok(read) => received.extend_from_slice(&piece[..read]),
                }
            }
        };
        let ended = async move {
            tokio::select! {
                () = writes => (),
                () = reads => (),
            }
        };
        let link = Link { open, last: AtomicU64::new(0), frames };
        Ok((link, async move { asked.notified().await }, ended))
    }

    /// Asks; the parts of the answer come one after the other.
    pub(super) fn ask(&self, token: Option<String>, ask: Ask) -> Result<Pending, Failed> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let (sender, parts) = unbounded_channel();
        {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            if open.len() >= MOST_OPEN {
                let message = "too many requests wait; try again later";
                return Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
            }
            open.insert(id, sender);
        }
        let pending =
            Pending { id, open: self.open.clone(), frames: self.frames.clone(), parts, is_over: false };
        let frame = encode(&Asked { id, token, ask })
            .map_err(|e| Failed::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", e.to_string()))?;
        self.frames.send(frame).map_err(|_| gone())?;
        Ok(pending)
    }
}

fn hand_over(open: &Open, answered: Answered) {
    let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
    let is_end = matches!(answered.part, Part::Done(_) | Part::Refused { .. });
    let sender = if is_end { open.remove(&answered.id) } else { open.get(&answered.id).cloned() };
    if let Some(sender) = sender {
        let _ = sender.send(answered.part);
    }
}

fn gone() -> Failed {
    Failed::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the bot has ended; try again")
}

impl Pending {
    /// The next part; the bot's end counts as one.
    pub(super) async fn next(&mut self) -> Part {
        let part = self.parts.recv().await.unwrap_or_else(|| Part::Refused {
            why: crate::frames::Refusal::Unavailable,
            message: "the bot has ended; try again".to_owned(),
        });
        self.is_over |= matches!(part, Part::Done(_) | Part::Refused { .. });
        part
    }

    /// Whether the end has come.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Calls the request off; what comes of it is still reported as its end.
    pub(super) fn call_off(&self) {
        // A number of its own is not needed: nothing answers this.
        if let Ok(frame) = encode(&Asked { id: 0, token: None, ask: Ask::Cancel { of: self.id } }) {
            let _ = self.frames.send(frame);
        }
    }

    /// The first part that tells what becomes of a line.
    pub(super) async fn begun(&mut self) -> Part {
        loop {
            match self.next().await {
                Part::Taken => {}
                part => return part,
            }
        }
    }

    /// The end, regardless of what comes before it.
    pub(super) async fn whole(mut self) -> Result<Value, Failed> {
        loop {
            match self.next().await {
                Part::Done(body) => return Ok(body),
                Part::Refused { why, message } => return Err(Failed::of(why, message)),
                _ => {}
            }
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        if !self.is_over {
            self.call_off();
        }
    }
}
