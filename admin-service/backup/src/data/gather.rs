//! Walks a folder by handles, and hands over each regular file as it is at one moment.

use std::collections::BTreeSet;
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
    /// What the operating system refuses.
    fn file(&mut self, name: &str, size: u64, mode: u32, content: &mut dyn Read) -> io::Result<()>;

    /// Notes a file that is left out.
    fn skip(&mut self, name: &str, why: &str);

    /// Notes a file or folder that could not be read, or not to its end: the backup lacks it.
    fn unread(&mut self, name: &str, why: &str);
}

/// Files of at most this many bytes are read whole before they are handed over.
const SMALL: u64 = 4 << 20;
/// How long a writer of receipts or of a database is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// The lock that the writers of receipts share.
const RECEIPTS_LOCK: &str = "receipts.lock";
/// The bytes of a database that its readers lock, as its file format says.
const SHARED: (i64, i64) = (0x4000_0002, 510);
const DATABASE: &str = "memory.sqlite";
/// How deep a folder may be nested.
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
    let mut receipts = match Receipts::of(folder) {
        Ok(receipts) => receipts,
        Err(error) => {
            sink.unread(prefix, &format!("its receipts are locked: {error}"));
            return Ok(());
        }
    };
    let listed = match folder.names() {
        Ok(names) => names,
        Err(why) => {
            leave_out(sink, prefix, why);
            return Ok(());
        }
    };
    let mut names = vec![];
    for name in listed {
        let name = match name {
            Ok(name) => name,
            Err(why) => {
                sink.unread(prefix, &format!("cannot be listed to its end: {why}"));
                break;
            }
        };
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
        if let Some(receipts) = &mut receipts
            && is_of_receipts(&name)
        {
            match receipts.written.take_if(|_| name == WRITTEN) {
                Some(opened) => {
                    file(opened, &full, sink)?;
                    continue;
                }
                None if receipts.full.contains(&name) => {}
                // It appeared since: a later file of the chain.
                None => continue,
            }
        }
        match folder.facts_of(&name).map(|facts| facts.kind) {
            Ok(Kind::Folder) if depth < DEEPEST => match folder.folder(&name) {
                Ok(inner) => descend(&inner, &full, depth + 1, wanted, sink)?,
                Err(why) => leave_out(sink, &full, why),
            },
            Ok(Kind::Folder) => sink.skip(&full, "is too deep"),
            Ok(Kind::Socket) => {}
            Ok(_) => file(folder.file(&name), &full, sink)?,
            Err(why) => leave_out(sink, &full, why),
        }
    }
    Ok(())
}

/// Notes what was not opened: it is gone, it has no place in a backup, or it could not be read.
pub fn leave_out(sink: &mut dyn Sink, name: &str, why: NotOpened) {
    match why {
        NotOpened::Gone => {}
        NotOpened::NotYet(_) | NotOpened::Denied | NotOpened::NoProc | NotOpened::System(_) => {
            sink.unread(name, &why.to_string());
        }
        _ => sink.skip(name, &why.to_string()),
    }
}

/// A chain of receipts at one moment. A full file never changes its name, so only the file that is written is held open.
struct Receipts {
    /// The file that is written, or why it was not opened.
    written: Option<Result<Opened, NotOpened>>,
    /// The names of all others.
    full: BTreeSet<String>,
}

impl Receipts {
    /// Looks while nobody renames a file; nothing where the folder holds no chain.
    fn of(folder: &Folder) -> io::Result<Option<Receipts>> {
        let lock = match folder.file(RECEIPTS_LOCK) {
            Ok(lock) => lock.into_file(),
            Err(NotOpened::Gone) => return Ok(None),
            Err(why) => return Err(why.into()),
        };
        let begun = Instant::now();
        while let Err(error) = lock.try_lock_shared() {
            match error {
                TryLockError::WouldBlock if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5))
                }
                other => return Err(other.into()),
            }
        }
        let mut full = BTreeSet::new();
        for name in folder.names()? {
            full.extend(name?.into_string().ok().filter(|name| is_of_receipts(name)));
        }
        let written = full.remove(WRITTEN).then(|| folder.file(WRITTEN));
        Ok(Some(Receipts { written, full }))
    }
}

/// The file of a chain that is written.
const WRITTEN: &str = "receipts.jsonl";

fn is_of_receipts(name: &str) -> bool {
    name.starts_with("receipts.") && name.ends_with(".jsonl")
}

/// Hands over one file, or says why it was not opened.
fn file(opened: Result<Opened, NotOpened>, name: &str, sink: &mut dyn Sink) -> io::Result<()> {
    match opened {
        Ok(opened) => whole(opened, name, sink),
        Err(why) => {
            leave_out(sink, name, why);
            Ok(())
        }
    }
}

/// Hands over one file. A log ends behind its last whole line; a database is not written meanwhile.
fn whole(opened: Opened, name: &str, sink: &mut dyn Sink) -> io::Result<()> {
    let (size, mode) = (opened.facts().size, opened.facts().mode);
    if size > MOST_FILE {
        sink.skip(name, "is larger than a backup may hold");
        return Ok(());
    }
    let mut file = opened.into_file();
    match begun(&mut file, name, size) {
        Ok(size) => handed_over(file, name, size, mode, sink),
        Err(why) => {
            sink.unread(name, &format!("cannot be read: {why}"));
            Ok(())
        }
    }
}

/// Goes to the beginning of a file; answers how many of its bytes count.
fn begun(file: &mut File, name: &str, size: u64) -> io::Result<u64> {
    let is_database = name.ends_with(DATABASE);
    if is_database {
        lock_for_reading(file).map_err(|why| io::Error::other(format!("it is being written: {why}")))?;
    }
    let size = if is_database { file.metadata()?.len() } else { size };
    let size = if name.ends_with(".jsonl") { end_of_lines(file, size)? } else { size };
    file.seek(SeekFrom::Start(0))?;
    Ok(size)
}

/// Hands over the given number of bytes. What a failing disk does not give is noted, and ends this file alone.
fn handed_over(from: impl Read, name: &str, size: u64, mode: u32, sink: &mut dyn Sink) -> io::Result<()> {
    let mut from = UntilItFails { inner: from.take(size), failed: None };
    if size > SMALL {
        sink.file(name, size, mode, &mut from)?;
    } else {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        if from.failed.is_none() {
            sink.file(name, bytes.len() as u64, mode, &mut Cursor::new(bytes))?;
        }
    }
    if let Some(why) = from.failed {
        sink.unread(name, &format!("cannot be read to its end: {why}"));
    }
    Ok(())
}

/// A reader that ends where the disk fails and keeps the error, so that only errors of the output end the backup.
struct UntilItFails<R> {
    inner: R,
    failed: Option<io::Error>,
}

impl<R: Read> Read for UntilItFails<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.failed.is_some() {
            return Ok(0);
        }
        match self.inner.read(buffer) {
            Err(why) if why.kind() != io::ErrorKind::Interrupted => {
                self.failed = Some(why);
                Ok(0)
            }
            read => read,
        }
    }
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
