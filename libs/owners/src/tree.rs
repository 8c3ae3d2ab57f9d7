//! Looks through a folder by handles: no link is followed, and what was looked at is what is changed.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat, openat2};
use nix::sys::stat::{FileStat, Mode, SFlag, fstat};
use nix::unistd::geteuid;

/// Something in the tree, held open so that it cannot be exchanged.
#[derive(Debug)]
pub struct Seen<'a> {
    /// Its path, for messages.
    pub path: &'a Path,
    /// The thing itself, opened for no reading.
    pub handle: &'a OwnedFd,
    /// What it is.
    pub stat: FileStat,
}

impl Seen<'_> {
    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        kind(self.stat.st_mode) == SFlag::S_IFDIR
    }

    /// What it is, where neither a folder nor a file with one name belongs.
    pub fn oddity(&self) -> Option<&'static str> {
        match kind(self.stat.st_mode) {
            SFlag::S_IFDIR | SFlag::S_IFSOCK => None,
            SFlag::S_IFREG if self.stat.st_nlink <= 1 => None,
            SFlag::S_IFREG => Some("a file with a second name (a hard link)"),
            SFlag::S_IFLNK => Some("a link"),
            SFlag::S_IFIFO => Some("a pipe"),
            _ => Some("a device"),
        }
    }
}

/// Hands a folder and all below it, to a depth, to `see`, at most `left` things. The folder is opened beneath `base`, whose
/// own path nobody else may change; one that is missing has nothing.
///
/// # Errors
/// What could not be looked at; the rest is seen all the same.
pub fn visit(
    base: &Path,
    folder: &Path,
    depth: usize,
    left: &mut usize,
    see: &mut dyn FnMut(&Seen<'_>),
) -> Vec<(PathBuf, Errno)> {
    let mut faults = vec![];
    match open(base, folder) {
        Ok(handle) => look(folder, &handle, depth, left, see, &mut faults),
        Err(Errno::ENOENT) => {}
        Err(errno) => faults.push((folder.to_owned(), errno)),
    }
    faults
}

fn open(base: &Path, folder: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlag::O_PATH | OFlag::O_CLOEXEC;
    // Root changes owners by what is seen here, and a folder of the service on the way could be exchanged for a link.
    let top = if geteuid().is_root() {
        let links = ResolveFlag::RESOLVE_NO_SYMLINKS | ResolveFlag::RESOLVE_NO_MAGICLINKS;
        openat2(AT_FDCWD, base, OpenHow::new().flags(flags | OFlag::O_DIRECTORY).resolve(links))?
    } else {
        openat(AT_FDCWD, base, flags | OFlag::O_DIRECTORY, Mode::empty())?
    };
    let beneath = folder.strip_prefix(base).unwrap_or(folder);
    if beneath.as_os_str().is_empty() {
        return Ok(top);
    }
    let strict =
        ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_SYMLINKS | ResolveFlag::RESOLVE_NO_MAGICLINKS;
    openat2(&top, beneath, OpenHow::new().flags(flags | OFlag::O_NOFOLLOW).resolve(strict))
}

fn look(
    path: &Path,
    handle: &OwnedFd,
    depth: usize,
    left: &mut usize,
    see: &mut dyn FnMut(&Seen<'_>),
    faults: &mut Vec<(PathBuf, Errno)>,
) {
    let stat = match fstat(handle) {
        Ok(stat) => stat,
        Err(errno) => return faults.push((path.to_owned(), errno)),
    };
    if *left == 0 {
        return;
    }
    *left -= 1;
    let seen = Seen { path, handle, stat };
    let names = if seen.is_folder() && depth > 0 { names(handle) } else { Ok(vec![]) };
    see(&seen);
    match names {
        Err(errno) => faults.push((path.to_owned(), errno)),
        Ok(names) => {
            for name in names {
                if *left == 0 {
                    return;
                }
                let path = path.join(&name);
                let flags = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
                match openat(handle, name.as_os_str(), flags, Mode::empty()) {
                    Ok(below) => look(&path, &below, depth - 1, left, see, faults),
                    // Replaced or removed in this moment.
                    Err(Errno::ENOENT) => {}
                    Err(errno) => faults.push((path, errno)),
                }
            }
        }
    }
}

fn names(handle: impl AsFd) -> Result<Vec<OsString>, Errno> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let mut dir = Dir::from_fd(openat(handle, ".", flags, Mode::empty())?)?;
    let mut names = vec![];
    for entry in dir.iter() {
        let name = OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned();
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    Ok(names)
}

fn kind(mode: u32) -> SFlag {
    SFlag::from_bits_truncate(mode) & SFlag::S_IFMT
}
