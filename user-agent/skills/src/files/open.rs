//! What is done at a path: opened folder by folder, so that what was judged is what is opened.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use bot_base::paths::{Folder, PathError};

use super::place::Place;

/// Why something is not done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// A rule forbids it.
    Rule(String),
    /// The file does not exist.
    Missing(String),
    /// It cannot be done.
    Failed(String),
}

/// A piece of a text file.
#[derive(Debug)]
pub(super) struct Piece {
    /// The text, whole characters only.
    pub(super) text: String,
    /// Where it begins, in bytes.
    pub(super) from: u64,
    /// How many bytes the file has.
    pub(super) size: u64,
}

/// How much of a file is looked at to tell whether it is text, in bytes.
const SAMPLE: u64 = 4096;

/// How many bytes a file has.
pub(super) fn size(place: &Place, root: &Folder) -> Result<u64, Refused> {
    let file = file(place, root)?;
    Ok(file.metadata().map_err(|e| broke(place, &e))?.len())
}

/// Reads a piece of a text file.
pub(super) fn piece(place: &Place, root: &Folder, from: u64, limit: u64) -> Result<Piece, Refused> {
    let mut file = file(place, root)?;
    let size = file.metadata().map_err(|e| broke(place, &e))?.len();
    let shown = place.shown();
    if from > size {
        return Err(Refused::Failed(format!("{shown} has {size} bytes; there is no byte {from}")));
    }
    let head = read_at(&mut file, 0, SAMPLE).map_err(|e| broke(place, &e))?;
    if head.contains(&0) {
        return Err(Refused::Failed(format!("{shown} is a binary file of {size} bytes; only text is read")));
    }
    let bytes = read_at(&mut file, from, limit).map_err(|e| broke(place, &e))?;
    // A piece may begin within a character of four bytes at the most.
    let skipped = if from == 0 { 0 } else { bytes.iter().take(3).take_while(|b| **b & 0xC0 == 0x80).count() };
    let bytes = &bytes[skipped..];
    let kept = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // It ends within a character, and the file continues.
        Err(e) if e.error_len().is_none() && from + limit < size => {
            std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => {
            let why = format!(
                "{shown} is not text in UTF-8 but a binary file of {size} bytes, or one in another encoding"
            );
            return Err(Refused::Failed(why));
        }
    };
    if kept.is_empty() && from < size {
        return Err(Refused::Failed(format!(
            "a limit of {limit} bytes is less than one character of {shown}"
        )));
    }
    Ok(Piece { text: kept.to_owned(), from: from + skipped as u64, size })
}

/// All bytes of a file of at most `limit`; none where there is no file.
pub(super) fn whole(place: &Place, root: &Folder, limit: u64) -> Result<Vec<u8>, Refused> {
    let mut file = match file(place, root) {
        Err(Refused::Missing(_)) => return Ok(vec![]),
        other => other?,
    };
    let bytes = read_at(&mut file, 0, limit + 1).map_err(|e| broke(place, &e))?;
    if bytes.len() as u64 > limit {
        return Err(Refused::Failed(format!(
            "{} is too large to add to it; write another file",
            place.shown()
        )));
    }
    Ok(bytes)
}

/// The first bytes of a file, at most `limit`.
pub(super) fn up_to(place: &Place, root: &Folder, limit: usize) -> Result<Vec<u8>, Refused> {
    read_at(&mut file(place, root)?, 0, limit as u64).map_err(|e| broke(place, &e))
}

/// Writes a whole file; folders on the way are made. A reader sees the old content or the new, after a full disk too.
pub(super) fn replace(place: &Place, root: &Folder, bytes: &[u8]) -> Result<(), Refused> {
    let Some((above, last)) = place.split() else {
        return Err(Refused::Failed(format!("{} is a folder, and no file can have its name", place.shown())));
    };
    let mut here: Option<Folder> = None;
    for name in above {
        let next = here.as_ref().unwrap_or(root).step_or_make(name).map_err(|e| told(place, e))?;
        here = Some(next);
    }
    let folder = here.as_ref().unwrap_or(root);
    match folder.single(last) {
        Ok(old) => folder.replace_like(&old, last, bytes),
        Err(e) if e.is_missing() => folder.replace(last, bytes),
        Err(e) => Err(e),
    }
    .map_err(|e| told(place, e))
}

/// Opens a folder.
pub(super) fn folder(place: &Place, root: &Folder) -> Result<Option<Folder>, Refused> {
    let mut here: Option<Folder> = None;
    let Some((above, last)) = place.split() else { return Ok(None) };
    for name in above.into_iter().chain([last]) {
        here = Some(here.as_ref().unwrap_or(root).step(name).map_err(|e| told(place, e))?);
    }
    Ok(here)
}

fn file(place: &Place, root: &Folder) -> Result<File, Refused> {
    let Some((above, last)) = place.split() else {
        return Err(Refused::Failed(format!("{} is a folder, no file", place.shown())));
    };
    let mut here: Option<Folder> = None;
    for name in above {
        here = Some(here.as_ref().unwrap_or(root).step(name).map_err(|e| told(place, e))?);
    }
    here.as_ref().unwrap_or(root).single(last).map_err(|e| told(place, e))
}

fn read_at(file: &mut File, from: u64, limit: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn broke(place: &Place, error: &io::Error) -> Refused {
    Refused::Failed(format!("{} cannot be read: {error}", place.shown()))
}

/// What a refusal of the operating system means, without a path of this machine.
fn told(place: &Place, error: PathError) -> Refused {
    let shown = place.shown();
    match error {
        PathError::Refused { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            Refused::Missing(format!("there is no {shown}"))
        }
        PathError::Refused { source, .. } => Refused::Failed(format!("{shown}: {}", plainly(&source))),
        PathError::Elsewhere { why, .. } => {
            Refused::Rule(format!("{shown} is not opened: {why} (rule path-link)"))
        }
        PathError::NotAFile(_) => {
            Refused::Failed(format!("{shown} is not a regular file; it may be a folder"))
        }
        PathError::TooLarge { limit, .. } => Refused::Failed(format!("{shown} has more than {limit} bytes")),
        PathError::NotText(_) => Refused::Failed(format!("{shown} is not text in UTF-8")),
    }
}

fn plainly(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "there is no room on the disk; nothing was changed".to_owned()
        }
        io::ErrorKind::FileTooLarge => "the file would be too large; nothing was changed".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "the system does not permit it".to_owned(),
        _ => format!("it cannot be done ({source})"),
    }
}
