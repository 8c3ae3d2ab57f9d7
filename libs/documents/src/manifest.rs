//! Opens the signed manifest: nothing of it is read before its signature holds.

use shared_types::manifest::Manifest;
use shared_types::signature::{self, SignatureError};

use crate::yaml::{self, YamlError};

/// A manifest that proves nothing: the bot does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The signature does not hold.
    #[error("the manifest's signature: {0}")]
    Signature(#[from] SignatureError),
    /// The content cannot be read.
    #[error("the manifest: {0}")]
    Content(#[from] YamlError),
    /// An older manifest than one that was seen.
    #[error("the manifest has serial {found}, but serial {seen} was seen before")]
    Older {
        /// What it says.
        found: u64,
        /// The highest that was seen.
        seen: u64,
    },
}

/// Checks the signature over the exact bytes, reads them, and refuses a serial lower than `seen`.
///
/// # Errors
/// See [`ManifestError`]; each means that the bot does not start.
pub fn open(text: &str, signature: &str, trust: &str, seen: u64) -> Result<Manifest, ManifestError> {
    signature::verify(trust, signature, text.as_bytes())?;
    let manifest: Manifest = yaml::from_own(text)?;
    if manifest.serial < seen {
        return Err(ManifestError::Older { found: manifest.serial, seen });
    }
    Ok(manifest)
}

#[cfg(test)]
mod tests;
