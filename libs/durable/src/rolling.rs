//! A chain of bounded size over two files, for several processes: when one file is full, the other begins anew.
//!
//! It works on descriptors that are open already, so a confined process needs no right to any folder. Nothing is read
//! before the first append, and an append reads no more than the last record. To know whether all of it holds, verify
//! each file with [`crate::verify`].

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use serde::Serialize;
use serde_json::json;

use crate::chain::line::{Link, NOTHING_BEFORE, Record};
use crate::chain::{ChainError, io_error};

/// The two files of a chain.
#[derive(Debug)]
pub struct RollingChain {
    parts: [Part; 2],
    most: u64,
}

/// The largest record, in bytes: what is read from the end of a file to find the last one.
const MOST_RECORD: u64 = 8 * 1024;

#[derive(Debug)]
struct Part {
    file: File,
    path: PathBuf,
    seq: u64,
    head: String,
    /// Up to where this process knows the file.
    end: u64,
    /// When it was changed as this process knows it: another one may have begun it anew and filled it as far.
    changed: Option<SystemTime>,
}

impl RollingChain {
    /// Takes the two files, open for reading and appending; each is filled up to about `most` bytes.
    pub fn adopt(files: [(File, PathBuf); 2], most: u64) -> Self {
        let parts = files.map(|(file, path)| Part {
            file,
            path,
            seq: 0,
            head: NOTHING_BEFORE.to_owned(),
            end: 0,
            changed: None,
        });
        RollingChain { parts, most }
    }

    /// Appends one value, as JSON of at most 8 KiB; it survives the end of the process at once, and the end of the power
    /// after the next [`RollingChain::sync`].
    ///
    /// # Errors
    /// An error of the operating system, a value that is too long, or a last record that was tampered with.
    pub fn append<T: Serialize>(&mut self, value: &T) -> Result<(), ChainError> {
        // One of the files stands for both, whichever is written.
        self.parts[0].file.lock().map_err(|source| io_error(&self.parts[0].path, source))?;
        let appended = self.append_alone(value);
        // It cannot fail for a lock that is held, and the end of the process would let go too.
        let _ = self.parts[0].file.unlock();
        appended
    }

    /// Files to sync, for a thread that has the time; a file with nothing new costs next to nothing.
    ///
    /// # Errors
    /// No descriptor is left.
    pub fn sync(&self) -> io::Result<impl FnOnce() -> io::Result<()> + Send + 'static + use<>> {
        let [first, second] = &self.parts;
        let files = [first.file.try_clone()?, second.file.try_clone()?];
        Ok(move || files.iter().try_for_each(File::sync_data))
    }

    fn append_alone<T: Serialize>(&mut self, value: &T) -> Result<(), ChainError> {
        let (which, begins) = self.current()?;
        if begins {
            let head = self.parts[1 - which].caught_up()?.head.clone();
            let part = &mut self.parts[which];
            part.empty().map_err(|source| io_error(&part.path, source))?;
            if head != NOTHING_BEFORE {
                part.append(&json!({"continues": head}))?;
            }
        }
        self.parts[which].caught_up()?.append(value)
    }

    /// The file that is written, and whether it begins anew.
    fn current(&self) -> Result<(usize, bool), ChainError> {
        let mut stamps = [(0, SystemTime::UNIX_EPOCH); 2];
        for (part, stamp) in self.parts.iter().zip(&mut stamps) {
            let data = part.file.metadata().map_err(|source| io_error(&part.path, source))?;
            if data.len() < self.most && data.len() > 0 {
                let which = usize::from(!std::ptr::eq(part, &self.parts[0]));
                return Ok((which, false));
            }
            *stamp = (data.len(), data.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        }
        // Each is full or empty: an empty one, else the older one.
        let [(first, older), (second, newer)] = stamps;
        let which = usize::from(first > 0 && (second == 0 || newer < older));
        Ok((which, true))
    }
}

impl Part {
    fn append<T: Serialize>(&mut self, value: &T) -> Result<(), ChainError> {
        let record = Record::after(self.seq, &self.head, value)
            .map_err(|source| ChainError::Value { path: self.path.clone(), source })?;
        let length = record.line.len() as u64;
        if length > MOST_RECORD {
            return Err(self.failed("the record is longer than 8 KiB"));
        }
        if let Err(error) = self.file.write_all(&record.line) {
            // If this fails too, the next append cuts the torn line off.
            let _ = self.file.set_len(self.end);
            return Err(io_error(&self.path, error));
        }
        (self.seq, self.head, self.end) = (record.seq, record.hash, self.end + length);
        self.changed = self.file.metadata().and_then(|data| data.modified()).ok();
        Ok(())
    }

    fn empty(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        (self.seq, self.head, self.end, self.changed) = (0, NOTHING_BEFORE.to_owned(), 0, None);
        Ok(())
    }

    /// Learns what other processes appended, and cuts a torn last line off.
    fn caught_up(&mut self) -> Result<&mut Self, ChainError> {
        let data = self.file.metadata().map_err(|source| io_error(&self.path, source))?;
        let (length, changed) = (data.len(), data.modified().ok());
        if length == self.end && (length == 0 || changed == self.changed) {
            return Ok(self);
        }
        let tail = self.tail(length).map_err(|source| io_error(&self.path, source))?;
        let Some(after) = tail.iter().rposition(|b| *b == b'\n').map(|at| at + 1) else {
            if length > MOST_RECORD {
                return Err(self.failed("the file does not end with a record"));
            }
            self.empty().map_err(|source| io_error(&self.path, source))?;
            return Ok(self);
        };
        let begin = tail[..after - 1].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let Ok(link) = Link::read(&tail[begin..after]) else {
            return Err(self.failed("the last record does not hold"));
        };
        let end = length - (tail.len() - after) as u64;
        if end < length {
            self.file.set_len(end).map_err(|source| io_error(&self.path, source))?;
        }
        (self.seq, self.head, self.end, self.changed) = (link.seq, link.hash.into_owned(), end, None);
        Ok(self)
    }

    /// The last bytes: more than one record and a torn one can have.
    fn tail(&mut self, length: u64) -> io::Result<Vec<u8>> {
        let start = length.saturating_sub(2 * MOST_RECORD);
        self.file.seek(SeekFrom::Start(start))?;
        let mut tail = Vec::new();
        (&self.file).take(length - start).read_to_end(&mut tail)?;
        Ok(tail)
    }

    fn failed(&self, what: &'static str) -> ChainError {
        io_error(&self.path, io::Error::other(what))
    }
}

#[cfg(test)]
mod tests;
