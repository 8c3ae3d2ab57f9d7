//! Room on the disk that is taken before it is needed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use nix::errno::Errno;
use nix::fcntl::{FallocateFlags, fallocate};

/// Takes room behind the end of a file; its length stays, and a reader sees nothing of it.
///
/// A file system that copies on each write (Btrfs, ZFS) may want room of its own all the same.
///
/// # Errors
/// A full disk, or a file system that cannot do this.
pub(crate) fn take_ahead(file: &File, end: u64, bytes: u64) -> io::Result<()> {
    let (from, length) = (offset(end)?, offset(bytes)?);
    Ok(fallocate(file, FallocateFlags::FALLOC_FL_KEEP_SIZE, from, length)?)
}

/// A file that holds nothing but room, to be given up for what must be written on a full disk.
#[derive(Debug, Clone)]
pub struct Ballast {
    path: PathBuf,
    size: u64,
    step: u64,
}

impl Ballast {
    /// A ballast of `size` bytes at `path`, given up in steps of `step` bytes; nothing is touched yet.
    pub fn new(path: PathBuf, size: u64, step: u64) -> Ballast {
        Ballast { path, size, step: step.max(1) }
    }

    /// Makes the file (mode 0600), or fills it up; where the disk has not room for all of it, as far as it goes.
    ///
    /// # Errors
    /// Anything but a full disk.
    pub fn renew(&self) -> io::Result<()> {
        if fs::symlink_metadata(&self.path).is_ok_and(|facts| facts.is_file() && facts.len() == self.size) {
            return Ok(());
        }
        let made = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&self.path);
        let file = match made {
            Err(error) if lacks_room(&error) => return Ok(()),
            other => other?,
        };
        let mut length = file.metadata()?.len();
        if length > self.size {
            file.set_len(self.size)?;
        }
        while length < self.size {
            let more = (self.size - length).min(self.step);
            match take(&file, length, more) {
                Ok(()) => length += more,
                Err(error) if lacks_room(&error) => {
                    // What was taken in part is let go.
                    file.set_len(length)?;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        file.sync_all()
    }

    /// Gives one step of it up; answers whether there was anything to give.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn give(&self) -> io::Result<bool> {
        let file = match OpenOptions::new().write(true).open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            other => other?,
        };
        let length = file.metadata()?.len();
        if length > 0 {
            file.set_len(length.saturating_sub(self.step))?;
            file.sync_all()?;
        }
        Ok(length > 0)
    }
}

/// Really takes room at the end of a file, which grows by it.
fn take(mut file: &File, end: u64, bytes: u64) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), offset(end)?, offset(bytes)?) {
        // Not every file system can take room without writing.
        Err(Errno::EOPNOTSUPP | Errno::ENOSYS) => {
            file.seek(SeekFrom::Start(end))?;
            let zeros = [0; 4096];
            let mut left = bytes;
            while left > 0 {
                // At most the size of `zeros`, so it fits.
                let part = left.min(zeros.len() as u64);
                file.write_all(&zeros[..part as usize])?;
                left -= part;
            }
            Ok(())
        }
        other => Ok(other?),
    }
}

fn offset(bytes: u64) -> io::Result<i64> {
    i64::try_from(bytes).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))
}

/// Why nothing can be written, where that is so for every file: the disk is full, or the file system is read-only.
pub fn unwritable(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        _ if lacks_room(error) => Some("the disk is full"),
        io::ErrorKind::ReadOnlyFilesystem => Some("the file system is read-only"),
        _ => None,
    }
}

/// An error of the operating system in words: those of [`unwritable`], or else its own.
pub fn words(error: &io::Error) -> String {
    unwritable(error).map_or_else(|| error.to_string(), str::to_owned)
}

fn lacks_room(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests;
