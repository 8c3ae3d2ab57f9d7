//! Removal that takes two handles and no recursion, however deep a folder is nested.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{RenameFlags, renameat2};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};

use super::opened;
use super::walk::{beneath, names};

/// Removes a folder with everything in it; a missing folder is not an error. No process may run in it any more.
///
/// The folders within a folder are moved up beside it, so that each is empty of folders when its turn comes.
///
/// # Errors
/// What the operating system refuses; what could be removed until then is gone.
pub fn remove(folder: &Path) -> io::Result<()> {
    let name = folder.file_name().and_then(|name| CString::new(name.as_bytes()).ok());
    let (Some(above), Some(name)) = (folder.parent(), name) else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    };
    let above = opened(above)?;
    let top = match beneath(above.as_fd(), &name, Mode::S_IRWXU) {
        Ok(top) => top,
        Err(Errno::ENOENT) => return Ok(()),
        // A link, or a file: the name goes, and nothing behind it.
        Err(Errno::ENOTDIR | Errno::ELOOP) => return Ok(gone(unlinkat(&above, &*name, FILE))?),
        Err(e) => return Err(e.into()),
    };
    let mut number = 0_u64;
    loop {
        let listed = names(top.as_fd(), AT_ONCE)?;
        if listed.is_empty() {
            break;
        }
        for name in listed {
            one(top.as_fd(), &name, &mut number)?;
        }
    }
    drop(top);
    Ok(gone(unlinkat(&above, &*name, FOLDER))?)
}

/// Removes one entry of the top folder; the folders within it become entries of the top folder.
fn one(top: BorrowedFd<'_>, name: &CStr, number: &mut u64) -> Result<(), Errno> {
    match unlinkat(top, name, FILE) {
        Err(Errno::EISDIR) => {}
        other => return gone(other),
    }
    let folder = beneath(top, name, Mode::S_IRWXU)?;
    loop {
        let listed = names(folder.as_fd(), AT_ONCE)?;
        if listed.is_empty() {
            break;
        }
        for inner in listed {
            match unlinkat(&folder, &*inner, FILE) {
                Err(Errno::EISDIR) => move_up(folder.as_fd(), &inner, top, number)?,
                other => gone(other)?,
            }
        }
    }
    drop(folder);
    gone(unlinkat(top, name, FOLDER))
}

fn move_up(folder: BorrowedFd<'_>, inner: &CStr, top: BorrowedFd<'_>, number: &mut u64) -> Result<(), Errno> {
    let mut opened = false;
    loop {
        *number += 1;
        let free = CString::new(format!(".removed-{number}")).map_err(|_| Errno::EINVAL)?;
        match renameat2(folder, inner, top, &*free, RenameFlags::RENAME_NOREPLACE) {
            Ok(()) => return Ok(()),
            Err(Errno::EEXIST) => {}
            // To move a folder is to write it: opening it gives its owner the right to.
            Err(Errno::EACCES) if !opened => {
                beneath(folder, inner, Mode::S_IRWXU)?;
                opened = true;
            }
            Err(e) => return Err(e),
        }
    }
}

fn gone(answer: Result<(), Errno>) -> Result<(), Errno> {
    match answer {
        Err(Errno::ENOENT) => Ok(()),
        other => other,
    }
}

const FILE: UnlinkatFlags = UnlinkatFlags::NoRemoveDir;
const FOLDER: UnlinkatFlags = UnlinkatFlags::RemoveDir;
/// How many names are read before they are removed.
const AT_ONCE: usize = 4096;
