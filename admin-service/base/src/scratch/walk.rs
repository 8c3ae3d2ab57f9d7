//! Through all of a folder with one handle for each level, as deep as the quota lets it.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::{Path, PathBuf};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat};
use nix::sys::stat::{FchmodatFlags, FileStat, Mode, SFlag, fchmod, fchmodat, fstat, fstatat};
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};

use super::{Over, Quota, Usage, opened};

/// Counts everything beneath a folder, and does something with each entry.
pub(super) fn over(
    folder: &Path,
    quota: Quota,
    mut each: impl FnMut(BorrowedFd<'_>, &CStr, &FileStat),
) -> Result<Usage, Over> {
    let top = match opened(folder) {
        Ok(top) => top,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Usage::default()),
        Err(_) => return Err(Over::Closed),
    };
    let mut used = Usage::default();
    let mut open: Vec<(File, Vec<CString>)> = vec![];
    let inner = level(&top, quota, &mut used, &mut each)?;
    open.push((top, inner));
    while let Some((above, left)) = open.last_mut() {
        let Some(name) = left.pop() else {
            open.pop();
            continue;
        };
        let next = match beneath(above.as_fd(), &name, Mode::S_IRUSR | Mode::S_IXUSR) {
            Ok(next) => next,
            // It went meanwhile, or is something else by now: the next look finds out.
            Err(Errno::ENOENT | Errno::ENOTDIR | Errno::ELOOP) => continue,
            Err(_) => return Err(Over::Closed),
        };
        if open.len() >= quota.depth {
            return Err(Over::Depth(quota.depth));
        }
        let inner = level(&next, quota, &mut used, &mut each)?;
        open.push((next, inner));
    }
    Ok(used)
}

/// Counts one folder; answers the folders in it.
fn level(
    folder: &File,
    quota: Quota,
    used: &mut Usage,
    each: &mut impl FnMut(BorrowedFd<'_>, &CStr, &FileStat),
) -> Result<Vec<CString>, Over> {
    let mut folders = vec![];
    let listed = match names(folder.as_fd(), quota.entries + 1) {
        // It was removed meanwhile.
        Err(Errno::ENOENT) => vec![],
        listed => listed.map_err(|_| Over::Closed)?,
    };
    for name in listed {
        let facts = match fstatat(folder, name.as_c_str(), AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(facts) => facts,
            Err(Errno::ENOENT) => continue,
            Err(_) => return Err(Over::Closed),
        };
        used.entries += 1;
        used.bytes =
            used.bytes.saturating_add(u64::try_from(facts.st_blocks).unwrap_or(0).saturating_mul(512));
        if used.entries > quota.entries {
            return Err(Over::Entries(quota.entries));
        }
        if used.bytes > quota.bytes {
            return Err(Over::Bytes(quota.bytes));
        }
        each(folder.as_fd(), &name, &facts);
        if kind(&facts) == SFlag::S_IFDIR {
            folders.push(name);
        }
    }
    Ok(folders)
}

/// The names in a folder, at most `most`.
pub(super) fn names(folder: BorrowedFd<'_>, most: usize) -> Result<Vec<CString>, Errno> {
    // Opened anew, so that each listing begins at the beginning.
    let mut listing = Dir::openat(folder, ".", FOLDER, Mode::empty())?;
    let mut names = vec![];
    for entry in listing.iter() {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_bytes() != b"." && name.to_bytes() != b".." {
            names.push(name.to_owned());
        }
        if names.len() >= most {
            break;
        }
    }
    Ok(names)
}

/// Opens a folder within a folder; restores the permissions in `needed` if its owner removed them.
pub(super) fn beneath(above: BorrowedFd<'_>, name: &CStr, needed: Mode) -> Result<File, Errno> {
    let folder = match openat(above, name, FOLDER, Mode::empty()) {
        Err(Errno::EACCES) => {
            set_mode(above, name, Mode::S_IRWXU)?;
            openat(above, name, FOLDER, Mode::empty())
        }
        other => other,
    };
    let folder = File::from(folder?);
    let modes = Mode::from_bits_truncate(fstat(&folder)?.st_mode & 0o7777);
    if !modes.contains(needed) && !geteuid().is_root() {
        fchmod(&folder, modes | needed)?;
    }
    Ok(folder)
}

/// Takes the dangerous bits from an entry; see [`super::tidy`].
pub(super) fn tidied(above: BorrowedFd<'_>, name: &CStr, facts: &FileStat) {
    let kept = match kind(facts) {
        SFlag::S_IFDIR => 0o2750,
        SFlag::S_IFREG => 0o750,
        _ => {
            // What cannot go now goes with the folder.
            let _ = unlinkat(above, name, UnlinkatFlags::NoRemoveDir);
            return;
        }
    };
    if facts.st_mode & 0o7777 & !kept != 0 {
        // An entry that cannot be changed is not the owner's any more, and the folder above it is closed to others.
        let _ = set_mode(above, name, Mode::from_bits_truncate(facts.st_mode & kept));
    }
}

/// The same for the folder itself.
pub(super) fn top_tidied(folder: &File) -> Result<(), Errno> {
    let modes = fstat(folder)?.st_mode & 0o7777;
    if modes & !0o2750 == 0 { Ok(()) } else { fchmod(folder, Mode::from_bits_truncate(modes & 0o2750)) }
}

/// Sets the mode of exactly what is opened here; a link has none.
fn set_mode(above: BorrowedFd<'_>, name: &CStr, mode: Mode) -> Result<(), Errno> {
    let handle = openat(above, name, OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC, Mode::empty())?;
    if kind(&fstat(&handle)?) == SFlag::S_IFLNK {
        return Err(Errno::ELOOP);
    }
    let path = PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()));
    fchmodat(AT_FDCWD, &path, mode, FchmodatFlags::FollowSymlink)
}

fn kind(facts: &FileStat) -> SFlag {
    SFlag::from_bits_truncate(facts.st_mode & SFlag::S_IFMT.bits())
}

const FOLDER: OFlag = OFlag::O_RDONLY
    .union(OFlag::O_DIRECTORY)
    .union(OFlag::O_NOFOLLOW)
    .union(OFlag::O_NONBLOCK)
    .union(OFlag::O_CLOEXEC);
