//! The signed files that say which skills may run: verified against signatures and digests before anything of them is used.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::thread::Builder;

use bot_base::error::Error;
use bot_base::paths::{Folder, PathError};
use documents::manifest::ManifestError;
use sha2::{Digest as _, Sha256};
use shared_types::approvers::{Approvers, ApproversFile, ChainError, SeenChain};
use shared_types::audience::Audience;
use shared_types::id::{Digest, ProfileId, SkillName};
use shared_types::manifest::{Builtin, EntryError, Learned, Manifest, OpenedEntry};
use shared_types::signature::Verifier;
use shared_types::sorted;
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
/// The file, beneath a profile's `memory/` and beneath `credentials/`, with the newest change of the approvers that was seen.
pub const APPROVERS_SEEN: &str = "approvers_seen";

/// What a profile has seen of the signed files: a later start refuses anything older.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The highest serial of a manifest; 0 for none.
    pub serial: u64,
    /// The newest changes of the approvers: what this profile saw, and what any profile of the home saw.
    pub approvers: Vec<SeenChain>,
}

/// Reads the module of a skill: the bytes that were approved, or why there are none.
pub type Bytes = Box<dyn Fn() -> Result<Vec<u8>, NoModule> + Send + Sync>;

/// Why a learned entry has no module that may run.
#[derive(Debug, thiserror::Error)]
pub enum NoModule {
    /// No present approver decided the entry.
    #[error(transparent)]
    Undecided(#[from] EntryError),
    /// The home has no skills.
    #[error("there is no folder of skills")]
    NoFolder,
    /// The file cannot be opened, or is not one to read.
    #[error("{}", cut(&.0.to_string(), 200))]
    File(#[from] PathError),
    /// The file cannot be read to its end.
    #[error("{}", cut(&.0.to_string(), 200))]
    Unread(#[from] io::Error),
    /// The file holds other bytes.
    #[error("its module is not the one that was approved")]
    NotApproved,
}

/// A manifest that the admin signed. Who decided its learned entries and plugins is not looked at yet: nothing of them is to
/// be had but through [`Signed::decided`] and [`Signed::judge`].
#[derive(Debug)]
pub struct Signed {
    manifest: Manifest,
    approvers: Approvers,
}

/// What an approver decided of a manifest that the admin signed; for each learned entry its module has the approved bytes.
pub struct Verified {
    pub manifest: Manifest,
    /// The modules of its learned entries.
    pub modules: Vec<Bytes>,
    /// What was left out, and why.
    pub warnings: Vec<String>,
}

impl Signed {
    /// Reads the manifest of a home's `config/` and the approvers, and checks the signatures of both.
    ///
    /// # Errors
    /// A manifest, signature or chain of approvers that is missing or proves nothing, or one that is older than `seen`:
    /// each means that the program does not start.
    pub fn read(config: &Folder, seen: &Seen) -> Result<Signed, Error> {
        for _ in 0..RETRIES {
            match Signed::read_once(config, seen) {
                Err(Error::Manifest { source: ManifestError::Signature(_), .. }) => std::thread::sleep(PAUSE),
                other => return other,
            }
        }
        Signed::read_once(config, seen)
    }

    fn read_once(config: &Folder, seen: &Seen) -> Result<Signed, Error> {
        let limit = documents::yaml::MAX_OWN_BYTES as u64;
        let text = required(config, "skills_manifest.yaml", limit)?;
        let signature = required(config, "skills_manifest.yaml.sig", MAX_SMALL)?;
        let trust = required(config, "trust.pub", MAX_SMALL)?;
        let manifest = documents::manifest::open(&text, &signature, &trust, seen.serial)
            .map_err(|source| Error::Manifest { path: config.path().join("skills_manifest.yaml"), source })?;
        let approvers = approvers(config)?;
        for seen in &seen.approvers {
            approvers.check_seen(seen).map_err(|e| untrusted(config, &e))?;
        }
        Ok(Signed { manifest, approvers })
    }

    /// Leaves out the learned skills and the plugins that were approved for other profiles, before anything of them is looked
    /// at. An entry that names more profiles than its decision is left out by [`Signed::judge`].
    #[must_use]
    pub fn for_profile(mut self, profile: &ProfileId, audience: Audience) -> Signed {
        self.manifest.learned.retain(|entry| entry.recipients.include(profile, audience));
        self.manifest.plugins.retain(|plugin| plugin.recipients.include(profile, audience));
        self
    }

    /// The manifest's serial.
    pub fn serial(&self) -> u64 {
        self.manifest.serial
    }

    /// Who may decide.
    pub fn approvers(&self) -> &Approvers {
        &self.approvers
    }

    /// The built-in skills that are switched on; no decision of an approver belongs to them.
    pub fn builtin(&self) -> &[Builtin] {
        &self.manifest.builtin
    }

    /// The learned entries of which this holds and that a present approver decided.
    pub fn decided(&self, holds: impl Fn(&Learned) -> bool) -> Vec<&Learned> {
        let entries: Vec<&Learned> = self.manifest.learned.iter().filter(|entry| holds(entry)).collect();
        let opened: Vec<_> = entries.iter().map(|entry| entry.open()).collect();
        let claims = opened.iter().flat_map(|entry| entry.claims(&self.approvers));
        let verifier = Verifier::of_batch(claims.collect());
        let decided = |entry: OpenedEntry<'_>| entry.verify_by(&self.approvers, &verifier).is_ok();
        entries
            .into_iter()
            .zip(opened)
            .filter_map(|(entry, opened)| decided(opened).then_some(entry))
            .collect()
    }

    /// Checks every learned entry and its module, on as many processors as there are, and every plugin. No module is kept:
    /// the first call of a skill reads it, and it is compared once more.
    pub fn judge(self, skills: Option<&Arc<Folder>>) -> Verified {
        let Signed { mut manifest, approvers } = self;
        let entries = std::mem::take(&mut manifest.learned);
        let mut judged: Vec<Option<_>> = entries.iter().map(|_| None).collect();
        // Asking for the processors reads files, so it is left out where one share is enough.
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let share =
            if entries.len() <= FEWEST { FEWEST } else { entries.len().div_ceil(processors()).max(FEWEST) };
        std::thread::scope(|scope| {
            let mut shares = entries.chunks(share).zip(judged.chunks_mut(share));
            let (own, approvers) = (shares.next(), &approvers);
            for (entries, judged) in shares {
                let _ = Builder::new().spawn_scoped(scope, move || look(entries, approvers, skills, judged));
            }
            if let Some((entries, judged)) = own {
                look(entries, approvers, skills, judged);
            }
        });
        let (mut modules, mut warnings) = (Vec::new(), Vec::new());
        for (entry, mut judged) in entries.into_iter().zip(judged) {
            // Where there was no thread to be had, it is still to be done.
            if judged.is_none() {
                look(std::slice::from_ref(&entry), &approvers, skills, std::slice::from_mut(&mut judged));
            }
            match judged {
                Some(Ok(module)) => {
                    modules.push(module);
                    manifest.learned.push(entry);
                }
                Some(Err(why)) => warnings.push(format!("the skill {} is left out: {why}", entry.name)),
                None => {}
            }
        }
        keep_plugins(&mut manifest, &approvers, &mut warnings);
        Verified { manifest, modules, warnings }
    }
}

/// Checks the decisions of some entries in one batch, and the modules of those that were decided.
fn look(
    entries: &[Learned],
    approvers: &Approvers,
    skills: Option<&Arc<Folder>>,
    judged: &mut [Option<Result<Bytes, NoModule>>],
) {
    let opened: Vec<_> = entries.iter().map(Learned::open).collect();
    let claims = opened.iter().flat_map(|entry| entry.claims(approvers));
    let verifier = Verifier::of_batch(claims.collect());
    let mut piece = vec![0; PIECE];
    for ((entry, opened), judged) in entries.iter().zip(opened).zip(judged) {
        let decided = opened.verify_by(approvers, &verifier).map_err(NoModule::from);
        *judged = Some(decided.and_then(|()| compare(skills.ok_or(NoModule::NoFolder)?, entry, &mut piece)));
    }
}

/// Keeps the plugins that a present approver decided and whose names nothing else has.
fn keep_plugins(manifest: &mut Manifest, approvers: &Approvers, warnings: &mut Vec<String>) {
    let mut taken: BTreeSet<SkillName> =
        sorted::collected(manifest.builtin.iter().map(|entry| entry.name.clone()));
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
            "put the newest copy back, or, if this home was made anew on purpose, take the files {0} out of the profile's \
             memory/ and out of data/credentials/",
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

/// Compares the digest of a module, read piece by piece, with the one that was approved.
fn compare(skills: &Arc<Folder>, entry: &Learned, piece: &mut [u8]) -> Result<Bytes, NoModule> {
    let name = format!("{}/{}/skill.wasm", entry.name, entry.version);
    let mut file = skills.file(&name)?.take(MAX_MODULE);
    let mut hash = Sha256::new();
    loop {
        match file.read(piece) {
            Ok(0) => break,
            Ok(length) => hash.update(&piece[..length]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e.into()),
        }
    }
    let approved = entry.module_sha256.clone();
    approved_only(Digest::from(hash) == approved)?;
    let skills = skills.clone();
    Ok(Box::new(move || {
        let bytes = skills.read(&name, MAX_MODULE)?;
        approved_only(Digest::of(&bytes) == approved).map(|()| bytes)
    }))
}

fn approved_only(same: bool) -> Result<(), NoModule> {
    if same { Ok(()) } else { Err(NoModule::NotApproved) }
}

#[cfg(test)]
mod tests;
