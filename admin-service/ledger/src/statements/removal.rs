//! A person's word that a skill or a plugin must go, as it is signed.

use serde::{Deserialize, Serialize};
use shared_types::id::{ApproverId, Digest, SkillName};

use super::Statement;

/// A removal whose reason is empty.
#[derive(Debug, thiserror::Error)]
#[error("a removal needs a reason")]
pub struct NoReason;
/// A person's word that a skill must go: which one exactly, and from which manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// Always `remove`, so that no other signed text can stand for one.
    pub verdict: Verdict,
    /// The skill.
    pub name: SkillName,
    pub version: u32,
    /// SHA-256 of its module.
    pub module_sha256: Digest,
    /// The serial of the manifest in force.
    pub manifest_serial: u64,
    /// Why.
    pub reason: String,
    /// Who decided.
    pub approver: ApproverId,
    /// When, in RFC 3339.
    pub decided_at: String,
}

/// The only verdict of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It must go.
    Remove,
}

impl Statement for Removal {
    const KIND: &'static str = "removal";

    fn approver(&self) -> &ApproverId {
        &self.approver
    }
}

/// A person's word that a plugin must go: which one exactly, and from which manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginRemoval {
    /// Always `remove`; a plugin's name stands under another key than a skill's.
    pub verdict: Verdict,
    pub plugin: SkillName,
    /// SHA-256 of what runs.
    pub facts_sha256: Digest,
    /// The serial of the manifest in force.
    pub manifest_serial: u64,
    /// Why.
    pub reason: String,
    /// Who decided.
    pub approver: ApproverId,
    /// When, in RFC 3339.
    pub decided_at: String,
}

impl Statement for PluginRemoval {
    const KIND: &'static str = "removal";

    fn approver(&self) -> &ApproverId {
        &self.approver
    }
}
