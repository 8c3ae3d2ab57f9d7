//! What the name of a program tells.

use super::tables::{DOWNLOADS, has};

/// The name of a program without its folder, in small letters.
pub(super) fn base(word: &str) -> String {
    word.rsplit('/').find(|part| !part.is_empty()).unwrap_or(word).to_lowercase()
}

/// Whether a program fetches something from the network.
pub(super) fn downloads(base: &str) -> bool {
    has(DOWNLOADS, base)
}
