//! Reads a proposal once: what is hashed is what is parsed.

use std::ffi::OsStr;

use beneath::{Folder, Look, NotOpened};
use documents::yaml::MAX_BYTES;
use shared_types::id::Digest;

/// The bytes of a proposal.
#[derive(Debug)]
pub struct Snapshot {
    /// The bytes, as text.
    pub text: String,
    /// SHA-256 of the bytes.
    pub digest: Digest,
    /// By what a change of the file is noticed.
    pub look: Look,
}

impl Snapshot {
    /// Reads a file of a folder of proposals.
    ///
    /// # Errors
    /// Anything but a regular file of the folder's owner, with one name, within the cap, of text.
    pub fn read(folder: &Folder, name: &OsStr) -> Result<Snapshot, NotOpened> {
        let opened = folder.file(name)?;
        let look = opened.facts().look();
        let text = opened.text(MAX_BYTES as u64)?;
        Ok(Snapshot { digest: Digest::of(text.as_bytes()), text, look })
    }
}

#[cfg(test)]
mod tests;
