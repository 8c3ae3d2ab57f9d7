//! The file that a backup is written to, and the older ones in its folder: all by the handle of the folder, which is opened once.

mod keeper;
mod target;

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use base::clock::now;
use base::error::Error;
use base::home::Home;
use base::lock::has_ended;
use beneath::{Folder, NotOpened};
use durable::Draft;
use nix::errno::Errno;
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};
use serde::{Deserialize, Serialize};
use shared_types::id::Digest;

pub use target::Target;

/// How they end: plain, and encrypted.
const SUFFIXES: [&str; 2] = [".tar", ".tar.age"];

/// Where a backup goes.
#[derive(Debug)]
pub struct Place {
    folder: File,
    /// The folder, to be shown.
    above: PathBuf,
    name: String,
    /// How the names of this home's backups begin, where this program made the name.
    prefix: Option<String>,
}

/// Why a place that a person named is not used.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the backup's file needs a name that is text")]
    Nameless,
    #[error("{} is within the home, and would be lost together with it: name a place on another disk", .0.display())]
    WithinHome(PathBuf),
    #[error("{} {why}, and links of other users are not followed: name the place to which it leads", .path.display())]
    StrangersLink { path: PathBuf, why: NotOpened },
    #[error("{} {why} in a folder that other users may write to: name a copy in a folder of your own", .path.display())]
    SecondName { path: PathBuf, why: NotOpened },
    #[error("{} {why}", .path.display())]
    NotAFile { path: PathBuf, why: NotOpened },
}

/// What became of the older backups in a folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Kept {
    /// The names of those that were removed.
    pub removed: Vec<String>,
    /// How many stay because their names, of an earlier release, name no home.
    pub nameless: usize,
}

