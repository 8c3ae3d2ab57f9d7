//! Writes the service's own files.

use std::io;
use std::path::PathBuf;

use base::error::Error;
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use durable::Draft;

use crate::name::{Keys, Name, Part};
use crate::reader::File;

/// The service's part of a home that is being restored.
pub(super) struct Own<'a> {
    home: &'a Home,
}

impl<'a> Own<'a> {
    pub(super) fn new(home: &'a Home) -> Own<'a> {
        Own { home }
    }

    /// Writes one file; its folders are made where they are missing.
    pub(super) fn write(&self, file: &mut File<'_>) -> Result<(), Error> {
        let (path, folder_mode, mode) = self.place(file.name);
        if let Some(folder) = path.parent() {
            make_folder(folder, folder_mode)?;
        }
        let mut draft = Draft::begin(&path, mode).map_err(Error::io(&path))?;
        io::copy(&mut file.content, &mut draft).map_err(Error::io(&path))?;
        draft.place().map_err(Error::io(&path))
    }

    /// Where a file goes, and the modes of its folder and of itself.
    fn place(&self, name: &Name) -> (PathBuf, u32, u32) {
        let (folder, mode) = match name.part() {
            Part::Admin | Part::Keys(Keys::Admin) => (PRIVATE, 0o600),
            _ => (READABLE, READABLE_FILE),
        };
        (self.home.root().join(name.as_str()), folder, mode)
    }
}
