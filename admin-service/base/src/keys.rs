//! The signing keys: made, kept with mode 0600, used, never printed.

use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox};
use shared_types::id::ApproverId;
use shared_types::secret::Secret;

use crate::error::Error;
use crate::home::Home;

mod seal;

/// The largest secret that is read, in bytes.
const LARGEST_SECRET: u64 = 1024;

/// Why a key or a secret is not used.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} asks for its passphrase, and none was given", .0.display())]
    NoPassphrase(PathBuf),
    #[error("that is not the passphrase of {}; nothing was signed or changed", .0.display())]
    OtherPassphrase(PathBuf),
    #[error("{} is not a key: {why}", .path.display())]
    NotAKey { path: PathBuf, why: minisign::PError },
    #[error("a key's file holds a key")]
    Elsewhere,
    #[error("{} may be read by others (mode {mode:o}); chmod 600 it", .path.display())]
    KeyReadable { path: PathBuf, mode: u32 },
    #[error(
        "{}: other users may read it (mode {mode:o}), so its content is not secret; run chmod 600 on it",
        .path.display()
    )]
    SecretReadable { path: PathBuf, mode: u32 },
    #[error("{} has more than {LARGEST_SECRET} bytes", .0.display())]
    TooLarge(PathBuf),
    #[error("the sealed key does not open again; nothing was changed")]
    NotSealed,
}

/// A key that can sign: it is here and is open, or it is on another device whose owner is asked.
pub enum Signer {
    /// A secret key that was opened.
    Here(SecretKey),
    /// A key that never leaves another device.
    Elsewhere(Box<dyn Elsewhere + Send + Sync>),
}

/// Has the owner of a key sign on another device.
pub trait Elsewhere {
    fn public_key(&self) -> &str;

    /// Has all of these texts signed at once; one signature for each, none of them judged by the caller yet.
    ///
    /// # Errors
    /// Nobody who signs.
    fn sign(&self, texts: &[&str]) -> Result<Vec<String>, Error>;
}

impl Signer {
    /// The public half, on one line.
    ///
    /// # Errors
    /// A key that is damaged.
    pub fn public_key(&self) -> Result<String, Error> {
        match self {
            Signer::Here(secret) => PublicKey::from_secret_key(secret)
                .map(|key| key.to_base64())
                .map_err(Error::step("the key is damaged")),
            Signer::Elsewhere(device) => Ok(device.public_key().to_owned()),
        }
    }

    /// Signs bytes.
    ///
    /// # Errors
    /// A key that cannot sign; for another device: no answer, or bytes that are not UTF-8.
    pub fn sign(&self, bytes: impl AsRef<[u8]>) -> Result<String, Error> {
        match self {
            Signer::Here(secret) => sign(secret, bytes.as_ref()),
            Signer::Elsewhere(_) => {
                let text = std::str::from_utf8(bytes.as_ref()).map_err(Error::step("signing elsewhere"))?;
                self.sign_all(&[text]).map(|signatures| signatures.concat())
            }
        }
    }

    /// Signs texts, each on its own; a person who must be asked is asked once for all of them.
    ///
    /// # Errors
    /// A key that cannot sign, or nobody who does.
    pub fn sign_all(&self, texts: &[&str]) -> Result<Vec<String>, Error> {
        match self {
            Signer::Here(secret) => texts.iter().map(|text| sign(secret, text.as_bytes())).collect(),
            Signer::Elsewhere(device) => device.sign(texts),
        }
    }
}

fn sign(secret: &SecretKey, bytes: &[u8]) -> Result<String, Error> {
    minisign::sign(None, secret, Cursor::new(bytes), None, None)
        .map(|signature| signature.into_string())
        .map_err(Error::step("signing"))
}

/// The place of the key that signs the manifest.
pub fn manifest_key(home: &Home) -> PathBuf {
    home.keys().join("manifest.key")
}

/// The default place of an approver's key.
pub fn approver_key(home: &Home, approver: &ApproverId) -> PathBuf {
    home.keys().join(format!("approver-{approver}.key"))
}

/// The place of the secret of an approver's one-time codes.
pub fn codes(home: &Home, approver: &ApproverId) -> PathBuf {
    home.keys().join(format!("totp-{approver}"))
}

