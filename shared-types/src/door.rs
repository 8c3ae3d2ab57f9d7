//! The token with which a program uses a profile's door. The program keeps its text, the profile's file the digest of it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::secret::Secret;

/// What the text of a token begins with.
pub const PREFIX: &str = "tameclaw_";

/// The text of the token that is made of these random bytes.
pub fn token(random: &[u8; 32]) -> Secret {
    Secret::new(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random)))
}

#[cfg(test)]
mod tests;
