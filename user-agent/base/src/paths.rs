//! Opens beneath the allowed roots only: relative to a folder's handle, no link followed, nothing but regular files.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::dir::{Dir, Type};
use nix::errno::Errno;
use nix::fcntl::{OFlag, OpenHow, ResolveFlag, openat2, renameat};
use nix::sys::stat::{Mode, mkdirat};
use nix::unistd::{UnlinkatFlags, unlinkat};

mod walk;

/// What others may do with a folder of the bot: where the folder above has the set-group bit, the service's group enters.
pub const SHARED_FOLDER: u32 = 0o750;
/// The same for a file.
const SHARED_FILE: u32 = 0o640;

pub use walk::{Below, Listed};

/// A folder that is open; everything beneath it is reached through this handle.
#[derive(Debug)]
pub struct Folder {
    handle: File,
    /// For messages only: it is never opened again.
    path: PathBuf,
}

/// A file or folder that could not be used.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// The operating system refuses, or the name leads out of the folder or over a link.
    #[error("{path}: {why}", path = path.display(), why = durable::words(source))]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something else than a regular file.
    #[error("{path} is not a regular file", path = .0.display())]
    NotAFile(PathBuf),
    /// More bytes than are read.
    #[error("{path} has more than {limit} bytes", path = path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What is read at most.
        limit: u64,
    },
    /// Another file than its path says: a link, another mount, a second name, or a name in another spelling.
    #[error("{path}: {why}", path = path.display())]
    Elsewhere {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        why: &'static str,
    },
    /// The text is not UTF-8.
    #[error("{path} is not text in UTF-8", path = .0.display())]
    NotText(PathBuf),
}

