//! The manifest that follows from the journal, signed, and the profile of the system beside it.

use std::fs;
use std::path::PathBuf;

use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::READABLE_FILE;
use base::home::Home;
use base::keys;
use documents::yaml;
use shared_types::manifest::{Builtin, Manifest};
use shared_types::signature::{self, SignatureError};

use super::{Ledger, SkillRecord, system};

/// Why the manifest does not hold.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} is not what follows from the journal", .0.display())]
    Differs(PathBuf),
    #[error("{}: {why}", .path.display())]
    Signature { path: PathBuf, why: SignatureError },
}

/// The built-in skills of this version with the tokens that each one gets.
pub const BUILTIN: &str = include_str!("../../../config/builtin_skills.yaml");

/// Brings the journal up to this version's built-in skills and publishes.
///
/// # Errors
/// See [`publish`].
pub fn reconcile(home: &Home, ledger: &mut Ledger) -> Result<(), Error> {
    let shipped = shipped_builtin()?;
    if ledger.builtin() != shipped {
        ledger.append(SkillRecord::Builtins { builtin: shipped })?;
        at(Point::StartBuiltins);
    }
    publish(home, ledger)
}

/// The built-in skills of this version.
///
/// # Errors
/// A shipped list that is broken.
pub fn shipped_builtin() -> Result<Vec<Builtin>, Error> {
    yaml::from_own(BUILTIN).map_err(Error::step("the list of built-in skills"))
}

/// The manifest that follows from the journal.
fn manifest_of(ledger: &Ledger) -> Manifest {
    Manifest {
        serial: ledger.serial(),
        signed_at: ledger.changed_at().to_owned(),
        builtin: ledger.builtin().to_vec(),
        learned: ledger.active().values().cloned().collect(),
        plugins: ledger.plugins().values().map(|installed| installed.plugin.clone()).collect(),
    }
}

/// Checks that the manifest on the disk is the one that follows from the journal, and that its signature holds.
///
/// # Errors
/// A file that cannot be read, another manifest, or a signature that does not hold.
pub fn stands(home: &Home, ledger: &Ledger) -> Result<(), Error> {
    let read = |path: PathBuf| fs::read_to_string(&path).map_err(Error::io(&path));
    let (text, signed, trust) =
        (read(home.manifest())?, read(home.manifest_signature())?, read(home.trust())?);
    if documents::manifest::read(&text).ok() != Some(manifest_of(ledger)) {
        return Err(Error::integrity(Fault::Differs(home.manifest())));
    }
    signature::verify(&trust, &signed, text.as_bytes())
        .map_err(|why| Error::integrity(Fault::Signature { path: home.manifest_signature(), why }))
}

/// Writes and signs the manifest that follows from the journal, unless it is there already.
///
/// # Errors
/// A missing key or a failing disk.
pub fn publish(home: &Home, ledger: &Ledger) -> Result<(), Error> {
    let text = documents::manifest::to_string(&manifest_of(ledger)).map_err(Error::step("the manifest"))?;
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
    system::publish(home, ledger)
}

#[cfg(test)]
mod tests;
