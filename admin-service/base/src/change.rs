//! Changes single keys of a configuration file: every other byte stays, and the result is checked before it takes the file's
//! place.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use documents::edit::{Change, NotEdited, edit};

use crate::error::Error;

/// A file that is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum Unchanged {
    /// It is written in a way that this program does not change.
    #[error("{}: {why}", path.display())]
    ByHand {
        /// The file.
        path: PathBuf,
        /// The lines to write.
        why: NotEdited,
    },
    /// A link, or no file: a new file would take its place.
    #[error("{} is not a plain file; this program does not replace it", path.display())]
    NotAFile {
        /// What has this name.
        path: PathBuf,
    },
}

/// The file's text with all of these changes; nothing is written.
///
/// # Errors
/// A file that is left as it is ([`Unchanged`]), or that cannot be read.
pub fn planned(path: &Path, changes: &[(&str, Change)]) -> Result<String, Error> {
    changes.iter().try_fold(present(path)?, |text, (pointer, change)| {
        let by_hand = |why| Error::refused(Unchanged::ByHand { path: path.to_owned(), why });
        edit(&text, pointer, change).map_err(by_hand)
    })
}

/// Makes all of these changes, or none; answers whether the file is another one now. `check` judges the new text.
///
/// # Errors
/// As [`planned`], a new text that does not pass, or a failing disk.
pub fn change(
    path: &Path,
    mode: u32,
    changes: &[(&str, Change)],
    check: impl FnOnce(&str) -> Result<(), Error>,
) -> Result<bool, Error> {
    let text = planned(path, changes)?;
    if text == present(path)? {
        return Ok(false);
    }
    check(&text)?;
    durable::replace(path, text.as_bytes(), mode).map_err(Error::io(path))?;
    Ok(true)
}

/// The text of the file; empty if it does not exist.
fn present(path: &Path) -> Result<String, Error> {
    match fs::symlink_metadata(path) {
        Ok(facts) if !facts.is_file() => Err(Error::refused(Unchanged::NotAFile { path: path.to_owned() })),
        Ok(_) => fs::read_to_string(path).map_err(Error::io(path)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(source) => Err(Error::io(path)(source)),
    }
}

#[cfg(test)]
mod tests;
