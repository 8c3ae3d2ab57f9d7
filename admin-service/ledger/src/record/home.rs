//! What the journal says of the home itself.

use serde::{Deserialize, Serialize};
use shared_types::id::{Digest, SkillName};

use crate::statements::Signed;
use crate::statements::key::KeyChange;

/// The home was restored from a backup. Raises the manifest's serial above every one that was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename = "restored")]
pub struct RestoredRecord {
    /// SHA-256 of the index of the backup.
    pub backup: Digest,
    /// When the backup was made, in RFC 3339.
    pub made_at: String,
    /// The highest serial that was seen.
    pub serial: u64,
    /// Skills and plugins that are not active any more: manifests later than the backup were seen, which may have left them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<SkillName>,
    /// An approver's word for a new key of the service, where the backup held none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Signed<KeyChange>>,
}
