//! Opens proposals beneath their folder's handle: no link, no race, no blocking, no more than the cap.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use nix::dir::{Dir, OwningIter};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::stat::{FileStat, SFlag, fstatat};
use shared_types::home::Home;
use shared_types::id::{Digest, ProfileId};
use shared_types::yaml::MAX_BYTES;

use crate::error::Error;

/// A folder of proposals, held open.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    handle: File,
    /// Whose files count; anybody's, where nothing is known of the folder.
    owner: Option<u32>,
    identity: (u64, u64),
}

/// The bytes of a proposal, read once.
#[derive(Debug)]
pub struct Snapshot {
    /// The bytes, as text.
    pub text: String,
    /// SHA-256 of the bytes.
    pub digest: Digest,
    /// What the file looked like.
    pub look: Look,
}

/// What a file looks like from outside. Its owner can set the time of its content back, but not that of its last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    inode: u64,
    size: i64,
    changed: (i64, i64),
}

/// Why a file is no proposal, whatever it contains, or cannot be looked at yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOpened {
    /// Not there any more.
    #[error("is gone")]
    Gone,
    /// Somebody has it in their hands, or this machine is short of something: it is to be tried again.
    #[error("cannot be opened yet: {0}")]
    NotYet(String),
    /// A link, a device, a folder.
    #[error("{0}")]
    Kind(&'static str),
    /// Not the bot's own file.
    #[error("belongs to user {found}, not to user {expected}")]
    Owner {
        /// Whose it is.
        found: u32,
        /// Whose it should be.
        expected: u32,
    },
    /// Over the cap.
    #[error("has more than {MAX_BYTES} bytes")]
    TooLarge,
    /// Not text.
    #[error("is not UTF-8 text without NUL and byte order mark")]
    NotText,
    /// The system's refusal.
    #[error("{0}")]
    System(String),
}

impl Folder {
    /// Opens the proposals of a profile beneath `data/`, no link followed; `None` when there are none yet. What counts in
    /// there are files of the folder's owner.
    ///
    /// # Errors
    /// Something else than a folder lies there.
    pub fn of(home: &Home, profile: &ProfileId) -> Result<Option<Folder>, Error> {
        Folder::beneath(home, home.proposals(profile))
    }

    /// The same for any folder beneath `data/`.
    ///
    /// # Errors
    /// As [`Folder::of`].
    pub fn beneath(home: &Home, path: PathBuf) -> Result<Option<Folder>, Error> {
        let Some(data) = open_folder(AT_FDCWD, home.data(), ResolveFlag::empty())? else { return Ok(None) };
        let beneath = path.strip_prefix(home.data()).unwrap_or(&path);
        let strict = ResolveFlag::RESOLVE_BENEATH
            | ResolveFlag::RESOLVE_NO_SYMLINKS
            | ResolveFlag::RESOLVE_NO_MAGICLINKS;
        let handle = open_folder(&data, beneath, strict)?;
        handle.map(|handle| Folder::held(&path, handle, true)).transpose()
    }

    /// Opens any folder, to look at files of whomever; `None` when it is not there.
    ///
    /// # Errors
    /// Something else than a folder lies there.
    pub fn open(path: &Path) -> Result<Option<Folder>, Error> {
        let handle = open_folder(AT_FDCWD, path, ResolveFlag::empty())?;
        handle.map(|handle| Folder::held(path, handle, false)).transpose()
    }

    fn held(path: &Path, handle: File, owned: bool) -> Result<Folder, Error> {
        let facts = handle.metadata().map_err(Error::io(path))?;
        let owner = owned.then_some(facts.uid());
        Ok(Folder { path: path.to_owned(), handle, owner, identity: (facts.dev(), facts.ino()) })
    }

    /// Whose files count, where that is known.
    pub fn owner(&self) -> Option<u32> {
        self.owner
    }

    /// Which folder this is, whatever its name.
    pub fn identity(&self) -> (u64, u64) {
        self.identity
    }

