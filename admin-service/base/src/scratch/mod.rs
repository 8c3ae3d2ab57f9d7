//! Folders that programs of others write: watched while they run, put in order afterwards, removed.
//!
//! Such a program chose their content: folders nested 100,000 deep, a million names, any mode. So each step
//! goes from one handle to the next, no link is followed, nothing recurses, and no path grows.

mod remove;
mod walk;

use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use nix::libc;

pub use remove::remove;

/// How much a program may leave in its folder.
#[derive(Debug, Clone, Copy)]
pub struct Quota {
    /// Bytes on the disk.
    pub bytes: u64,
    /// Files and folders.
    pub entries: usize,
    /// Folders within folders.
    pub depth: usize,
}

/// What one command or plugin may write.
pub const OF_ONE: Quota = Quota { bytes: 128 << 20, entries: 10_000, depth: 64 };

/// What is in a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Bytes on the disk.
    pub bytes: u64,
    /// Files and folders.
    pub entries: usize,
}

/// The part of a quota that was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    Bytes(u64),
    /// Its files and folders.
    Entries(usize),
    Depth(usize),
    /// Something in it cannot be looked at, so nobody knows how much it is.
    Closed,
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Over::Bytes(bytes) => write!(f, "it wrote more than {} MB", bytes >> 20),
            Over::Entries(entries) => write!(f, "it made more than {entries} files and folders"),
            Over::Depth(depth) => write!(f, "it nested folders more than {depth} deep"),
            Over::Closed => write!(f, "it made a folder that cannot be read"),
        }
    }
}

/// Counts the content of a folder, up to the quota.
///
/// # Errors
/// The part of the quota that is used up.
pub fn usage(folder: &Path, quota: Quota) -> Result<Usage, Over> {
    walk::over(folder, quota, |_, _, _| ())
}

/// Removes setuid, setgid of files, all permissions of others and the group's write permission from a folder and its
/// content; removes what is neither a file nor a folder.
///
/// # Errors
/// As [`usage`]; content beyond the quota is unchanged.
pub fn tidy(folder: &Path, quota: Quota) -> Result<Usage, Over> {
    if let Ok(top) = opened(folder) {
        walk::top_tidied(&top).map_err(|_| Over::Closed)?;
    }
    walk::over(folder, quota, walk::tidied)
}

/// Does something that fills a folder; sets the flag as soon as the folder holds more than it may, or `outer` is set.
pub fn within<T>(
    folder: &Path,
    quota: Quota,
    outer: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T,
) -> (T, Option<Over>) {
    let cancel = AtomicBool::new(false);
    let over = Mutex::new(None);
    let worked = std::thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let (cancel, over) = (&cancel, &over);
        let watch = move || {
            let mut due = Instant::now();
            loop {
                if due <= Instant::now() {
                    let begun = Instant::now();
                    if let Err(found) = usage(folder, quota) {
                        *over.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
                        return cancel.store(true, Ordering::Relaxed);
                    }
                    // A full folder takes a while to count: no more than a small part of one core goes into that.
                    due = Instant::now() + LOOK.max(begun.elapsed() * 15);
                }
                if outer.load(Ordering::Relaxed) {
                    return cancel.store(true, Ordering::Relaxed);
                }
                if ended.recv_timeout(GLANCE) != Err(mpsc::RecvTimeoutError::Timeout) {
                    return;
                }
            }
        };
        let started = std::thread::Builder::new().name("quota".into()).spawn_scoped(scope, watch);
        // Without the thread the folder is counted afterwards only.
        let worked = work(if started.is_ok() { cancel } else { outer });
        drop(done);
        worked
    });
    let over = over.into_inner().unwrap_or_else(PoisonError::into_inner);
    (worked, over.or_else(|| usage(folder, quota).err()))
}

/// How often a folder is counted, and how often the outer flag is looked at.
const LOOK: Duration = Duration::from_millis(40);
const GLANCE: Duration = Duration::from_millis(20);

/// Opens a folder of the admin's; a link in its place is refused.
fn opened(path: &Path) -> io::Result<File> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(test)]
mod tests;
