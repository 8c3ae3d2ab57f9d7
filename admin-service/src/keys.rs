//! The signing keys: made, kept with mode 0600, used, never printed.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use minisign::{KeyPair, SecretKey, SecretKeyBox};
use shared_types::home::Home;
use shared_types::id::ApproverId;

use crate::error::Error;

/// A secret key that can sign, with its public half.
pub struct Signer {
    secret: SecretKey,
}

impl Signer {
    /// Signs bytes; the answer is in minisign's format.
    ///
    /// # Errors
    /// A key that cannot sign.
    pub fn sign(&self, bytes: &[u8]) -> Result<String, Error> {
        minisign::sign(None, &self.secret, Cursor::new(bytes), None, None)
            .map(|signature| signature.into_string())
            .map_err(|e| Error::Failed(format!("signing: {e}")))
    }
}

/// Where the key that signs the manifest lies.
pub fn manifest_key(home: &Home) -> PathBuf {
    home.keys().join("manifest.key")
}

/// Where an approver's key lies by default.
pub fn approver_key(home: &Home, approver: &ApproverId) -> PathBuf {
    home.keys().join(format!("approver-{approver}.key"))
}

/// Makes a key without a passphrase where none is yet; answers the public key in base64 when one was made.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn make(path: &Path) -> Result<Option<String>, Error> {
    if path.exists() {
        return Ok(None);
    }
    let pair =
        KeyPair::generate_unencrypted_keypair().map_err(|e| Error::Failed(format!("making a key: {e}")))?;
    let text = pair.sk.to_box(None).map_err(|e| Error::Failed(format!("making a key: {e}")))?.into_string();
    durable::create_new(path, text.as_bytes(), 0o600).map_err(Error::io(path))?;
    Ok(Some(pair.pk.to_base64()))
}

/// Opens a key; one that others may read is refused.
///
/// # Errors
/// A missing or readable file, another format, or a key that asks for a passphrase.
pub fn open(path: &Path) -> Result<Signer, Error> {
    use std::os::unix::fs::MetadataExt;
    let mode = fs::metadata(path).map_err(Error::io(path))?.mode();
    if mode & 0o077 != 0 {
        return Err(Error::Refused(format!(
            "{} may be read by others (mode {:o}); chmod 600 it",
            path.display(),
            mode & 0o777
        )));
    }
    let text = fs::read_to_string(path).map_err(Error::io(path))?;
    let secret = SecretKeyBox::from_string(&text)
        .and_then(SecretKeyBox::into_unencrypted_secret_key)
        .map_err(|e| Error::Failed(format!("{} is not a key without passphrase: {e}", path.display())))?;
    Ok(Signer { secret })
}
