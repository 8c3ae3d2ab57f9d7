//! Whole files: a reader sees the old content or the new one, never a part.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::Mode;
use nix::unistd::{LinkatFlags, UnlinkatFlags, linkat, unlinkat};
use rustix::fs::{RenameFlags, renameat_with};

/// Replaces a file's content, or makes the file: written beside it under a hidden name, synced, renamed, folder synced.
///
/// # Errors
/// An error of the operating system; the old content then still stands.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let (folder, name) = split(path)?;
    replace_at(&folder, name, bytes, mode)
}

/// Makes a file that must not exist yet; its name appears only when all of it is on the disk.
///
/// # Errors
/// `AlreadyExists` where something has that name; else an error of the operating system.
pub fn create_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let (folder, name) = split(path)?;
    create_new_at(&folder, name, bytes, mode)
}

/// As [`replace`], for a name directly beneath an open folder.
///
/// # Errors
/// As [`replace`]; a name with a separator is refused.
pub fn replace_at(folder: &File, name: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
    let hidden = write_hidden(folder, name, bytes, mode)?;
    let renamed = renameat(folder.as_fd(), hidden.as_str(), folder.as_fd(), name);
    finish(folder, &hidden, renamed)
}

/// As [`create_new`], for a name directly beneath an open folder.
///
/// # Errors
/// As [`create_new`]; a name with a separator is refused.
pub fn create_new_at(folder: &File, name: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
    let hidden = write_hidden(folder, name, bytes, mode)?;
    let fd = folder.as_fd();
    let renamed = renameat_with(fd, hidden.as_str(), fd, name, RenameFlags::NOREPLACE);
    let placed = match renamed.map_err(|errno| Errno::from_raw(errno.raw_os_error())) {
        // Not every file system knows the flag; a hard link does not overwrite either.
        Err(Errno::EINVAL | Errno::ENOSYS) => linkat(fd, hidden.as_str(), fd, name, LinkatFlags::empty())
            .and_then(|()| unlinkat(fd, hidden.as_str(), UnlinkatFlags::NoRemoveDir)),
        other => other,
    };
    finish(folder, &hidden, placed)
}

/// As [`replace`], without waiting for the disk: for what can be made again from something else. A reader sees the old
/// content or the new one; after a power cut either, or a file without content.
///
/// # Errors
/// As [`replace`].
pub fn replace_unsynced(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let (folder, name) = split(path)?;
    let hidden = hidden(&folder, name, mode, |file| file.write_all(bytes))?;
    let renamed = renameat(folder.as_fd(), hidden.as_str(), folder.as_fd(), name);
    placed(&folder, &hidden, renamed)
}

/// A large file that is written piece by piece and has no name until all of it is on the disk. When it is dropped before,
/// nothing of it is left.
#[derive(Debug)]
pub struct Draft {
    folder: File,
    name: String,
    hidden: String,
    file: File,
    is_placed: bool,
}

impl Draft {
    /// Begins a file that will replace the one of this name, or be new.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn begin(path: &Path, mode: u32) -> io::Result<Draft> {
        let (folder, name) = split(path)?;
        Draft::begin_at(folder, name, mode)
    }

    /// As [`Draft::begin`], for a name directly beneath an open folder.
    ///
    /// # Errors
    /// As [`Draft::begin`]; a name with a separator is refused.
    pub fn begin_at(folder: File, name: &str, mode: u32) -> io::Result<Draft> {
        let mut opened = None;
        let hidden = hidden(&folder, name, mode, |file| {
            opened = Some(file.try_clone()?);
            Ok(())
        })?;
        let file = opened.expect("the file was made");
        Ok(Draft { folder, name: name.to_owned(), hidden, file, is_placed: false })
    }

    /// The file, for a process that writes it while another one names it.
    ///
    /// # Errors
    /// Too many open files.
    pub fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Leaves naming and removing to the process that this one was forked from, or that it forked.
    pub fn leave(mut self) {
        self.is_placed = true;
    }

    /// Syncs what was written and gives it its name; a file of that name is replaced in one step.
    ///
    /// # Errors
    /// An error of the operating system; the old content then still stands.
    pub fn place(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        renameat(self.folder.as_fd(), self.hidden.as_str(), self.folder.as_fd(), self.name.as_str())?;
        self.is_placed = true;
        self.folder.sync_all()
    }

    /// The process that wrote a file that never got its name, if this is the hidden name of one.
    pub fn writer_of(hidden: &str) -> Option<u32> {
        let rest = hidden.strip_prefix('.')?.strip_suffix(".tmp")?;
        let (rest, count) = rest.rsplit_once('.')?;
        let (_, process) = rest.rsplit_once('.')?;
        count.parse::<u64>().ok()?;
        process.parse().ok()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = unlinkat(self.folder.as_fd(), self.hidden.as_str(), UnlinkatFlags::NoRemoveDir);
        }
    }
}

