//! The versions of a skill, and who depends on it, as the journal tells it.

use base::error::Error;
use base::home::Home;
use base::package::{Package, Part};
use shared_types::decision::Decision;
use shared_types::id::SkillName;

use crate::Ledger;
use crate::ticket::Ticket;

/// Why a version does not exist.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{name} has no version {wanted}; there are {}", .there.join(" "))]
    NoVersion { name: SkillName, wanted: u32, there: Vec<String> },
    #[error("no skill `{0}` was ever installed; `cl-admin skill list` shows those that are")]
    Unknown(SkillName),
}

/// One version that was once installed.
#[derive(Debug)]
pub struct Past<'a> {
    /// The proposal from which it came.
    pub ticket: &'a Ticket,
    /// What was decided.
    pub decision: Decision,
}

/// What is kept of a version, its digests compared with the decision.
#[derive(Debug)]
pub struct Kept {
    /// The proposal, as it was reviewed.
    pub spec: String,
    /// The canonical source.
    pub source: String,
}

/// Every version of a skill that was ever installed, the oldest first.
pub fn versions<'a>(ledger: &'a Ledger, name: &SkillName) -> Vec<Past<'a>> {
    let past = |ticket: &'a Ticket| {
        ticket.installed_version()?;
        let decision: Decision = serde_json::from_str(&ticket.decision()?.text).ok()?;
        (decision.name == *name).then_some(Past { ticket, decision })
    };
    let mut found: Vec<Past<'a>> = ledger.tickets().filter_map(past).collect();
    found.sort_by_key(|p| p.decision.version);
    found
}

/// One version.
///
/// # Errors
/// An unknown version, with the versions that exist.
pub fn version<'a>(ledger: &'a Ledger, name: &SkillName, wanted: u32) -> Result<Past<'a>, Error> {
    let mut all = versions(ledger, name);
    match all.iter().position(|p| p.decision.version == wanted) {
        Some(at) => Ok(all.swap_remove(at)),
        None if all.is_empty() => Err(unknown(name)),
        None => {
            let there: Vec<String> = all.iter().map(|p| p.decision.version.to_string()).collect();
            Err(Error::failed(Fault::NoVersion { name: name.clone(), wanted, there }))
        }
    }
}

/// The error that a skill of this name was never installed.
pub fn unknown(name: &SkillName) -> Error {
    Error::failed(Fault::Unknown(name.clone()))
}

/// The active skills that need this one to be there.
pub fn dependants<'a>(ledger: &'a Ledger, name: &SkillName) -> Vec<&'a SkillName> {
    let needs = |other: &SkillName| {
        let current = ledger.active().get(other).map(|l| l.version);
        versions(ledger, other)
            .iter()
            .filter(|p| Some(p.decision.version) == current)
            .any(|p| p.ticket.proposal().dependencies.contains(name))
    };
    ledger.active().keys().filter(|other| *other != name && needs(other)).collect()
}

impl Past<'_> {
    /// Reads what is kept of the version.
    ///
    /// # Errors
    /// A file that is missing, or that is not what was decided on.
    pub fn kept(&self, home: &Home) -> Result<Kept, Error> {
        let package = Package::installed(home, &self.decision.name, self.decision.version);
        Ok(Kept {
            spec: package.decided_text(Part::Spec, &self.decision.spec_sha256)?,
            source: package.decided_text(Part::Source, &self.decision.source_sha256)?,
        })
    }
}
