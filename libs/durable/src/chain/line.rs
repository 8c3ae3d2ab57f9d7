//! One record as a line of a file.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The `previous_hash` of the first record.
pub(crate) const NOTHING_BEFORE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What does not hold in a line of a chain.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// It is not the JSON of a record, or its value is not what it is to be.
    #[error("not a record: {0}")]
    Form(serde_json::Error),
    /// Its value has no canonical form.
    #[error("{0}")]
    Canonical(serde_json::Error),
    /// Its content was changed.
    #[error("its content does not have its hash")]
    Hash,
    /// It is not the next one.
    #[error("has number {found}, but {next} comes next")]
    Number {
        /// Its number.
        found: u64,
        /// The number that comes next.
        next: u64,
    },
    /// It follows another record.
    #[error("does not name the record before it")]
    Previous,
    /// It has no end within the largest size of a record.
    #[error("longer than a record may be")]
    Long,
}

/// A record that was just made.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) seq: u64,
    pub(crate) hash: String,
    /// The line with its newline.
    pub(crate) line: Vec<u8>,
}

impl Record {
    /// The record that comes after the one with number `last` and hash `head`.
    pub(crate) fn after<T: Serialize>(last: u64, head: &str, value: &T) -> Result<Record, serde_json::Error> {
        // By way of a `Value`, which sorts the keys as RFC 8785 does.
        let value = serde_json::to_vec(&serde_json::to_value(value)?)?;
        let seq = last + 1;
        let hash = digest(seq, head, &value);
        let mut line = Vec::with_capacity(value.len() + 200);
        for part in [SEQ, seq.to_string().as_bytes(), PREVIOUS, head.as_bytes(), VALUE, &value] {
            line.extend_from_slice(part);
        }
        for part in [HASH, hash.as_bytes(), CLOSE] {
            line.extend_from_slice(part);
        }
        Ok(Record { seq, hash, line })
    }
}

/// A line whose content has its hash; whether it follows the one before is for the reader of the chain to say.
#[derive(Debug)]
pub(crate) struct Link<'a> {
    pub(crate) seq: u64,
    pub(crate) previous: Cow<'a, str>,
    pub(crate) hash: Cow<'a, str>,
    value: Cow<'a, [u8]>,
}

/// What the value of a record can be read as: all that serde reads, and what chooses by the bytes.
pub trait FromJson: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// What it is not.
    fn from_json(json: &[u8]) -> Result<Self, serde_json::Error>;
}

impl<T: DeserializeOwned> FromJson for T {
    fn from_json(json: &[u8]) -> Result<T, serde_json::Error> {
        serde_json::from_slice(json)
    }
}

/// The members of a line in any order and spelling.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Loose {
    seq: u64,
    previous_hash: String,
    value: Value,
    hash: String,
}

impl<'a> Link<'a> {
    /// Reads a line with its newline.
    ///
    /// The hash covers the value's bytes as they stand. A line that does not have it in that way is read member by
    /// member, and its hash compared with that of the canonical JSON (RFC 8785), which is the same for nearly every
    /// value, but for numbers such as `1.0`.
    pub(crate) fn read(line: &'a [u8]) -> Result<Link<'a>, Flaw> {
        if let Some(link) = Self::as_written(line)
            && digest(link.seq, &link.previous, &link.value) == link.hash
        {
            return Ok(link);
        }
        let loose: Loose = serde_json::from_slice(line).map_err(Flaw::Form)?;
        let canonical = serde_json_canonicalizer::to_vec(&loose.value).map_err(Flaw::Canonical)?;
        if digest(loose.seq, &loose.previous_hash, &canonical) != loose.hash {
            return Err(Flaw::Hash);
        }
        Ok(Link {
            seq: loose.seq,
            previous: loose.previous_hash.into(),
            hash: loose.hash.into(),
            value: serde_json::to_vec(&loose.value).map_err(Flaw::Canonical)?.into(),
        })
    }

    /// The value, as what it is to be.
    pub(crate) fn value<T: FromJson>(&self) -> Result<T, Flaw> {
        T::from_json(&self.value).map_err(Flaw::Form)
    }

    /// The members of a line that looks exactly as [`Record::after`] writes it.
    fn as_written(line: &'a [u8]) -> Option<Link<'a>> {
        let rest = line.strip_prefix(SEQ)?;
        let digits = rest.iter().position(|b| *b == b',')?;
        let (seq, rest) = rest.split_at(digits);
        let seq = std::str::from_utf8(seq).ok()?.parse().ok()?;
        let (previous, rest) = rest.strip_prefix(PREVIOUS)?.split_at_checked(64)?;
        let rest = rest.strip_prefix(VALUE)?.strip_suffix(CLOSE)?;
        let (rest, hash) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
        let value = rest.strip_suffix(HASH)?;
        let [previous, hash] = [hex(previous)?, hex(hash)?];
        Some(Link { seq, previous: previous.into(), hash: hash.into(), value: value.into() })
    }
}

fn hex(bytes: &[u8]) -> Option<&str> {
    bytes.iter().all(u8::is_ascii_hexdigit).then(|| std::str::from_utf8(bytes).ok())?
}

fn digest(seq: u64, previous: &str, value: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut sum = Sha256::new();
    // The members in the order of RFC 8785.
    for part in [
        b"{\"previous_hash\":\"",
        previous.as_bytes(),
        b"\",\"seq\":",
        seq.to_string().as_bytes(),
        b",\"value\":",
        value,
        b"}",
    ] {
        sum.update(part);
    }
    let nibbles = |byte: &u8| [byte >> 4, byte & 15].map(|n| char::from(DIGITS[usize::from(n)]));
    sum.finalize().iter().flat_map(nibbles).collect()
}

const SEQ: &[u8] = b"{\"seq\":";
const PREVIOUS: &[u8] = b",\"previous_hash\":\"";
const VALUE: &[u8] = b"\",\"value\":";
pub(crate) const HASH: &[u8] = b",\"hash\":\"";
pub(crate) const CLOSE: &[u8] = b"\"}\n";

#[cfg(test)]
mod tests;
