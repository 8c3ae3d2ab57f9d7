//! What the journal says of that which is active.

use serde::{Deserialize, Serialize};
use shared_types::id::{ApproverId, SkillName};
use shared_types::manifest::Builtin;
use shared_types::plugin::Plugin;

use crate::facts::Facts;
use crate::statements::Signed;
use crate::statements::removal::{PluginRemoval, Removal};

/// Which skills are active, but for those that a proposal brings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum SkillRecord {
    /// The built-in skills of this version; raises the manifest's serial.
    Builtins {
        /// The skills with their tokens.
        builtin: Vec<Builtin>,
    },
    /// A skill is no longer active; raises the manifest's serial.
    Uninstalled {
        /// The skill.
        name: SkillName,
        /// Who decided; older records do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<ApproverId>,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        /// The proof.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        removal: Option<Signed<Removal>>,
    },
}

/// A plugin comes or goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum PluginRecord {
    /// A plugin became active, or another version of it; raises the manifest's serial.
    #[serde(rename = "plugin-installed")]
    Installed {
        /// The manifest's entry, with the approver's yes.
        plugin: Box<Plugin>,
        /// What runs.
        facts: Box<Facts>,
    },
    /// A plugin is no longer active; raises the manifest's serial.
    #[serde(rename = "plugin-removed")]
    Removed {
        /// The plugin.
        name: SkillName,
        /// Who decided.
        by: ApproverId,
        /// Why.
        reason: String,
        /// The proof.
        removal: Signed<PluginRemoval>,
    },
}
