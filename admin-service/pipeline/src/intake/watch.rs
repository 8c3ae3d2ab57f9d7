//! Sleeps until something may have changed in the folders of proposals.

use std::os::fd::AsFd;
use std::time::Duration;

use base::home::Home;
use nix::poll::PollTimeout;
use nix::sys::eventfd::EventFd;
use watch::Changes;

/// A watch over the proposals folders; its news is only a hint to look again.
#[derive(Debug)]
pub struct Watch(watch::Watch);

impl Watch {
    /// Watches every folder of proposals that there is; without the kernel's notices it only sleeps.
    pub fn over(home: &Home) -> Watch {
        let changes = Changes::CREATE | Changes::MODIFY_NAME | Changes::ACCESS_CLOSE;
        let mut watch = Watch(watch::Watch::of(changes));
        watch.renew(home);
        watch
    }

    /// Watches folders that have come since, too; what was watched stays so, and no news of it is lost.
    pub fn renew(&mut self, home: &Home) {
        let profiles = base::home::profiles(home).unwrap_or_default();
        // The one that tells of new profiles first: not all may be watched.
        let places = [home.all_proposals()].into_iter();
        let places = places.chain(profiles.iter().map(|profile| home.proposals(profile)));
        self.0.renew(places.filter_map(|place| place.folder().ok().flatten()));
    }

    /// Sleeps until news of the folders, a call, a signal, or the end of `most`. What came before counts as news.
    pub fn wait(&self, call: &EventFd, most: Duration) {
        self.0.wait(&[call.as_fd()], timeout(most));
        let _ = call.read();
    }

    /// Sleeps the whole time, unless called: for a time in which there is too much news.
    pub fn sleep(&self, call: &EventFd, most: Duration) {
        self.0.sleep(&[call.as_fd()], timeout(most));
        let _ = call.read();
    }
}

fn timeout(most: Duration) -> PollTimeout {
    PollTimeout::try_from(most).unwrap_or(PollTimeout::MAX)
}
