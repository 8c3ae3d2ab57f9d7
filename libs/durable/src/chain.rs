//! A log in which each record carries the hash of the one before: what was changed, left out or swapped is found.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::{log, room};
use serde::Serialize;

pub(crate) mod line;
mod replay;

pub use line::{Flaw, FromJson};
use line::{NOTHING_BEFORE, Record};
use replay::whole;
pub use replay::{Replay, replay, replay_from, verify, verify_file};

/// A chain that is open for appending.
#[derive(Debug)]
pub struct ChainedLog {
    file: File,
    path: PathBuf,
    place: Place,
    /// How much room is kept taken behind the end, in bytes; 0 for none.
    ahead: u64,
    /// Up to where room is taken.
    taken: u64,
}

/// Where a chain was read to, each link verified; before its first record by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The number of records.
    pub seq: u64,
    /// The hash of the last record, 64 zeros before the first.
    pub head: String,
    /// Where the last record ends, in bytes.
    pub(crate) end: u64,
}

impl Default for Place {
    fn default() -> Place {
        Place { seq: 0, head: NOTHING_BEFORE.to_owned(), end: 0 }
    }
}

impl Place {
    /// Whether the record before this place is the one that was read. Its hash covers all records before it.
    fn stands_in(&self, file: &File) -> bool {
        let expected = [line::HASH, self.head.as_bytes(), line::CLOSE].concat();
        let mut found = vec![0; expected.len()];
        let start = self.end.checked_sub(found.len() as u64);
        self.seq == 0
            || start.is_some_and(|start| file.read_exact_at(&mut found, start).is_ok()) && found == expected
    }
}

/// The first place at which a chain does not hold.
#[derive(Debug, thiserror::Error)]
#[error("{path}: line {line}: {what}", path = path.display())]
pub struct Broken {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// What does not hold there.
    pub what: Flaw,
}

/// A chain that could not be opened, read or appended to.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The operating system refuses.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A link does not hold.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The value is not JSON.
    #[error("{path}: the value cannot be written as JSON: {source}", path = path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
}

impl ChainedLog {
    /// Opens a chain, makes it (mode 0600) where it is missing, cuts a torn last line off, and verifies every link.
    ///
    /// # Errors
    /// A link that does not hold, or an error of the operating system.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ChainError> {
        let path = path.into();
        let file = log::open_log(&path, 0o600).map_err(|source| io_error(&path, source))?;
        let place = whole(replay_from(&path, &Place::default())?)?;
        Ok(ChainedLog { file, path, place, ahead: 0, taken: 0 })
    }

    /// As [`ChainedLog::open`], for a chain that was read to its end, which is this place.
    ///
    /// # Errors
    /// A chain that ends elsewhere, or an error of the operating system.
    pub fn open_at(path: impl Into<PathBuf>, place: Place) -> Result<Self, ChainError> {
        let path = path.into();
        let opened = log::open_log(&path, 0o600).and_then(|file| {
            let ends_here = file.metadata()?.len() == place.end;
            ends_here.then_some(file).ok_or_else(|| io::Error::other("the log was changed since it was read"))
        });
        let file = opened.map_err(|source| io_error(&path, source))?;
        Ok(ChainedLog { file, path, place, ahead: 0, taken: 0 })
    }

    /// Keeps at least half of `bytes` taken behind the end from now on, so that a full disk does not stop the chain.
    ///
    /// # Errors
    /// No room now, or a file system that cannot do this; it is tried again at each append.
    pub fn keep_ahead(&mut self, bytes: u64) -> Result<(), ChainError> {
        self.ahead = bytes;
        self.take_ahead().map_err(|source| io_error(&self.path, source))
    }

    /// Appends one value: written and synced first, and only then part of the chain; answers its number.
    ///
    /// # Errors
    /// An error of the operating system; the chain then ends where it did and can be appended to again.
    pub fn append<T: Serialize>(&mut self, value: &T) -> Result<u64, ChainError> {
        let record = Record::after(self.place.seq, &self.place.head, value)
            .map_err(|source| ChainError::Value { path: self.path.clone(), source })?;
        self.write(&record.line).map_err(|source| io_error(&self.path, source))?;
        (self.place.seq, self.place.head) = (record.seq, record.hash);
        Ok(self.place.seq)
    }

    /// The number of records.
    pub fn len(&self) -> u64 {
        self.place.seq
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.place.seq == 0
    }

    /// The hash of the last record, 64 zeros for an empty chain.
    pub fn head(&self) -> &str {
        &self.place.head
    }

    /// Reads the chain from its start, each link verified before its value is handed out.
    ///
    /// # Errors
    /// An error of the operating system; the iterator itself names the first broken link, then ends.
    pub fn replay(&self) -> Result<Replay, ChainError> {
        replay(&self.path)
    }

    fn take_ahead(&mut self) -> io::Result<()> {
        if self.taken < self.place.end + self.ahead.div_ceil(2) {
            room::take_ahead(&self.file, self.place.end, self.ahead)?;
            self.taken = self.place.end + self.ahead;
        }
        Ok(())
    }

    /// Cuts the file off behind the last accepted record; what was taken behind it goes with that, and is taken again.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.place.end)?;
        self.taken = self.place.end;
        // Without room behind the end, the next append asks the disk as any other does.
        let _ = self.take_ahead();
        Ok(())
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        // What a failed append or a stranger left behind the last accepted record is removed first.
        let length = self.file.metadata()?.len();
        if length < self.place.end {
            return Err(io::Error::other("the log is shorter than what was accepted"));
        }
        if length > self.place.end {
            self.cut()?;
        }
        self.file.seek(SeekFrom::Start(self.place.end))?;
        if let Err(error) = self.file.write_all(line).and_then(|()| self.file.sync_data()) {
            // If this fails too, the next append cuts again.
            let _ = self.cut();
            return Err(error);
        }
        self.place.end += line.len() as u64;
        // The record is safe; that there is no room for the next ones is for those to say.
        let _ = self.take_ahead();
        Ok(())
    }
}

pub(crate) fn io_error(path: &Path, source: io::Error) -> ChainError {
    ChainError::Io { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
