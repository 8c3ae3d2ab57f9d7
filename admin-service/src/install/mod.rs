//! Places what was approved, and publishes the manifest that follows from the journal.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use documents::yaml;
use shared_types::decision::Decision;
use shared_types::id::Digest;
use shared_types::manifest::{Builtin, Learned, Manifest};
use shared_types::profile::{Platform, SystemCapability, SystemProfile};
use shared_types::signature;

use crate::error::Error;
use crate::failpoints::{Point, at};
use crate::home::Home;
use crate::journal::{Book, Record};
use crate::keys;
use crate::pipeline::advance::Acceptance;

/// A folder that only the admin opens.
pub const PRIVATE: u32 = 0o700;
/// A folder that the bot may read by a shared group.
pub const READABLE: u32 = 0o750;
/// A file that the bot may read by a shared group.
pub const READABLE_FILE: u32 = 0o640;

/// The built-in skills of this version with the tokens that each one gets.
pub const BUILTIN: &str = include_str!("../../../config/builtin_skills.yaml");

/// Makes a folder with everything above it that is missing; its name survives a crash.
///
/// # Errors
/// The system's refusal.
pub fn make_folder(path: &Path, mode: u32) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    let missing = path.ancestors().take_while(|folder| !folder.exists()).count();
    DirBuilder::new().recursive(true).mode(mode).create(path).map_err(Error::io(path))?;
    for folder in path.ancestors().skip(1).take(missing) {
        durable::sync_folder(folder).map_err(Error::io(folder))?;
    }
    Ok(())
}

/// The files of a package, as they were decided on.
struct Package {
    spec: Vec<u8>,
    source: Vec<u8>,
    module: Vec<u8>,
    report: Vec<u8>,
}

impl Package {
    /// Reads each file once, and insists on its digest.
    fn read(home: &Home, decision: &Decision) -> Result<Package, Error> {
        let folder = home.package(&decision.proposal_id);
        let read = |name: &str, expected: &Digest| {
            let path = folder.join(name);
            let bytes = fs::read(&path).map_err(Error::io(&path))?;
            if Digest::of(&bytes) == *expected {
                Ok(bytes)
            } else {
                Err(Error::Integrity(format!("{} is not what was decided on", path.display())))
            }
        };
        Ok(Package {
            spec: read("proposal.yaml", &decision.spec_sha256)?,
            source: read("skill.rs", &decision.source_sha256)?,
            module: read("skill.wasm", &decision.module_sha256)?,
            report: read("report.yaml", &decision.report_sha256)?,
        })
    }
}

/// Whether a package can be installed as it was decided on: asked before the decision is recorded, so that a yes to files
/// that have changed leaves no trace and installs nothing later.
///
/// # Errors
/// The first file that differs or cannot be read.
pub fn check(home: &Home, decision: &Decision) -> Result<(), Error> {
    Package::read(home, decision).map(|_| ())
}

/// Places an accepted module and records it; every step can be done again.
///
/// # Errors
/// Bytes that are not those decided on, or a failing disk; the proposal then stays where it was.
pub fn install(home: &Home, book: &mut Book, acceptance: &Acceptance) -> Result<(), Error> {
    let decision = acceptance.decision();
    if book.active().get(&decision.name).is_some_and(|l| l.decision.text == acceptance.signed().text) {
        return publish(home, book);
    }
    let Package { spec, source, module, report } = Package::read(home, decision)?;

    let record = home.record(&decision.name, decision.version);
    make_folder(&record, PRIVATE)?;
    let signed = serde_json::to_vec(acceptance.signed()).map_err(|e| Error::Failed(e.to_string()))?;
    for (name, bytes, point) in [
        ("proposal.yaml", &spec, Point::InstallProposal),
        ("skill.rs", &source, Point::InstallSource),
        ("report.yaml", &report, Point::InstallReport),
        ("decision.json", &signed, Point::InstallDecision),
    ] {
        let path = record.join(name);
        durable::replace(&path, bytes, 0o600).map_err(Error::io(&path))?;
        at(point);
    }
    let path = home.module(&decision.name, decision.version);
    if let Some(folder) = path.parent() {
        make_folder(folder, READABLE)?;
    }
    durable::replace(&path, &module, READABLE_FILE).map_err(Error::io(&path))?;
    at(Point::InstallModule);

    let entry = Learned {
        name: decision.name.clone(),
        version: decision.version,
        description: acceptance.description().to_owned(),
        module_sha256: decision.module_sha256.clone(),
        capabilities: decision.capabilities.clone(),
        network: decision.network.clone(),
        secrets: decision.secrets.clone(),
        memory_scope: decision.memory_scope,
        file_scope: decision.file_scope,
        emits_events: decision.emits_events.clone(),
        handles_events: decision.handles_events.clone(),
        described: acceptance.described().clone(),
        decision: acceptance.signed().clone(),
    };
    book.append(Record::Installed { id: decision.proposal_id.clone(), entry: Box::new(entry) })?;
    at(Point::InstallRecorded);
    publish(home, book)
}

