//! What fstat says of one inode.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use nix::sys::stat::{FileStat, SFlag};

/// The kind of an inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    Folder,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Pipe,
    Socket,
    Device,
}

/// What an inode is, and whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub kind: Kind,
    /// Its owner.
    pub user: u32,
    pub group: u32,
    /// Its permissions, set-user and set-group bits included.
    pub mode: u32,
    /// How many names it has.
    pub names: u32,
    /// How many bytes it claims to have.
    pub size: u64,
    /// How many bytes it takes on the disk.
    pub on_disk: u64,
    /// Its device and its number there.
    pub identity: (u64, u64),
    /// When its content changed last, in seconds and nanoseconds; its owner can set this.
    pub modified: (i64, i64),
    /// When it changed last, in seconds and nanoseconds; its owner cannot set this.
    pub changed: (i64, i64),
}

/// By what a change of a file is noticed without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    identity: (u64, u64),
    size: u64,
    changed: (i64, i64),
}

impl Facts {
    pub(crate) fn of(stat: &FileStat) -> Facts {
        Facts {
            kind: Kind::of(SFlag::from_bits_truncate(stat.st_mode & SFlag::S_IFMT.bits())),
            user: stat.st_uid,
            group: stat.st_gid,
            mode: stat.st_mode & 0o7777,
            names: u32::try_from(stat.st_nlink).unwrap_or(u32::MAX),
            size: stat.st_size.max(0).unsigned_abs(),
            on_disk: stat.st_blocks.max(0).unsigned_abs() * 512,
            identity: (stat.st_dev, stat.st_ino),
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    /// By what a change is noticed.
    pub fn look(&self) -> Look {
        Look { identity: self.identity, size: self.size, changed: self.changed }
    }
}

impl Look {
    /// Whether the file was changed less than this long ago; a clock that was set back makes none younger.
    pub fn is_younger_than(&self, age: Duration) -> bool {
        let Ok(now) = SystemTime::now().duration_since(UNIX_EPOCH) else { return false };
        let (seconds, nanos) = self.changed;
        let changed = Duration::new(seconds.max(0).unsigned_abs(), u32::try_from(nanos).unwrap_or_default());
        now.checked_sub(changed).is_some_and(|old| old < age)
    }
}

impl Kind {
    fn of(bits: SFlag) -> Kind {
        match bits {
            SFlag::S_IFREG => Kind::File,
            SFlag::S_IFDIR => Kind::Folder,
            SFlag::S_IFLNK => Kind::Link,
            SFlag::S_IFIFO => Kind::Pipe,
            SFlag::S_IFSOCK => Kind::Socket,
            _ => Kind::Device,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::File => "a regular file",
            Kind::Folder => "a folder",
            Kind::Link => "a link",
            Kind::Pipe => "a pipe",
            Kind::Socket => "a socket",
            Kind::Device => "a device",
        })
    }
}
