//! The signed files that say which skills may run: verified against signatures and digests before anything of them is used.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::thread::Builder;

use bot_base::error::Error;
use bot_base::paths::Folder;
use documents::manifest::ManifestError;
use sha2::{Digest as _, Sha256};
use shared_types::approvers::{Approvers, ApproversFile, ChainError, SeenChain};
use shared_types::id::{Digest, SkillName};
use shared_types::manifest::{Learned, Manifest};
use shared_types::signature::Verifier;
use shared_types::text::cut;

/// Manifest and signature are two files: between the two replacements they do not fit, so a misfit is looked at again.
const RETRIES: u32 = 4;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);
/// The largest module that is read, in bytes.
const MAX_MODULE: u64 = 8 * 1024 * 1024;
/// How much of a module is hashed at a time, in bytes: it stays in the processor's cache.
const PIECE: usize = 64 * 1024;
/// Fewer modules than these are not worth another thread.
const FEWEST: usize = 4;
/// The largest signature or key that is read, in bytes.
const MAX_SMALL: u64 = 1024 * 1024;
/// The chain of those who may decide, beneath `config/`.
const APPROVERS: &str = "approvers.yaml";
/// The file, beneath a profile's `memory/`, with the newest change of the approvers that was seen.
pub const APPROVERS_SEEN: &str = "approvers_seen";

/// What a profile has seen of the signed files: a later start refuses anything older.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The highest serial of a manifest; 0 for none.
    pub serial: u64,
    /// The newest change of the approvers.
    pub approvers: Option<SeenChain>,
}

/// Reads the module of a skill: the bytes that were approved, or why there are none.
pub type Bytes = Box<dyn Fn() -> Result<Vec<u8>, String> + Send + Sync>;

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
        let verifier = Verifier::of_batch(
            manifest.learned.iter().flat_map(|entry| entry.decision.claims(&approvers)).collect(),
        );
        let judged: Vec<_> =
            manifest.learned.iter().map(|entry| entry.verify_by(&approvers, &verifier)).collect();
        let mut judged = judged.into_iter();
        manifest.learned.retain(|entry| match judged.next() {
            Some(Ok(())) => true,
            Some(Err(e)) => {
                warnings.push(format!("the skill {} is left out: {e}", entry.name));
                false
            }
            None => false,
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
pub fn approvers(config: &Folder) -> Result<Approvers, Error> {
    let limit = documents::yaml::MAX_OWN_BYTES as u64;
    let text = required(config, APPROVERS, limit)?;
    let file: ApproversFile = documents::yaml::from_program(&text).map_err(|e| Error::Integrity {
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

/// Checks every module against the digest that was approved, on as many processors as there are, and keeps none: the first
/// call of a skill reads its module, which is compared once more.
pub fn modules(skills: &Arc<Folder>, entries: &[Learned]) -> Vec<Result<Bytes, String>> {
    let mut checked: Vec<Option<_>> = entries.iter().map(|_| None).collect();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let share = entries.len().div_ceil(processors).max(FEWEST);
    std::thread::scope(|scope| {
        let mut shares = entries.chunks(share).zip(checked.chunks_mut(share));
        let own = shares.next();
        for (entries, checked) in shares {
            let _ = Builder::new().spawn_scoped(scope, move || check(skills, entries, checked));
        }
        if let Some((entries, checked)) = own {
            check(skills, entries, checked);
        }
    });
    // Where there was no thread to be had, some are left.
    let mut piece = vec![0; PIECE];
    let pairs = entries.iter().zip(checked);
    pairs.map(|(entry, checked)| checked.unwrap_or_else(|| compare(skills, entry, &mut piece))).collect()
}

fn check(skills: &Arc<Folder>, entries: &[Learned], checked: &mut [Option<Result<Bytes, String>>]) {
    let mut piece = vec![0; PIECE];
    for (entry, checked) in entries.iter().zip(checked) {
        *checked = Some(compare(skills, entry, &mut piece));
    }
}

/// Compares the digest of a module, read piece by piece, with the one that was approved.
fn compare(skills: &Arc<Folder>, entry: &Learned, piece: &mut [u8]) -> Result<Bytes, String> {
    let name = format!("{}/{}/skill.wasm", entry.name, entry.version);
    let unreadable = |e: &dyn std::fmt::Display| cut(&e.to_string(), 200);
    let mut file = skills.file(&name).map_err(|e| unreadable(&e))?.take(MAX_MODULE);
    let mut hash = Sha256::new();
    loop {
        match file.read(piece) {
            Ok(0) => break,
            Ok(length) => hash.update(&piece[..length]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(unreadable(&e)),
        }
    }
    let approved = entry.module_sha256.clone();
    approved_only(Digest::from(hash) == approved)?;
    let skills = skills.clone();
    Ok(Box::new(move || {
        let bytes = skills.read(&name, MAX_MODULE).map_err(|e| cut(&e.to_string(), 200))?;
        approved_only(Digest::of(&bytes) == approved).map(|()| bytes)
    }))
}

fn approved_only(same: bool) -> Result<(), String> {
    if same { Ok(()) } else { Err("its module is not the one that was approved".to_owned()) }
}

#[cfg(test)]
mod tests;
