//! Counts what lies in a folder and below it, a step at a time, no link followed.

use std::fmt;
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use nix::dir::{Dir, OwningIter};
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat};
use nix::sys::stat::{Mode, SFlag, fstatat};

use crate::config::DataLimit;

/// The deepest nesting that is gone into; each level holds two descriptors open.
const MAX_DEPTH: usize = 48;

/// What was counted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Space on the disk, in bytes.
    pub bytes: u64,
    /// Files, folders and everything else.
    pub files: u64,
    /// Whether folders are nested deeper than anybody goes.
    pub deep: bool,
}

/// A count that is under way.
#[derive(Debug)]
pub struct Walk {
    folders: Vec<(File, OwningIter)>,
    usage: Usage,
}

impl Walk {
    /// Begins at a folder; one that is not there holds nothing.
    pub fn over(root: &Path) -> Walk {
        let mut walk = Walk { folders: vec![], usage: Usage::default() };
        walk.enter(AT_FDCWD, root);
        walk
    }

    /// What was counted so far.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Counts so many entries; answers whether that was all.
    pub fn step(&mut self, entries: usize) -> bool {
        for _ in 0..entries {
            let Some((folder, rest)) = self.folders.last_mut() else { return true };
            let Some(Ok(entry)) = rest.next() else {
                self.folders.pop();
                continue;
            };
            let name = entry.file_name().to_owned();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            // What is gone meanwhile takes no room.
            let Ok(stat) = fstatat(&*folder, name.as_c_str(), AtFlags::AT_SYMLINK_NOFOLLOW) else { continue };
            self.usage.files += 1;
            self.usage.bytes += u64::try_from(stat.st_blocks).unwrap_or_default() * 512;
            if SFlag::from_bits_truncate(stat.st_mode & SFlag::S_IFMT.bits()) != SFlag::S_IFDIR {
                continue;
            }
            if self.folders.len() == MAX_DEPTH {
                self.usage.deep = true;
            } else if let Some((folder, _)) = self.folders.last()
                && let Ok(folder) = folder.try_clone()
            {
                self.enter(&folder, name.as_c_str());
            }
        }
        self.folders.is_empty()
    }

    fn enter<P: nix::NixPath + ?Sized>(&mut self, at: impl AsFd, name: &P) {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let Ok(folder) = openat(at, name, flags, Mode::empty()) else { return };
        let folder = File::from(folder);
        let listed = folder.try_clone().ok().and_then(|again| Dir::from_fd(OwnedFd::from(again)).ok());
        if let Some(listed) = listed {
            self.folders.push((folder, listed.into_iter()));
        }
    }
}

impl Usage {
    /// Whether it is more than allowed.
    pub fn is_over(&self, limit: &DataLimit) -> bool {
        self.deep || self.bytes > limit.bytes || self.files > limit.files
    }

    /// Whether it is less than nine tenths of what is allowed, so that the next file is not too much again.
    pub fn leaves_room(&self, limit: &DataLimit) -> bool {
        let below = |used: u64, limit: u64| used < limit / 10 * 9 + limit % 10 * 9 / 10;
        !self.deep && below(self.bytes, limit.bytes) && below(self.files, limit.files)
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "data/ holds {} MB or more in {} files or more", self.bytes >> 20, self.files)?;
        if self.deep { write!(f, ", in folders nested deeper than {MAX_DEPTH}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
