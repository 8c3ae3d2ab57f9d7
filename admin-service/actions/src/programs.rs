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
    /// Where it lies.
    pub path: PathBuf,
    /// Its handle.
    pub file: File,
}

/// Finds a program and opens it: a name in the searched folders, an absolute path as it is.
///
/// # Errors
/// Why there is none, in the words of a shell.
pub fn open(name: &str) -> Result<Opened, String> {
    if name.contains('/') {
        let path = Path::new(name);
        if !path.is_absolute() {
            return Err("a program is named by its plain name or its absolute path".to_owned());
        }
        return opened(path).ok_or_else(|| "not found, or no program".to_owned());
    }
    let found = SEARCHED.iter().find_map(|folder| opened(&Path::new(folder).join(name)));
    found.ok_or_else(|| "command not found".to_owned())
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
    pub fn digest(&self) -> Result<Digest, String> {
        let mut bytes = vec![];
        (&self.file).take(MOST + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > MOST {
            return Err(format!("larger than {MOST} bytes"));
        }
        Ok(Digest::of(&bytes))
    }
}

/// Every program of some names as it is now, each once.
///
/// # Errors
/// The first that there is not, with its name.
pub fn pin<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<PinnedProgram>, String> {
    let mut pinned: Vec<PinnedProgram> = vec![];
    for name in names {
        if pinned.iter().any(|p| p.name == name) {
            continue;
        }
        let tell = |why: String| format!("{name}: {why}");
        let opened = open(name).map_err(tell)?;
        let sha256 = opened.digest().map_err(|why| format!("{name}: {why}"))?;
        pinned.push(PinnedProgram { name: name.to_owned(), path: opened.path, sha256 });
    }
    Ok(pinned)
}

#[cfg(test)]
mod tests;
