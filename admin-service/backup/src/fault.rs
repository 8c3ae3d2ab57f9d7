//! Why a backup cannot be made, read or restored.

use std::io;

use base::error::Error;
use shared_types::signature::SignatureError;

use crate::name::NameFault;

/// What is wrong with a backup.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It ends too early, or cannot be read.
    #[error("the backup cannot be read to its end: {}", shared_types::text::cut(&.0.to_string(), 200))]
    Read(io::Error),
    /// Not a backup of this program.
    #[error("it is not a backup: {0}")]
    NotABackup(String),
    /// A later release made it.
    #[error("the backup has format {found}; this program reads formats up to {known}")]
    Newer {
        /// Its format.
        found: u64,
        /// The newest that is read.
        known: u32,
    },
    /// The passphrase does not open it.
    #[error("the passphrase does not open this backup")]
    Passphrase,
    /// No identity of the file opens it.
    #[error("none of the identities opens this backup")]
    Identity,
    /// A file of identities without one.
    #[error("it holds no identity (`AGE-SECRET-KEY-1...`, a line each)")]
    NoIdentity,
    /// It was encrypted for public keys.
    #[error(
        "the backup was encrypted for a public key: give --identity FILE, which holds the identity that belongs to it"
    )]
    WantsIdentity,
    /// It was encrypted with a passphrase.
    #[error("the backup was encrypted with a passphrase: give --passphrase-file FILE instead of --identity")]
    WantsPassphrase,
    /// It is encrypted in another way, or its beginning is damaged.
    #[error("the encryption of the backup cannot be read: {0}")]
    Sealed(String),
    /// An entry that is not a regular file.
    #[error("the backup holds {kind} (`{name}`); it must hold regular files only")]
    Kind {
        /// What it is.
        kind: &'static str,
        /// Its name, safe to show.
        name: String,
    },
    /// A name that does not belong in a home.
    #[error("the backup holds a file that has no place in a home: {0}")]
    Name(#[from] NameFault),
    /// More than a backup may hold.
    #[error("the backup holds more than {most} {what}")]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// The limit.
        most: u64,
    },
    /// The same name twice.
    #[error("the backup holds `{0}` twice")]
    Twice(String),
    /// A file differs from what the index says.
    #[error("`{0}` differs from the index of the backup")]
    Differs(String),
    /// A file of the index is missing.
    #[error("`{0}` is in the index and not in the backup")]
    Missing(String),
    /// The index is not the one that was signed.
    #[error("the signature of the index does not hold: {0}")]
    Signature(#[from] SignatureError),
    /// The child handed over a file that is not the bot's.
    #[error("the child handed over `{0}`")]
    Handed(String),
    /// The child that reads or writes the bot's files failed.
    #[error("the child that {doing} the bot's files failed: {words}")]
    Child {
        /// What it was to do.
        doing: &'static str,
        words: String,
    },
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        match fault {
            Fault::Read(source) if source.raw_os_error().is_some() => {
                Error::Step { step: "reading the backup", why: source.into() }
            }
            Fault::Passphrase
            | Fault::Identity
            | Fault::WantsIdentity
            | Fault::WantsPassphrase
            | Fault::Newer { .. } => Error::refused(fault),
            Fault::NoIdentity => Error::usage(fault),
            Fault::Child { .. } => Error::failed(fault),
            other => Error::integrity(other),
        }
    }
}
