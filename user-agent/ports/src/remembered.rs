//! The files of the memory, opened beneath the profile's folder as every other file.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use bot_base::config::Backend;
use bot_base::paths::{Folder, PathError};
use durable::Draft;
use memory::{Jsonl, Store};

/// The folder of the index, beneath the memory's.
const INDEX: &str = "index";

/// The memory that the configuration names; nothing is opened before it is needed.
pub fn store(folder: Arc<Folder>, backend: Backend, progress: memory::jsonl::OnProgress) -> Arc<dyn Store> {
    match backend {
        // Without the skill `memory` nobody has a handle to it, and nothing is opened before it is needed.
        Backend::Jsonl | Backend::None => Arc::new(Jsonl::new(Beneath(folder)).telling(progress)),
        #[cfg(feature = "sqlite")]
        Backend::Sqlite => Arc::new(memory::Sqlite::new(Beneath(folder))),
        #[cfg(feature = "sqlite")]
        Backend::Volatile => Arc::new(memory::Sqlite::<Beneath>::volatile()),
    }
}

/// Every memory whose files are there, regardless of what the configuration names now.
pub fn lying(folder: &Arc<Folder>) -> Vec<Arc<dyn Store>> {
    let quiet = || Box::new(|_, _| {});
    #[cfg_attr(not(feature = "sqlite"), expect(unused_mut, reason = "the other backend is not built in"))]
    let mut lying = vec![store(folder.clone(), Backend::Jsonl, quiet())];
    #[cfg(feature = "sqlite")]
    if folder.file(memory::sqlite::FILE).is_ok() {
        lying.push(store(folder.clone(), Backend::Sqlite, quiet()));
    }
    lying
}

/// The profile's `memory/`.
struct Beneath(Arc<Folder>);

impl Beneath {
    /// The folder of a name, and the name within.
    fn split<T>(
        &self,
        name: &str,
        then: impl FnOnce(&Folder, &str) -> Result<T, PathError>,
    ) -> Result<T, PathError> {
        match name.split_once('/') {
            Some((INDEX, name)) => then(&self.0.make_folder(INDEX)?, name),
            _ => then(&self.0, name),
        }
    }
}

impl memory::Files for Beneath {
    fn open(&self, name: &str) -> io::Result<Option<File>> {
        found(self.0.file(name))
    }

    fn open_log(&self, name: &str) -> io::Result<File> {
        Ok(self.0.log(name)?)
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        Ok(self.split(name, |folder, name| folder.replace_secret(name, bytes))?)
    }

    fn draft(&self, name: &str) -> io::Result<Draft> {
        Draft::begin_at(self.0.handle().try_clone()?, name, 0o600)
    }

    fn remove_drafts(&self, name: &str) -> io::Result<()> {
        durable::remove_drafts_at(self.0.handle(), name)
    }

    fn remove_index(&self, name: &str) -> io::Result<()> {
        let Some(folder) = found(self.0.folder(INDEX))? else { return Ok(()) };
        found(folder.remove(name)).map(|_| ())
    }

    fn index_names(&self) -> io::Result<Vec<String>> {
        match found(self.0.folder(INDEX))? {
            Some(folder) => Ok(folder.files()?),
            None => Ok(vec![]),
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

/// What is not there is no error.
fn found<T>(result: Result<T, PathError>) -> io::Result<Option<T>> {
    match result {
        Err(e) if e.is_missing() => Ok(None),
        other => Ok(other.map(Some)?),
    }
}

#[cfg(test)]
mod tests;
