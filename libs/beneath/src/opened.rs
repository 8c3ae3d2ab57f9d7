//! A file that passed the rules, for reading.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use nix::errno::Errno;

use crate::{Facts, NotOpened};

/// A regular file that was judged before it was opened.
#[derive(Debug)]
pub struct Opened {
    file: File,
    facts: Facts,
}

impl Opened {
    pub(crate) fn new(file: File, facts: Facts) -> Opened {
        Opened { file, facts }
    }

    /// What the file was when it was judged.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// All of it.
    ///
    /// # Errors
    /// More than `most` bytes, even if it only claims to have them: a file of a terabyte may hold nothing.
    pub fn read(self, most: u64) -> Result<Vec<u8>, NotOpened> {
        if self.facts.size > most {
            return Err(NotOpened::TooLarge { most });
        }
        let mut bytes = Vec::new();
        self.file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| failed(&e))?;
        if bytes.len() as u64 > most { Err(NotOpened::TooLarge { most }) } else { Ok(bytes) }
    }

    /// All of it, as text without NUL and byte order mark.
    ///
    /// # Errors
    /// As [`Opened::read`], or no such text.
    pub fn text(self, most: u64) -> Result<String, NotOpened> {
        let text = String::from_utf8(self.read(most)?).map_err(|_| NotOpened::NotText)?;
        if text.contains(['\0', '\u{feff}']) { Err(NotOpened::NotText) } else { Ok(text) }
    }

    /// Its last bytes, at most so many.
    ///
    /// # Errors
    /// A failing disk.
    pub fn last(mut self, most: u64) -> Result<Vec<u8>, NotOpened> {
        let from = SeekFrom::Start(self.facts.size.saturating_sub(most));
        self.file.seek(from).map_err(|e| failed(&e))?;
        let mut bytes = Vec::new();
        self.file.take(most).read_to_end(&mut bytes).map_err(|e| failed(&e))?;
        Ok(bytes)
    }

    /// The file itself, for a reader with a limit of its own.
    pub fn into_file(self) -> File {
        self.file
    }
}

fn failed(error: &io::Error) -> NotOpened {
    NotOpened::NotYet(error.raw_os_error().map_or(Errno::EIO, Errno::from_raw))
}
