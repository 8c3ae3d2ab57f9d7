//! The skills that run: paired, then frozen.

use std::collections::BTreeMap;

use shared_types::capability::TokenSet;
use shared_types::id::{EventType, SkillName, ToolName};
use shared_types::manifest::Builtin;
use shared_types::text::cut;

use crate::kernel::grants::Grants;
use crate::kernel::skill::{Skill, Tool};

/// A skill with what it was granted.
pub struct Entry {
    /// The skill.
    pub skill: Box<dyn Skill>,
    /// What its tokens let it reach.
    pub grants: Grants,
    /// Whether it was learned.
    pub learned: bool,
}

/// The frozen list: there is no method that adds, takes away or changes.
#[derive(Default)]
pub struct Registry {
    entries: Vec<Entry>,
    handlers: BTreeMap<EventType, usize>,
    tools: BTreeMap<String, (usize, usize)>,
}

impl Registry {
    /// Freezes the entries; the first that handles an event or has a tool's full name keeps it.
    pub fn freeze(entries: Vec<Entry>) -> Registry {
        let mut registry = Registry::default();
        for (n, entry) in entries.iter().enumerate() {
            for event in entry.skill.handles_events() {
                if entry.grants.handles(&event) {
                    registry.handlers.entry(event).or_insert(n);
                }
            }
            for (t, tool) in entry.skill.tools().iter().enumerate() {
                registry.tools.entry(entry.skill.full_name(&tool.name)).or_insert((n, t));
            }
        }
        Registry { entries, ..registry }
    }

    /// Every skill, in the order of the manifest.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The place of the skill that handles an event.
    pub fn handler(&self, event: &EventType) -> Option<usize> {
        self.handlers.get(event).copied()
    }

    /// Every event that is handled, with the place of the skill that handles it.
    pub fn handlers(&self) -> impl Iterator<Item = (&EventType, usize)> {
        self.handlers.iter().map(|(event, place)| (event, *place))
    }

    /// The place of the skill that has this tool, and the tool.
    pub fn tool(&self, full_name: &str) -> Option<(usize, &Tool)> {
        let (n, t) = self.tools.get(full_name)?;
        Some((*n, &self.entries[*n].skill.tools()[*t]))
    }

    /// The places of the skill that has this tool, and of the tool within it.
    pub fn place_of(&self, full_name: &str) -> Option<(usize, usize)> {
        self.tools.get(full_name).copied()
    }

    /// The skill that has a tool.
    pub fn owner(&self, full_name: &str) -> Option<&Entry> {
        self.tools.get(full_name).map(|(n, _)| &self.entries[*n])
    }

    /// Every tool with its full name.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Tool)> {
        self.tools.iter().map(|(name, (n, t))| (name.as_str(), &self.entries[*n].skill.tools()[*t]))
    }
}

/// What a built-in skill of the manifest gets: its tokens, and of its events those that the manifest names, or all of its
/// own where the manifest names none.
pub(crate) fn granted_events(own: Vec<EventType>, named: &[EventType]) -> Vec<EventType> {
    if named.is_empty() { own } else { own.into_iter().filter(|e| named.contains(e)).collect() }
}

/// Pairs the manifest's built-in entries with the skills of this program; an unknown name is a warning.
pub(crate) fn pair(
    wanted: &[Builtin],
    mut skills: Vec<Box<dyn Skill>>,
    warnings: &mut Vec<String>,
) -> Vec<(Box<dyn Skill>, Builtin)> {
    let mut pairs = Vec::new();
    for entry in wanted {
        match skills.iter().position(|s| s.name() == &entry.name) {
            Some(at) => {
                let skill = skills.swap_remove(at);
                let missing = skill.capabilities().without(&entry.capabilities);
                if !missing.is_empty() {
                    warnings.push(format!("the skill {} was not granted {missing}", entry.name));
                }
                pairs.push((skill, entry.clone()));
            }
            None => warnings.push(format!("this program has no built-in skill {}", entry.name)),
        }
    }
    pairs
}

/// A skill as `skill list` and the banner show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The name.
    pub name: SkillName,
    /// The version.
    pub version: String,
    /// One line.
    pub description: String,
    /// The tokens that hold.
    pub tokens: TokenSet,
    /// Whether it was learned.
    pub learned: bool,
    /// Whether it is a plugin.
    pub plugin: bool,
    /// Its tools.
    pub tools: Vec<ToolName>,
}

impl Shown {
    /// Where it comes from, in a word.
    pub fn origin(&self) -> &'static str {
        match (self.plugin, self.learned) {
            (true, _) => "plugin",
            (false, true) => "learned",
            (false, false) => "built-in",
        }
    }
}

impl From<&Entry> for Shown {
    fn from(entry: &Entry) -> Shown {
        Shown {
            name: entry.skill.name().clone(),
            version: entry.skill.version(),
            description: cut(entry.skill.description(), 200),
            tokens: entry.grants.tokens().clone(),
            learned: entry.learned,
            plugin: entry.grants.is_plugin(),
            tools: entry.skill.tools().iter().map(|t| t.name.clone()).collect(),
        }
    }
}
