//! The highest serial of an index that was seen, for each release key the last one used.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use serde::{Deserialize, Serialize};

/// What is kept in the home.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seen {
    key: String,
    pub(super) serial: u64,
}

/// The file is damaged.
#[derive(Debug, thiserror::Error)]
#[error("{} is damaged ({why}); without it an old index cannot be told from a new one. Remove it to begin anew", path.display())]
struct Damaged {
    path: PathBuf,
    why: serde_json::Error,
}

impl Seen {
    /// What was seen of indexes of this key; of another key's nothing counts.
    pub(super) fn read(home: &Home, key: &str) -> Result<Seen, Error> {
        let path = file(home);
        let fresh = Seen { key: key.to_owned(), serial: 0 };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(fresh),
            Err(error) => return Err(Error::io(&path)(error)),
        };
        let kept: Seen =
            serde_json::from_str(&text).map_err(|why| Error::integrity(Damaged { path, why }))?;
        Ok(if kept.key == key { kept } else { fresh })
    }

    /// Keeps a serial that is higher than before.
    pub(super) fn keep(&mut self, home: &Home, serial: u64) -> Result<(), Error> {
        if serial <= self.serial {
            return Ok(());
        }
        self.serial = serial;
        let path: &Path = &file(home);
        let text = shared_types::json::line(self) + "\n";
        durable::replace(path, text.as_bytes(), 0o600).map_err(Error::io(path))
    }
}

fn file(home: &Home) -> PathBuf {
    home.admin().join("release.seen")
}
