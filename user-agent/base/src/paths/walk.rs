//! One name at a time: a path is opened folder by folder, and each name must be the one that its folder lists.
//!
//! So the text that was judged is the file that is opened: no link is followed, no other mount entered, no file taken that
//! has a second name elsewhere, and no name that the file system would accept in another spelling (short names, case,
//! composed letters).

use std::fs::File;
use std::os::unix::fs::MetadataExt;

use nix::dir::{Dir, Type};
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, ResolveFlag};
use nix::sys::stat::{Mode, SFlag, fstatat};

use super::{Folder, PathError, refused};
use shared_types::sorted;

/// What is directly beneath a folder, in order.
#[derive(Debug, Default)]
pub struct Listed {
    /// Names that are text; each with what it is.
    pub entries: Vec<(String, Below)>,
    /// Whether there is more than was asked for.
    pub cut: bool,
    /// How many names are not text in UTF-8.
    pub unreadable: usize,
}

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// A regular file of this number of bytes.
    File(u64),
    Folder,
    /// A link, a pipe, a device or the like, which is not opened.
    Other,
}

impl Folder {
    /// Opens a folder directly beneath, on the same mount, by exactly the name that this folder lists.
    ///
    /// # Errors
    /// Anything else that is there.
    pub fn step(&self, name: &str) -> Result<Folder, PathError> {
        self.is_one_name(name)?;
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY;
        let handle = self
            .open_with(name, flags, Mode::empty(), ResolveFlag::RESOLVE_NO_XDEV)
            .map_err(|e| self.why(name, e))?;
        self.spelled(name)?;
        Ok(Folder { handle, path: self.path.join(name) })
    }

    /// As [`Folder::step`], making the folder (mode 0700) where it is missing; its name is then on the disk.
    ///
    /// # Errors
    /// As [`Folder::step`].
    pub fn step_or_make(&self, name: &str) -> Result<Folder, PathError> {
        self.is_one_name(name)?;
        match self.step(name) {
            Err(e) if e.is_missing() => {
                self.make_folder(name)?;
                let path = || self.path.join(name);
                self.handle.sync_all().map_err(|source| PathError::Refused { path: path(), source })?;
                self.step(name)
            }
            other => other,
        }
    }

    /// Opens a regular file directly beneath for reading, on the same mount, with no second name, by exactly the name that
    /// this folder lists. What is not a regular file is not even opened.
    ///
    /// # Errors
    /// Anything else that is there.
    pub fn single(&self, name: &str) -> Result<File, PathError> {
        self.is_one_name(name)?;
        let path = || self.path.join(name);
        let found = fstatat(&self.handle, name, AtFlags::AT_SYMLINK_NOFOLLOW).map_err(refused(&path()))?;
        match SFlag::from_bits_truncate(found.st_mode) & SFlag::S_IFMT {
            SFlag::S_IFREG => {}
            SFlag::S_IFLNK => return Err(PathError::Elsewhere { path: path(), why: LINK }),
            _ => return Err(PathError::NotAFile(path())),
        }
        let opened = self.open_with(name, OFlag::O_RDONLY, Mode::empty(), ResolveFlag::RESOLVE_NO_XDEV);
        let file = opened.map_err(|e| self.why(name, e))?;
        let data = file.metadata().map_err(|source| PathError::Refused { path: path(), source })?;
        if !data.is_file() {
            return Err(PathError::NotAFile(path()));
        }
        if data.nlink() > 1 {
            return Err(PathError::Elsewhere {
                path: path(),
                why: "the file has a second name (a hard link)",
            });
        }
        self.spelled(name)?;
        Ok(file)
    }

    /// What is directly beneath, hidden names included, at most the given number of entries.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn listed(&self, most: usize) -> Result<Listed, PathError> {
        let mut listed = Listed::default();
        for entry in self.dir()?.iter() {
            let entry = entry.map_err(refused(&self.path))?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            if listed.entries.len() >= most {
                listed.cut = true;
                break;
            }
            let Ok(text) = name.to_str() else {
                listed.unreadable += 1;
                continue;
            };
            let kind = match fstatat(&self.handle, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
                Ok(data) => match SFlag::from_bits_truncate(data.st_mode) & SFlag::S_IFMT {
                    SFlag::S_IFREG => Below::File(u64::try_from(data.st_size).unwrap_or(0)),
                    SFlag::S_IFDIR => Below::Folder,
                    _ => Below::Other,
                },
                // Gone since it was listed.
                Err(Errno::ENOENT) => continue,
                Err(_) if entry.file_type() == Some(Type::Directory) => Below::Folder,
                Err(_) => Below::Other,
            };
            listed.entries.push((text.to_owned(), kind));
        }
        sorted::by(&mut listed.entries, |a, b| a.0.cmp(&b.0));
        Ok(listed)
    }

    fn dir(&self) -> Result<Dir, PathError> {
        let again = self.open(".", OFlag::O_RDONLY | OFlag::O_DIRECTORY)?;
        Dir::from_fd(again.into()).map_err(refused(&self.path))
    }

    /// Whether this folder lists exactly this name.
    fn spelled(&self, name: &str) -> Result<(), PathError> {
        for entry in self.dir()?.iter() {
            if entry.map_err(refused(&self.path))?.file_name().to_bytes() == name.as_bytes() {
                return Ok(());
            }
        }
        let why = "the folder lists it under another spelling";
        Err(PathError::Elsewhere { path: self.path.join(name), why })
    }

    fn is_one_name(&self, name: &str) -> Result<(), PathError> {
        let one = !matches!(name, "" | "." | "..") && !name.contains('/');
        if one { Ok(()) } else { Err(refused(&self.path.join(name))(Errno::EINVAL)) }
    }

    /// What the refusal of the operating system means.
    fn why(&self, name: &str, error: PathError) -> PathError {
        let PathError::Refused { path, source } = error else { return error };
        let link = || {
            let found = fstatat(&self.handle, name, AtFlags::AT_SYMLINK_NOFOLLOW);
            found.is_ok_and(|d| SFlag::from_bits_truncate(d.st_mode) & SFlag::S_IFMT == SFlag::S_IFLNK)
        };
        match source.raw_os_error().map(Errno::from_raw) {
            Some(Errno::ELOOP) => PathError::Elsewhere { path, why: LINK },
            Some(Errno::EXDEV) => PathError::Elsewhere { path, why: "another file system is mounted there" },
            Some(Errno::ENOTDIR) if link() => PathError::Elsewhere { path, why: LINK },
            _ => PathError::Refused { path, source },
        }
    }
}

const LINK: &str = "it is a link, and links are not followed";
