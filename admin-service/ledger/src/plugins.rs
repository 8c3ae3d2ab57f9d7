//! The plugins that are installed, as the journal tells it.

use std::collections::{BTreeMap, HashSet};

use shared_types::id::{Digest, SkillName};

use super::facts::Installed;
use super::record::PluginRecord;

/// The installed plugins, and every yes that was ever used.
#[derive(Debug, Default)]
pub(super) struct Plugins {
    pub(super) active: BTreeMap<SkillName, Installed>,
    used: HashSet<Digest>,
}

impl Plugins {
    /// Follows a record about a plugin.
    pub(super) fn follow(&mut self, record: PluginRecord) {
        match record {
            PluginRecord::Installed { plugin, facts } => {
                self.used.insert(Digest::of(plugin.decision.text.as_bytes()));
                self.active.insert(plugin.name.clone(), Installed { plugin: *plugin, facts: *facts });
            }
            PluginRecord::Removed { name, .. } => drop(self.active.remove(&name)),
        }
    }

    /// Whether this very text brought a plugin in already.
    pub(super) fn has_used(&self, text: &str) -> bool {
        self.used.contains(&Digest::of(text.as_bytes()))
    }
}
