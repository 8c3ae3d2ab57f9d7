//! What one request may still cost, kept while the answer comes.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use models::{ModelError, Piece, Request, Response, Usage, Watch};

use crate::Left;

/// About this many bytes are one token, if a server does not count for us.
const BYTES_A_TOKEN: u64 = 4;

/// What a request and its answer cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Read and written.
    pub(super) tokens: u64,
    /// What the server said; `None` where it is an estimate.
    pub(super) told: Option<Usage>,
}

impl Cost {
    /// The server's own figure, or an estimate from the bytes.
    pub(super) fn of(usage: Option<Usage>, request: &Request, answer: &str) -> Cost {
        match usage.filter(|u| u.input > 0 || u.output > 0) {
            Some(usage) => Cost { tokens: usage.input.saturating_add(usage.output), told: Some(usage) },
            None => Cost { tokens: size(request) + estimate(answer.len()), told: None },
        }
    }
}

/// The bounds of one request.
pub(super) struct Bounds {
    left: Left,
    request: u64,
}

/// A request that has ended within the bounds, or was ended by them.
pub(super) struct Asked {
    pub(super) result: Result<Response, ModelError>,
    /// The bound that ended it, in words.
    pub(super) over: Option<String>,
    /// About this many tokens had come by then.
    pub(super) streamed: u64,
}

impl Bounds {
    /// What is left for a request.
    pub(super) fn of(left: Left, request: &Request) -> Bounds {
        Bounds { left, request: size(request) }
    }

    /// The bound that is passed before anything is sent.
    pub(super) fn exceeded_before(&self) -> Option<String> {
        if self.left.time.is_zero() {
            return Some("no time is left (implementer_limits.seconds)".to_owned());
        }
        (self.request > self.left.tokens).then(|| {
            format!(
                "the next request alone has about {} tokens, and {} are left (implementer_limits.tokens)",
                self.request, self.left.tokens
            )
        })
    }

    /// Asks, and ends it when time or tokens are used up, or `cancel` is set.
    pub(super) fn keep(
        &self,
        cancel: &AtomicBool,
        ask: impl FnOnce(&mut Watch<'_>, &AtomicBool) -> Result<Response, ModelError>,
    ) -> Asked {
        let (stop, late) = (AtomicBool::new(cancel.load(Ordering::SeqCst)), AtomicBool::new(false));
        let over_done = AtomicBool::new(false);
        let deadline = Instant::now().checked_add(self.left.time);
        let (bytes, many) = (Cell::new(0_usize), Cell::new(false));
        let result = thread::scope(|scope| {
            let guard = scope.spawn(|| {
                while !over_done.load(Ordering::SeqCst) {
                    if deadline.is_some_and(|end| Instant::now() >= end) {
                        late.store(true, Ordering::SeqCst);
                    }
                    if late.load(Ordering::SeqCst) || cancel.load(Ordering::SeqCst) {
                        stop.store(true, Ordering::SeqCst);
                    }
                    thread::park_timeout(Duration::from_millis(50));
                }
            });
            // Also when the provider panics: the scope waits for the guard.
            let _over = Over { done: &over_done, guard: guard.thread().clone() };
            let mut watch = |piece: Piece<'_>| {
                if let Piece::Text(text) = piece {
                    bytes.set(bytes.get() + text.len());
                }
                if self.request + estimate(bytes.get()) > self.left.tokens {
                    many.set(true);
                    stop.store(true, Ordering::SeqCst);
                }
            };
            ask(&mut watch, &stop)
        });
        let over = if many.get() {
            Some(format!(
                "the answer grew beyond the {} tokens left (implementer_limits.tokens)",
                self.left.tokens
            ))
        } else if late.load(Ordering::SeqCst) {
            Some("the time for asking models was over (implementer_limits.seconds)".to_owned())
        } else {
            None
        };
        Asked { result, over, streamed: estimate(bytes.get()) }
    }
}

struct Over<'a> {
    done: &'a AtomicBool,
    guard: Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
        self.guard.unpark();
    }
}

fn size(request: &Request) -> u64 {
    estimate(request.system.len() + request.messages.iter().map(|m| m.content.len()).sum::<usize>())
}

fn estimate(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(BYTES_A_TOKEN)
}
