//! The skills that run, frozen.

use std::collections::BTreeMap;

use shared_types::capability::TokenSet;
use shared_types::described::{Shown, Tool};
use shared_types::id::{EventType, SkillName};
use shared_types::text::cut;

use crate::grants::Grants;
use crate::program::Program;
use crate::skill::Skill;

/// A skill with what it was granted.
pub struct Entry<P: Program> {
    /// The skill.
    pub skill: Box<dyn Skill<P>>,
    /// What its tokens let it reach.
    pub grants: Grants<P>,
    /// Whether it was learned.
    pub learned: bool,
}

/// The frozen list: there is no method that adds, takes away or changes.
pub struct Registry<P: Program> {
    entries: Vec<Entry<P>>,
    handlers: BTreeMap<EventType, usize>,
    tools: BTreeMap<String, (usize, usize)>,
}

impl<P: Program> Registry<P> {
    /// Freezes the entries; the first that handles an event or has a tool's full name keeps it.
    pub fn freeze(entries: Vec<Entry<P>>) -> Registry<P> {
        let (mut handlers, mut tools) = (BTreeMap::new(), BTreeMap::new());
        for (n, entry) in entries.iter().enumerate() {
            for event in entry.skill.handles_events() {
                if entry.grants.handles(&event) {
                    handlers.entry(event).or_insert(n);
                }
            }
            for (t, tool) in entry.skill.tools().iter().enumerate() {
                tools.entry(entry.skill.full_name(&tool.name)).or_insert((n, t));
            }
        }
        Registry { entries, handlers, tools }
    }

    /// Every skill, in the order of the manifest.
    pub fn entries(&self) -> &[Entry<P>] {
        &self.entries
    }

    /// The place of the skill that handles an event.
    pub fn handler(&self, event: &EventType) -> Option<usize> {
        self.handlers.get(event).copied()
    }

    /// Every event that is handled, with the place of the skill that handles it.
    pub(super) fn handlers(&self) -> impl Iterator<Item = (&EventType, usize)> {
        self.handlers.iter().map(|(event, place)| (event, *place))
    }

    /// The places of the skill that has this tool, and of the tool within it.
    pub(super) fn place_of(&self, full_name: &str) -> Option<(usize, usize)> {
        self.tools.get(full_name).copied()
    }

    /// Every tool.
    pub(super) fn tools(&self) -> impl Iterator<Item = Offered<'_>> {
        self.tools.iter().map(|(full_name, (n, t))| {
            let Entry { skill, grants, learned } = &self.entries[*n];
            let (tool, tokens) = (&skill.tools()[*t], grants.tokens());
            Offered { full_name, skill: skill.name(), learned: *learned, tokens, tool }
        })
    }
}

/// A tool of the list.
#[derive(Debug)]
pub struct Offered<'a> {
    /// The full name.
    pub full_name: &'a str,
    /// The skill that has it.
    pub skill: &'a SkillName,
    /// Whether that skill was learned.
    pub learned: bool,
    /// What the skill was granted.
    pub tokens: &'a TokenSet,
    /// The tool.
    pub tool: &'a Tool,
}

impl<P: Program> Entry<P> {
    /// The skill as people are shown it.
    pub fn shown(&self) -> Shown {
        Shown {
            name: self.skill.name().clone(),
            version: self.skill.version(),
            description: cut(self.skill.description(), 200),
            tokens: self.grants.tokens().clone(),
            learned: self.learned,
            plugin: self.grants.plugin,
            tools: self.skill.tools().iter().map(|t| t.name.clone()).collect(),
        }
    }
}
