//! The skills that run: verified against signatures and digests, then frozen.

use std::collections::{BTreeMap, BTreeSet};

use documents::manifest::ManifestError;
use shared_types::approvers::{Approvers, ApproversFile, ChainError, SeenChain};
use shared_types::capability::TokenSet;
use shared_types::id::{Digest, EventType, SkillName, ToolName};
use shared_types::manifest::{Builtin, Learned, Manifest};
use shared_types::text::cut;

use crate::error::Error;
use crate::kernel::context::Grants;
use crate::ports::paths::Folder;
use crate::skills::{Skill, Tool};

/// Manifest and signature are two files: between the two replacements they do not fit, so a misfit is looked at again.
const RETRIES: u32 = 4;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);
/// The largest module that is read, in bytes.
const MAX_MODULE: u64 = 8 * 1024 * 1024;
/// The largest signature or key that is read, in bytes.
const MAX_SMALL: u64 = 1024 * 1024;
/// The chain of those who may decide, beneath `config/`.
const APPROVERS: &str = "approvers.yaml";
/// The file, beneath a profile's `memory/`, with the newest change of the approvers that was seen.
pub(crate) const APPROVERS_SEEN: &str = "approvers_seen";

/// What a profile has seen of the signed files: a later start refuses anything older.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The highest serial of a manifest; 0 for none.
    pub serial: u64,
    /// The newest change of the approvers.
    pub approvers: Option<SeenChain>,
}

/// A manifest whose signature holds, without the learned entries and plugins whose approver's decision does not.
#[derive(Debug)]
pub struct Verified {
    /// The manifest.
    pub manifest: Manifest,
    /// Who may decide.
    pub approvers: Approvers,
    /// What was left out, and why.
    pub warnings: Vec<String>,
}

impl Verified {
    /// Reads the manifest of a home's `config/` and verifies it.
    ///
    /// # Errors
    /// A manifest, signature or chain of approvers that is missing or proves nothing, or one that is older than `seen`:
    /// each means that the program does not start.
    pub fn read(config: &Folder, seen: &Seen) -> Result<Verified, Error> {
        for _ in 0..RETRIES {
            match Verified::read_once(config, seen) {
                Err(Error::Manifest { source: ManifestError::Signature(_), .. }) => std::thread::sleep(PAUSE),
                other => return other,
            }
        }
        Verified::read_once(config, seen)
    }

    fn read_once(config: &Folder, seen: &Seen) -> Result<Verified, Error> {
        let limit = documents::yaml::MAX_OWN_BYTES as u64;
        let text = required(config, "skills_manifest.yaml", limit)?;
        let signature = required(config, "skills_manifest.yaml.sig", MAX_SMALL)?;
        let trust = required(config, "trust.pub", MAX_SMALL)?;
        let mut manifest = documents::manifest::open(&text, &signature, &trust, seen.serial)
            .map_err(|source| Error::Manifest { path: config.path().join("skills_manifest.yaml"), source })?;
        let approvers = approvers(config)?;
        if let Some(seen) = &seen.approvers {
            approvers.check_seen(seen).map_err(|e| untrusted(config, &e))?;
        }
        let mut warnings = Vec::new();
        manifest.learned.retain(|entry| match entry.verify(&approvers) {
            Ok(()) => true,
            Err(e) => {
                warnings.push(format!("the skill {} is left out: {e}", entry.name));
                false
            }
        });
        keep_plugins(&mut manifest, &approvers, &mut warnings);
        Ok(Verified { manifest, approvers, warnings })
    }
}

/// Keeps the plugins that a present approver decided and whose names nothing else has.
fn keep_plugins(manifest: &mut Manifest, approvers: &Approvers, warnings: &mut Vec<String>) {
    let mut taken: BTreeSet<SkillName> = manifest.builtin.iter().map(|entry| entry.name.clone()).collect();
    taken.extend(manifest.learned.iter().map(|entry| entry.name.clone()));
    manifest.plugins.retain(|plugin| {
        let why = match plugin.verify(approvers) {
            Err(e) => e.to_string(),
            Ok(_) if !taken.insert(plugin.name.clone()) => {
                "a skill or another plugin has its name; `cl-admin plugin remove` takes one away".to_owned()
            }
            Ok(_) => return true,
        };
        warnings.push(format!("the plugin {} is left out: {}", plugin.name, cut(&why, 300)));
        false
    });
}

/// Reads the approvers and checks that their chain of signed changes holds.
///
/// # Errors
/// A file that is missing or broken, or a chain that proves nothing.
pub(crate) fn approvers(config: &Folder) -> Result<Approvers, Error> {
    let limit = documents::yaml::MAX_OWN_BYTES as u64;
    let text = required(config, APPROVERS, limit)?;
    let file: ApproversFile = documents::yaml::from_own(&text).map_err(|e| Error::Integrity {
        path: config.path().join(APPROVERS),
        what: cut(&e.to_string(), 300),
    })?;
    file.verify().map_err(|e| untrusted(config, &e))
}

/// A chain that proves nothing, with the lawful next step.
fn untrusted(config: &Folder, error: &ChainError) -> Error {
    let next = match error {
        ChainError::Unsigned => "`cl-admin approver seal` signs it with the approver's key".to_owned(),
        ChainError::Older { .. } | ChainError::Another { .. } => format!(
            "put the newest copy back, or, if this home was made anew on purpose, take the file memory/{} out of the \
             profile's folder",
            APPROVERS_SEEN
        ),
        ChainError::Empty | ChainError::Change { .. } => {
            "`cl-admin run --once` writes it again from the journal".to_owned()
        }
    };
    Error::Integrity { path: config.path().join(APPROVERS), what: format!("{error}; {next}") }
}

fn required(config: &Folder, name: &str, limit: u64) -> Result<String, Error> {
    config
        .read_text(name, limit)
        .map_err(|e| Error::Integrity { path: config.path().join(name), what: cut(&e.to_string(), 300) })
}

/// Reads a learned entry's module once; only bytes of the pinned digest are handed out.
///
/// # Errors
/// A sentence that says why the skill is left out.
pub fn module(skills: &Folder, entry: &Learned) -> Result<Vec<u8>, String> {
    let name = format!("{}/{}/skill.wasm", entry.name, entry.version);
    let bytes = skills
        .read(&name, MAX_MODULE)
        .map_err(|e| format!("the skill {} is left out: {}", entry.name, cut(&e.to_string(), 200)))?;
    if Digest::of(&bytes) == entry.module_sha256 {
        Ok(bytes)
    } else {
        Err(format!("the skill {} is left out: its module is not the one that was approved", entry.name))
    }
}

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

#[cfg(test)]
mod tests;
