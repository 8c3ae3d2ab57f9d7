//! Wakes the threads that sleep over folders: by the kernel's notices where there are any, by the clock in any case.
//!
//! News is only a hint to look again; what changed is never asked for. Folders are watched by the handle by which they were
//! opened, so that no link and no swapped name leads elsewhere, and nothing below them is.
#![forbid(unsafe_code)]

use std::collections::{HashMap, HashSet};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

use beneath::Folder;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher};

pub use notify::EventKindMask as Changes;

/// At most this number of folders is watched; the others are left to the clock. Each costs a handle.
const MOST: usize = 64;

/// A watch over folders.
#[derive(Debug)]
pub struct Watch(Option<Sight>);

#[derive(Debug)]
struct Sight {
    watcher: RecommendedWatcher,
    /// Held open for as long as they are watched: `notify` knows a folder by its path, and here that is the handle's number.
    folders: HashMap<(u64, u64), Folder>,
    news: Arc<EventFd>,
}

impl Watch {
    /// A watch for such changes, over no folder yet. Where the kernel gives no notices, it only sleeps.
    pub fn of(changes: Changes) -> Watch {
        Watch::with(changes, RecommendedWatcher::new)
    }

    fn with<M>(changes: Changes, make: M) -> Watch
    where
        M: FnOnce(Ring, Config) -> notify::Result<RecommendedWatcher>,
    {
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        let Ok(news) = EventFd::from_flags(flags).map(Arc::new) else { return Watch(None) };
        let config = Config::default().with_event_kinds(changes);
        let Ok(watcher) = make(Ring(Arc::clone(&news)), config) else { return Watch(None) };
        // Its thread may have failed to start, which it does not say; it would panic when it is dropped then.
        if watcher.watched_paths().is_err() {
            std::mem::forget(watcher);
            return Watch(None);
        }
        Watch(Some(Sight { watcher, folders: HashMap::new(), news }))
    }

    /// Watches exactly these folders from now on, and answers whether every one of them is. What was watched stays so, and
    /// no news of it is lost: the end of a watch counts as news, since notices that nobody had read yet go with it.
    pub fn renew(&mut self, folders: impl IntoIterator<Item = Folder>) -> bool {
        let Some(sight) = &mut self.0 else { return false };
        let Sight { watcher, folders: held, news } = sight;
        let (mut wanted, mut all) = (HashSet::new(), true);
        // One after the other: a folder that is watched already, or not at all, is closed before the next is opened.
        for folder in folders {
            let identity = folder.identity();
            wanted.insert(identity);
            if held.contains_key(&identity) {
                continue;
            }
            let watched =
                held.len() < MOST && watcher.watch(&folder.by_handle(), RecursiveMode::NonRecursive).is_ok();
            if watched {
                held.insert(identity, folder);
            }
            all &= watched;
        }
        held.retain(|identity, folder| {
            let stays = wanted.contains(identity);
            if !stays {
                // A folder that is gone took its watch along.
                let _ = watcher.unwatch(&folder.by_handle());
                // A counter that is full is news already.
                let _ = news.write(1);
            }
            stays
        });
        all
    }

    /// Sleeps until news of the folders, until one of the others can be read, until a signal, or to the end of `most`. What
    /// came before counts as news; it is taken with this.
    pub fn wait(&self, others: &[BorrowedFd<'_>], most: PollTimeout) {
        self.sleep_over(self.0.as_ref().map(|sight| sight.news.as_fd()), others, most);
    }

    /// As [`Watch::wait`], regardless of the news: for a time in which there is too much of it.
    pub fn sleep(&self, others: &[BorrowedFd<'_>], most: PollTimeout) {
        self.sleep_over(None, others, most);
    }

    fn sleep_over(&self, news: Option<BorrowedFd<'_>>, others: &[BorrowedFd<'_>], most: PollTimeout) {
        let all = news.into_iter().chain(others.iter().copied());
        let _ = poll(&mut all.map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect::<Vec<_>>(), most);
        let _ = self.0.as_ref().map(|sight| sight.news.read());
    }
}

/// What a watcher rings; a fault of it is a reason to look as well.
struct Ring(Arc<EventFd>);

impl notify::EventHandler for Ring {
    fn handle_event(&mut self, _: notify::Result<Event>) {
        // A counter that is full is news already.
        let _ = self.0.write(1);
    }
}

#[cfg(test)]
mod tests;
