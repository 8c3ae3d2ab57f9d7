//! A plugin's files: copied, listed, digested. Regular files and folders only, each opened beneath the handle of its folder.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base::error::Error;
use beneath::{Facts, Folder, Kind, NotOpened, Opened};
use shared_types::id::Digest;
use shared_types::text::{cut, is_unsafe};

/// The most files and folders.
pub const MOST_FILES: usize = 20_000;
/// The most bytes in all files together.
pub const MOST_BYTES: u64 = 256 << 20;
/// The deepest folder.
const DEEPEST: usize = 32;

/// A file or folder with which a plugin's files are not taken.
#[derive(Debug, thiserror::Error)]
#[error("{} {why}", cut(&.path.display().to_string(), 300))]
struct Fault {
    path: PathBuf,
    why: Unfit,
}

/// Why not.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    #[error("is deeper than {DEEPEST} folders")]
    TooDeep,
    #[error("holds more than {MOST_FILES} files and folders")]
    TooMany,
    #[error("holds more than {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    #[error("holds a name that is not UTF-8 or has control characters")]
    Name,
    #[error("is a link; npm leaves its links out with `--no-bin-links`")]
    Link,
    #[error("is neither a file nor a folder")]
    Kind,
    #[error(
        "may be written by {who} (mode {mode:o}), who could change it while it is copied. Copy it to a folder of your own: \
         `cp -r --no-preserve=ownership,mode`, then run `chmod -R go-w` on the copy"
    )]
    Writable { who: String, mode: u32 },
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// SHA-256 of paths, modes and contents.
    pub digest: Digest,
    /// Every file, sorted by its path.
    pub files: Vec<Found>,
    /// How many bytes in them.
    pub bytes: u64,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its path below the folder, safe to show.
    pub path: String,
    /// Whether it can be started as a program.
    pub runs: bool,
    /// How many bytes it has.
    pub bytes: u64,
    /// Their digest.
    pub sha256: Digest,
}

/// Opens the folder of a new plugin; no third user may be able to change it while it is copied.
///
/// # Errors
/// A third user may write to it or to a folder above it.
pub fn open_source(path: &Path) -> Result<Folder, Error> {
    let failed = |why| Error::NotOpened { path: path.to_owned(), why };
    let folder = Folder::open(path).map_err(failed)?.with_second_names();
    // The real path of the opened folder, with all links resolved.
    let real = fs::read_link(folder.by_handle()).map_err(Error::io(path))?;
    base::layout::trust::check_above(&real)?;
    closed(&real, folder.facts())?;
    Ok(folder)
}

/// Copies an opened folder to a place that is not there yet, and digests what was copied.
///
/// # Errors
/// A link, a device, a name that cannot be shown, an entry that a third user may write, too many files or bytes, or a
/// failing disk.
pub fn copy(from: &Folder, to: &Path) -> Result<Tree, Error> {
    walk(from, Some(to))
}

/// Digests a folder of the admin's own.
///
/// # Errors
/// As [`copy`].
pub fn digest(folder: &Path) -> Result<Tree, Error> {
    walk(&Folder::open(folder).map_err(|why| Error::NotOpened { path: folder.to_owned(), why })?, None)
}

fn walk(from: &Folder, to: Option<&Path>) -> Result<Tree, Error> {
    let mut walked = Walk { from, to, entries: 0, files: vec![], bytes: 0 };
    walked.folder(from, Path::new(""), 0)?;
    walked.files.sort_unstable();
    let line = |found: &Found| {
        let mark = if found.runs { 'x' } else { '-' };
        format!("{}\t{mark}\t{}", found.path, found.sha256)
    };
    let mut lines: Vec<String> = walked.files.iter().map(line).collect();
    lines.sort_unstable();
    let digest = Digest::of(lines.join("\n").as_bytes());
    Ok(Tree { digest, files: walked.files, bytes: walked.bytes })
}

