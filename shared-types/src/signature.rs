//! Signatures in the format of minisign: a person can check them with the `minisign` tool.

use std::collections::{HashMap, HashSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blake2::{Blake2b512, Digest};
use ed25519_dalek::VerifyingKey;
use minisign_verify::{PublicKey, Signature};

use crate::passkey::{InvalidPasskey, PasskeyFault};

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
    /// The line is not the key of a passkey.
    #[error(transparent)]
    NoPasskey(#[from] InvalidPasskey),
    /// The signature is not one of the passkey.
    #[error("the signature does not hold: {0}")]
    Passkey(#[from] PasskeyFault),
}

/// A signature that is said to be one of `key` over `bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Claim<'a> {
    /// The public key, on its line of base64.
    pub key: &'a str,
    /// The signature, in minisign's format.
    pub signature: &'a str,
    /// What was signed.
    pub bytes: &'a [u8],
}

/// Checks claims; those that were found to hold together are not checked again.
#[derive(Debug, Default)]
pub struct Verifier<'a> {
    hold: HashSet<Claim<'a>>,
}

impl<'a> Verifier<'a> {
    /// Checks many claims in one batch, which takes a fifth of the time. Where one of them does not hold, none counts as
    /// checked: each is then looked at alone.
    ///
    /// A person who has the secret key of a claim can make a signature that passes here and not alone (its point may have a
    /// part of small order, which a batch sees by chance only). They could as well sign properly; without the key nobody
    /// can.
    pub fn of_batch(claims: Vec<Claim<'a>>) -> Verifier<'a> {
        match claims.len() > 1 && hold_together(&claims) == Some(true) {
            true => Verifier { hold: claims.into_iter().collect() },
            false => Verifier::default(),
        }
    }

    /// Checks one claim, unless its batch held.
    ///
    /// # Errors
    /// What is wrong with key, signature or bytes.
    pub fn verify(&self, claim: &Claim<'_>) -> Result<(), SignatureError> {
        if self.hold.contains(claim) { Ok(()) } else { verify(claim.key, claim.signature, claim.bytes) }
    }
}

/// Checks the signatures of all claims in one batch; nothing where one of them is not in the format.
fn hold_together(claims: &[Claim<'_>]) -> Option<bool> {
    let (mut signed, mut signatures, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    // Most claims are of the same few approvers, and computing the point of a key takes as long as a share of its signatures.
    let mut known: HashMap<&str, Key> = HashMap::new();
    for claim in claims {
        let key = match known.get(claim.key) {
            Some(key) => *key,
            None => {
                let key = Key::read(claim.key).ok().filter(|key| !key.point.is_weak())?;
                known.insert(claim.key, key);
                key
            }
        };
        for (bytes, signature) in key.parts(claim.signature, claim.bytes).ok()? {
            signed.push(bytes);
            signatures.push(signature);
            keys.push(key.point);
        }
    }
    let signed: Vec<&[u8]> = signed.iter().map(Vec::as_slice).collect();
    Some(ed25519_dalek::verify_batch(&signed, &signatures, &keys).is_ok())
}

/// Checks a signature over `bytes`; the key is a minisign public key (a file's text, or its base64 line alone).
///
/// # Errors
/// What is wrong with key, signature or bytes.
pub fn verify(public_key: &str, signature: &str, bytes: &[u8]) -> Result<(), SignatureError> {
    let key = Key::read(public_key)?;
    let parts = key.parts(signature, bytes)?;
    let hold = parts.iter().all(|(bytes, signature)| key.point.verify_strict(bytes, signature).is_ok());
    if hold { Ok(()) } else { Err(SignatureError::Mismatch) }
}

/// What was signed, with the signature.
type Part = (Vec<u8>, ed25519_dalek::Signature);

/// A public key of minisign's format.
#[derive(Clone, Copy)]
struct Key {
    /// Its signatures name it.
    number: [u8; 8],
    point: VerifyingKey,
}

impl Key {
    fn read(text: &str) -> Result<Key, SignatureError> {
        read_key(text)?;
        // `Ed`, the key's number of eight bytes, the key.
        let bytes = STANDARD.decode(key_line(text)).map_err(|_| SignatureError::Key)?;
        let (number, point) = bytes[2..].split_first_chunk().ok_or(SignatureError::Key)?;
        // The format allows any 32 bytes; those that are not a point verify nothing.
        let point = VerifyingKey::try_from(point).map_err(|_| SignatureError::Mismatch)?;
        Ok(Key { number: *number, point })
    }

    /// The two signatures of minisign's format: over BLAKE2b-512 of the bytes, and over that signature with the trusted comment.
    fn parts(&self, signature: &str, bytes: &[u8]) -> Result<[Part; 2], SignatureError> {
        let comment =
            Signature::decode(signature).map_err(|_| SignatureError::Format)?.trusted_comment().to_owned();
        let mut lines = signature.lines().skip(1).step_by(2).map_while(|line| STANDARD.decode(line).ok());
        let (first, global) = lines.next().zip(lines.next()).ok_or(SignatureError::Format)?;
        // `ED` for a signature of a hash, the key's number, the signature.
        let first = first.strip_prefix(b"ED").and_then(|first| first.strip_prefix(&self.number));
        let first = first.ok_or(SignatureError::Mismatch)?;
        let read =
            |bytes: &[u8]| ed25519_dalek::Signature::from_slice(bytes).map_err(|_| SignatureError::Format);
        let of_hash = (Blake2b512::digest(bytes).to_vec(), read(first)?);
        let of_comment = ([first, comment.as_bytes()].concat(), read(&global)?);
        Ok([of_hash, of_comment])
    }
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
    let key = key_line(public_key);
    // The base64 of `Ed`, and not of `ED`.
    if !key.starts_with("RW") {
        return Err(SignatureError::Key);
    }
    PublicKey::from_base64(key).map_err(|_| SignatureError::Key)
}

fn key_line(public_key: &str) -> &str {
    let mut lines = public_key.trim().lines();
    let first = lines.next().unwrap_or_default();
    lines.next().unwrap_or(first).trim()
}

#[cfg(test)]
mod tests;
