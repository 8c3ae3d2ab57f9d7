//! The emergency stop ends every call of a tool and lets none begin. The conversation continues in words.
//!
//! It is looked for before each call, and while one runs every few milliseconds: the watcher needs no answer from the
//! call itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// How often it is looked for while a call runs: a stop is felt within a fraction of the 200 ms that it may take.
const INTERVAL: Duration = Duration::from_millis(20);

/// An emergency stop that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// `admin` for that of the whole home, `bot` for that of the profile.
    pub by: &'static str,
    /// The words in the file, or why it cannot be read; safe to show.
    pub why: String,
}

impl Stopped {
    /// What a person or a model reads, with the lawful next step.
    pub fn words(&self) -> String {
        let clear = match self.by {
            "admin" => "`cl-admin estop --clear`",
            _ => "`cl-bot estop --clear`",
        };
        let why = if self.why.is_empty() { String::new() } else { format!(" ({})", self.why) };
        format!("the emergency stop holds{why}: no tool runs until a person clears it with {clear}")
    }
}

/// Does something, and makes the flag that it is handed true as soon as the person cancels or a stop appears; answers
/// which stop that was.
pub(super) fn watched<T>(
    stopped: impl Fn() -> Option<Stopped> + Send,
    outer: &Arc<AtomicBool>,
    work: impl FnOnce(Arc<AtomicBool>) -> T,
) -> (T, Option<Stopped>) {
    let cancel = Arc::new(AtomicBool::new(outer.load(Ordering::Relaxed)));
    std::thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let inner = &cancel;
        let watch = move || {
            while ended.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                if outer.load(Ordering::Relaxed) {
                    inner.store(true, Ordering::Relaxed);
                }
                if let Some(stopped) = stopped() {
                    inner.store(true, Ordering::Relaxed);
                    return Some(stopped);
                }
            }
            None
        };
        let builder = std::thread::Builder::new().name("stop".into()).stack_size(128 * 1024);
        match builder.spawn_scoped(scope, watch) {
            Ok(watching) => {
                let worked = work(cancel.clone());
                drop(done);
                (worked, watching.join().ok().flatten())
            }
            // Without the thread Ctrl-C still reaches the call, and the stop holds before the next one.
            Err(_) => (work(outer.clone()), None),
        }
    })
}
