//! Watches for the emergency stop and for the end of the service, and ends what runs.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::error::Error;
use base::stop::{holds, words};
use beneath::Folder;
use nix::poll::PollTimeout;
use nix::sys::eventfd::{EfdFlags, EventFd};
use watch::{Changes, Watch};

use super::Runtime;
use base::log::Event;

/// How long the end of the service may go unseen while work is done, in milliseconds.
const GLANCE: u16 = 50;
/// How long a stop may go unseen where the kernel sends no notice of it, in milliseconds.
const BLIND: u16 = 100;

/// Starts the thread that watches for a stop, and for the end of the service, until that end.
///
/// # Errors
/// No thread, or no way to wake it.
pub(super) fn watch(
    runtime: &Arc<Runtime>,
    cancel: &'static AtomicBool,
) -> Result<std::thread::JoinHandle<()>, Error> {
    let failed = |e: io::Error| Error::step("the emergency stop cannot be watched for")(e);
    let wake =
        EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK).map_err(|e| failed(e.into()))?;
    runtime.halt.woken_by(wake);
    let changes = Changes::CREATE | Changes::REMOVE | Changes::MODIFY_NAME | Changes::MODIFY_META;
    let mut watch = Watch::of(changes);
    let seen = Folder::open(&runtime.home.config()).is_ok_and(|config| watch.renew([config]));
    let runtime = Arc::clone(runtime);
    look(&runtime, cancel);
    std::thread::Builder::new()
        .name("stop".into())
        .spawn(move || until_the_end(&runtime, cancel, &watch, seen))
        .map_err(failed)
}

fn until_the_end(runtime: &Runtime, cancel: &AtomicBool, watch: &Watch, seen: bool) {
    let Some(wake) = runtime.halt.waker() else { return };
    while !cancel.load(Ordering::Relaxed) {
        let timeout = match (seen, runtime.halt.is_working()) {
            (false, _) => PollTimeout::from(BLIND),
            (true, false) => PollTimeout::NONE,
            (true, true) => PollTimeout::from(GLANCE),
        };
        watch.wait(&[wake.as_fd()], timeout);
        let _ = wake.read();
        look(runtime, cancel);
    }
    runtime.halt.flag().store(true, Ordering::Relaxed);
}

fn look(runtime: &Runtime, cancel: &AtomicBool) {
    let stopped = holds(&runtime.home);
    let before =
        runtime.halt.flag().swap(stopped.is_some() || cancel.load(Ordering::Relaxed), Ordering::Relaxed);
    match stopped {
        Some(why) if !before => {
            runtime.running.cancel_all();
            runtime.running.plugins.end_all();
            runtime.tell(&Event::StopTriggered {}, &words(&why));
        }
        None if before && !cancel.load(Ordering::Relaxed) => {
            runtime.tell(&Event::StopCleared {}, "the emergency stop is cleared; what waited continues");
            runtime.call();
        }
        _ => {}
    }
}
