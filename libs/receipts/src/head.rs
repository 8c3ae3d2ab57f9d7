//! Up to where a chain goes, signed with the key that signs the manifest.
//!
//! The chain alone shows what was changed, left out or swapped within it, but not that its end is missing, nor that all of
//! it was made anew. The head shows both. It cannot show what was lost after the last head, nor what somebody did who has
//! the admin's key.

use serde::{Deserialize, Serialize};
use shared_types::id::ProfileId;
use shared_types::signature;

use crate::walk::Place;

/// The most bytes of a head's file.
pub const MOST_BYTES: u64 = 16 * 1024;

/// Bytes of one of the two places in a head's file. They are written over in turn: a place is one block of most file systems, so
/// this costs a memory card a fraction of a new file, and a write that a power cut tears leaves the head of before in the other.
pub const SLOT_BYTES: usize = 4096;

/// Which chain a head is about; a head of one is not valid for another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "of", content = "profile", deny_unknown_fields)]
pub enum Log {
    /// The receipts of a profile.
    Receipts(ProfileId),
    /// What went through the network for a profile.
    Net(ProfileId),
    /// The receipts of what the admin itself ran.
    Admin,
}

/// Up to where a chain goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Which chain.
    pub log: Log,
    /// Up to where it goes.
    pub end: Place,
    /// Where what is signed begins, if that is not the first receipt: what is before failed the check, and a person
    /// acknowledged that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin: Option<Place>,
    /// How often a person acknowledged an alarm of this chain.
    #[serde(default)]
    pub acknowledged: u64,
    /// When it was signed, in RFC 3339.
    pub at: String,
}

/// A head that cannot be believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeadError {
    /// Not the text of a head.
    #[error("it is not a signed head: {0}")]
    Format(String),
    /// Signed by somebody else, or changed since.
    #[error("{0}")]
    Signature(#[from] signature::SignatureError),
    /// A head, but of another chain.
    #[error("it is the head of another chain")]
    Other,
}

impl Log {
    /// The file's name in the folder of heads.
    pub fn file_name(&self) -> String {
        match self {
            Log::Receipts(profile) => format!("{profile}.receipts"),
            Log::Net(profile) => format!("{profile}.net"),
            Log::Admin => "receipts".to_owned(),
        }
    }
}

impl std::fmt::Display for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Log::Receipts(profile) => write!(f, "the receipts of `{profile}`"),
            Log::Net(profile) => write!(f, "the network's log of `{profile}`"),
            Log::Admin => f.write_str("the admin's own receipts"),
        }
    }
}

impl Head {
    /// The line that is signed.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a head has no map, so it can be written as JSON")
    }

    /// Reads a head's file: of the heads in its two places the later one that can be believed, which is one that the key fits and
    /// that is about `log`. A file of before has one place alone.
    ///
    /// # Errors
    /// Why none can be believed.
    pub fn read(file: &[u8], trust: &str, log: &Log) -> Result<Head, HeadError> {
        let (first, second) = file.split_at(file.len().min(SLOT_BYTES));
        let [first, second] = [first, second].map(|slot| Head::read_slot(slot, trust, log));
        match (first, second) {
            (Ok(first), Ok(second)) if second.is_later_than(&first) => Ok(second),
            (Err(_), Ok(second)) => Ok(second),
            (first, _) => first,
        }
    }

    fn read_slot(slot: &[u8], trust: &str, log: &Log) -> Result<Head, HeadError> {
        let format = |what: &dyn std::fmt::Display| HeadError::Format(what.to_string());
        let text = str::from_utf8(slot).map_err(|e| format(&e))?;
        let (line, signed) = text.split_once('\n').ok_or_else(|| format(&"it holds no signature"))?;
        signature::verify(trust, signed.trim_end(), line.as_bytes())?;
        let head: Head = serde_json::from_slice(line.as_bytes()).map_err(|e| format(&e))?;
        if head.log == *log { Ok(head) } else { Err(HeadError::Other) }
    }

    /// Where in a head's file this head may be written over another, in bytes: the place that does not hold the latest one. Nothing
    /// where the file has no two places, or where [`Head::read`] would not find this head then; the file must be replaced there.
    pub fn place_in(&self, file: &[u8], trust: &str) -> Option<u64> {
        let (first, second) =
            file.split_at_checked(SLOT_BYTES).filter(|(_, second)| second.len() == SLOT_BYTES)?;
        let [first, second] = [first, second].map(|slot| Head::read_slot(slot, trust, &self.log).ok());
        let (latest, other) = match (first, second) {
            (Some(first), Some(second)) if second.is_later_than(&first) => (second, 0),
            (Some(first), _) => (first, SLOT_BYTES),
            (None, second) => (second?, 0),
        };
        self.is_later_than(&latest).then_some(other as u64)
    }

    fn is_later_than(&self, other: &Head) -> bool {
        (self.acknowledged, self.end.count) > (other.acknowledged, other.end.count)
    }
}

/// One place of a head's file: a head with its signature, filled with empty lines; nothing where a place cannot hold it.
pub fn slot(text: &str) -> Option<Vec<u8>> {
    let mut slot = text.as_bytes().to_vec();
    (slot.len() <= SLOT_BYTES).then(|| {
        slot.resize(SLOT_BYTES, b'\n');
        slot
    })
}

#[cfg(test)]
mod tests;
