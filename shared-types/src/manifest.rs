//! The frozen, signed allowlist of skills.

use serde::{Deserialize, Deserializer, Serialize};

use crate::approvers::Approvers;
use crate::capability::TokenSet;
use crate::decision::Decision;
use crate::described::Described;
use crate::id::{Digest, EventType, HostName, SecretName, SkillName};
use crate::plugin::Plugin;
use crate::power::Power;
use crate::proposal::Scope;
use crate::recipients::Recipients;
use crate::signature::{Claim, Verifier};
use crate::signed::{DecisionError, Opened, Signed};

/// `config/skills_manifest.yaml`: what may run, with a serial that only rises.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Rises by one with every change.
    pub serial: u64,
    /// When it was signed, in RFC 3339.
    pub signed_at: String,
    /// The skills that are part of the bot.
    pub builtin: Vec<Builtin>,
    /// The skills that were learned.
    pub learned: Vec<Learned>,
    /// The plugins, which the admin runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plugins: Vec<Plugin>,
}

/// A built-in skill that is switched on, with the tokens that it gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Builtin {
    /// The name.
    pub name: SkillName,
    /// The tokens.
    pub capabilities: TokenSet,
    /// The events that it receives.
    #[serde(default)]
    pub handles_events: Vec<EventType>,
    /// The events that it may send.
    #[serde(default)]
    pub emits_events: Vec<EventType>,
    /// Which of its powers it keeps; all of them where the key is missing, and never one more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "named_powers")]
    pub powers: Option<Vec<Power>>,
}

/// A key without a value names no power, and not all of them.
fn named_powers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Power>>, D::Error> {
    Option::<Vec<Power>>::deserialize(deserializer).map(|powers| Some(powers.unwrap_or_default()))
}

/// A learned skill with everything that its approver granted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// The name.
    pub name: SkillName,
    /// The version, counted from 1.
    pub version: u32,
    /// One line about it.
    pub description: String,
    /// SHA-256 of the module.
    pub module_sha256: Digest,
    /// The tokens.
    pub capabilities: TokenSet,
    /// The hosts.
    #[serde(default)]
    pub network: Vec<HostName>,
    /// The secrets, by name.
    #[serde(default)]
    pub secrets: Vec<SecretName>,
    /// How far memory reaches.
    #[serde(default)]
    pub memory_scope: Scope,
    /// How far files reach.
    #[serde(default)]
    pub file_scope: Scope,
    /// The skills without which it does not work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<SkillName>,
    /// The events that it may send.
    #[serde(default)]
    pub emits_events: Vec<EventType>,
    /// The events that it receives.
    #[serde(default)]
    pub handles_events: Vec<EventType>,
    /// The profiles that get the skill; the key is missing where every one does.
    #[serde(default, skip_serializing_if = "Recipients::is_everyone")]
    pub recipients: Recipients,
    /// What the skill says about itself, so that its module is loaded only when it is called.
    pub described: Described,
    /// The approver's signed decision.
    pub decision: Signed<Decision>,
}

/// A learned entry whose decision was read once, nothing of it judged.
#[derive(Debug)]
pub struct OpenedEntry<'a> {
    entry: &'a Learned,
    decision: Opened<'a, Decision>,
}

/// A learned entry that the approver did not decide: it is left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The decision proves nothing.
    #[error(transparent)]
    Decision(#[from] DecisionError),
    /// The entry and the decision differ.
    #[error("`{field}` of the entry is not what `{approver}` decided")]
    Differs {
        /// The field.
        field: &'static str,
        /// Who decided.
        approver: String,
    },
}

impl Learned {
    /// Checks that the approver's decision covers exactly this entry.
    ///
    /// # Errors
    /// A decision that proves nothing, or the first field that differs from it.
    pub fn verify(&self, approvers: &Approvers) -> Result<(), EntryError> {
        self.open().verify_by(approvers, &Verifier::default())
    }

    /// Reads the entry's decision; that it cannot be read is a fault of its verification.
    pub fn open(&self) -> OpenedEntry<'_> {
        OpenedEntry { entry: self, decision: self.decision.open() }
    }

    fn is_decided(&self, decision: &Decision) -> Result<(), EntryError> {
        let differences = [
            ("name", self.name == decision.name),
            ("version", self.version == decision.version),
            ("module_sha256", self.module_sha256 == decision.module_sha256),
            ("described", self.described.digest() == decision.described_sha256),
            ("capabilities", self.capabilities == decision.capabilities),
            ("network", self.network == decision.network),
            ("secrets", self.secrets == decision.secrets),
            ("memory_scope", self.memory_scope == decision.memory_scope),
            ("file_scope", self.file_scope == decision.file_scope),
            ("emits_events", self.emits_events == decision.emits_events),
            ("handles_events", self.handles_events == decision.handles_events),
            ("recipients", self.recipients == decision.recipients),
        ];
        match differences.into_iter().find(|(_, same)| !same) {
            None => Ok(()),
            Some((field, _)) => Err(EntryError::Differs { field, approver: decision.approver.to_string() }),
        }
    }
}

impl<'a> OpenedEntry<'a> {
    /// As [`Learned::verify`], by a verifier that may have checked the signatures already.
    ///
    /// # Errors
    /// The same.
    pub fn verify_by(self, approvers: &Approvers, verifier: &Verifier<'_>) -> Result<(), EntryError> {
        self.entry.is_decided(&self.decision.verify_by(approvers, verifier)?)
    }

    /// The signatures of the entry's decision, as [`Opened::claims`] has them.
    pub fn claims(&self, approvers: &'a Approvers) -> Vec<Claim<'a>> {
        self.decision.claims(approvers)
    }
}

#[cfg(test)]
mod tests;
