//! Opens the signed index of releases: nothing of it is read before its signature holds.

use jiff::Timestamp;
use semver::Version;
use serde::{Deserialize, Serialize};
use shared_types::signature::{self, SignatureError};

/// The index's file name; the signature's is this with `.minisig`.
pub const FILE: &str = "tameclaw-index.json";

/// The largest index that is read, in bytes.
pub const MOST_BYTES: u64 = 256 * 1024;

/// The format of this version.
const FORMAT: u32 = 1;

/// What the index is about; a signature over another document of the same key is of no use.
const PRODUCT: &str = "tameclaw";

/// The newest release. A later version may add keys, which this one skips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Always 1; a change that this version could misread has another number.
    format: u32,
    /// Always `tameclaw`.
    product: String,
    /// Rises with every index that is signed.
    pub serial: u64,
    /// When it was signed.
    #[serde(with = "moment")]
    pub made: Timestamp,
    /// The newest release.
    pub version: Version,
    /// The files of the release.
    pub files: Vec<File>,
}

/// A file of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// The processor that it is for, as Rust names it; absent for a file that serves all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// An index that proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The signature does not hold.
    #[error("the signature of the index: {0}")]
    Signature(#[from] SignatureError),
    /// The content cannot be read.
    #[error("the index is signed, but cannot be read: {0}")]
    Content(#[from] serde_json::Error),
    /// A signed document about something else.
    #[error("the index is of the product `{0}`, not of `{PRODUCT}`")]
    Product(String),
    /// A format of a later version.
    #[error("the index has format {0}; this version reads format {FORMAT}")]
    Format(u32),
    /// A file name that could lead out of a folder or steer a terminal.
    #[error("the index is signed, but names a file with forbidden characters")]
    Name,
    /// An older index than one that was seen.
    #[error("the index has serial {found}, but serial {seen} was seen before")]
    Older {
        /// Its serial.
        found: u64,
        /// The highest that was seen.
        seen: u64,
    },
}

impl Index {
    /// The index of a release.
    pub fn new(serial: u64, made: Timestamp, version: Version, files: Vec<File>) -> Index {
        Index { format: FORMAT, product: PRODUCT.to_owned(), serial, made, version, files }
    }

    /// The text that is signed.
    ///
    /// # Errors
    /// Only for values that JSON cannot express.
    pub fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// The files for a processor, those that serve all included.
    pub fn files_for<'a>(&'a self, architecture: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.architecture.as_deref().is_none_or(|of| of == architecture))
    }
}

/// Checks the signature over the exact bytes, reads them, and refuses a serial lower than `seen`.
///
/// # Errors
/// See [`IndexError`].
pub fn open(text: &str, signature: &str, key: &str, seen: u64) -> Result<Index, IndexError> {
    /// What tells whether the rest can be read.
    #[derive(Deserialize)]
    struct Head {
        format: u32,
        product: String,
    }
    signature::verify(key, signature, text.as_bytes())?;
    let Head { format, product } = serde_json::from_slice(text.as_bytes())?;
    if product != PRODUCT {
        return Err(IndexError::Product(shared_types::text::cut(&product, 40)));
    }
    if format != FORMAT {
        return Err(IndexError::Format(format));
    }
    let index: Index = serde_json::from_slice(text.as_bytes())?;
    if !index.files.iter().all(|file| is_file_name(&file.name)) {
        return Err(IndexError::Name);
    }
    if index.serial < seen {
        return Err(IndexError::Older { found: index.serial, seen });
    }
    Ok(index)
}

/// A time as text.
mod moment {
    use jiff::Timestamp;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(moment: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(moment)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

fn is_file_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._+~-".contains(&byte);
    (1..=200).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(fits)
}

#[cfg(test)]
mod tests;
