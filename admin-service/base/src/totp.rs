//! One-time codes as authenticator programs make them: RFC 6238 with SHA-1, 30 seconds and six digits.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use shared_types::secret::Secret;
use subtle::ConstantTimeEq;

use crate::error::Error;

/// How long one code holds, in seconds.
pub const STEP_SECONDS: u64 = 30;
/// The length of a new secret, in bytes: that of SHA-1, as RFC 4226 asks for.
const SECRET_BYTES: usize = 20;
/// The digits of a code.
const DIGITS: usize = 6;

/// What cannot be a secret or a code.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the secret of the one-time codes must be base32 of 16 bytes or more")]
    Secret,
    #[error("a one-time code has six digits")]
    Digits,
}

/// A secret that a person's program shares with the service.
pub struct Seed(Vec<u8>);

impl Seed {
    /// A new secret from the system's random numbers.
    ///
    /// # Errors
    /// A system that gives none.
    pub fn generate() -> Result<Seed, Error> {
        use std::io::Read;
        let path = std::path::Path::new("/dev/urandom");
        let mut bytes = vec![0; SECRET_BYTES];
        std::fs::File::open(path).and_then(|mut f| f.read_exact(&mut bytes)).map_err(Error::io(path))?;
        Ok(Seed(bytes))
    }

    /// Reads base32, as it is shown and kept; blanks and small letters are taken.
    ///
    /// # Errors
    /// Another alphabet, or fewer than 16 bytes.
    pub fn parse(text: &str) -> Result<Seed, Error> {
        let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '=').collect();
        match BASE32_NOPAD.decode(text.to_uppercase().as_bytes()) {
            Ok(bytes) if bytes.len() >= 16 => Ok(Seed(bytes)),
            _ => Err(Error::failed(Fault::Secret)),
        }
    }

    /// The secret in base32.
    pub fn base32(&self) -> Secret {
        Secret::new(BASE32_NOPAD.encode(&self.0))
    }

    /// The address that an authenticator program reads.
    pub fn uri(&self, label: &str) -> Secret {
        let secret = self.base32();
        Secret::new(format!(
            "otpauth://totp/TameClaw:{label}?secret={}&issuer=TameClaw&algorithm=SHA1&digits={DIGITS}&period={STEP_SECONDS}",
            secret.expose()
        ))
    }

    /// The code of a step.
    fn code(&self, step: u64) -> String {
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(&step.to_be_bytes());
        let hash = mac.finalize().into_bytes();
        let offset = usize::from(hash[hash.len() - 1] & 0x0f);
        let word = u32::from_be_bytes([hash[offset], hash[offset + 1], hash[offset + 2], hash[offset + 3]]);
        format!("{:0DIGITS$}", (word & 0x7fff_ffff) % 10_u32.pow(DIGITS as u32))
    }

    /// The step of a code: the present one, the one before or the one after, if it is newer than `last`.
    ///
    /// Every step is computed and compared whole, so that the time taken tells nothing.
    pub fn step_of(&self, code: &str, now: u64, last: Option<u64>) -> Match {
        let present = now / STEP_SECONDS;
        let mut found = Match::Wrong;
        for step in present.saturating_sub(1)..=present + 1 {
            if bool::from(code.as_bytes().ct_eq(self.code(step).as_bytes())) {
                found = if last.is_none_or(|last| step > last) { Match::Step(step) } else { Match::Used };
            }
        }
        found
    }
}

/// What a code came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Match {
    /// Right, for this step.
    Step(u64),
    /// Right, but that step or a later one was used already.
    Used,
    /// Not right now.
    Wrong,
}

/// A code as a person types it: six digits, blanks between them do not count.
///
/// # Errors
/// Anything else.
pub fn tidy(code: &str) -> Result<String, Error> {
    let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    if code.len() == DIGITS && code.bytes().all(|b| b.is_ascii_digit()) {
        Ok(code)
    } else {
        Err(Error::refused(Fault::Digits))
    }
}

/// How long the next code has to wait after this many wrong ones in a row, in seconds: three are free, then 30 seconds
/// that double to a quarter of an hour.
pub fn pause(wrong: u32) -> u64 {
    match wrong {
        0..=2 => 0,
        more => (30_u64 << (more - 3).min(5)).min(900),
    }
}

#[cfg(test)]
mod tests;
