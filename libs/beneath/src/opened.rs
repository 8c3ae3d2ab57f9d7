//! A file that passed the rules, for reading.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::stat::{Mode, fstat};

use crate::way::{self, Pinned};
use crate::{Facts, Kind, NotOpened};

const READ: OFlag = OFlag::O_RDONLY.union(OFlag::O_NONBLOCK).union(OFlag::O_NOCTTY).union(OFlag::O_CLOEXEC);

/// A regular file that was judged before it was opened.
#[derive(Debug)]
pub struct Opened {
    file: File,
    facts: Facts,
}

impl Opened {
    /// Opens what is pinned.
    pub(crate) fn of(pinned: &OwnedFd) -> Result<Opened, NotOpened> {
        let way = format!("/proc/self/fd/{}", pinned.as_raw_fd());
        let file = match open(way.as_str(), READ, Mode::empty()) {
            // The pinned inode cannot be missing: the way to it is.
            Err(Errno::ENOENT | Errno::ENOTDIR) => return Err(NotOpened::NoProc),
            other => File::from(other?),
        };
        let facts = Facts::of(&fstat(&file)?);
        Ok(Opened { file, facts })
    }

    /// Opens a regular file by its path. A link on the way or at its end counts only where one of these users made it, and a second
    /// name only in a folder that they alone may write to: so the opened file is where the path says.
    ///
    /// # Errors
    /// Anything else has that name.
    pub fn open_by(path: &Path, makers: &[u32]) -> Result<Opened, NotOpened> {
        let Pinned { handle, facts, above } = way::pin(path, makers)?;
        if facts.kind != Kind::File {
            return Err(NotOpened::NotAFile(facts.kind));
        }
        let others_write = !makers.contains(&above.user) || above.mode & 0o022 != 0;
        if facts.names > 1 && others_write {
            return Err(NotOpened::SecondName);
        }
        Opened::of(&handle)
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
    /// As [`Opened::read`], or content that is not such text.
    pub fn text(self, most: u64) -> Result<String, NotOpened> {
        let text = String::from_utf8(self.read(most)?).map_err(|_| NotOpened::NotText)?;
        if text.contains(['\0', '\u{feff}']) { Err(NotOpened::NotText) } else { Ok(text) }
    }

    /// Its last bytes, at most the given number.
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
