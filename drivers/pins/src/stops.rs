//! The emergency stops, watched: files that set every output to its safe level once they are there.
//!
//! The kernel tells what comes and goes in their folders. The watch is laid on before the confinement, and is read from then on: no
//! folder is opened again. What is not known counts as a stop.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, InotifyEvent, WatchDescriptor};

/// Why a stop file cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("the stop file {}: {why}", path.display())]
pub struct Fault {
    /// The file.
    pub path: PathBuf,
    pub why: io::Error,
}

/// Some files, and which of them are there.
pub struct Stops {
    kernel: Inotify,
    files: HashMap<(WatchDescriptor, OsString), bool>,
    /// Notices were missed, or a folder is gone.
    is_lost: bool,
}

const COMES: AddWatchFlags = AddWatchFlags::IN_CREATE.union(AddWatchFlags::IN_MOVED_TO);
const GOES: AddWatchFlags = AddWatchFlags::IN_DELETE.union(AddWatchFlags::IN_MOVED_FROM);
const LOST: AddWatchFlags = AddWatchFlags::IN_IGNORED
    .union(AddWatchFlags::IN_Q_OVERFLOW)
    .union(AddWatchFlags::IN_UNMOUNT)
    .union(AddWatchFlags::IN_DELETE_SELF)
    .union(AddWatchFlags::IN_MOVE_SELF);

impl Stops {
    /// Watches these files; they need not be there, but their folders must.
    ///
    /// # Errors
    /// A folder that is not there or may not be read.
    pub fn watch(files: &[PathBuf]) -> Result<Stops, Fault> {
        let flags = InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK;
        let first = files.first().map_or(Path::new(""), PathBuf::as_path);
        let failed = |path: &Path, errno: Errno| Fault { path: path.to_owned(), why: errno.into() };
        let kernel = Inotify::init(flags).map_err(|errno| failed(first, errno))?;
        let mut stops = Stops { kernel, files: HashMap::new(), is_lost: false };
        for path in files {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(failed(path, Errno::EISDIR));
            };
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let watched = COMES
                | GOES
                | AddWatchFlags::IN_ONLYDIR
                | AddWatchFlags::IN_DELETE_SELF
                | AddWatchFlags::IN_MOVE_SELF;
            let watch = stops.kernel.add_watch(folder, watched).map_err(|errno| failed(path, errno))?;
            // After the watch, so that none is missed between both.
            let is_there = match std::fs::symlink_metadata(path) {
                Ok(_) => true,
                Err(why) if why.kind() == io::ErrorKind::NotFound => false,
                Err(why) => return Err(Fault { path: path.clone(), why }),
            };
            stops.files.insert((watch, name.to_owned()), is_there);
        }
        Ok(stops)
    }

    /// Takes the kernel's notices.
    pub fn take(&mut self) {
        loop {
            match self.kernel.read_events() {
                Ok(events) => events.into_iter().for_each(|event| self.take_one(event)),
                Err(Errno::EAGAIN) => return,
                Err(Errno::EINTR) => {}
                Err(_) => {
                    self.is_lost = true;
                    return;
                }
            }
        }
    }

    fn take_one(&mut self, event: InotifyEvent) {
        self.is_lost |= event.mask.intersects(LOST);
        let Some(name) = event.name else { return };
        if let Some(is_there) = self.files.get_mut(&(event.wd, name)) {
            *is_there = event.mask.intersects(COMES) || (*is_there && !event.mask.intersects(GOES));
        }
    }

    /// Whether one is set, or may be.
    pub fn is_set(&self) -> bool {
        self.is_lost || self.files.values().any(|is_there| *is_there)
    }
}

impl AsFd for Stops {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.kernel.as_fd()
    }
}

#[cfg(test)]
mod tests;
