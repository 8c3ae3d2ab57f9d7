//! What can go wrong with a memory.

use std::io;

use shared_types::memory::{Fault, MAX_LINE};

/// A memory that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refuses; what was accepted before still stands.
    #[error("the memory `{file}` cannot be used: {why}", why = durable::words(source))]
    Io {
        /// The file beneath the memory's folder.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// The log has the size at which it is closed for more.
    #[error(
        "the memory `{file}` is full ({limit} MB); `memory export`, then `memory clear --yes` makes room"
    )]
    Full {
        file: String,
        /// The largest size, in megabytes.
        limit: u64,
    },
    /// A record that is not stored.
    #[error(transparent)]
    Refused(#[from] Fault),
    /// A record whose line would be too long.
    #[error("a record has at most {MAX_LINE} bytes")]
    LongLine,
    /// A record that has no form as JSON.
    #[error("a record cannot be written: {0}")]
    Unwritten(#[from] serde_json::Error),
    /// The index says something else than the log twice in a row.
    #[error(
        "the index of `{file}` does not fit the log even after it was made again; remove the folder `index`"
    )]
    Index {
        /// The log.
        file: String,
    },
    /// Another version of this program made the database.
    #[cfg(feature = "sqlite")]
    #[error(
        "`{file}` is of version {found}; this program knows version {known}",
        file = crate::sqlite::FILE,
        known = crate::sqlite::VERSION
    )]
    Version {
        /// Its version.
        found: i64,
    },
    /// SQLite refuses.
    #[cfg(feature = "sqlite")]
    #[error("the memory `{file}` cannot be used: {source}", file = crate::sqlite::FILE)]
    Sqlite {
        /// Why.
        #[from]
        source: rusqlite::Error,
    },
}

impl Error {
    pub(crate) fn io(file: &str) -> impl FnOnce(io::Error) -> Error + '_ {
        move |source| Error::Io { file: file.to_owned(), source }
    }
}