struct Walk<'a> {
    from: &'a Folder,
    to: Option<&'a Path>,
    entries: usize,
    files: Vec<Found>,
    bytes: u64,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Folder, below: &Path, depth: usize) -> Result<(), Error> {
        let path = self.from.path().join(below);
        if depth > DEEPEST {
            return Err(refused(&path, Unfit::TooDeep));
        }
        if let Some(to) = self.to {
            let place = to.join(below);
            DirBuilder::new().mode(0o700).create(&place).map_err(Error::io(&place))?;
        }
        let failed = |path: &Path, why| Error::NotOpened { path: path.to_owned(), why };
        for name in folder.names().map_err(|why| failed(&path, why))? {
            let name = name.map_err(|why| failed(&path, why))?;
            self.entries += 1;
            if self.entries > MOST_FILES {
                return Err(refused(self.from.path(), Unfit::TooMany));
            }
            let inner = below.join(&name);
            let shown = self.from.path().join(&inner);
            if name.to_str().is_none_or(|name| name.chars().any(is_unsafe)) {
                return Err(refused(&path, Unfit::Name));
            }
            match folder.facts_of(&name).map_err(|why| failed(&shown, why))?.kind {
                Kind::Folder => {
                    let opened = folder.folder(&name).map_err(|why| failed(&shown, why))?;
                    closed(&shown, opened.facts())?;
                    self.folder(&opened, &inner, depth + 1)?;
                }
                Kind::File => self.file(folder, &name, &inner)?,
                Kind::Link => {
                    return Err(refused(&shown, Unfit::Link));
                }
                _ => return Err(refused(&shown, Unfit::Kind)),
            }
        }
        Ok(())
    }

    fn file(&mut self, folder: &Folder, name: &OsStr, below: &Path) -> Result<(), Error> {
        let path = self.from.path().join(below);
        let failed = |why| Error::NotOpened { path: path.clone(), why };
        let opened: Opened = folder.file(name).map_err(failed)?;
        let facts = *opened.facts();
        closed(&path, &facts)?;
        let bytes = match opened.read(MOST_BYTES - self.bytes) {
            Err(NotOpened::TooLarge { .. }) => {
                return Err(refused(self.from.path(), Unfit::TooLarge));
            }
            other => other.map_err(failed)?,
        };
        self.bytes += bytes.len() as u64;
        let runs = facts.mode & 0o111 != 0;
        let (path, size) = (below.display().to_string(), bytes.len() as u64);
        self.files.push(Found { path, runs, bytes: size, sha256: Digest::of(&bytes) });
        if let Some(to) = self.to {
            write(&to.join(below), &bytes, runs, &facts)?;
        }
        Ok(())
    }
}

fn write(place: &PathBuf, bytes: &[u8], runs: bool, facts: &Facts) -> Result<(), Error> {
    // The folders above are closed to everybody else; within, the user that a plugin gets must be able to start it.
    let mode = if runs { 0o555 } else { 0o444 };
    let copy = OpenOptions::new().write(true).create_new(true).mode(mode).open(place);
    let mut copy = copy.map_err(Error::io(place))?;
    copy.write_all(bytes).map_err(Error::io(place))?;
    copy.set_permissions(fs::Permissions::from_mode(mode)).map_err(Error::io(place))?;
    // Some interpreters keep what they compiled beside a file, and believe it by the time of that file.
    copy.set_modified(modified(facts)).map_err(Error::io(place))
}

fn modified(facts: &Facts) -> SystemTime {
    let (seconds, nanos) = facts.modified;
    let nanos = u32::try_from(nanos).unwrap_or_default();
    match u64::try_from(seconds) {
        Ok(seconds) => UNIX_EPOCH + Duration::new(seconds, nanos),
        Err(_) => UNIX_EPOCH,
    }
}

/// Refuses a file or folder that a third user may write: neither root nor the one who runs this.
fn closed(path: &Path, facts: &Facts) -> Result<(), Error> {
    match open_to(nix::unistd::geteuid().as_raw(), facts) {
        None => Ok(()),
        Some(who) => Err(refused(path, Unfit::Writable { who, mode: facts.mode & 0o777 })),
    }
}

/// Who else may write there, seen from a user.
fn open_to(us: u32, facts: &Facts) -> Option<String> {
    if facts.user != us && facts.user != 0 {
        return Some(format!("user {}", facts.user));
    }
    // Many systems give each user a group of the same number with no other member.
    let own_group = facts.group == facts.user || facts.group == 0;
    match facts.mode {
        mode if mode & 0o002 != 0 => Some("everybody".to_owned()),
        mode if mode & 0o020 != 0 && !own_group => Some(format!("group {}", facts.group)),
        _ => None,
    }
}

fn refused(path: &Path, why: Unfit) -> Error {
    Error::refused(Fault { path: path.to_owned(), why })
}

#[cfg(test)]
mod tests;
