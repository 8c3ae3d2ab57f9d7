//! A plugin's files: copied, counted, digested. Regular files and folders only.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::libc;
use shared_types::id::Digest;
use shared_types::text::{cut, is_unsafe};

use crate::error::Error;

/// The most files and folders.
pub const MOST_FILES: usize = 20_000;
/// The most bytes in all files together.
pub const MOST_BYTES: u64 = 256 << 20;
/// The deepest folder.
const DEEPEST: usize = 32;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// SHA-256 of paths, modes and contents.
    pub digest: Digest,
    /// How many files.
    pub files: usize,
    /// How many bytes in them.
    pub bytes: u64,
}

/// Copies a folder to a place that is not there yet, and digests what was copied.
///
/// # Errors
/// A link, a device, a name that cannot be shown, too many files or bytes, or a failing disk.
pub fn copy(from: &Path, to: &Path) -> Result<Tree, Error> {
    walk(from, Some(to))
}

/// Digests a folder.
///
/// # Errors
/// As [`copy`].
pub fn digest(folder: &Path) -> Result<Tree, Error> {
    walk(folder, None)
}

fn walk(from: &Path, to: Option<&Path>) -> Result<Tree, Error> {
    let mut walked = Walk { from, to, lines: vec![], entries: 0, files: 0, bytes: 0 };
    walked.folder(Path::new(""), 0)?;
    walked.lines.sort_unstable();
    let digest = Digest::of(walked.lines.join("\n").as_bytes());
    Ok(Tree { digest, files: walked.files, bytes: walked.bytes })
}

struct Walk<'a> {
    from: &'a Path,
    to: Option<&'a Path>,
    lines: Vec<String>,
    entries: usize,
    files: usize,
    bytes: u64,
}

impl Walk<'_> {
    fn folder(&mut self, below: &Path, depth: usize) -> Result<(), Error> {
        let path = self.from.join(below);
        if depth > DEEPEST {
            return Err(refused(&path, &format!("is deeper than {DEEPEST} folders")));
        }
        if let Some(to) = self.to {
            let place = to.join(below);
            DirBuilder::new().mode(0o700).create(&place).map_err(Error::io(&place))?;
        }
        for entry in fs::read_dir(&path).map_err(Error::io(&path))? {
            let entry = entry.map_err(Error::io(&path))?;
            self.entries += 1;
            if self.entries > MOST_FILES {
                return Err(refused(self.from, &format!("holds more than {MOST_FILES} files and folders")));
            }
            let name = entry.file_name();
            let inner = below.join(&name);
            let shown = self.from.join(&inner);
            if name.to_str().is_none_or(|name| name.chars().any(is_unsafe)) {
                return Err(refused(&path, "holds a name that is not UTF-8 or has control characters"));
            }
            // Of the entry itself, whatever a link would lead to.
            let kind = entry.file_type().map_err(Error::io(&shown))?;
            if kind.is_dir() {
                self.folder(&inner, depth + 1)?;
            } else if kind.is_file() {
                self.file(&inner)?;
            } else if kind.is_symlink() {
                return Err(refused(&shown, "is a link; npm leaves its links out with `--no-bin-links`"));
            } else {
                return Err(refused(&shown, "is neither a file nor a folder"));
            }
        }
        Ok(())
    }

    fn file(&mut self, below: &Path) -> Result<(), Error> {
        let path = self.from.join(below);
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = OpenOptions::new().read(true).custom_flags(flags).open(&path).map_err(Error::io(&path))?;
        let facts = file.metadata().map_err(Error::io(&path))?;
        if !facts.is_file() {
            return Err(refused(&path, "is not a regular file any more"));
        }
        let room = MOST_BYTES - self.bytes;
        let mut bytes = Vec::new();
        file.take(room + 1).read_to_end(&mut bytes).map_err(Error::io(&path))?;
        if bytes.len() as u64 > room {
            return Err(refused(self.from, &format!("holds more than {} MiB", MOST_BYTES >> 20)));
        }
        self.bytes += bytes.len() as u64;
        self.files += 1;
        let runs = facts.permissions().mode() & 0o111 != 0;
        let mark = if runs { 'x' } else { '-' };
        self.lines.push(format!("{}\t{mark}\t{}", below.display(), Digest::of(&bytes)));
        if let Some(to) = self.to {
            let place: PathBuf = to.join(below);
            // The folders above are closed to everybody else; within, the user that a plugin gets must be able to start it.
            let mode = if runs { 0o555 } else { 0o444 };
            let mut copy = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(&place)
                .map_err(Error::io(&place))?;
            copy.write_all(&bytes).map_err(Error::io(&place))?;
            copy.set_permissions(fs::Permissions::from_mode(mode)).map_err(Error::io(&place))?;
            // Some interpreters keep what they compiled beside a file, and believe it by the time of that file.
            if let Ok(changed) = facts.modified() {
                copy.set_modified(changed).map_err(Error::io(&place))?;
            }
        }
        Ok(())
    }
}

fn refused(path: &Path, why: &str) -> Error {
    Error::Refused(format!("{} {why}", cut(&path.display().to_string(), 300)))
}

#[cfg(test)]
mod tests;