impl Place {
    /// A file with the name that was given, or a new name in a folder that exists. No link of another user on the way is followed.
    ///
    /// # Errors
    /// A place within the home, a folder that is missing, or such a link.
    pub fn choose(home: &Home, given: &Path, sealed: bool) -> Result<Place, Error> {
        let prefix = given.is_dir().then(|| prefix(home.root())).transpose()?;
        let (above, name) = if let Some(prefix) = &prefix {
            let time = now().replace([':', '.'], "-");
            (given, format!("{prefix}{time}{}", SUFFIXES[usize::from(sealed)]))
        } else {
            let above = given.parent().filter(|above| !above.as_os_str().is_empty());
            let name = given.file_name().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| Error::usage(Fault::Nameless))?;
            (above.unwrap_or(Path::new(".")), name.to_owned())
        };
        let folder = open_folder(above)?;
        check_outside(home, &folder, &above.join(&name))?;
        let folder = File::from(OwnedFd::from(folder));
        Ok(Place { folder, above: above.to_owned(), name, prefix })
    }

    /// The file, to be shown.
    pub fn file(&self) -> PathBuf {
        if self.above == Path::new(".") { PathBuf::from(&self.name) } else { self.above.join(&self.name) }
    }

    fn draft(&self) -> io::Result<Draft> {
        Draft::begin_at(self.folder.try_clone()?, &self.name, 0o600)
    }

    /// Removes what runs that were cut off left beside the file; answers how many that were.
    pub fn sweep(&self) -> usize {
        let one = format!(".{}.", self.name);
        let own = self.prefix.as_ref().map(|prefix| format!(".{prefix}"));
        let is_left = |name: &String| {
            let ours = name.starts_with(&one) || own.as_ref().is_some_and(|own| name.starts_with(own));
            ours && Draft::writer_of(name).is_some_and(has_ended)
        };
        let left = self.files().unwrap_or_default().into_iter().filter(is_left);
        left.filter(|name| self.remove(name).is_ok()).count()
    }

    /// Removes all but the newest backups of this home in the folder.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn keep(&self, most: usize) -> io::Result<Kept> {
        let Some(prefix) = &self.prefix else { return Ok(Kept::default()) };
        let mut found = self.files()?;
        let nameless = found.iter().filter(|name| names_no_home(name)).count();
        // The file that was just made stays, regardless of the clock. Of the others the last name has the newest time.
        found.retain(|name| is_one(prefix, name) && *name != self.name);
        found.sort_unstable();
        found.truncate(found.len().saturating_sub(most.max(1) - 1));
        found.iter().try_for_each(|name| self.remove(name))?;
        Ok(Kept { removed: found, nameless })
    }

    /// The names of the files in the folder.
    fn files(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(format!("/proc/self/fd/{}", self.folder.as_raw_fd()))?.flatten();
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        Ok(files.filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    /// Removes another backup of this home, by its path as it was noted; anything else stays.
    fn remove_noted(&self, file: &Path) -> io::Result<()> {
        let name = file.file_name().and_then(|name| name.to_str()).filter(|name| *name != self.name);
        match (&self.prefix, name) {
            (Some(prefix), Some(name)) if file.parent() == Some(&self.above) && is_one(prefix, name) => {
                self.remove(name)
            }
            _ => Ok(()),
        }
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match unlinkat(self.folder.as_fd(), name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// Whether a folder is within the home, regardless of its path.
///
/// # Errors
/// A folder on the way up that cannot be opened.
pub fn is_within(home: &Home, folder: &Folder) -> Result<bool, Error> {
    let failed = |why| Error::NotOpened { path: folder.path().to_owned(), why };
    let parts = Folder::open(home.root()).ok().into_iter().chain(home.data().folder()?);
    let parts: Vec<_> = parts.map(|part| part.identity()).collect();
    folder.is_within(&parts).map_err(failed)
}

/// Refuses a folder within the home; `shown` is how it is named in the refusal.
///
/// # Errors
/// Such a folder.
pub(crate) fn check_outside(home: &Home, folder: &Folder, shown: &Path) -> Result<(), Error> {
    if is_within(home, folder)? {
        return Err(Error::usage(Fault::WithinHome(shown.to_owned())));
    }
    Ok(())
}

/// Whose links on the way to a place count that a person named: root's, and those of who runs this.
pub(crate) fn makers() -> [u32; 2] {
    [0, geteuid().as_raw()]
}

/// Opens the folder of a file that a person named. No link of another user on the way is followed.
///
/// # Errors
/// A folder that is missing, or such a link.
pub fn open_folder(above: &Path) -> Result<Folder, Error> {
    Folder::open_by(above, &makers()).map_err(|why| unopened(above, why))
}

/// Why what a person named was not opened, with what to do.
pub(crate) fn unopened(path: &Path, why: NotOpened) -> Error {
    match why {
        NotOpened::StrangersLink { .. } => {
            Error::refused(Fault::StrangersLink { path: path.to_owned(), why })
        }
        NotOpened::SecondName => Error::refused(Fault::SecondName { path: path.to_owned(), why }),
        NotOpened::NotAFile(_) => Error::usage(Fault::NotAFile { path: path.to_owned(), why }),
        why => Error::NotOpened { path: path.to_owned(), why },
    }
}

/// How the names of a home's backups begin: `tameclaw-`, eight hexadecimal digits, `-`. The digits follow from the machine and the
/// path of the home, so several homes share a folder. Nothing in the home has a say in them: root must not be led to other backups.
fn prefix(root: &Path) -> Result<String, Error> {
    let path: PathBuf = std::path::absolute(root).map_err(Error::io(root))?.components().collect();
    let read = |file| fs::read_to_string(file).ok().filter(|text| !text.trim().is_empty());
    let machine = MACHINE.iter().find_map(read).unwrap_or_default();
    let digest = Digest::of(format!("{}\0{}", machine.trim(), path.display()).as_bytes());
    Ok(format!("tameclaw-{}-", &digest.as_str()[..8]))
}

/// Where a system names itself: by a number of its own, or else by the name of the host.
const MACHINE: [&str; 2] = ["/etc/machine-id", "/proc/sys/kernel/hostname"];

/// Whether a name is one that this program made: `tameclaw-0a1b2c3d-2026-01-02T03-04-05-678Z.tar.age` with that prefix.
fn is_one(prefix: &str, name: &str) -> bool {
    let time = name
        .strip_prefix(prefix)
        .and_then(|rest| SUFFIXES.iter().rev().find_map(|end| rest.strip_suffix(end)));
    time.is_some_and(|time| {
        time.len() >= 20
            && time.ends_with('Z')
            && time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'T' | b'Z'))
    })
}

/// Whether a name is one of an earlier release, with the time alone: `tameclaw-2026-01-02T03-04-05-678Z.tar.age`.
fn names_no_home(name: &str) -> bool {
    let begin = "tameclaw-";
    is_one(begin, name) && name[begin.len()..].find('-') == Some(4)
}

#[cfg(test)]
mod tests;
