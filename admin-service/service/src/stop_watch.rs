//! Watches for the emergency stop and for the end of the service, and ends what runs.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::error::Error;
use base::stop::{holds, words};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};

use super::Runtime;

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
    let failed = |e: io::Error| Error::Failed(format!("the emergency stop cannot be watched for: {e}"));
    let wake =
        EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK).map_err(|e| failed(e.into()))?;
    runtime.halt.woken_by(wake);
    let inotify = notices(&runtime.home.config());
    let runtime = Arc::clone(runtime);
    look(&runtime, cancel);
    std::thread::Builder::new()
        .name("stop".into())
        .spawn(move || until_the_end(&runtime, cancel, inotify))
        .map_err(failed)
}

fn notices(folder: &std::path::Path) -> Option<Inotify> {
    let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok()?;
    let flags = AddWatchFlags::IN_CREATE
        | AddWatchFlags::IN_MOVED_TO
        | AddWatchFlags::IN_MOVED_FROM
        | AddWatchFlags::IN_DELETE
        | AddWatchFlags::IN_ATTRIB;
    inotify.add_watch(folder, flags).ok()?;
    Some(inotify)
}

fn until_the_end(runtime: &Runtime, cancel: &AtomicBool, inotify: Option<Inotify>) {
    let Some(wake) = runtime.halt.waker() else { return };
    while !cancel.load(Ordering::Relaxed) {
        let timeout = match (&inotify, runtime.halt.is_working()) {
            (None, _) => PollTimeout::from(BLIND),
            (Some(_), false) => PollTimeout::NONE,
            (Some(_), true) => PollTimeout::from(GLANCE),
        };
        let mut fds = vec![PollFd::new(wake.as_fd(), PollFlags::POLLIN)];
        fds.extend(inotify.as_ref().map(|i| PollFd::new(i.as_fd(), PollFlags::POLLIN)));
        let _ = poll(&mut fds, timeout);
        let _ = wake.read();
        if let Some(inotify) = &inotify {
            let _ = inotify.read_events();
        }
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
            runtime.tell("stop_triggered", &words(&why));
        }
        None if before && !cancel.load(Ordering::Relaxed) => {
            runtime.tell("stop_cleared", "the emergency stop is cleared; what waited goes on");
            runtime.call();
        }
        _ => {}
    }
}