impl PathError {
    /// Whether the file is simply not there.
    pub fn is_missing(&self) -> bool {
        matches!(self, PathError::Refused { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

impl From<PathError> for io::Error {
    fn from(error: PathError) -> io::Error {
        match error {
            PathError::Refused { source, .. } => source,
            other => io::Error::other(other),
        }
    }
}

impl Folder {
    /// Opens a root; the person or the program chose its path, so links on the way to it are followed.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn root(path: &Path) -> Result<Folder, PathError> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let handle = nix::fcntl::open(path, flags, Mode::empty()).map_err(refused(path))?;
        Ok(Folder { handle: File::from(handle), path: path.to_owned() })
    }

    /// A folder that was opened elsewhere.
    pub fn of(handle: File, path: &Path) -> Folder {
        Folder { handle, path: path.to_owned() }
    }

    /// Where the folder is, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open folder itself.
    pub fn handle(&self) -> &File {
        &self.handle
    }

    /// Waits until what was made, renamed or removed directly in it is on the disk.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn sync(&self) -> std::io::Result<()> {
        self.handle.sync_all()
    }

    /// Whether nothing is in it, hidden or not, but what is named.
    ///
    /// # Errors
    /// An error of the operating system.
    pub(crate) fn holds_only(&self, names: &[&str]) -> Result<bool, PathError> {
        let again = self.open(".", OFlag::O_RDONLY | OFlag::O_DIRECTORY)?;
        let mut folder = Dir::from_fd(again.into()).map_err(refused(&self.path))?;
        let named = |name: &str| matches!(name, "." | "..") || names.contains(&name);
        Ok(folder.iter().flatten().all(|entry| entry.file_name().to_str().is_ok_and(named)))
    }

    /// Opens a folder beneath.
    ///
    /// # Errors
    /// A name that leads out or over a link, or an error of the operating system.
    pub fn folder(&self, name: &str) -> Result<Folder, PathError> {
        let handle = self.open(name, OFlag::O_RDONLY | OFlag::O_DIRECTORY)?;
        Ok(Folder { handle, path: self.path.join(name) })
    }

    /// Opens a folder directly beneath, and makes it (mode 0700) where it is missing.
    ///
    /// # Errors
    /// As [`Folder::folder`].
    pub fn make_folder(&self, name: &str) -> Result<Folder, PathError> {
        if name.contains('/') {
            return Err(refused(&self.path.join(name))(Errno::EINVAL));
        }
        match mkdirat(&self.handle, name, Mode::from_bits_truncate(SHARED_FOLDER)) {
            Ok(()) | Err(Errno::EEXIST) => self.folder(name),
            Err(errno) => Err(refused(&self.path.join(name))(errno)),
        }
    }

    /// Reads a regular file of at most `limit` bytes.
    ///
    /// # Errors
    /// Anything but such a file beneath this folder.
    pub fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, PathError> {
        let file = self.open_file(name, OFlag::O_RDONLY)?;
        let expected = file.metadata().map_or(0, |data| data.len().min(limit));
        let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0) + 1);
        let path = || self.path.join(name);
        file.take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|source| PathError::Refused { path: path(), source })?;
        if bytes.len() as u64 > limit {
            return Err(PathError::TooLarge { path: path(), limit });
        }
        Ok(bytes)
    }

    /// Reads a regular file as text.
    ///
    /// # Errors
    /// As [`Folder::read`], and bytes that are not UTF-8.
    pub fn read_text(&self, name: &str, limit: u64) -> Result<String, PathError> {
        String::from_utf8(self.read(name, limit)?).map_err(|_| PathError::NotText(self.path.join(name)))
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// As [`Folder::read`].
    pub fn file(&self, name: &str) -> Result<File, PathError> {
        self.open_file(name, OFlag::O_RDONLY)
    }

    /// Removes a file directly beneath; answers whether it was there.
    ///
    /// # Errors
    /// An error of the operating system, such as that it is a folder.
    pub fn remove(&self, name: &str) -> Result<bool, PathError> {
        if name.contains('/') {
            return Err(refused(&self.path.join(name))(Errno::EINVAL));
        }
        match unlinkat(&self.handle, name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) => Ok(true),
            Err(Errno::ENOENT) => Ok(false),
            Err(errno) => Err(refused(&self.path.join(name))(errno)),
        }
    }

    /// Opens a log for appending and makes it (mode 0600) where it is missing.
    ///
    /// # Errors
    /// As [`Folder::read`].
    pub fn log(&self, name: &str) -> Result<File, PathError> {
        self.log_with(name, Mode::S_IRUSR | Mode::S_IWUSR)
    }

    /// As [`Folder::log`], for what the service reads: where the folder above has the set-group bit, it may by its group.
    ///
    /// # Errors
    /// As [`Folder::read`].
    pub fn shared_log(&self, name: &str) -> Result<File, PathError> {
        self.log_with(name, Mode::from_bits_truncate(SHARED_FILE))
    }

    fn log_with(&self, name: &str, mode: Mode) -> Result<File, PathError> {
        let flags = OFlag::O_RDWR | OFlag::O_APPEND | OFlag::O_CREAT;
        self.regular(name, self.open_with(name, flags, mode, ResolveFlag::empty())?)
    }

    /// Appends one line to a log and syncs it.
    ///
    /// # Errors
    /// As [`Folder::log`], or a write that fails; the log is then as it was.
    pub fn append(&self, name: &str, line: &str) -> Result<(), PathError> {
        let log = self.log(name)?;
        durable::append_line(&log, line)
            .map_err(|source| PathError::Refused { path: self.path.join(name), source })
    }

    /// Replaces or makes a file directly beneath; readers see the old content or the new.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), PathError> {
        durable::replace_at(&self.handle, name, bytes, SHARED_FILE)
            .map_err(|source| PathError::Refused { path: self.path.join(name), source })
    }

    /// As [`Folder::replace`], for the place of a file that was there: nobody may do more with the new one than with `old`.
    ///
    /// # Errors
    /// As [`Folder::replace`].
    pub fn replace_like(&self, old: &File, name: &str, bytes: &[u8]) -> Result<(), PathError> {
        let mode = old.metadata().map(|facts| facts.mode() & 0o777);
        mode.and_then(|mode| durable::replace_at(&self.handle, name, bytes, mode))
            .map_err(|source| PathError::Refused { path: self.path.join(name), source })
    }

    /// As [`Folder::replace_secret`]; on a full disk the bytes are written over those that the file has, for which it needs no room. A
    /// power cut in that moment leaves the old bytes, the new ones, or both in parts.
    ///
    /// # Errors
    /// As [`Folder::replace`]; on a full disk also a file that is missing, or longer than the new bytes.
    pub fn replace_or_overwrite(&self, name: &str, bytes: &[u8]) -> Result<(), PathError> {
        let full = match self.replace_secret(name, bytes) {
            Err(PathError::Refused { source, path })
                if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) =>
            {
                PathError::Refused { source, path }
            }
            other => return other,
        };
        let Ok(file) = self.open_file(name, OFlag::O_WRONLY) else { return Err(full) };
        let fits = file.metadata().is_ok_and(|facts| facts.len() <= bytes.len() as u64);
        let written = || file.write_all_at(bytes, 0).and_then(|()| file.sync_data());
        if fits && written().is_ok() { Ok(()) } else { Err(full) }
    }

    /// As [`Folder::replace`], for what nobody else may read.
    ///
    /// # Errors
    /// As [`Folder::replace`].
    pub fn replace_secret(&self, name: &str, bytes: &[u8]) -> Result<(), PathError> {
        durable::replace_at(&self.handle, name, bytes, 0o600)
            .map_err(|source| PathError::Refused { path: self.path.join(name), source })
    }

    /// Makes a file directly beneath that must not exist; `mode` is what others may do with it.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn create_new(&self, name: &str, bytes: &[u8], mode: u32) -> Result<(), PathError> {
        durable::create_new_at(&self.handle, name, bytes, mode)
            .map_err(|source| PathError::Refused { path: self.path.join(name), source })
    }

    /// Gives a file directly beneath another name, and syncs the folder; what had that name is replaced.
    ///
    /// # Errors
    /// A name with a separator, or an error of the operating system.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), PathError> {
        let path = self.path.join(from);
        if from.contains('/') || to.contains('/') {
            return Err(refused(&path)(Errno::EINVAL));
        }
        renameat(&self.handle, from, &self.handle, to).map_err(refused(&path))?;
        self.handle.sync_all().map_err(|source| PathError::Refused { path, source })
    }

    /// The names of the regular files directly beneath, sorted; hidden ones are left out.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn files(&self) -> Result<Vec<String>, PathError> {
        self.names(|kind| kind == Some(Type::File))
    }

    /// The names of files and folders directly beneath, sorted; hidden ones are left out.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn entries(&self) -> Result<Vec<String>, PathError> {
        self.names(|kind| matches!(kind, Some(Type::File | Type::Directory)))
    }

    /// When a file directly beneath was last changed, and its size.
    pub fn stamp(&self, name: &str) -> Option<(SystemTime, u64)> {
        let data = self.open_file(name, OFlag::O_RDONLY).ok()?.metadata().ok()?;
        Some((data.modified().ok()?, data.len()))
    }

    fn names(&self, wanted: impl Fn(Option<Type>) -> bool) -> Result<Vec<String>, PathError> {
        let again = self.open(".", OFlag::O_RDONLY | OFlag::O_DIRECTORY)?;
        let mut folder = Dir::from_fd(again.into()).map_err(refused(&self.path))?;
        let mut names = Vec::new();
        for entry in folder.iter() {
            let entry = entry.map_err(refused(&self.path))?;
            if let Ok(name) = entry.file_name().to_str()
                && !name.starts_with('.')
                && wanted(entry.file_type())
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    fn open_file(&self, name: &str, flags: OFlag) -> Result<File, PathError> {
        self.regular(name, self.open(name, flags)?)
    }

    fn regular(&self, name: &str, file: File) -> Result<File, PathError> {
        match file.metadata() {
            Ok(data) if data.is_file() => Ok(file),
            Ok(_) => Err(PathError::NotAFile(self.path.join(name))),
            Err(source) => Err(PathError::Refused { path: self.path.join(name), source }),
        }
    }

    fn open(&self, name: &str, flags: OFlag) -> Result<File, PathError> {
        self.open_with(name, flags, Mode::empty(), ResolveFlag::empty())
    }

    fn open_with(&self, name: &str, flags: OFlag, mode: Mode, more: ResolveFlag) -> Result<File, PathError> {
        // Without O_NONBLOCK, a pipe in the place of a file would hang the program before it can be refused.
        let flags = flags | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let how = OpenHow::new().flags(flags).mode(mode).resolve(
            ResolveFlag::RESOLVE_BENEATH
                | ResolveFlag::RESOLVE_NO_SYMLINKS
                | ResolveFlag::RESOLVE_NO_MAGICLINKS
                | more,
        );
        let handle = openat2(&self.handle, name, how).map_err(refused(&self.path.join(name)))?;
        Ok(File::from(handle))
    }
}

fn refused(path: &Path) -> impl FnOnce(Errno) -> PathError + Copy + '_ {
    move |errno| PathError::Refused { path: path.to_owned(), source: errno.into() }
}

#[cfg(test)]
mod tests;
