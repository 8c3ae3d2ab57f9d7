//! Text to value within a budget: the only place that reads or writes YAML.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest document that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// The largest configuration or manifest that is read, in bytes; these come from the admin.
pub const MAX_OWN_BYTES: usize = 4 * 1024 * 1024;

/// A document that could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum YamlError {
    /// More bytes than allowed.
    #[error("the document has {bytes} bytes; at most {limit} are read")]
    TooLarge {
        /// What it has.
        bytes: usize,
        /// What is allowed.
        limit: usize,
    },
    /// The parser's own words, stripped of anything unsafe to show.
    #[error("{0}")]
    Syntax(String),
}

/// Reads one document of somebody else's making: at most 64 KiB, 2,000 nodes, 16 levels, no aliases, no merge keys,
/// no second document.
///
/// # Errors
/// The first fault, with its line where the parser knows it.
pub fn from_outside<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    read(text, MAX_BYTES, 2_000, 16)
}

/// Reads one document that the admin or this program wrote: the same strictness with more room.
///
/// # Errors
/// The first fault, with its line where the parser knows it.
pub fn from_own<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    read(text, MAX_OWN_BYTES, 200_000, 32)
}

fn read<T: DeserializeOwned>(text: &str, bytes: usize, nodes: usize, depth: usize) -> Result<T, YamlError> {
    if text.len() > bytes {
        return Err(YamlError::TooLarge { bytes: text.len(), limit: bytes });
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_anchors: 0,
            max_aliases: 0,
            max_depth: depth,
            max_documents: 1,
            max_nodes: nodes,
            max_events: nodes * 4,
            max_merge_keys: 0,
            max_total_scalar_bytes: bytes,
        },
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::Error,
        strict_booleans: true,
        legacy_octal_numbers: false,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options)
        .map_err(|e| YamlError::Syntax(crate::text::cut(&e.to_string(), 400)))
}

/// Writes a value as one document.
///
/// # Errors
/// Only for values that YAML cannot express.
pub fn to_string<T: Serialize>(value: &T) -> Result<String, YamlError> {
    serde_saphyr::to_string(value).map_err(|e| YamlError::Syntax(e.to_string()))
}

#[cfg(test)]
mod tests;
