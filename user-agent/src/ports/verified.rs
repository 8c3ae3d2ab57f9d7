//! The signed files that say which skills may run: verified against signatures and digests before anything of them is used.

use std::collections::BTreeSet;

use documents::manifest::ManifestError;
use shared_types::approvers::{Approvers, ApproversFile, ChainError, SeenChain};
use shared_types::id::{Digest, SkillName};
use shared_types::manifest::{Learned, Manifest};
use shared_types::text::cut;

use super::paths::Folder;
use crate::error::Error;

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

#[cfg(test)]
mod tests;
