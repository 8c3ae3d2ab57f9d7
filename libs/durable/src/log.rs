//! Logs of one record a line.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::room;

/// The room that a log longer than [`SHORT`] takes at once, in bytes. Each new block makes the file system write its own bookkeeping as well, which on a card costs as much as half a turn.
const AHEAD: u64 = 64 << 10;
/// Up to how many bytes a log takes no room ahead, so that many short ones waste nothing.
const SHORT: u64 = 4 << 10;
/// What the `st_blocks` of a file count, in bytes (stat(2)).
const UNIT: u64 = 512;

/// Appends one line and syncs it; a write that fails leaves the log as it was.
///
/// The file must be open for reading and appending; the line must not hold a newline of its own.
///
/// # Errors
/// An error of the operating system, or a line that holds a newline.
pub fn append_line(file: &File, line: &str) -> io::Result<()> {
    append_lines(file, &[line])
}

/// As [`append_line`], for several lines in one write and one sync.
///
/// # Errors
/// As [`append_line`].
pub fn append_lines<S: AsRef<str>>(mut file: &File, lines: &[S]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(lines.iter().map(|line| line.as_ref().len() + 1).sum());
    for line in lines {
        if line.as_ref().contains('\n') {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a record must be one line"));
        }
        bytes.extend_from_slice(line.as_ref().as_bytes());
        bytes.push(b'\n');
    }
    let before = repair_end(file)?;
    let end = before + bytes.len() as u64;
    if end > SHORT && file.metadata()?.blocks() * UNIT < end {
        // Without room ahead, the write asks the disk as any other does.
        let _ = room::take_ahead(file, before, end - before + AHEAD);
    }
    let written = file.write_all(&bytes).and_then(|()| file.sync_data());
    if written.is_err() {
        // The next append repairs again, so that a failure here loses nothing but room.
        let _ = file.set_len(before);
    }
    written
}

/// Opens a log for appending, makes it where it is missing, and cuts a torn last line off.
///
/// # Errors
/// An error of the operating system.
pub fn open_log(path: &Path, mode: u32) -> io::Result<File> {
    let existed = path.try_exists()?;
    let file = OpenOptions::new().read(true).append(true).create(true).mode(mode).open(path)?;
    if !existed && let Some(folder) = path.parent() {
        crate::sync_folder(folder)?;
    }
    repair(&file)?;
    Ok(file)
}

/// Cuts a last line without its newline off, since it was never accepted; answers how many bytes went.
///
/// # Errors
/// An error of the operating system.
pub fn repair(file: &File) -> io::Result<u64> {
    let length = file.metadata()?.len();
    Ok(length - repair_end(file)?)
}

/// Cuts a torn last line off and answers where the log ends.
fn repair_end(mut file: &File) -> io::Result<u64> {
    let length = file.metadata()?.len();
    let mut end = length;
    let mut chunk = [0u8; 4096];
    while end > 0 {
        let start = end.saturating_sub(chunk.len() as u64);
        // At most one chunk, so the size fits.
        let part = &mut chunk[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if end == length && part.last() == Some(&b'\n') {
            break;
        }
        match part.iter().rposition(|b| *b == b'\n') {
            Some(at) => {
                end = start + at as u64 + 1;
                break;
            }
            None => end = start,
        }
    }
    if end < length {
        file.set_len(end)?;
        file.sync_data()?;
    }
    file.seek(SeekFrom::End(0))?;
    Ok(end)
}

#[cfg(test)]
mod tests;
