//! The highest serial of an index that was seen, for each release key.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;

/// The highest serial by release key, and the key that is asked about.
#[derive(Debug)]
pub(super) struct Seen {
    key: String,
    serials: BTreeMap<String, u64>,
}

/// The file is damaged.
#[derive(Debug, thiserror::Error)]
#[error("{} is damaged ({why}); without it an old index cannot be distinguished from a new one. Remove it to begin anew", path.display())]
struct Damaged {
    path: PathBuf,
    why: serde_json::Error,
}

impl Seen {
    /// What was seen of indexes of this key; what was seen of another key's does not count, and stays.
    pub(super) fn read(home: &Home, key: &str) -> Result<Seen, Error> {
        let path = file(home);
        let serials = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map_err(|why| Error::integrity(Damaged { path, why }))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(Error::io(&path)(error)),
        };
        Ok(Seen { key: key.to_owned(), serials })
    }

    /// The highest serial that was seen; 0 before the first.
    pub(super) fn serial(&self) -> u64 {
        self.serials.get(&self.key).copied().unwrap_or(0)
    }

    /// Keeps a serial that is higher than before.
    pub(super) fn keep(&mut self, home: &Home, serial: u64) -> Result<(), Error> {
        if serial <= self.serial() {
            return Ok(());
        }
        self.serials.insert(self.key.clone(), serial);
        let path: &Path = &file(home);
        let text = shared_types::json::line(&self.serials) + "\n";
        durable::replace(path, text.as_bytes(), 0o600).map_err(Error::io(path))
    }
}

fn file(home: &Home) -> PathBuf {
    home.admin().join("release.seen")
}
