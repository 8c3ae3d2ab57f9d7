//! Places what was approved.

use std::fs;

use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use base::package;
use ledger::manifest::publish;
use ledger::{Book, ProposalEvent};
use shared_types::decision::Decision;
use shared_types::id::Digest;
use shared_types::manifest::Learned;

use crate::advance::Acceptance;

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
            spec: read(package::SPEC, &decision.spec_sha256)?,
            source: read(package::SOURCE, &decision.source_sha256)?,
            module: read(package::MODULE, &decision.module_sha256)?,
            report: read(package::REPORT, &decision.report_sha256)?,
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
        (package::SPEC, &spec, Point::InstallProposal),
        (package::SOURCE, &source, Point::InstallSource),
        (package::REPORT, &report, Point::InstallReport),
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
    book.append(ProposalEvent::Installed { entry: Box::new(entry) }.of(&decision.proposal_id))?;
    at(Point::InstallRecorded);
    publish(home, book)
}
