//! A secret key under a passphrase, in minisign's own format (scrypt: 32 MiB), so that its tool opens it too.

use minisign::{KeyPair, SecretKey, SecretKeyBox};
use shared_types::secret::Secret;

use super::{Fault, making};
use crate::error::Error;

/// How the second line of a sealed key begins: the algorithms Ed25519, scrypt, BLAKE2b.
const SEALED: &str = "RWRTY0Iy";
/// Where in a key's bytes the sealed part begins: behind three algorithms, salt, and two limits.
const HEADER: usize = 3 * 2 + 32 + 2 * 8;

/// Whether a key's text is sealed.
pub(super) fn is_sealed(text: &str) -> bool {
    text.lines().nth(1).is_some_and(|line| line.starts_with(SEALED))
}

/// Seals an open key.
///
/// minisign seals only keys that it makes in the same step, but a key that signed something must stay the one it is. So a
/// key of no other use is sealed, and its seal (limits, fresh salt, and the stream that hides the key) is put on ours. The
/// other key is never kept, so the stream hides nothing else.
///
/// # Errors
/// Should the seal not open again.
pub(super) fn seal(secret: &SecretKey, passphrase: &Secret) -> Result<String, Error> {
    let passphrase = || Some(passphrase.expose().to_owned());
    let other = KeyPair::generate_encrypted_keypair(passphrase()).map_err(making)?.sk;
    let sealed = other.to_bytes();
    let opened =
        other.to_box(None).and_then(|sealed| sealed.into_secret_key(passphrase())).map_err(making)?;
    let stream = sealed.iter().zip(opened.to_bytes()).map(|(a, b)| a ^ b);
    let hidden: Vec<u8> = stream.zip(secret.to_bytes()).map(|(a, b)| a ^ b).collect();
    let mut bytes = sealed;
    bytes[HEADER..].copy_from_slice(&hidden[HEADER..]);
    let text = SecretKey::from_bytes(&bytes).and_then(|key| key.to_box(None)).map_err(making)?.into_string();
    // Nothing replaces the key before it was seen that it comes out again.
    let again =
        SecretKeyBox::from_string(&text).and_then(|s| s.into_secret_key(passphrase())).map_err(making)?;
    if again != *secret || !is_sealed(&text) {
        return Err(Error::failed(Fault::NotSealed));
    }
    Ok(text)
}
