//! Folders and files that this program makes, and the user to whom root hands them over.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use confine::User;
use nix::fcntl::AT_FDCWD;
use nix::sys::stat::{Mode, mkdirat};
use nix::unistd::{Gid, Uid, fchown, geteuid};

use crate::error::Error;
use crate::paths::Folder;

/// What others may do with a folder that is its owner's alone.
pub const PRIVATE: u32 = 0o700;

/// Opens a folder; where it is missing, makes it and those above it within the home, if this user may.
pub fn made(path: &Path, mode: u32) -> Result<Folder, Error> {
    match Folder::root(path) {
        Err(e) if e.is_missing() => {}
        other => return Ok(other?),
    }
    let above: PathBuf = path.parent().map(Path::to_owned).unwrap_or_default();
    for folder in [above.as_path(), path] {
        match mkdirat(AT_FDCWD, folder, Mode::from_bits_truncate(mode)) {
            Ok(()) | Err(nix::errno::Errno::EEXIST) => {}
            Err(errno) => {
                let why = io::Error::other(format!(
                    "missing, and this user may not make it ({errno}); `cl-admin init` makes it for the profile"
                ));
                return Err(Error::Io { path: folder.to_owned(), source: why });
            }
        }
    }
    Ok(Folder::root(path)?)
}

/// Sees to it that a folder of the bot belongs to the user as whom the bot will run.
///
/// One that root made is handed over while nothing is in it but the folders in `parts`, which get the same look; what is
/// in it otherwise was written for root.
///
/// # Errors
/// A folder, or something directly in it, that belongs to somebody else.
pub fn own(folder: &Folder, parts: &[&str], user: Option<&User>) -> Result<(), Error> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let handle = folder.handle();
    let owner = handle.metadata().map_err(Error::io(folder.path()))?.uid();
    let wanted = user.map_or(0, User::uid);
    let others = || Error::NotOurs { path: folder.path().to_owned(), owner, wanted };
    match user {
        _ if owner == wanted => Ok(()),
        Some(user) if owner == 0 && folder.holds_only(parts)? => {
            let to = (Uid::from_raw(user.uid()), Gid::from_raw(user.gid()));
            fchown(handle, Some(to.0), Some(to.1))
                .map_err(|errno| Error::Io { path: folder.path().to_owned(), source: errno.into() })
        }
        _ => Err(others()),
    }
}

/// Hands a file over that root made or opened, to the user as whom the bot will run.
///
/// # Errors
/// The operating system refuses.
pub fn hand_over(file: &File, path: &Path, user: Option<&User>) -> Result<(), Error> {
    let Some(user) = user.filter(|_| geteuid().is_root()) else { return Ok(()) };
    let data = file.metadata().map_err(Error::io(path))?;
    if data.uid() == user.uid() {
        return Ok(());
    }
    fchown(file, Some(Uid::from_raw(user.uid())), Some(Gid::from_raw(user.gid())))
        .map_err(|errno| Error::Io { path: path.to_owned(), source: errno.into() })
}
