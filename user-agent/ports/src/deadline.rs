//! A wish to cancel that also comes true when a time is over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the wish of the person is looked at.
const TICK: Duration = Duration::from_millis(50);

/// A running deadline; it ends when it is dropped.
#[derive(Debug)]
pub struct Deadline {
    inner: Arc<Inner>,
    watcher: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Inner {
    cancel: AtomicBool,
    passed: AtomicBool,
    done: Mutex<bool>,
    woken: Condvar,
}

impl Deadline {
    /// Starts the time; `parent` cancels as well.
    pub fn start(parent: &Arc<AtomicBool>, after: Duration) -> Deadline {
        let inner = Arc::new(Inner::default());
        let (theirs, parent) = (inner.clone(), parent.clone());
        let end = Instant::now() + after;
        let builder = std::thread::Builder::new().name("deadline".into()).stack_size(64 * 1024);
        let watcher = builder.spawn(move || theirs.watch(&parent, end));
        if watcher.is_err() {
            // Better no time than one that nobody watches.
            inner.expire();
        }
        Deadline { inner, watcher: watcher.ok() }
    }

    /// Becomes true when the time is over or the person wants the end.
    pub fn cancel(&self) -> &AtomicBool {
        &self.inner.cancel
    }

    /// Whether the time is over.
    pub fn passed(&self) -> bool {
        self.inner.passed.load(Ordering::Relaxed)
    }
}

impl Inner {
    fn watch(&self, parent: &AtomicBool, end: Instant) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        while !*done {
            if parent.load(Ordering::Relaxed) {
                self.cancel.store(true, Ordering::Relaxed);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.expire();
                return;
            }
            let woken = self.woken.wait_timeout(done, left.min(TICK));
            done = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn expire(&self) {
        self.passed.store(true, Ordering::Relaxed);
        self.cancel.store(true, Ordering::Relaxed);
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        *self.inner.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.inner.woken.notify_all();
        if let Some(watcher) = self.watcher.take() {
            // A panic there has been reported already.
            let _ = watcher.join();
        }
    }
}

/// Does something, and cancels it when it takes longer than it may; answers whether it did.
pub fn within<T>(limit: Option<Duration>, cancel: &AtomicBool, work: impl FnOnce() -> T) -> (T, bool) {
    let Some(limit) = limit else { return (work(), false) };
    let late = AtomicBool::new(false);
    let worked = std::thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let late = &late;
        let watch = move || {
            if ended.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                late.store(true, Ordering::Relaxed);
                cancel.store(true, Ordering::Relaxed);
            }
        };
        // Without the thread the time-outs of the providers still hold.
        let _ = std::thread::Builder::new()
            .name("deadline".into())
            .stack_size(128 * 1024)
            .spawn_scoped(scope, watch);
        let worked = work();
        drop(done);
        worked
    });
    (worked, late.into_inner())
}

#[cfg(test)]
mod tests;
