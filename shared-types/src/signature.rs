//! Signatures in the format of minisign: a person can check them with the `minisign` tool.

use minisign_verify::{PublicKey, Signature};

/// A signature that does not hold, or that is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The key is not in minisign's format.
    #[error("the public key is not in minisign's format")]
    Key,
    /// The signature is not in minisign's format.
    #[error("the signature is not in minisign's format")]
    Format,
    /// The signature was made by another key or over other bytes.
    #[error("the signature does not belong to these bytes and this key")]
    Mismatch,
}

/// Checks a signature over `bytes`; the key is a minisign public key (a file's text, or its base64 line alone).
///
/// # Errors
/// Whatever is wrong with key, signature or bytes.
pub fn verify(public_key: &str, signature: &str, bytes: &[u8]) -> Result<(), SignatureError> {
    let key = read_key(public_key)?;
    let signature = Signature::decode(signature).map_err(|_| SignatureError::Format)?;
    key.verify(bytes, &signature, false).map_err(|_| SignatureError::Mismatch)
}

/// Checks that a text is a public key, on one line of base64.
///
/// # Errors
/// Another form.
pub fn check_key(public_key: &str) -> Result<(), SignatureError> {
    if public_key.lines().count() != 1 || public_key.trim() != public_key {
        return Err(SignatureError::Key);
    }
    read_key(public_key).map(|_| ())
}

/// The key of a file's text or of its base64 line alone. A key has one written form: the library would also take the
/// algorithm `ED`, which stands in signatures of a hash alone; in a public key minisign's format has `Ed`.
fn read_key(public_key: &str) -> Result<PublicKey, SignatureError> {
    let mut lines = public_key.trim().lines();
    let first = lines.next().unwrap_or_default();
    let key = lines.next().unwrap_or(first).trim();
    // The base64 of `Ed`, and not of `ED`.
    if !key.starts_with("RW") {
        return Err(SignatureError::Key);
    }
    PublicKey::from_base64(key).map_err(|_| SignatureError::Key)
}
