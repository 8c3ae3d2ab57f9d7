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

/// Which chain a head is about; a head of one is none of another.
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
    /// Where what is signed begins, if that is not the first receipt: what lies before was found wanting, and a person
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

    /// Reads a head's file, a line and its signature, and believes it only if the key fits and it is about `log`.
    ///
    /// # Errors
    /// Why it cannot be believed.
    pub fn read(text: &str, trust: &str, log: &Log) -> Result<Head, HeadError> {
        let (line, signed) =
            text.split_once('\n').ok_or_else(|| HeadError::Format("it holds no signature".to_owned()))?;
        signature::verify(trust, signed, line.as_bytes())?;
        let head: Head = serde_json::from_str(line).map_err(|e| HeadError::Format(e.to_string()))?;
        if head.log == *log { Ok(head) } else { Err(HeadError::Other) }
    }
}
