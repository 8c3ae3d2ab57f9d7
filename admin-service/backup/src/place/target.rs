//! A backup's file while it is written.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use base::error::Error;
use durable::Draft;

use super::Place;
use super::keeper::Keeper;

/// The file, which has no name until it is whole. What is left of it goes when this is dropped before.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    file: File,
    bytes: u64,
    shelf: Shelf,
}

/// Who names the file, and removes older ones.
#[derive(Debug)]
enum Shelf {
    /// This process.
    Own(Place, Option<Draft>),
    /// A process that stays root, in a folder that only root opens.
    Root(Keeper),
}

impl Target {
    /// Begins a file of this process.
    ///
    /// # Errors
    /// A folder in which this user may make no file.
    pub fn begin(place: Place) -> Result<Target, Error> {
        let path = place.file();
        let (draft, file) = begun(&place).map_err(Error::io(&path))?;
        Ok(Target { path, file, bytes: 0, shelf: Shelf::Own(place, Some(draft)) })
    }

    /// Begins a file that a process of its own names, which stays root; `keep` older ones are kept.
    ///
    /// # Errors
    /// As [`Target::begin`], or a process that cannot be started.
    pub fn of_root(place: Place, keep: Option<u16>) -> Result<Target, Error> {
        let path = place.file();
        let (draft, file) = begun(&place).map_err(Error::io(&path))?;
        let keeper =
            Keeper::start(place, draft, keep).map_err(Error::step("starting a process of root's"))?;
        Ok(Target { path, file, bytes: 0, shelf: Shelf::Root(keeper) })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes were written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Begins anew with an empty file.
    pub(crate) fn again(&mut self) -> Result<(), Error> {
        self.bytes = 0;
        let begun = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        begun.map(|_| ()).map_err(Error::io(&self.path))
    }

    /// Gives the file its name, when all of it is on the disk.
    pub(crate) fn place(&mut self) -> Result<(), Error> {
        let placed = match &mut self.shelf {
            Shelf::Own(_, draft) => draft.take().map_or(Ok(()), Draft::place),
            Shelf::Root(keeper) => keeper.place(),
        };
        placed.map_err(Error::io(&self.path))
    }

    /// Removes all but the `most` newest backups of the folder; answers those that went. Root keeps what it was started with.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn keep(&mut self, most: usize) -> Result<Vec<PathBuf>, Error> {
        let gone = match &mut self.shelf {
            Shelf::Own(place, _) => place.keep(most),
            Shelf::Root(keeper) => keeper.keep(),
        };
        let gone = gone.map_err(Error::io(&self.path))?;
        Ok(gone.into_iter().map(|name| self.path.with_file_name(name)).collect())
    }
}

fn begun(place: &Place) -> io::Result<(Draft, File)> {
    let draft = place.draft()?;
    let file = draft.file()?;
    Ok((draft, file))
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
