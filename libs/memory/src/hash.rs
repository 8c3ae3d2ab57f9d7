//! Hashes that stay the same on every machine and in every build.

use twox_hash::XxHash3_64;

/// A hash of some bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// A hash of two parts, the first of which says what the second is.
pub(crate) fn key(kind: u8, text: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(u64::from(kind), text.as_bytes())
}
