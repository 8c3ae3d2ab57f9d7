//! Opens the signed manifest: nothing of it is read before its signature holds.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
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
    serde_json::from_str(text).map_err(|e| YamlError::Syntax(shared_types::text::cut(&e.to_string(), 400)))
}

/// Writes a manifest, an entry a line: every start reads and hashes each byte of it.
///
/// # Errors
/// Only for values that JSON cannot express.
pub fn to_string(manifest: &Manifest) -> Result<String, YamlError> {
    let mut text = Vec::new();
    let fault = |why: String| YamlError::Syntax(why);
    manifest
        .serialize(&mut Serializer::with_formatter(&mut text, Lines::default()))
        .map_err(|e| fault(e.to_string()))?;
    let text = String::from_utf8(text).map_err(|e| fault(e.to_string()))?;
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
#[derive(Default)]
struct Lines {
    /// How many objects and lists are open. An object within another counts twice, so that an entry stays on its line.
    depth: usize,
}

impl Lines {
    /// What stands in front of a key or an element.
    fn begin<W: ?Sized + Write>(&self, to: &mut W, first: bool) -> io::Result<()> {
        if !first {
            to.write_all(b",")?;
        }
        match self.depth {
            1 => to.write_all(b"\n  "),
            2 => to.write_all(b"\n    "),
            _ if first => Ok(()),
            _ => to.write_all(b" "),
        }
    }
}

impl Formatter for Lines {
    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth += if self.depth == 0 { 1 } else { 2 };
        to.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth -= if self.depth == 1 { 1 } else { 2 };
        if self.depth == 0 { to.write_all(b"\n}") } else { to.write_all(b"}") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.begin(to, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth += 1;
        to.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth -= 1;
        to.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.begin(to, first)
    }
}

/// The serial that a manifest says it has: a hint and no more, since nothing else of the text is looked at.
pub fn serial_of(text: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Serial {
        serial: u64,
    }
    match text.starts_with('{') {
        true => serde_json::from_str(text).ok().map(|Serial { serial }| serial),
        false => text.lines().find_map(|line| line.strip_prefix("serial:")?.trim().parse().ok()),
    }
}

#[cfg(test)]
mod tests;
