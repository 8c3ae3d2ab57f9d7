//! From a program's name to the file that is executed: looked for in fixed folders, opened once, and hashed if that counts.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ledger::statements::action::PinnedProgram;
use shared_types::id::Digest;

/// Where programs are looked for, in this order; it is the child's `PATH` as well.
pub const SEARCHED: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
/// The largest program that is hashed, in bytes.
const MOST: u64 = 512 << 20;

/// A program's file, held open.
#[derive(Debug)]
pub struct Opened {
    /// Its place.
    pub path: PathBuf,
    /// Its handle.
    pub file: File,
}

/// Why a program cannot be used, in the words of a shell.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// Its name is a path that begins at no root.
    #[error("a program is named by its plain name or its absolute path")]
    RelativePath,
    /// The path leads to no program.
    #[error("not found, or no program")]
    NotAProgram,
    /// No searched folder has it.
    #[error("command not found")]
    NotFound,
    /// It is larger than what is hashed.
    #[error("larger than {MOST} bytes")]
    TooLarge,
    /// The system refuses to read it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A program that cannot be pinned.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {why}")]
pub struct NotPinned {
    pub name: String,
    /// Why not.
    pub why: ProgramError,
}

/// Finds a program and opens it: a name in the searched folders, an absolute path as it is.
///
/// # Errors
/// Why the program cannot be opened.
pub fn open(name: &str) -> Result<Opened, ProgramError> {
    if name.contains('/') {
        let path = Path::new(name);
        if !path.is_absolute() {
            return Err(ProgramError::RelativePath);
        }
        return opened(path).ok_or(ProgramError::NotAProgram);
    }
    let found = SEARCHED.iter().find_map(|folder| opened(&Path::new(folder).join(name)));
    found.ok_or(ProgramError::NotFound)
}

fn opened(path: &Path) -> Option<Opened> {
    // Looked at before it is opened, since opening a pipe waits.
    let is_program = |facts: &std::fs::Metadata| facts.is_file() && facts.permissions().mode() & 0o111 != 0;
    std::fs::metadata(path).ok().filter(is_program)?;
    let file = File::open(path).ok()?;
    let same = file.metadata().ok().filter(is_program).is_some();
    same.then(|| Opened { path: path.to_owned(), file })
}

impl Opened {
    /// SHA-256 of what was opened.
    ///
    /// # Errors
    /// A file that cannot be read, or that is larger than any program.
    pub fn digest(&self) -> Result<Digest, ProgramError> {
        let mut bytes = vec![];
        (&self.file).take(MOST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MOST {
            return Err(ProgramError::TooLarge);
        }
        Ok(Digest::of(&bytes))
    }
}

/// Every program of some names as it is now, each once.
///
/// # Errors
/// The first that there is not.
pub fn pin<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<PinnedProgram>, NotPinned> {
    let mut pinned: Vec<PinnedProgram> = vec![];
    for name in names {
        if pinned.iter().any(|p| p.name == name) {
            continue;
        }
        let hashed = open(name).and_then(|opened| Ok((opened.digest()?, opened.path)));
        let (sha256, path) = hashed.map_err(|why| NotPinned { name: name.to_owned(), why })?;
        pinned.push(PinnedProgram { name: name.to_owned(), path, sha256 });
    }
    Ok(pinned)
}

#[cfg(test)]
mod tests;
