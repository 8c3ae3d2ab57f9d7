//! A folder that is held open, and everything beneath it.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use nix::dir::{Dir, OwningIter};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat, openat2};
use nix::sys::stat::{Mode, fstat, mkdirat};
use nix::unistd::fsync;

use crate::{Facts, Kind, Look, NotOpened, Opened, way};

/// A folder, held open. Its name may lead elsewhere by now; its handle does not.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    handle: OwnedFd,
    facts: Facts,
    /// Whose files count; anybody's, where nothing is known of the folder.
    owner: Option<u32>,
    second_names: bool,
}

/// The names in a folder, `.` and `..` left out.
#[derive(Debug)]
pub struct Names(OwningIter);

const FOLDER: OFlag =
    OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_NOFOLLOW).union(OFlag::O_CLOEXEC);
const PIN: OFlag = OFlag::O_PATH.union(OFlag::O_NOFOLLOW).union(OFlag::O_CLOEXEC);

impl Folder {
    /// Opens a folder by its path, links included: the one look by path, for a folder whose parents nobody else may change.
    /// Files of any owner count directly in it.
    ///
    /// # Errors
    /// Anything but a folder has that name.
    pub fn open(path: &Path) -> Result<Folder, NotOpened> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let how = OpenHow::new().flags(flags).resolve(ResolveFlag::RESOLVE_NO_MAGICLINKS);
        Folder::held(path.to_owned(), openat2(AT_FDCWD, path, how)?, false)
    }

    /// As [`Folder::open`], and a link on the way counts only where one of these users made it.
    ///
    /// # Errors
    /// Anything but a folder has that name, or the link of another user leads there.
    pub fn open_by(path: &Path, makers: &[u32]) -> Result<Folder, NotOpened> {
        let pinned = way::pin(path, makers)?;
        let handle = openat(&pinned.handle, ".", FOLDER, Mode::empty())?;
        Folder::held(path.to_owned(), handle, false)
    }

    /// Opens a folder beneath this one. In it, only files of its own owner count.
    ///
    /// # Errors
    /// Anything but a folder has that name, or a link stands on the way.
    pub fn folder(&self, below: impl AsRef<Path>) -> Result<Folder, NotOpened> {
        let below = below.as_ref();
        let mut folder = Folder::held(self.path.join(below), self.resolve(below, FOLDER)?, true)?;
        folder.second_names = self.second_names;
        Ok(folder)
    }

    /// Lets files count that have more than one name: where all who may write there are trusted.
    #[must_use]
    pub fn with_second_names(mut self) -> Folder {
        self.second_names = true;
        self
    }

    /// Opens a regular file beneath, of the right owner and with one name.
    ///
    /// # Errors
    /// Anything else has that name.
    pub fn file(&self, below: impl AsRef<Path>) -> Result<Opened, NotOpened> {
        let (pinned, facts) = self.pin(below.as_ref())?;
        self.judge(&facts)?;
        let opened = Opened::of(&pinned)?;
        self.judge(opened.facts())?;
        Ok(opened)
    }

    /// Whether [`Folder::file`] would open it, as far as that can be known without opening it.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, below: impl AsRef<Path>) -> Result<Facts, NotOpened> {
        let facts = self.facts_of(below)?;
        self.judge(&facts)?;
        Ok(facts)
    }

    /// What has this name, a link at its end included; nothing is opened.
    ///
    /// # Errors
    /// Nothing has that name, or a link stands on the way.
    pub fn facts_of(&self, below: impl AsRef<Path>) -> Result<Facts, NotOpened> {
        self.pin(below.as_ref()).map(|(_, facts)| facts)
    }

    /// By what a change of a file is noticed; nothing where that cannot be determined.
    pub fn look(&self, below: impl AsRef<Path>) -> Option<Look> {
        self.facts_of(below).ok().map(|facts| facts.look())
    }

    /// Every name in the folder, from its beginning.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn names(&self) -> Result<Names, NotOpened> {
        // A description of its own: a copy of the handle would continue where another reader stopped.
        let again = self.resolve(Path::new("."), FOLDER)?;
        Ok(Names(Dir::from_fd(again)?.into_iter()))
    }

    /// Makes a folder directly beneath where the name is free, syncs its name, and opens it.
    ///
    /// # Errors
    /// Anything but a folder has that name, or a failing disk.
    pub fn make(&self, name: impl AsRef<Path>, mode: u32) -> Result<Folder, NotOpened> {
        let name = name.as_ref();
        // mkdirat(2) would follow what stands on the way.
        if !matches!(name.components().collect::<Vec<_>>()[..], [Component::Normal(_)]) {
            return Err(NotOpened::Outside);
        }
        match mkdirat(&self.handle, name, Mode::from_bits_truncate(mode)) {
            Ok(()) => fsync(&self.handle)?,
            Err(Errno::EEXIST) => {}
            Err(errno) => return Err(errno.into()),
        }
        self.folder(name)
    }

    /// The owner whose files count, where that is known.
    pub fn owner(&self) -> Option<u32> {
        self.owner
    }

    /// What the folder was when it was opened.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Which folder this is, regardless of its name.
    pub fn identity(&self) -> (u64, u64) {
        self.facts.identity
    }

    /// Whether it is one of these folders, or is in one, by its own handle and those of the folders above it.
    ///
    /// # Errors
    /// A folder above that cannot be looked at.
    pub fn is_within(&self, folders: &[(u64, u64)]) -> Result<bool, NotOpened> {
        let (mut at, mut found) =
            (self.handle.try_clone().map_err(|_| NotOpened::NotYet(Errno::EMFILE))?, self.identity());
        loop {
            if folders.contains(&found) {
                return Ok(true);
            }
            let above = openat(&at, "..", PIN | OFlag::O_DIRECTORY, Mode::empty())?;
            let next = Facts::of(&fstat(&above)?).identity;
            if next == found {
                return Ok(false);
            }
            (at, found) = (above, next);
        }
    }

    /// The name by which it was opened, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path to this very folder while it is held open, for calls that take no handle.
    pub fn by_handle(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.handle.as_raw_fd()))
    }

    fn held(path: PathBuf, handle: OwnedFd, owned: bool) -> Result<Folder, NotOpened> {
        let facts = Facts::of(&fstat(&handle)?);
        let owner = owned.then_some(facts.user);
        Ok(Folder { path, handle, facts, owner, second_names: false })
    }

    fn pin(&self, below: &Path) -> Result<(OwnedFd, Facts), NotOpened> {
        let pinned = self.resolve(below, PIN)?;
        let facts = Facts::of(&fstat(&pinned)?);
        Ok((pinned, facts))
    }

    fn resolve(&self, below: &Path, flags: OFlag) -> Result<OwnedFd, NotOpened> {
        let how = OpenHow::new().flags(flags).resolve(
            ResolveFlag::RESOLVE_BENEATH
                | ResolveFlag::RESOLVE_NO_SYMLINKS
                | ResolveFlag::RESOLVE_NO_MAGICLINKS,
        );
        Ok(openat2(&self.handle, below, how)?)
    }

    fn judge(&self, facts: &Facts) -> Result<(), NotOpened> {
        match facts.kind {
            Kind::File => {}
            Kind::Link => return Err(NotOpened::Link),
            other => return Err(NotOpened::NotAFile(other)),
        }
        match (facts.names, self.second_names) {
            (0, _) => return Err(NotOpened::Gone),
            (1, _) | (_, true) => {}
            _ => return Err(NotOpened::SecondName),
        }
        match self.owner {
            Some(expected) if expected != facts.user => Err(NotOpened::Owner { found: facts.user, expected }),
            _ => Ok(()),
        }
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

impl From<Folder> for OwnedFd {
    fn from(folder: Folder) -> OwnedFd {
        folder.handle
    }
}

impl Iterator for Names {
    type Item = Result<OsString, NotOpened>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.0.next()? {
                Ok(entry) => entry,
                Err(errno) => return Some(Err(errno.into())),
            };
            let name = entry.file_name().to_bytes();
            if !matches!(name, b"." | b"..") {
                return Some(Ok(OsStr::from_bytes(name).to_owned()));
            }
        }
    }
}
