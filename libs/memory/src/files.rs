//! The files of a memory, reached through a trait: the program that keeps them decides how they may be opened.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use durable::Draft;

/// The folder of a memory. Names are plain, or plain beneath `index/`.
pub trait Files: Send + Sync {
    /// Opens a file to read it; `None` where there is none.
    ///
    /// # Errors
    /// An error of the operating system.
    fn open(&self, name: &str) -> io::Result<Option<File>>;

    /// Opens a log to read it and to append to it, and makes it (mode 0600) where it is missing.
    ///
    /// # Errors
    /// An error of the operating system.
    fn open_log(&self, name: &str) -> io::Result<File>;

    /// Replaces or makes a file; readers see the old content or the new.
    ///
    /// # Errors
    /// An error of the operating system; the old content then still stands.
    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Begins a file that will replace the one of this name, for what is too large to hold.
    ///
    /// # Errors
    /// An error of the operating system.
    fn draft(&self, name: &str) -> io::Result<Draft>;

    /// Removes what processes that were killed left of a file that was to be replaced; nobody replaces it meanwhile.
    ///
    /// # Errors
    /// An error of the operating system.
    fn remove_drafts(&self, name: &str) -> io::Result<()>;

    /// Removes a file beneath `index/`; one that is not there is no error.
    ///
    /// # Errors
    /// An error of the operating system.
    fn remove_index(&self, name: &str) -> io::Result<()>;

    /// The names of the files beneath `index/`, without the folder.
    ///
    /// # Errors
    /// An error of the operating system.
    fn index_names(&self) -> io::Result<Vec<String>>;

    /// Where the folder is, for a library that opens by path.
    fn path(&self) -> &Path;
}

/// A folder of this machine, opened by path: for tests and tools.
#[derive(Debug, Clone)]
pub struct Disk(PathBuf);

impl Disk {
    /// A folder that must exist.
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

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.0.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        durable::replace(&path, bytes, 0o600)
    }

    fn draft(&self, name: &str) -> io::Result<Draft> {
        Draft::begin(&self.0.join(name), 0o600)
    }

    fn remove_drafts(&self, name: &str) -> io::Result<()> {
        durable::remove_drafts_at(&File::open(&self.0)?, name)
    }

    fn remove_index(&self, name: &str) -> io::Result<()> {
        match std::fs::remove_file(self.0.join("index").join(name)) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    fn index_names(&self) -> io::Result<Vec<String>> {
        match std::fs::read_dir(self.0.join("index")) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(vec![]),
            other => other?.map(|e| Ok(e?.file_name().to_string_lossy().into_owned())).collect(),
        }
    }

    fn path(&self) -> &Path {
        &self.0
    }
}
