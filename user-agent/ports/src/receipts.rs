//! The receipts of this profile: every attempted call of a tool leaves one, regardless of the outcome.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bot_base::error::{Error, say};
use bot_base::paths::Folder;
use receipts::{Attempt, Chain, Files, Key, ReceiptError};

use crate::ByKernel;

/// The file with the key of the `hmac`, in the profile's folder.
const KEY: &str = "receipts.key";

/// The writer of the profile's chain.
pub struct Receipts {
    chain: Chain<Beneath>,
    warned: AtomicBool,
}

impl Receipts {
    /// The chain in the profile's `logs/`; nothing is opened before the first attempt.
    pub fn new(logs: Arc<Folder>, key: Option<Key>) -> Receipts {
        Receipts { chain: Chain::new(Beneath(logs), key), warned: AtomicBool::new(false) }
    }

    /// The files of the chain.
    pub fn files(&self) -> &dyn Files {
        self.chain.files()
    }

    /// The key of the `hmac`, where one is configured.
    pub fn key(&self) -> Option<&Key> {
        self.chain.key()
    }

    /// Why a call whose effect lasts must not be made now: its receipt could not be written.
    pub(crate) fn missing(&self, _: &ByKernel) -> Option<String> {
        self.unready()
    }

    fn unready(&self) -> Option<String> {
        let why = self.chain.ready().err()?;
        Some(format!(
            "no receipt of it could be written ({why}); only calls of low risk are made until that works again"
        ))
    }

    /// Keeps the receipt of an attempt and answers its identifier. What cannot be kept is said once, until it can be again.
    pub(crate) fn keep(&self, _: &ByKernel, attempt: &Attempt<'_>) -> Option<String> {
        self.write(attempt)
    }

    fn write(&self, attempt: &Attempt<'_>) -> Option<String> {
        match self.chain.write(attempt) {
            Ok(receipt) => {
                self.warned.store(false, Ordering::Relaxed);
                Some(receipt.id.to_string())
            }
            Err(why) => {
                if !self.warned.swap(true, Ordering::Relaxed) {
                    // What lacks is room, and no path helps to make it.
                    let why = match &why {
                        ReceiptError::Io { source, .. } => durable::unwritable(source).map(str::to_owned),
                        _ => None,
                    }
                    .unwrap_or_else(|| why.to_string());
                    say(&format!("a call of a tool has no receipt: {why}"));
                }
                None
            }
        }
    }
}

/// Reads the key of the `hmac`, and makes it where there is none yet: 32 random bytes for the bot's own user alone.
///
/// # Errors
/// A file that is not a key or that others may read, or an error of the operating system.
pub fn key(profile: &Folder) -> Result<Key, Error> {
    use std::os::unix::fs::PermissionsExt;
    let wrong =
        |what: &str| Error::Io { path: profile.path().join(KEY), source: io::Error::other(what.to_owned()) };
    match profile.read(KEY, 64) {
        Ok(bytes) => {
            let mode = profile.file(KEY)?.metadata().map_err(Error::io(profile.path()))?.permissions().mode();
            if mode & 0o077 != 0 {
                return Err(wrong("others may read it; chmod 600 it"));
            }
            let key: [u8; 32] =
                bytes.try_into().map_err(|_| wrong("it has not 32 bytes; without it a new one is made"))?;
            Ok(Key::new(key))
        }
        Err(e) if e.is_missing() => {
            let mut key = [0; 32];
            getrandom::fill(&mut key).map_err(|e| wrong(&e.to_string()))?;
            profile.create_new(KEY, &key, 0o600)?;
            Ok(Key::new(key))
        }
        Err(e) => Err(e.into()),
    }
}

/// The profile's `logs/`.
struct Beneath(Arc<Folder>);

impl Files for Beneath {
    fn open(&self, name: &str) -> io::Result<Option<File>> {
        match self.0.file(name) {
            Err(e) if e.is_missing() => Ok(None),
            other => Ok(other.map(Some)?),
        }
    }

    fn open_log(&self, name: &str) -> io::Result<File> {
        Ok(self.0.shared_log(name)?)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(self.0.rename(from, to)?)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.0.files()?)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

#[cfg(test)]
mod tests;