/// Makes a key where none is yet, sealed with a passphrase where one is given; answers the public key in base64 when one
/// was made.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn make(path: &Path, passphrase: Option<&Secret>) -> Result<Option<String>, Error> {
    if path.exists() {
        return Ok(None);
    }
    let pair = KeyPair::generate_unencrypted_keypair().map_err(making)?;
    let text = match passphrase {
        Some(passphrase) => seal::seal(&pair.sk, passphrase)?,
        None => pair.sk.to_box(None).map_err(making)?.into_string(),
    };
    durable::create_new(path, text.as_bytes(), 0o600).map_err(Error::io(path))?;
    Ok(Some(pair.pk.to_base64()))
}

/// Whether a key asks for a passphrase.
///
/// # Errors
/// A missing file, or one that others may read.
pub fn has_passphrase(path: &Path) -> Result<bool, Error> {
    Ok(seal::is_sealed(&read(path)?))
}

/// Opens a key without a passphrase; one that others may read is refused.
///
/// # Errors
/// A missing or readable file, another format, or a key that asks for a passphrase.
pub fn open(path: &Path) -> Result<Signer, Error> {
    let text = read(path)?;
    if seal::is_sealed(&text) {
        return Err(Error::refused(Fault::NoPassphrase(path.to_owned())));
    }
    let secret = SecretKeyBox::from_string(&text)
        .and_then(SecretKeyBox::into_unencrypted_secret_key)
        .map_err(|why| Error::failed(Fault::NotAKey { path: path.to_owned(), why }))?;
    Ok(Signer::Here(secret))
}

/// Opens a key with its passphrase; takes about half a second on a small machine, so that guessing is slow.
///
/// # Errors
/// As [`open`], a key without a passphrase, or another passphrase.
pub fn unlock(path: &Path, passphrase: &Secret) -> Result<Signer, Error> {
    try_unlock(path, passphrase)?.ok_or_else(|| Error::refused(Fault::OtherPassphrase(path.to_owned())))
}

/// As [`unlock`]; nothing where the passphrase is another one.
///
/// # Errors
/// As [`open`].
pub fn try_unlock(path: &Path, passphrase: &Secret) -> Result<Option<Signer>, Error> {
    let text = read(path)?;
    if !seal::is_sealed(&text) {
        return open(path).map(Some);
    }
    let secret = SecretKeyBox::from_string(&text)
        .and_then(|sealed| sealed.into_secret_key(Some(passphrase.expose().to_owned())));
    Ok(secret.ok().map(Signer::Here))
}

/// Gives a key a passphrase, or another one; the key itself, and with it all that it signed, stays good.
///
/// # Errors
/// As [`unlock`] for the present passphrase, or a file that cannot be written; the key is then as it was.
pub fn set_passphrase(path: &Path, present: Option<&Secret>, new: &Secret) -> Result<(), Error> {
    let signer = match present {
        Some(present) => unlock(path, present)?,
        None => open(path)?,
    };
    let Signer::Here(secret) = signer else { return Err(Error::failed(Fault::Elsewhere)) };
    let text = seal::seal(&secret, new)?;
    durable::replace(path, text.as_bytes(), 0o600).map_err(Error::io(path))
}

/// Reads a key's file.
fn read(path: &Path) -> Result<String, Error> {
    use std::os::unix::fs::MetadataExt;
    let mode = fs::metadata(path).map_err(Error::io(path))?.mode();
    if mode & 0o077 != 0 {
        return Err(Error::refused(Fault::KeyReadable { path: path.to_owned(), mode: mode & 0o777 }));
    }
    fs::read_to_string(path).map_err(Error::io(path))
}

fn making(error: minisign::PError) -> Error {
    Error::step("making a key")(error)
}

/// Reads a secret from a file that nobody else may read; one line's end at its end does not count.
///
/// # Errors
/// A file that cannot be read, that others may read, or that is too large.
pub fn from_file(path: &Path) -> Result<Secret, Error> {
    let file = File::open(path).map_err(Error::io(path))?;
    let facts = file.metadata().map_err(Error::io(path))?;
    let mode = facts.permissions().mode() & 0o777;
    if facts.is_file() && mode & 0o077 != 0 {
        return Err(Error::refused(Fault::SecretReadable { path: path.to_owned(), mode }));
    }
    let mut text = String::new();
    file.take(LARGEST_SECRET + 1).read_to_string(&mut text).map_err(Error::io(path))?;
    if text.len() as u64 > LARGEST_SECRET {
        return Err(Error::usage(Fault::TooLarge(path.to_owned())));
    }
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(Secret::new(text))
}

#[cfg(test)]
mod tests;
