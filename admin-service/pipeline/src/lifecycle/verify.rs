//! Everything that is kept of the installed skills, compared with the journal.

use std::fs;

use base::error::Error;
use base::home::Home;
use base::package::{Package, Part};
use ledger::{Ledger, past};
use shared_types::approvers::Approvers;
use shared_types::decision::Decision;
use shared_types::id::{Digest, SkillName};
use shared_types::manifest::Learned;
use shared_types::signed::Signed;

/// A skill that cannot be verified, since it is not there.
#[derive(Debug, thiserror::Error)]
#[error("no learned skill `{0}` is installed")]
struct NotInstalled(SkillName);

/// What was looked at, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The skill, or `manifest`.
    pub subject: String,
    /// Every fault, with the file.
    pub faults: Vec<String>,
}

/// Verifies one skill, or all of them and the manifest.
///
/// # Errors
/// A list of approvers that cannot be read, or a skill that is not installed.
pub fn verify(home: &Home, ledger: &Ledger, only: Option<&SkillName>) -> Result<Vec<Checked>, Error> {
    let approvers = ledger.people().approvers()?;
    if let Some(name) = only {
        let Some(entry) = ledger.active().get(name) else {
            return Err(Error::failed(NotInstalled(name.clone())));
        };
        return Ok(vec![skill(home, ledger, &approvers, entry)]);
    }
    let mut all = vec![manifest(home, ledger)];
    all.extend(ledger.active().values().map(|entry| skill(home, ledger, &approvers, entry)));
    Ok(all)
}

fn manifest(home: &Home, ledger: &Ledger) -> Checked {
    let faults = match ledger::manifest::stands(home, ledger) {
        Ok(()) => vec![],
        Err(error) => vec![error.to_string()],
    };
    Checked { subject: "manifest".into(), faults }
}

fn skill(home: &Home, ledger: &Ledger, approvers: &Approvers, entry: &Learned) -> Checked {
    let mut faults = vec![];
    if let Err(e) = entry.verify(approvers) {
        faults.push(format!("the decision: {e}"));
    }
    let mut compare = |path: std::path::PathBuf, expected: &Digest| match fs::read(&path) {
        Ok(bytes) if Digest::of(&bytes) == *expected => {}
        Ok(bytes) => {
            let found = Digest::of(&bytes);
            faults.push(format!("{} has the digest {found}; decided was {expected}", path.display()));
        }
        Err(e) => faults.push(format!("{}: {e}", path.display())),
    };
    compare(home.module(&entry.name, entry.version), &entry.module_sha256);
    let record = Package::installed(home, &entry.name, entry.version);
    match past::version(ledger, &entry.name, entry.version) {
        Err(e) => faults.push(format!("the journal: {e}")),
        Ok(past) => {
            let decision = past.decision;
            for (part, digest) in [
                (Part::Spec, &decision.spec_sha256),
                (Part::Source, &decision.source_sha256),
                (Part::Report, &decision.report_sha256),
            ] {
                compare(record.path(part), digest);
            }
        }
    }
    let path = record.path(Part::Decision);
    match fs::read_to_string(&path).map(|text| serde_json::from_str::<Signed<Decision>>(&text)) {
        Ok(Ok(kept)) if kept == entry.decision => {}
        Ok(Ok(_)) => faults.push(format!("{} is another decision than the journal's", path.display())),
        Ok(Err(e)) => faults.push(format!("{}: {e}", path.display())),
        Err(e) => faults.push(format!("{}: {e}", path.display())),
    }
    Checked { subject: entry.name.to_string(), faults }
}