/// Removes what processes that were killed left of a file directly beneath an open folder that was to be replaced. The caller knows that
/// nobody replaces it meanwhile.
///
/// # Errors
/// An error of the operating system.
pub fn remove_drafts_at(folder: &File, name: &str) -> io::Result<()> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let mut listed = Dir::openat(folder.as_fd(), ".", flags, Mode::empty())?;
    for entry in listed.iter() {
        let entry = entry?;
        let Ok(hidden) = entry.file_name().to_str() else { continue };
        let of_name = hidden.strip_prefix('.').and_then(|rest| rest.strip_prefix(name));
        if of_name.is_some_and(|rest| rest.matches('.').count() == 3 && Draft::writer_of(hidden).is_some()) {
            unlinkat(folder.as_fd(), hidden, UnlinkatFlags::NoRemoveDir)?;
        }
    }
    Ok(())
}

/// Syncs a folder, so that the names in it survive a crash.
///
/// # Errors
/// An error of the operating system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

fn split(path: &Path) -> io::Result<(File, &str)> {
    let name =
        path.file_name().and_then(|n| n.to_str()).ok_or_else(|| bad_name("the path has no file name"))?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((File::open(folder)?, name))
}

fn write_hidden(folder: &File, name: &str, bytes: &[u8], mode: u32) -> io::Result<String> {
    hidden(folder, name, mode, |file| file.write_all(bytes).and_then(|()| file.sync_all()))
}

fn hidden(
    folder: &File,
    name: &str,
    mode: u32,
    mut write: impl FnMut(&mut File) -> io::Result<()>,
) -> io::Result<String> {
    if name.is_empty() || name == "." || name == ".." || name.contains('/') {
        return Err(bad_name("a file's name must not be empty, `.`, `..`, or hold `/`"));
    }
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let hidden = format!(".{name}.{}.{count}.tmp", std::process::id());
        let fd = match openat(folder.as_fd(), hidden.as_str(), flags, Mode::from_bits_truncate(mode)) {
            // Left behind by a process of the same number that was killed.
            Err(Errno::EEXIST) => continue,
            other => other?,
        };
        let mut file = File::from(fd);
        if let Err(error) = write(&mut file) {
            let _ = unlinkat(folder.as_fd(), hidden.as_str(), UnlinkatFlags::NoRemoveDir);
            return Err(error);
        }
        return Ok(hidden);
    }
}

fn finish(folder: &File, hidden: &str, named: nix::Result<()>) -> io::Result<()> {
    placed(folder, hidden, named)?;
    folder.sync_all()
}

/// Takes the hidden file away again where it could not be given its name.
fn placed(folder: &File, hidden: &str, named: nix::Result<()>) -> io::Result<()> {
    named.map_err(|error| {
        let _ = unlinkat(folder.as_fd(), hidden, UnlinkatFlags::NoRemoveDir);
        error.into()
    })
}

fn bad_name(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

#[cfg(test)]
mod tests;