/// Brings the journal up to this version's built-in skills and publishes.
///
/// # Errors
/// See [`publish`].
pub fn reconcile(home: &Home, book: &mut Book) -> Result<(), Error> {
    let shipped = shipped_builtin()?;
    if book.builtin() != shipped {
        book.append(Record::Builtins { builtin: shipped })?;
        at(Point::StartBuiltins);
    }
    publish(home, book)
}

/// The built-in skills of this version.
///
/// # Errors
/// A shipped list that is broken.
pub fn shipped_builtin() -> Result<Vec<Builtin>, Error> {
    yaml::from_own(BUILTIN).map_err(|e| Error::Failed(format!("the list of built-in skills: {e}")))
}

/// The manifest that follows from the journal, as text.
fn manifest_text(book: &Book) -> Result<String, Error> {
    let manifest = Manifest {
        serial: book.serial(),
        signed_at: book.changed_at().to_owned(),
        builtin: book.builtin().to_vec(),
        learned: book.active().values().cloned().collect(),
        plugins: book.plugins().values().map(|installed| installed.plugin.clone()).collect(),
    };
    yaml::to_string(&manifest).map_err(|e| Error::Failed(format!("the manifest: {e}")))
}

/// Checks that the manifest on the disk is the one that follows from the journal, and that its signature holds.
///
/// # Errors
/// A file that cannot be read, another manifest, or a signature that does not hold.
pub fn stands(home: &Home, book: &Book) -> Result<(), Error> {
    let read = |path: std::path::PathBuf| fs::read_to_string(&path).map_err(Error::io(&path));
    let (text, signed, trust) =
        (read(home.manifest())?, read(home.manifest_signature())?, read(home.trust())?);
    if text != manifest_text(book)? {
        return Err(Error::Integrity(format!(
            "{} is not what follows from the journal",
            home.manifest().display()
        )));
    }
    signature::verify(&trust, &signed, text.as_bytes())
        .map_err(|e| Error::Integrity(format!("{}: {e}", home.manifest_signature().display())))
}

/// Writes and signs the manifest that follows from the journal, unless it lies there already.
///
/// # Errors
/// A missing key or a failing disk.
pub fn publish(home: &Home, book: &Book) -> Result<(), Error> {
    let text = manifest_text(book)?;
    let trust_path = home.trust();
    let trust = fs::read_to_string(&trust_path).map_err(Error::io(&trust_path))?;
    let stands = fs::read_to_string(home.manifest()).is_ok_and(|old| old == text)
        && fs::read_to_string(home.manifest_signature())
            .is_ok_and(|old| signature::verify(&trust, &old, text.as_bytes()).is_ok());
    if !stands {
        let signed = keys::open(&keys::manifest_key(home))?.sign(text.as_bytes())?;
        for (path, bytes, point) in [
            (home.manifest(), &text, Point::PublishManifest),
            (home.manifest_signature(), &signed, Point::PublishSignature),
        ] {
            durable::replace(&path, bytes.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
            at(point);
        }
    }
    publish_profile(home, book)
}

/// Writes the abstract system profile: what there is, never by what or where.
fn publish_profile(home: &Home, book: &Book) -> Result<(), Error> {
    let path = home.system_profile();
    let old: Option<SystemProfile> =
        fs::read_to_string(&path).ok().and_then(|text| yaml::from_own(&text).ok());
    let builtin = book.builtin().iter().map(|b| b.name.to_string());
    let profile = SystemProfile {
        platform: if Path::new("/.dockerenv").exists() { Platform::Container } else { Platform::Linux },
        available_capabilities: old.as_ref().map_or_else(
            || {
                use SystemCapability::{Files, LanguageModel, Memory, Network, Text};
                vec![Text, Memory, Files, LanguageModel, Network]
            },
            |p| p.available_capabilities.clone(),
        ),
        active_skills: builtin.chain(book.active().keys().map(ToString::to_string)).collect(),
    };
    if old.as_ref() == Some(&profile) {
        return Ok(());
    }
    let text = yaml::to_string(&profile).map_err(|e| Error::Failed(format!("the system profile: {e}")))?;
    durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    at(Point::PublishProfile);
    Ok(())
}
