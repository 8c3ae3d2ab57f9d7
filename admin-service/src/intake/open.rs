//! Opens proposals beneath their folder's handle: no link, no race, no blocking, no more than the cap.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::dir::Dir;
use nix::fcntl::{OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::stat::Mode;
use shared_types::id::Digest;
use shared_types::yaml::MAX_BYTES;

use crate::error::Error;

/// The most new files of one folder that are looked at in one pass.
const MAX_ENTRIES: usize = 2_000;

/// A folder of proposals, held open.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    handle: File,
    owner: u32,
}

/// The bytes of a proposal, read once.
#[derive(Debug)]
pub struct Snapshot {
    /// The bytes, as text.
    pub text: String,
    /// SHA-256 of the bytes.
    pub digest: Digest,
}

/// Why a file is no proposal, whatever it contains.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOpened {
    /// A link, a device, a folder, or gone.
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
    /// Opens a folder; `None` when there is none yet.
    ///
    /// # Errors
    /// Something else than a folder lies there.
    pub fn open(path: &Path) -> Result<Option<Folder>, Error> {
        let how = OpenHow::new()
            .flags(OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW)
            .resolve(ResolveFlag::RESOLVE_NO_MAGICLINKS);
        let handle: OwnedFd = match openat2(nix::fcntl::AT_FDCWD, path, how) {
            Ok(fd) => fd,
            Err(nix::errno::Errno::ENOENT) => return Ok(None),
            Err(e) => return Err(Error::io(path)(e.into())),
        };
        let handle = File::from(handle);
        let owner = handle.metadata().map_err(Error::io(path))?.uid();
        Ok(Some(Folder { path: path.to_owned(), handle, owner }))
    }

    /// Whose folder it is.
    pub fn owner(&self) -> u32 {
        self.owner
    }

    /// The names that end in `.yaml` and are wanted, sorted; hidden ones are still being written.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn names(&self, wanted: impl Fn(&OsStr) -> bool) -> Result<Vec<OsString>, Error> {
        let again = self.handle.try_clone().map_err(Error::io(&self.path))?;
        let mut dir = Dir::from_fd(again.into()).map_err(|e| Error::io(&self.path)(e.into()))?;
        let mut names: Vec<OsString> = dir
            .iter()
            .filter_map(Result::ok)
            .map(|entry| OsStr::from_bytes(entry.file_name().to_bytes()).to_owned())
            .filter(|name| name.as_bytes().ends_with(b".yaml") && !name.as_bytes().starts_with(b"."))
            .filter(|name| wanted(name))
            .take(MAX_ENTRIES)
            .collect();
        names.sort();
        Ok(names)
    }

    /// Reads one file once: what is hashed is what is parsed.
    ///
    /// # Errors
    /// Anything but a regular file of the folder's owner, with one name, within the cap.
    pub fn read(&self, name: &OsStr) -> Result<Snapshot, NotOpened> {
        let how = OpenHow::new()
            .flags(
                OFlag::O_RDONLY | OFlag::O_NONBLOCK | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | OFlag::O_NOCTTY,
            )
            .mode(Mode::empty())
            .resolve(
                ResolveFlag::RESOLVE_BENEATH
                    | ResolveFlag::RESOLVE_NO_SYMLINKS
                    | ResolveFlag::RESOLVE_NO_MAGICLINKS,
            );
        let file: File = match openat2(&self.handle, name, how) {
            Ok(fd) => File::from(fd),
            Err(nix::errno::Errno::ELOOP | nix::errno::Errno::EXDEV) => {
                return Err(NotOpened::Kind("is a link"));
            }
            Err(e) => return Err(NotOpened::System(e.desc().to_owned())),
        };
        let facts = file.metadata().map_err(|e| NotOpened::System(e.to_string()))?;
        if !facts.is_file() {
            return Err(NotOpened::Kind("is not a regular file"));
        }
        if facts.nlink() != 1 {
            return Err(NotOpened::Kind("has more than one name (a hard link)"));
        }
        if facts.uid() != self.owner {
            return Err(NotOpened::Owner { found: facts.uid(), expected: self.owner });
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| NotOpened::System(e.to_string()))?;
        if bytes.len() > MAX_BYTES {
            return Err(NotOpened::TooLarge);
        }
        let digest = Digest::of(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| NotOpened::NotText)?;
        if text.contains(['\0', '\u{feff}']) {
            return Err(NotOpened::NotText);
        }
        Ok(Snapshot { text, digest })
    }
}

#[cfg(test)]
mod tests;
