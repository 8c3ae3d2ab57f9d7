//! A plugin as the signed manifest names it, and the approver's yes to it.
//!
//! The bot never learns what runs: programs, paths and hosts stay with the admin, bound by a digest.

use serde::{Deserialize, Serialize};

use crate::approvers::Approvers;
use crate::capability::TokenSet;
use crate::decision::Verdict;
use crate::id::{ApproverId, Digest, SkillName, ToolName};
use crate::recipients::Recipients;
use crate::risk::Risk;
use crate::schema::Parameters;
use crate::signed::{DecisionError, Signed, Statement};

/// An installed plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plugin {
    /// The name; its tools are `<name>.<tool>`.
    pub name: SkillName,
    /// The version, as its maker gave it.
    pub version: String,
    /// One line about it.
    pub description: String,
    /// What it can reach, as tokens: a node of the composition graph like any other.
    pub capabilities: TokenSet,
    /// Its tools.
    pub tools: Vec<PluginTool>,
    /// The profiles that get it; the key is missing where every one does.
    #[serde(default, skip_serializing_if = "Recipients::is_everyone")]
    pub recipients: Recipients,
    /// SHA-256 of all that the person saw: what runs, its arguments, environment, files, hosts and the tree's digest.
    pub facts_sha256: Digest,
    /// The approver's signed yes.
    pub decision: Signed<PluginDecision>,
}

/// A tool of a plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginTool {
    /// The name within the plugin.
    pub name: ToolName,
    /// One line that the assistant will read.
    pub description: String,
    /// The parameters as a model is shown them; the admin service holds arguments against those of the plugin itself.
    #[serde(deserialize_with = "crate::schema::read_foreign")]
    pub parameters: Parameters,
    /// Sentences by which a person calls it without a model: language and pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<(String, String)>,
    /// How risky a call is: what the person set, never what the plugin says.
    pub risk: Risk,
}

/// A person's yes to a plugin: all that the bot offers of it, and the digest of what it does not see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginDecision {
    /// Always `approve`.
    pub verdict: Verdict,
    /// The plugin.
    pub plugin: SkillName,
    /// The version.
    pub version: String,
    /// The tokens granted.
    pub capabilities: TokenSet,
    /// SHA-256 of the tools and the description, as [`Plugin::offered`] tells it.
    pub offered_sha256: Digest,
    /// SHA-256 of what runs.
    pub facts_sha256: Digest,
    /// The profiles that get it; the key is missing where every one does.
    #[serde(default, skip_serializing_if = "Recipients::is_everyone")]
    pub recipients: Recipients,
    /// Who decided.
    pub approver: ApproverId,
    /// When, in RFC 3339.
    pub decided_at: String,
}

impl Statement for PluginDecision {
    const KIND: &'static str = "decision";

    fn approver(&self) -> &ApproverId {
        &self.approver
    }
}

/// A plugin that no present approver decided: it is left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PluginError {
    /// The decision proves nothing.
    #[error(transparent)]
    Decision(#[from] DecisionError),
    /// The entry and the decision differ.
    #[error("`{0}` of the plugin is not what was decided")]
    Differs(&'static str),
}

impl Plugin {
    /// SHA-256 of what the assistant reads of it: the description and the tools, as canonical JSON.
    pub fn offered(&self) -> Digest {
        offered(&self.description, &self.tools)
    }

    /// Checks that a present approver decided exactly this entry.
    ///
    /// # Errors
    /// A decision that proves nothing, or the first field that differs from it.
    pub fn verify(&self, approvers: &Approvers) -> Result<PluginDecision, PluginError> {
        let decision = self.decision.verify(approvers)?;
        let same = [
            ("name", self.name == decision.plugin),
            ("version", self.version == decision.version),
            ("capabilities", self.capabilities == decision.capabilities),
            ("tools", self.offered() == decision.offered_sha256),
            ("facts", self.facts_sha256 == decision.facts_sha256),
            ("recipients", self.recipients == decision.recipients),
        ];
        match same.into_iter().find(|(_, same)| !same) {
            None => Ok(decision),
            Some((field, _)) => Err(PluginError::Differs(field)),
        }
    }
}

/// SHA-256 of a description with tools, as canonical JSON.
pub fn offered(description: &str, tools: &[PluginTool]) -> Digest {
    let value = serde_json::json!({"description": description, "tools": tools});
    let text = serde_json_canonicalizer::to_string(&value).unwrap_or_default();
    Digest::of(text.as_bytes())
}
