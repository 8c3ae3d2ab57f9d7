//! The file of a model of whisper.cpp: it is read whole before confinement, and used where its digest is a known one.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// Known files.
const KNOWN: &str = include_str!("../models.tsv");
/// The largest file, in bytes: the process may have not much more memory.
pub const MOST_BYTES: u64 = 512 * 1024 * 1024;
/// How each file of a model of whisper.cpp begins: `ggml` as a number, least byte first.
const BEGINNING: &[u8; 4] = b"lmgg";

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be read.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        why: io::Error,
    },
    /// It is larger than any model that fits.
    #[error("{}: a model has at most {MOST_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    /// It is something else.
    #[error("{} is not a model of whisper.cpp", .0.display())]
    Other(PathBuf),
    /// Its digest is not the one that was asked for.
    #[error("{} has the SHA-256 {found}, not {wanted}", path.display())]
    Digest {
        /// The file.
        path: PathBuf,
        found: Sha,
        wanted: Sha,
    },
    /// Nobody vouches for its digest.
    #[error("{} has the SHA-256 {found}, which is not that of a known model", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        found: Sha,
    },
}

/// A SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sha([u8; 32]);

/// A text is not a SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 has 64 hexadecimal digits, as `sha256sum` prints them")]
pub struct NotSha;

impl FromStr for Sha {
    type Err = NotSha;

    fn from_str(text: &str) -> Result<Sha, NotSha> {
        let digits: Vec<u32> = text.chars().map(|c| c.to_digit(16)).collect::<Option<_>>().ok_or(NotSha)?;
        let bytes: Vec<u8> =
            digits.chunks(2).map(|pair| pair.iter().fold(0, |sum, one| sum * 16 + *one as u8)).collect();
        if digits.len() == 64 { bytes.try_into().map(Sha).map_err(|_| NotSha) } else { Err(NotSha) }
    }
}

impl std::fmt::Display for Sha {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A file with a digest that counts.
#[derive(Debug)]
pub struct Model {
    pub bytes: Vec<u8>,
    /// The name of the known file, or that of this one.
    pub name: String,
    pub sha: Sha,
}

impl Model {
    /// Reads a file. Its digest must be `wanted`, or that of a known file.
    ///
    /// # Errors
    /// It cannot be read, is something else, or has another digest.
    pub fn read(path: &Path, wanted: Option<Sha>) -> Result<Model, Fault> {
        let failed = |why| Fault::File { path: path.to_owned(), why };
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| {
                let size = file.metadata()?.len();
                bytes.reserve_exact(usize::try_from(size.min(MOST_BYTES) + 1).unwrap_or_default());
                file.take(MOST_BYTES + 1).read_to_end(&mut bytes)
            })
            .map_err(failed)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Fault::TooLarge(path.to_owned()));
        }
        if !bytes.starts_with(BEGINNING) {
            return Err(Fault::Other(path.to_owned()));
        }
        let found = Sha(Sha256::digest(&bytes).into());
        let known = known(found);
        match wanted {
            Some(wanted) if wanted != found => {
                return Err(Fault::Digest { path: path.to_owned(), found, wanted });
            }
            None if known.is_none() => return Err(Fault::Unknown { path: path.to_owned(), found }),
            _ => {}
        }
        let own = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = known.map_or_else(own, ToOwned::to_owned);
        Ok(Model { bytes, name: shared_types::text::line(&name), sha: found })
    }
}

/// The name of the known file with this digest.
fn known(sha: Sha) -> Option<&'static str> {
    let sha = sha.to_string();
    KNOWN.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next()?;
        (columns.nth(1)? == sha).then_some(name)
    })
}

#[cfg(test)]
mod tests;
