//! Programs of the machine that a plugin runs or is started with, pinned by digest.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use base::error::Error;
use ledger::facts::PinnedFile;
use shared_types::id::Digest;

/// The largest program, in bytes.
const MOST: u64 = 512 << 20;
/// Where `env` in the first line of a script looks.
const SEARCHED: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Why a program is not pinned.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} is not a regular file of at most {} MiB", .0.display(), MOST >> 20)]
    Size(PathBuf),
    #[error("the first line of {} names `{program}`, which is not there", .script.display())]
    NotThere { script: PathBuf, program: String },
}

/// Pins a file as it is now.
///
/// # Errors
/// A file that cannot be read or is too large.
pub fn pin(path: &Path) -> Result<PinnedFile, Error> {
    Ok(PinnedFile { path: path.to_owned(), sha256: digest(path)? })
}

/// Why a file is not known to be what it was when it was pinned.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It differs.
    #[error("{} changed since the plugin was approved (an update of the system does that too)", .0.display())]
    Changed(PathBuf),
    /// It cannot be looked at.
    #[error(transparent)]
    Unread(#[from] Error),
}

/// Checks that a file is what it was when it was pinned.
///
/// # Errors
/// See [`CheckError`].
pub fn check(pinned: &PinnedFile) -> Result<(), CheckError> {
    if digest(&pinned.path)? == pinned.sha256 {
        return Ok(());
    }
    Err(CheckError::Changed(pinned.path.clone()))
}

fn digest(path: &Path) -> Result<Digest, Error> {
    let file = File::open(path).map_err(Error::io(path))?;
    let facts = file.metadata().map_err(Error::io(path))?;
    if !facts.is_file() || facts.len() > MOST {
        return Err(Error::refused(Fault::Size(path.to_owned())));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(facts.len()).unwrap_or(0));
    file.take(MOST).read_to_end(&mut bytes).map_err(Error::io(path))?;
    Ok(Digest::of(&bytes))
}

/// The programs that the first line of a script names; none if the file is not a script.
///
/// # Errors
/// A first line that names no program of this machine.
pub fn interpreters(script: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut head = Vec::new();
    File::open(script).and_then(|file| file.take(256).read_to_end(&mut head)).map_err(Error::io(script))?;
    let Some(line) = head.strip_prefix(b"#!") else { return Ok(vec![]) };
    let line = line.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).into_owned();
    let mut words = line.split_whitespace();
    let lacks = |what: &str| {
        Error::usage(Fault::NotThere {
            script: script.to_owned(),
            program: shared_types::text::cut(what, 80),
        })
    };
    let first = PathBuf::from(words.next().unwrap_or_default());
    if !first.is_absolute() || !first.is_file() {
        return Err(lacks(&first.display().to_string()));
    }
    if first.file_name().is_none_or(|name| name != "env") {
        return Ok(vec![first]);
    }
    let name = words.find(|word| !word.starts_with('-')).unwrap_or_default().to_owned();
    let found = SEARCHED.iter().map(|folder| Path::new(folder).join(&name)).find(|path| path.is_file());
    match found.filter(|_| !name.is_empty() && !name.contains('/')) {
        Some(path) => Ok(vec![first, path]),
        None => Err(lacks(&name)),
    }
}

#[cfg(test)]
mod tests;