    /// Everything in the folder, from its beginning.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn entries(&self) -> Result<OwningIter, Error> {
        // A description of its own: a copy of the handle would go on where another reader stopped.
        let again = open_folder(&self.handle, Path::new("."), ResolveFlag::RESOLVE_BENEATH)?;
        let again = again.ok_or_else(|| Error::io(&self.path)(Errno::ENOENT.into()))?;
        let dir = Dir::from_fd(OwnedFd::from(again)).map_err(|e| Error::io(&self.path)(e.into()))?;
        Ok(dir.into_iter())
    }

    /// What a file looks like, a link not followed; nothing when it cannot be told.
    pub fn look(&self, name: &OsStr) -> Option<Look> {
        fstatat(&self.handle, name, AtFlags::AT_SYMLINK_NOFOLLOW).ok().map(|stat| Look::of(&stat))
    }

    /// Whether a regular file of the right owner has this name.
    ///
    /// # Errors
    /// Why it is none.
    pub fn check(&self, name: &OsStr) -> Result<(), NotOpened> {
        // Before it is opened, since opening alone can start a device.
        let stat = fstatat(&self.handle, name, AtFlags::AT_SYMLINK_NOFOLLOW).map_err(refusal)?;
        self.judge(&stat)?;
        within_cap(&stat)
    }

    /// Reads one file once: what is hashed is what is parsed.
    ///
    /// # Errors
    /// Anything but a regular file of the folder's owner, with one name, within the cap.
    pub fn read(&self, name: &OsStr) -> Result<Snapshot, NotOpened> {
        self.check(name)?;
        let (file, stat) = self.opened(name)?;
        within_cap(&stat)?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| NotOpened::NotYet(e.to_string()))?;
        if bytes.len() > MAX_BYTES {
            return Err(NotOpened::TooLarge);
        }
        let digest = Digest::of(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| NotOpened::NotText)?;
        if text.contains(['\0', '\u{feff}']) {
            return Err(NotOpened::NotText);
        }
        Ok(Snapshot { text, digest, look: Look::of(&stat) })
    }

    /// Opens one file of any size: a log that is read in pieces.
    ///
    /// # Errors
    /// Anything but a regular file of the folder's owner, with one name.
    pub fn file(&self, name: &OsStr) -> Result<File, NotOpened> {
        // Before it is opened, since opening alone can start a device.
        self.judge(&fstatat(&self.handle, name, AtFlags::AT_SYMLINK_NOFOLLOW).map_err(refusal)?)?;
        self.opened(name).map(|(file, _)| file)
    }

    /// Where the folder lies, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn opened(&self, name: &OsStr) -> Result<(File, FileStat), NotOpened> {
        let how = OpenHow::new()
            .flags(
                OFlag::O_RDONLY | OFlag::O_NONBLOCK | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | OFlag::O_NOCTTY,
            )
            .resolve(
                ResolveFlag::RESOLVE_BENEATH
                    | ResolveFlag::RESOLVE_NO_SYMLINKS
                    | ResolveFlag::RESOLVE_NO_MAGICLINKS,
            );
        let file = File::from(openat2(&self.handle, name, how).map_err(refusal)?);
        // Again, of what was opened: the name may lead elsewhere by now.
        let stat = nix::sys::stat::fstat(&file).map_err(refusal)?;
        self.judge(&stat)?;
        Ok((file, stat))
    }

    fn judge(&self, stat: &FileStat) -> Result<(), NotOpened> {
        match SFlag::from_bits_truncate(stat.st_mode & SFlag::S_IFMT.bits()) {
            SFlag::S_IFREG => {}
            SFlag::S_IFLNK => return Err(NotOpened::Kind("is a link")),
            _ => return Err(NotOpened::Kind("is not a regular file")),
        }
        if stat.st_nlink != 1 {
            return Err(NotOpened::Kind("has more than one name (a hard link)"));
        }
        match self.owner {
            Some(expected) if expected != stat.st_uid => {
                return Err(NotOpened::Owner { found: stat.st_uid, expected });
            }
            _ => {}
        }
        Ok(())
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

    fn of(stat: &FileStat) -> Look {
        Look { inode: stat.st_ino, size: stat.st_size, changed: (stat.st_ctime, stat.st_ctime_nsec) }
    }
}

/// What the system's words mean: the file's fault, or something that passes.
fn refusal(errno: Errno) -> NotOpened {
    match errno {
        Errno::ENOENT => NotOpened::Gone,
        Errno::ELOOP | Errno::EXDEV => NotOpened::Kind("is a link"),
        Errno::ENXIO | Errno::ENODEV => NotOpened::Kind("is not a regular file"),
        // A lease of its owner's: the kernel takes it from them within a minute.
        Errno::EAGAIN => NotOpened::NotYet("its owner has a lease on it".to_owned()),
        Errno::EINTR | Errno::EMFILE | Errno::ENFILE | Errno::ENOMEM | Errno::EIO | Errno::ESTALE => {
            NotOpened::NotYet(errno.desc().to_owned())
        }
        Errno::EACCES => NotOpened::System("cannot be read: the admin's user may not open it".to_owned()),
        other => NotOpened::System(other.desc().to_owned()),
    }
}

/// Not even read: a file may claim a terabyte and hold nothing.
fn within_cap(stat: &FileStat) -> Result<(), NotOpened> {
    if stat.st_size > MAX_BYTES as i64 { Err(NotOpened::TooLarge) } else { Ok(()) }
}

fn open_folder(at: impl AsFd, path: &Path, resolve: ResolveFlag) -> Result<Option<File>, Error> {
    let how = OpenHow::new()
        .flags(OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW)
        .resolve(resolve | ResolveFlag::RESOLVE_NO_MAGICLINKS);
    match openat2(at, path, how) {
        Ok(fd) => Ok(Some(File::from(fd))),
        Err(Errno::ENOENT) => Ok(None),
        Err(e) => Err(Error::io(path)(e.into())),
    }
}

#[cfg(test)]
mod tests;
