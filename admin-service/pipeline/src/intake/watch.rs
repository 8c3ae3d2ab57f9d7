//! Sleeps until something may have changed: inotify where there is one, the clock in any case.

use std::os::fd::AsFd;
use std::time::Duration;

use base::home::Home;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::EventFd;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};

/// A watch over the proposals folders; its news is only a hint to look again.
#[derive(Debug)]
pub struct Watch {
    inotify: Option<Inotify>,
}

impl Watch {
    /// Watches every folder of proposals that there is; without inotify it only sleeps.
    pub fn over(home: &Home) -> Watch {
        let watch = Watch { inotify: Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok() };
        watch.renew(home);
        watch
    }

    /// Watches folders that have come since, too; what was watched stays so, and no news of it is lost.
    pub fn renew(&self, home: &Home) {
        let Some(inotify) = &self.inotify else { return };
        let flags = AddWatchFlags::IN_MOVED_TO | AddWatchFlags::IN_CLOSE_WRITE | AddWatchFlags::IN_CREATE;
        let profiles = base::home::profiles(home).unwrap_or_default();
        let places = profiles.iter().map(|profile| home.proposals(profile));
        for place in places.chain([home.all_proposals()]) {
            if let Ok(Some(folder)) = place.folder() {
                let _ = inotify.add_watch(&folder.by_handle(), flags);
            }
        }
    }

    /// Sleeps until news of the folders, a call, a signal, or the end of `most`. What came before counts as news.
    pub fn wait(&self, call: &EventFd, most: Duration) {
        let folders = self.inotify.as_ref().map(|inotify| PollFd::new(inotify.as_fd(), PollFlags::POLLIN));
        let call_fd = PollFd::new(call.as_fd(), PollFlags::POLLIN);
        let _ = poll(&mut folders.into_iter().chain([call_fd]).collect::<Vec<_>>(), timeout(most));
        let _ = call.read();
        self.forget();
    }

    /// Sleeps the whole time, unless called: for a time in which there is too much news.
    pub fn sleep(&self, call: &EventFd, most: Duration) {
        let _ = poll(&mut [PollFd::new(call.as_fd(), PollFlags::POLLIN)], timeout(most));
        let _ = call.read();
        self.forget();
    }

    /// Takes the news that there is; the folders are looked at after it.
    fn forget(&self) {
        let Some(inotify) = &self.inotify else { return };
        while inotify.read_events().is_ok_and(|events| !events.is_empty()) {}
    }
}

fn timeout(most: Duration) -> PollTimeout {
    PollTimeout::try_from(most).unwrap_or(PollTimeout::MAX)
}
