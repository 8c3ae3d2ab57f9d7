//! Sleeps until something may have changed: inotify where there is one, the clock in any case.

use std::os::fd::AsFd;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use shared_types::home::Home;

/// A watch over the proposals folders; its news is only a hint to look again.
#[derive(Debug)]
pub struct Watch {
    inotify: Option<Inotify>,
}

impl Watch {
    /// Watches every folder of proposals that there is; without inotify it only sleeps.
    pub fn over(home: &Home) -> Watch {
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok();
        if let Some(inotify) = &inotify {
            let flags = AddWatchFlags::IN_MOVED_TO | AddWatchFlags::IN_CLOSE_WRITE | AddWatchFlags::IN_CREATE;
            let _ = inotify.add_watch(&home.all_proposals(), flags);
            for profile in super::take::profiles(home).unwrap_or_default() {
                let _ = inotify.add_watch(&home.proposals(&profile), flags);
            }
        }
        Watch { inotify }
    }

    /// Watches nothing: for a time in which there is too much news.
    pub fn blind() -> Watch {
        Watch { inotify: None }
    }

    /// Sleeps until news, a signal, or the end of `most`.
    pub fn wait(&self, most: Duration) {
        let timeout = PollTimeout::try_from(most).unwrap_or(PollTimeout::MAX);
        match &self.inotify {
            Some(inotify) => {
                let mut fds = [PollFd::new(inotify.as_fd(), PollFlags::POLLIN)];
                if poll(&mut fds, timeout).is_ok_and(|n| n > 0) {
                    let _ = inotify.read_events();
                }
            }
            None => {
                let _ = poll(&mut [], timeout);
            }
        }
    }
}
