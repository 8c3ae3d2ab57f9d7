//! A backup's file while it is written.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::error::Error;
use durable::Draft;

use super::keeper::Keeper;
use super::{Kept, Place};

/// The file, which has no name until it is whole. What is left of it goes when this is dropped before.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    file: File,
    bytes: u64,
    /// How many backups stay in the folder, where older ones are to be removed.
    keep: Option<u16>,
    /// Set when the writing is to end.
    ended: Option<Arc<AtomicBool>>,
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
    /// Begins the file. With `as_root` a process that stays root names it and removes older ones; else this process does.
    ///
    /// # Errors
    /// A folder in which this user may make no file, or a process that cannot be started.
    pub fn begin(place: Place, keep: Option<u16>, as_root: bool) -> Result<Target, Error> {
        let path = place.file();
        let draft = place.draft().map_err(Error::io(&path))?;
        let file = draft.file().map_err(Error::io(&path))?;
        let shelf = match as_root {
            true => Shelf::Root(
                Keeper::start(place, draft, keep).map_err(Error::step("starting root's process"))?,
            ),
            false => Shelf::Own(place, Some(draft)),
        };
        Ok(Target { path, file, bytes: 0, keep, ended: None, shelf })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes were written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Ends the writing as soon as this flag is set.
    pub(crate) fn until(&mut self, ended: &Arc<AtomicBool>) {
        self.ended = Some(Arc::clone(ended));
    }

    /// Whether the writing is to end.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Removes another backup of this home in the same folder; root's process removes none by name.
    pub(crate) fn remove(&self, file: &Path) -> Result<(), Error> {
        match &self.shelf {
            Shelf::Own(place, _) => place.remove_noted(file).map_err(Error::io(file)),
            Shelf::Root(_) => Ok(()),
        }
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

    /// Removes all but the newest backups of the folder, where that is wanted.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn keep(&mut self) -> Result<Kept, Error> {
        let Some(most) = self.keep else { return Ok(Kept::default()) };
        let kept = match &mut self.shelf {
            Shelf::Own(place, _) => place.keep(usize::from(most)),
            Shelf::Root(keeper) => keeper.keep(),
        };
        kept.map_err(Error::io(&self.path))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_ended() {
            return Err(io::Error::other("the service ends"));
        }
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
