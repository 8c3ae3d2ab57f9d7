//! A log in which each record carries the hash of the one before: what was changed, left out or swapped is found.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::log;

/// The largest record that is read, in bytes.
const MAX_RECORD: u64 = 16 * 1024 * 1024;

/// The `previous_hash` of the first record.
pub(crate) const NOTHING_BEFORE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A chain that is open for appending.
#[derive(Debug)]
pub struct ChainedLog {
    file: File,
    path: PathBuf,
    seq: u64,
    head: String,
    end: u64,
}

/// One line of the file; `hash` covers the canonical JSON (RFC 8785) of the others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) seq: u64,
    previous_hash: String,
    value: Value,
    pub(crate) hash: String,
}

impl Record {
    /// The record that comes after the one with number `last` and hash `head`.
    pub(crate) fn after(last: u64, head: &str, value: Value) -> Result<Record, serde_json::Error> {
        let (seq, previous_hash) = (last + 1, head.to_owned());
        let hash = hash(seq, &previous_hash, &value)?;
        Ok(Record { seq, previous_hash, value, hash })
    }

    /// The record as a line of the file.
    pub(crate) fn line(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }

    /// Whether its content has its hash.
    pub(crate) fn holds(&self) -> bool {
        hash(self.seq, &self.previous_hash, &self.value).is_ok_and(|expected| expected == self.hash)
    }
}

/// The first place at which a chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: line {line}: {what}", path = path.display())]
pub struct Broken {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// What does not hold there.
    pub what: String,
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
        let path = path.into();
        let file = log::open_log(&path, 0o600).map_err(|source| io_error(&path, source))?;
        let mut chain = ChainedLog { file, path, seq: 0, head: NOTHING_BEFORE.to_owned(), end: 0 };
        let mut walk = chain.replay()?;
        for record in &mut walk {
            record?;
        }
        (chain.seq, chain.head, chain.end) = (walk.seq, walk.head, walk.end);
        Ok(chain)
    }

    /// Appends one value: written and synced first, and only then part of the chain; answers its number.
    ///
    /// # Errors
    /// Whatever the operating system refuses; the chain then ends where it did and can be appended to again.
    pub fn append<T: Serialize>(&mut self, value: &T) -> Result<u64, ChainError> {
        let value_error = |source| ChainError::Value { path: self.path.clone(), source };
        let value = serde_json::to_value(value).map_err(value_error)?;
        let record = Record::after(self.seq, &self.head, value).map_err(value_error)?;
        let line = record.line().map_err(value_error)?;
        self.write(&line).map_err(|source| io_error(&self.path, source))?;
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

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        // Whatever a failed append or a stranger left behind the last accepted record goes first.
        let length = self.file.metadata()?.len();
        if length < self.end {
            return Err(io::Error::other("the log is shorter than what was accepted"));
        }
        if length > self.end {
            self.file.set_len(self.end)?;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(line).and_then(|()| self.file.sync_data()) {
            // If this fails too, the next append cuts again.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// A chain as it is read; made by [`replay`].
#[derive(Debug)]
pub struct Replay {
    lines: BufReader<File>,
    path: PathBuf,
    seq: u64,
    head: String,
    end: u64,
    done: bool,
}

/// Reads a chain without writing: a torn last line is passed over.
///
/// # Errors
/// Whatever the operating system refuses; the iterator itself names the first broken link, then ends.
pub fn replay(path: &Path) -> Result<Replay, ChainError> {
    let file = File::open(path).map_err(|source| io_error(path, source))?;
    Ok(Replay {
        lines: BufReader::new(file),
        path: path.to_owned(),
        seq: 0,
        head: NOTHING_BEFORE.to_owned(),
        end: 0,
        done: false,
    })
}

/// Verifies a chain; answers the number of records and the hash of the last one.
///
/// # Errors
/// The first broken link, or whatever the operating system refuses.
pub fn verify(path: &Path) -> Result<(u64, String), ChainError> {
    let mut walk = replay(path)?;
    for record in &mut walk {
        record?;
    }
    Ok((walk.seq, walk.head))
}

impl Iterator for Replay {
    type Item = Result<(u64, Value), ChainError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let mut line = Vec::new();
        match (&mut self.lines).take(MAX_RECORD).read_until(b'\n', &mut line) {
            Err(source) => {
                self.done = true;
                return Some(Err(io_error(&self.path, source)));
            }
            Ok(0) => return None,
            Ok(_) => {}
        }
        if line.last() != Some(&b'\n') {
            self.done = true;
            // A torn last line was never accepted; a line beyond the cap is not torn.
            return (line.len() as u64 == MAX_RECORD)
                .then(|| Err(self.broken("longer than a record may be")));
        }
        match self.link(&line) {
            Ok(record) => {
                self.end += line.len() as u64;
                Some(Ok(record))
            }
            Err(what) => {
                self.done = true;
                Some(Err(self.broken(what)))
            }
        }
    }
}

impl Replay {
    fn link(&mut self, line: &[u8]) -> Result<(u64, Value), String> {
        let record: Record = serde_json::from_slice(line).map_err(|e| format!("not a record: {e}"))?;
        if record.seq != self.seq + 1 {
            return Err(format!("has number {}, but {} comes next", record.seq, self.seq + 1));
        }
        if record.previous_hash != self.head {
            return Err("does not name the record before it".to_owned());
        }
        let expected = hash(record.seq, &record.previous_hash, &record.value).map_err(|e| e.to_string())?;
        if record.hash != expected {
            return Err("its content does not have its hash".to_owned());
        }
        (self.seq, self.head) = (record.seq, record.hash);
        Ok((record.seq, record.value))
    }

    fn broken(&self, what: impl Into<String>) -> ChainError {
        Broken { path: self.path.clone(), line: self.seq + 1, what: what.into() }.into()
    }
}

fn hash(seq: u64, previous: &str, value: &Value) -> Result<String, serde_json::Error> {
    let body = json!({"seq": seq, "previous_hash": previous, "value": value});
    let canonical = serde_json_canonicalizer::to_vec(&body)?;
    Ok(Sha256::digest(canonical).iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(crate) fn io_error(path: &Path, source: io::Error) -> ChainError {
    ChainError::Io { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
