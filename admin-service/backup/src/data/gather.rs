//! Walks a folder by handles, and hands over each regular file as it is at one moment.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::time::{Duration, Instant};

use beneath::{Folder, Kind, NotOpened, Opened};
use durable::Draft;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

use crate::MOST_FILE;
use crate::name::LONGEST;

/// Where the files go.
pub trait Sink {
    /// Takes a file of `size` bytes.
    ///
    /// # Errors
    /// Whatever the operating system refuses.
    fn file(&mut self, name: &str, size: u64, mode: u32, content: &mut dyn Read) -> io::Result<()>;

    /// Notes a file that is left out.
    fn skip(&mut self, name: &str, why: &str);
}

/// Files of at most so many bytes are read whole before they are handed over.
const SMALL: u64 = 4 << 20;
/// How long a writer of receipts or of a database is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// The lock that the writers of receipts share.
const RECEIPTS_LOCK: &str = "receipts.lock";
/// The bytes of a database that its readers lock, as its file format says.
const SHARED: (i64, i64) = (0x4000_0002, 510);
const DATABASE: &str = "memory.sqlite";
/// How deep a folder may lie.
const DEEPEST: usize = 44;

/// Hands over every file below a folder whose name `wanted` accepts.
///
/// # Errors
/// What the sink answers.
pub fn walk(
    folder: &Folder,
    prefix: &str,
    wanted: &dyn Fn(&str) -> bool,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    descend(folder, prefix, 0, wanted, sink)
}

fn descend(
    folder: &Folder,
    prefix: &str,
    depth: usize,
    wanted: &dyn Fn(&str) -> bool,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut receipts = match held_receipts(folder) {
        Ok(receipts) => receipts,
        Err(error) => {
            sink.skip(prefix, &format!("its receipts are locked: {error}"));
            return Ok(());
        }
    };
    let listed = match folder.names() {
        Ok(names) => names.map_while(Result::ok),
        Err(why) => {
            sink.skip(prefix, &why.to_string());
            return Ok(());
        }
    };
    let mut names = vec![];
    for name in listed {
        match name.into_string() {
            Ok(name) if !name.chars().any(char::is_control) && prefix.len() + name.len() < LONGEST => {
                names.push(name);
            }
            _ => sink.skip(prefix, "it holds a name that is not plain text or is too long"),
        }
    }
    names.sort_unstable();
    for name in names {
        let full = format!("{prefix}/{name}");
        if !wanted(&full) || Draft::writer_of(&name).is_some() {
            continue;
        }
        if let Some(opened) = receipts.remove(&name) {
            whole(opened, &full, sink)?;
            continue;
        }
        // A name of receipts that appeared since is a later one.
        if is_of_receipts(&name) && folder.facts_of(RECEIPTS_LOCK).is_ok() {
            continue;
        }
        match folder.facts_of(&name).map(|facts| facts.kind) {
            Ok(Kind::Folder) if depth < DEEPEST => match folder.folder(&name) {
                Ok(inner) => descend(&inner, &full, depth + 1, wanted, sink)?,
                Err(why) => sink.skip(&full, &why.to_string()),
            },
            Ok(Kind::Folder) => sink.skip(&full, "is too deep"),
            Ok(Kind::Socket) | Err(NotOpened::Gone) => {}
            Ok(_) => match folder.file(&name) {
                Ok(opened) => whole(opened, &full, sink)?,
                Err(NotOpened::Gone) => {}
                Err(why) => sink.skip(&full, &why.to_string()),
            },
            Err(why) => sink.skip(&full, &why.to_string()),
        }
    }
    Ok(())
}

/// Opens all files of a chain of receipts while nobody renames one.
fn held_receipts(folder: &Folder) -> io::Result<BTreeMap<String, Opened>> {
    let Ok(lock) = folder.file(RECEIPTS_LOCK) else { return Ok(BTreeMap::new()) };
    let lock = lock.into_file();
    let begun = Instant::now();
    while let Err(error) = lock.try_lock_shared() {
        match error {
            TryLockError::WouldBlock if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5))
            }
            other => return Err(other.into()),
        }
    }
    let names = folder.names()?.map_while(Result::ok).filter_map(|name| name.into_string().ok());
    let mut held = BTreeMap::new();
    for name in names.filter(|name| is_of_receipts(name)).take(MOST_HELD) {
        if let Ok(opened) = folder.file(&name) {
            held.insert(name, opened);
        }
    }
    Ok(held)
}

/// So many files of a chain are held open at once.
const MOST_HELD: usize = 500;

fn is_of_receipts(name: &str) -> bool {
    name.starts_with("receipts.") && name.ends_with(".jsonl")
}

/// Hands over one file. A log ends behind its last whole line; a database is not written meanwhile.
fn whole(opened: Opened, name: &str, sink: &mut dyn Sink) -> io::Result<()> {
    let (size, mode) = (opened.facts().size, opened.facts().mode);
    if size > MOST_FILE {
        sink.skip(name, "is larger than a backup may hold");
        return Ok(());
    }
    let mut file = opened.into_file();
    let is_database = name.ends_with(DATABASE);
    if is_database && let Err(error) = lock_for_reading(&file) {
        sink.skip(name, &format!("is being written: {error}"));
        return Ok(());
    }
    let size = if is_database { file.metadata()?.len() } else { size };
    let size = if name.ends_with(".jsonl") { end_of_lines(&mut file, size)? } else { size };
    file.seek(SeekFrom::Start(0))?;
    if size > SMALL {
        return sink.file(name, size, mode, &mut file.take(size));
    }
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    sink.file(name, bytes.len() as u64, mode, &mut Cursor::new(bytes))
}

/// Where the last whole line ends.
fn end_of_lines(file: &mut File, size: u64) -> io::Result<u64> {
    let mut end = size;
    while end > 0 {
        let start = end.saturating_sub(CHUNK);
        file.seek(SeekFrom::Start(start))?;
        let mut part = Vec::new();
        Read::by_ref(file).take(end - start).read_to_end(&mut part)?;
        if let Some(at) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// How much of a log's end is looked at, at a time.
const CHUNK: u64 = 64 * 1024;

/// Takes the lock of a reader of the database; it goes with the file.
fn lock_for_reading(file: &File) -> io::Result<()> {
    let lock = libc::flock {
        l_type: libc::F_RDLCK as i16,
        l_whence: libc::SEEK_SET as i16,
        l_start: SHARED.0,
        l_len: SHARED.1,
        l_pid: 0,
    };
    let begun = Instant::now();
    loop {
        match fcntl(file, FcntlArg::F_OFD_SETLK(&lock)) {
            Ok(_) => return Ok(()),
            Err(nix::errno::Errno::EAGAIN | nix::errno::Errno::EACCES) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(errno) => return Err(errno.into()),
        }
    }
}

#[cfg(test)]
mod tests;
