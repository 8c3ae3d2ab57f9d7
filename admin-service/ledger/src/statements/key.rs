//! An approver's word that the service has a new key, as it is signed.

use serde::{Deserialize, Serialize};
use shared_types::id::ApproverId;

use super::Statement;

/// The new key, and the one that it follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyChange {
    /// Always `replace-key`, so that no other signed text can stand for one.
    pub verdict: Verdict,
    /// The public key that signed the manifest until now.
    pub previous: String,
    /// The public key that signs it from now on.
    pub public_key: String,
    /// How many records the journal had.
    pub records: u64,
    /// Who decided.
    pub approver: ApproverId,
    /// When, in RFC 3339.
    pub decided_at: String,
}

/// The only verdict of a change of key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    ReplaceKey,
}

impl Statement for KeyChange {
    const KIND: &'static str = "change of key";

    fn approver(&self) -> &ApproverId {
        &self.approver
    }
}
