//! The files of a chain, reached through a trait: the program that keeps them decides how they may be opened.
//!
//! `receipts.jsonl` is the one that is written. When it is full it becomes `receipts.1.jsonl`, the next time
//! `receipts.2.jsonl`, and so on; together they are one chain.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The file that is written.
pub const CURRENT: &str = "receipts.jsonl";

/// The folder of a chain. Names are plain.
pub trait Files: Send + Sync {
    /// Opens a regular file to read it; `None` where there is none.
    ///
    /// # Errors
    /// An error of the operating system, or something else than a file.
    fn open(&self, name: &str) -> io::Result<Option<File>>;

    /// Opens a file to read it and to append to it, and makes it (mode 0600) where it is missing.
    ///
    /// # Errors
    /// As [`Files::open`].
    fn open_log(&self, name: &str) -> io::Result<File>;

    /// Gives a file another name, and syncs the folder.
    ///
    /// # Errors
    /// An error of the operating system.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Syncs the folder, so that a name in it survives a crash.
    ///
    /// # Errors
    /// An error of the operating system.
    fn sync(&self) -> io::Result<()>;

    /// The names of everything in the folder.
    ///
    /// # Errors
    /// An error of the operating system.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Where the folder is, for messages only.
    fn path(&self) -> &Path;
}

/// The files of a chain in their order, the written one last; it is named whether it is there or not.
///
/// # Errors
/// A folder that cannot be listed.
pub fn segments(files: &dyn Files) -> io::Result<Vec<String>> {
    let mut full: Vec<u64> = files.names()?.iter().filter_map(|name| number(name)).collect();
    full.sort_unstable();
    Ok(full.into_iter().map(segment).chain([CURRENT.to_owned()]).collect())
}

/// The name of the full file with a number.
pub(crate) fn segment(number: u64) -> String {
    format!("receipts.{number}.jsonl")
}

/// The number of a full file, if this is the name of one.
pub fn number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("receipts.")?.strip_suffix(".jsonl")?;
    let number = digits.parse().ok().filter(|n| *n > 0)?;
    // One spelling a number: `01` would be another file of the same place.
    (segment(number) == name).then_some(number)
}

/// A folder of this machine, opened by path.
#[derive(Debug, Clone)]
pub struct Disk(PathBuf);

impl Disk {
    /// A folder that must exist when something is written.
    pub fn new(folder: &Path) -> Disk {
        Disk(folder.to_owned())
    }
}

impl Files for Disk {
    fn open(&self, name: &str) -> io::Result<Option<File>> {
        match File::open(self.0.join(name)) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    }

    fn open_log(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(self.0.join(name))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.0.join(from), self.0.join(to))?;
        self.sync()
    }

    fn sync(&self) -> io::Result<()> {
        durable::sync_folder(&self.0)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let entries = match std::fs::read_dir(&self.0) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
            other => other?,
        };
        Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
    }

    fn path(&self) -> &Path {
        &self.0
    }
}
