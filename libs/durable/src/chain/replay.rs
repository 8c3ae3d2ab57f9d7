//! Reads a chain from its start, each link verified before its value is handed out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde_json::Value;

use super::line::{FromJson, Link, NOTHING_BEFORE};
use super::{Broken, ChainError, Flaw, io_error};

/// The largest record that is read, in bytes.
const MAX_RECORD: u64 = 16 * 1024 * 1024;

/// A chain as it is read; made by [`replay`] and [`replay_as`].
#[derive(Debug)]
pub struct Replay<T = Value> {
    lines: BufReader<File>,
    line: Vec<u8>,
    path: PathBuf,
    seq: u64,
    head: String,
    end: u64,
    done: bool,
    value: PhantomData<T>,
}

/// Reads a chain without writing: a torn last line is passed over.
///
/// # Errors
/// Whatever the operating system refuses; the iterator itself names the first broken link, then ends.
pub fn replay(path: &Path) -> Result<Replay, ChainError> {
    replay_as(path)
}

/// As [`replay`], with each value read as what it is to be; one that is not is a broken link.
///
/// # Errors
/// As [`replay`].
pub fn replay_as<T: FromJson>(path: &Path) -> Result<Replay<T>, ChainError> {
    Ok(replay_file(File::open(path).map_err(|source| io_error(path, source))?, path))
}

/// As [`replay_as`], for a file that the caller opened; the path is for messages alone.
fn replay_file<T>(file: File, path: &Path) -> Replay<T> {
    Replay {
        lines: BufReader::with_capacity(64 * 1024, file),
        line: Vec::new(),
        path: path.to_owned(),
        seq: 0,
        head: NOTHING_BEFORE.to_owned(),
        end: 0,
        done: false,
        value: PhantomData,
    }
}

/// As [`verify`], for a file that the caller opened, and reads from where it stands; the path is for messages alone.
///
/// # Errors
/// As [`verify`].
pub fn verify_file(file: File, path: &Path) -> Result<(u64, String), ChainError> {
    whole(replay_file::<IgnoredAny>(file, path))
}

/// Verifies a chain; answers the number of records and the hash of the last one.
///
/// # Errors
/// The first broken link, or whatever the operating system refuses.
pub fn verify(path: &Path) -> Result<(u64, String), ChainError> {
    whole(replay_as::<IgnoredAny>(path)?)
}

fn whole(mut walk: Replay<IgnoredAny>) -> Result<(u64, String), ChainError> {
    for record in &mut walk {
        record?;
    }
    Ok((walk.seq, walk.head))
}

impl<T> Replay<T> {
    /// The number of records that were handed out.
    pub fn len(&self) -> u64 {
        self.seq
    }

    /// Whether nothing was handed out yet.
    pub fn is_empty(&self) -> bool {
        self.seq == 0
    }

    /// The hash of the last record that was handed out, 64 zeros before the first.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Where the last record that was handed out ends, in bytes.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    fn broken(&self, what: Flaw) -> ChainError {
        Broken { path: self.path.clone(), line: self.seq + 1, what }.into()
    }
}

impl<T: FromJson> Replay<T> {
    fn link(&mut self) -> Result<(u64, T), Flaw> {
        let link = Link::read(&self.line)?;
        if link.seq != self.seq + 1 {
            return Err(Flaw::Number { found: link.seq, next: self.seq + 1 });
        }
        if link.previous != self.head {
            return Err(Flaw::Previous);
        }
        let (seq, hash) = (link.seq, link.hash.clone().into_owned());
        let value = link.value()?;
        (self.seq, self.head) = (seq, hash);
        Ok((seq, value))
    }
}

impl<T: FromJson> Iterator for Replay<T> {
    type Item = Result<(u64, T), ChainError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        self.line.clear();
        match (&mut self.lines).take(MAX_RECORD).read_until(b'\n', &mut self.line) {
            Err(source) => {
                self.done = true;
                return Some(Err(io_error(&self.path, source)));
            }
            Ok(0) => return None,
            Ok(_) => {}
        }
        if self.line.last() != Some(&b'\n') {
            self.done = true;
            // A torn last line was never accepted; a line beyond the cap is not torn.
            return (self.line.len() as u64 == MAX_RECORD).then(|| Err(self.broken(Flaw::Long)));
        }
        match self.link() {
            Ok(record) => {
                self.end += self.line.len() as u64;
                Some(Ok(record))
            }
            Err(what) => {
                self.done = true;
                Some(Err(self.broken(what)))
            }
        }
    }
}
