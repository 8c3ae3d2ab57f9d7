//! Opens the signed manifest: nothing of it is read before its signature holds.

use serde::Serialize;
use shared_types::manifest::Manifest;
use shared_types::signature::{self, SignatureError};

use crate::yaml::{self, YamlError};

/// A manifest that proves nothing: the bot does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The signature does not hold.
    #[error("the manifest's signature: {0}")]
    Signature(#[from] SignatureError),
    /// The content cannot be read.
    #[error("the manifest: {0}")]
    Content(#[from] YamlError),
    /// An older manifest than one that was seen.
    #[error("the manifest has serial {found}, but serial {seen} was seen before")]
    Older {
        /// What it says.
        found: u64,
        /// The highest that was seen.
        seen: u64,
    },
}

/// Checks the signature over the exact bytes, reads them, and refuses a serial lower than `seen`.
///
/// # Errors
/// See [`ManifestError`]; each means that the bot does not start.
pub fn open(text: &str, signature: &str, trust: &str, seen: u64) -> Result<Manifest, ManifestError> {
    signature::verify(trust, signature, text.as_bytes())?;
    let manifest = read(text)?;
    if manifest.serial < seen {
        return Err(ManifestError::Older { found: manifest.serial, seen });
    }
    Ok(manifest)
}

/// Reads a manifest, its signature not judged. It is written as JSON, of which every document is YAML as well; as JSON it is
/// read in a tenth of the time. Versions before wrote other YAML. Keys of ours that are unknown or doubled are refused in both.
///
/// # Errors
/// The first fault.
pub fn read(text: &str) -> Result<Manifest, YamlError> {
    if !text.starts_with('{') {
        return yaml::from_program(text);
    }
    if text.len() > yaml::MAX_OWN_BYTES {
        return Err(YamlError::TooLarge { bytes: text.len(), limit: yaml::MAX_OWN_BYTES });
    }
    serde_json::from_slice(text.as_bytes())
        .map_err(|e| YamlError::Syntax(shared_types::text::cut(&e.to_string(), 400)))
}

/// Writes a manifest, an entry a line: every start reads and hashes each byte of it.
///
/// # Errors
/// Only for values that JSON cannot express.
pub fn to_string(manifest: &Manifest) -> Result<String, YamlError> {
    let text = lines(manifest).map_err(|e| YamlError::Syntax(e.to_string()))?;
    // YAML 1.2 (5.1) takes these as escapes only; JSON has them in strings alone.
    let escaped = |c: char| matches!(c, '\u{7f}'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    let mut written = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        match escaped(c) {
            true => written.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => written.push(c),
        }
    }
    Ok(written + "\n")
}

/// JSON with a line for each key of the manifest and for each entry of its lists.
fn lines(manifest: &Manifest) -> serde_json::Result<String> {
    fn list<T: Serialize>(key: &str, entries: &[T]) -> serde_json::Result<String> {
        let entries = entries.iter().map(|entry| Ok(format!("\n    {}", serde_json::to_string(entry)?)));
        Ok(format!("\"{key}\": [{}]", entries.collect::<serde_json::Result<Vec<_>>>()?.join(",")))
    }
    let Manifest { serial, signed_at, builtin, learned, plugins } = manifest;
    let mut keys = vec![
        format!("\"serial\": {serial}"),
        format!("\"signed_at\": {}", serde_json::to_string(signed_at)?),
        list("builtin", builtin)?,
        list("learned", learned)?,
    ];
    if !plugins.is_empty() {
        keys.push(list("plugins", plugins)?);
    }
    Ok(format!("{{\n  {}\n}}", keys.join(",\n  ")))
}

/// The serial that a manifest says it has: a hint and no more, since nothing else of the text is looked at.
pub fn serial_of(text: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Serial {
        serial: u64,
    }
    match text.starts_with('{') {
        true => serde_json::from_slice(text.as_bytes()).ok().map(|Serial { serial }| serial),
        false => text.lines().find_map(|line| line.strip_prefix("serial:")?.trim().parse().ok()),
    }
}

#[cfg(test)]
mod tests;
