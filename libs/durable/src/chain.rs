//! A log in which each record carries the hash of the one before: what was changed, left out or swapped is found.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::IgnoredAny;

use crate::{log, room};

pub(crate) mod line;
mod replay;

use line::Record;
pub use line::{Flaw, FromJson};
pub use replay::{Replay, replay, replay_as, verify, verify_file};

/// A chain that is open for appending.
#[derive(Debug)]
pub struct ChainedLog {
    file: File,
    path: PathBuf,
    seq: u64,
    head: String,
    end: u64,
    /// How much room is kept taken behind the end, in bytes; 0 for none.
    ahead: u64,
    /// Up to where room is taken.
    taken: u64,
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
    /// A link that does not hold, or whatever the operating system refuses.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ChainError> {
        Self::open_with(path, |_, _, _: IgnoredAny| {})
    }

    /// As [`ChainedLog::open`], with each number, hash and value handed out on the way, so that one reading serves both.
    ///
    /// # Errors
    /// As [`ChainedLog::open`]; a value that is not what it is to be is a broken link.
    pub fn open_with<T: FromJson>(
        path: impl Into<PathBuf>,
        mut each: impl FnMut(u64, &str, T),
    ) -> Result<Self, ChainError> {
        let path = path.into();
        let file = log::open_log(&path, 0o600).map_err(|source| io_error(&path, source))?;
        let mut walk = replay_as(&path)?;
        while let Some(record) = walk.next() {
            let (seq, value) = record?;
            each(seq, walk.head(), value);
        }
        let (seq, head, end) = (walk.len(), walk.head().to_owned(), walk.end());
        Ok(ChainedLog { file, path, seq, head, end, ahead: 0, taken: 0 })
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
    /// Whatever the operating system refuses; the chain then ends where it did and can be appended to again.
    pub fn append<T: Serialize>(&mut self, value: &T) -> Result<u64, ChainError> {
        let record = Record::after(self.seq, &self.head, value)
            .map_err(|source| ChainError::Value { path: self.path.clone(), source })?;
        self.write(&record.line).map_err(|source| io_error(&self.path, source))?;
        (self.seq, self.head) = (record.seq, record.hash);
        Ok(self.seq)
    }

    /// The number of records.
    pub fn len(&self) -> u64 {
        self.seq
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.seq == 0
    }

    /// The hash of the last record, 64 zeros for an empty chain.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Reads the chain from its start, each link verified before its value is handed out.
    ///
    /// # Errors
    /// Whatever the operating system refuses; the iterator itself names the first broken link, then ends.
    pub fn replay(&self) -> Result<Replay, ChainError> {
        replay(&self.path)
    }

    fn take_ahead(&mut self) -> io::Result<()> {
        if self.taken < self.end + self.ahead.div_ceil(2) {
            room::take_ahead(&self.file, self.end, self.ahead)?;
            self.taken = self.end + self.ahead;
        }
        Ok(())
    }

    /// Cuts the file off behind the last accepted record; what was taken behind it goes with that, and is taken again.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.taken = self.end;
        // Without room behind the end, the next append asks the disk as any other does.
        let _ = self.take_ahead();
        Ok(())
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        // Whatever a failed append or a stranger left behind the last accepted record goes first.
        let length = self.file.metadata()?.len();
        if length < self.end {
            return Err(io::Error::other("the log is shorter than what was accepted"));
        }
        if length > self.end {
            self.cut()?;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(line).and_then(|()| self.file.sync_data()) {
            // If this fails too, the next append cuts again.
            let _ = self.cut();
            return Err(error);
        }
        self.end += line.len() as u64;
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
