//! Reads a chain from its start or on from a place, each link verified before its value is handed out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde_json::Value;

use super::line::{FromJson, Link};
use super::{Broken, ChainError, Flaw, Place, io_error};

/// The largest record that is read, in bytes.
const MAX_RECORD: u64 = 16 * 1024 * 1024;

/// A chain as it is read; made by [`replay`] and [`replay_from`].
#[derive(Debug)]
pub struct Replay<T = Value> {
    lines: BufReader<File>,
    line: Vec<u8>,
    path: PathBuf,
    place: Place,
    done: bool,
    value: PhantomData<T>,
}

/// Reads a chain without writing: a torn last line is passed over.
///
/// # Errors
/// An error of the operating system; the iterator itself names the first broken link, then ends.
pub fn replay(path: &Path) -> Result<Replay, ChainError> {
    replay_from(path, &Place::default())
}

/// As [`replay`], on from a place and with each value read as what it is to be; one that is not is a broken link. Where the
/// chain does not have that place, it is read from its start: [`Replay::place`] says so.
///
/// # Errors
/// As [`replay`].
pub fn replay_from<T: FromJson>(path: &Path, place: &Place) -> Result<Replay<T>, ChainError> {
    let opened = File::open(path).and_then(|mut file| {
        let place = if place.stands_in(&file) { place.clone() } else { Place::default() };
        file.seek(SeekFrom::Start(place.end))?;
        Ok((file, place))
    });
    let (file, place) = opened.map_err(|source| io_error(path, source))?;
    Ok(replay_file(file, path, place))
}

/// As [`replay_from`], for a file that the caller opened and that stands at the place; the path is for messages alone.
fn replay_file<T>(file: File, path: &Path, place: Place) -> Replay<T> {
    Replay {
        lines: BufReader::with_capacity(64 * 1024, file),
        line: Vec::new(),
        path: path.to_owned(),
        place,
        done: false,
        value: PhantomData,
    }
}

/// As [`verify`], for a file that the caller opened, and reads from where it stands; the path is for messages alone.
///
/// # Errors
/// As [`verify`].
pub fn verify_file(file: File, path: &Path) -> Result<(u64, String), ChainError> {
    whole(replay_file(file, path, Place::default())).map(|place| (place.seq, place.head))
}

/// Verifies a chain; answers the number of records and the hash of the last one.
///
/// # Errors
/// The first broken link, or an error of the operating system.
pub fn verify(path: &Path) -> Result<(u64, String), ChainError> {
    whole(replay_from(path, &Place::default())?).map(|place| (place.seq, place.head))
}

/// Verifies what is left of a chain; answers where it ends.
pub(crate) fn whole(mut walk: Replay<IgnoredAny>) -> Result<Place, ChainError> {
    for record in &mut walk {
        record?;
    }
    Ok(walk.place)
}

impl<T> Replay<T> {
    /// Behind the last record that was handed out.
    pub fn place(&self) -> &Place {
        &self.place
    }

    fn broken(&self, what: Flaw) -> ChainError {
        Broken { path: self.path.clone(), line: self.place.seq + 1, what }.into()
    }
}

impl<T: FromJson> Replay<T> {
    fn link(&mut self) -> Result<(u64, T), Flaw> {
        let link = Link::read(&self.line)?;
        if link.seq != self.place.seq + 1 {
            return Err(Flaw::Number { found: link.seq, next: self.place.seq + 1 });
        }
        if link.previous != self.place.head {
            return Err(Flaw::Previous);
        }
        let (seq, hash) = (link.seq, link.hash.clone().into_owned());
        let value = link.value()?;
        (self.place.seq, self.place.head) = (seq, hash);
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
                self.place.end += self.line.len() as u64;
                Some(Ok(record))
            }
            Err(what) => {
                self.done = true;
                Some(Err(self.broken(what)))
            }
        }
    }
}
