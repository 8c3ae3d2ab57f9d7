//! Sleeps until something may have changed in the folders of proposals, or in the configuration.

use std::os::fd::AsFd;
use std::time::Duration;

use base::home::Home;
use beneath::Folder;
use nix::poll::PollTimeout;
use nix::sys::eventfd::EventFd;
use watch::Changes;

/// How long a look is put off at most where the kernel tells of every change: some changes leave no notice.
pub const UNASKED: Duration = Duration::from_secs(10);

/// A watch over the proposals folders and the configuration's; its news is only a hint to look again.
#[derive(Debug)]
pub struct Watch {
    watch: watch::Watch,
    /// Whether every folder is watched.
    sees_all: bool,
}

impl Watch {
    /// Watches every folder of proposals that there is; without the kernel's notices it only sleeps.
    pub fn over(home: &Home) -> Watch {
        let changes = Changes::CREATE | Changes::MODIFY_NAME | Changes::MODIFY_META | Changes::ACCESS_CLOSE;
        let mut watch = Watch { watch: watch::Watch::of(changes), sees_all: false };
        watch.renew(home);
        watch
    }

    /// Watches folders that have come since, too; what was watched stays so, and no news of it is lost.
    pub fn renew(&mut self, home: &Home) {
        let profiles = base::home::profiles(home).unwrap_or_default();
        // The one that tells of new profiles first: not all may be watched.
        let own = [Folder::open(&home.admin()).ok()].into_iter();
        let places = [home.all_proposals()].into_iter();
        let places = places.chain(profiles.iter().map(|profile| home.proposals(profile)));
        let mut all = true;
        let folders = own.chain(places.map(|place| place.folder().ok().flatten()));
        let seen = self.watch.renew(folders.filter_map(|folder| {
            all &= folder.is_some();
            folder
        }));
        self.sees_all = seen && all;
    }

    /// Sleeps until news of the folders, a call, a signal, or the end of `interval`, which is longer where every change is
    /// reported, but never longer than `most`. What came before counts as news.
    pub fn wait(&self, call: &EventFd, interval: Duration, most: Duration) {
        let interval = if self.sees_all { interval.max(UNASKED) } else { interval };
        self.watch.wait(&[call.as_fd()], timeout(interval.min(most)));
        let _ = call.read();
    }

    /// Sleeps the whole time, unless called: for a time in which there is too much news.
    pub fn sleep(&self, call: &EventFd, most: Duration) {
        self.watch.sleep(&[call.as_fd()], timeout(most));
        let _ = call.read();
    }
}

fn timeout(most: Duration) -> PollTimeout {
    PollTimeout::try_from(most).unwrap_or(PollTimeout::MAX)
}
