//! A profile's PIN: kept as an Argon2id hash with its parameters, compared, never shown.

use std::fmt;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

use shared_types::secret::Secret;

/// How long a PIN may be, in characters.
pub const LENGTH: std::ops::RangeInclusive<usize> = 4..=64;
/// Memory of a new hash in KiB: with two passes about a tenth of a second on a Raspberry Pi 4, and it fits a Pi Zero.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// The dearest hash that is computed: a configuration must not be able to exhaust a small machine.
const MOST_MEMORY_KIB: u32 = 128 * 1024;
const MOST_PASSES: u32 = 10;

/// The hash of a PIN in the PHC string form, `$argon2id$v=19$m=...`.
#[derive(Clone, PartialEq, Eq)]
pub struct PinHash(String);

/// A text that is not a usable hash of a PIN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be an Argon2id hash as `cl-admin profile add` writes it, not a PIN itself: {0}")]
pub struct InvalidPinHash(String);

/// A PIN of the wrong length, or that cannot be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a PIN has 4 to 64 characters, none of them a control character")]
pub struct InvalidPin;

/// Checks that a PIN is one.
///
/// # Errors
/// Another length, or a character that nobody can type.
pub fn check(pin: &Secret) -> Result<(), InvalidPin> {
    let typed = pin.expose();
    let fits = LENGTH.contains(&typed.chars().count()) && !typed.contains(char::is_control);
    if fits { Ok(()) } else { Err(InvalidPin) }
}

impl PinHash {
    /// Reads a hash; one that takes more than 128 MiB, ten passes or another algorithm is refused.
    ///
    /// # Errors
    /// What is wrong with it, without the text itself: it may be a PIN that somebody typed there.
    pub fn parse(text: &str) -> Result<PinHash, InvalidPinHash> {
        let wrong = |why: &str| InvalidPinHash(why.to_owned());
        let hash = PasswordHash::new(text).map_err(|_| wrong("it has another form"))?;
        if hash.algorithm.as_str() != "argon2id" {
            return Err(wrong("it is made with another algorithm"));
        }
        let params = Params::try_from(&hash).map_err(|_| wrong("its parameters are out of range"))?;
        if params.m_cost() > MOST_MEMORY_KIB || params.t_cost() > MOST_PASSES || params.p_cost() > 4 {
            return Err(wrong("it asks for more memory or time than 128 MiB and ten passes"));
        }
        if hash.salt.is_none() || hash.hash.is_none() {
            return Err(wrong("its salt or its value is missing"));
        }
        Ok(PinHash(text.to_owned()))
    }

    /// Hashes a PIN with fresh random bytes.
    ///
    /// # Errors
    /// A PIN of the wrong length.
    pub fn make(pin: &Secret, salt: &[u8; 16]) -> Result<PinHash, InvalidPin> {
        check(pin)?;
        let params = Params::new(MEMORY_KIB, PASSES, 1, None).expect("the parameters are within the limits");
        let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let hash: PasswordHash = hasher
            .hash_password_with_salt(pin.expose().as_bytes(), salt)
            .expect("sixteen bytes of salt and a short PIN are within the limits");
        Ok(PinHash(hash.to_string()))
    }

    /// Whether this is the PIN; takes as long whether it is or not.
    pub fn is_of(&self, pin: &Secret) -> bool {
        let Ok(hash) = PasswordHash::new(&self.0) else { return false };
        Argon2::default().verify_password(pin.expose().as_bytes(), &hash).is_ok()
    }

    /// The text for a profile's file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PinHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PinHash(***)")
    }
}

#[cfg(test)]
mod tests;
