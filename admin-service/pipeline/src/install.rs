//! Places what was approved.

use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::{READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use base::package::{Package, Part};
use ledger::manifest::publish;
use ledger::{Ledger, ProposalEvent};
use shared_types::decision::Decision;
use shared_types::manifest::Learned;

use crate::advance::Acceptance;

/// Proposal, source, module and report as they were decided on, each read once.
fn decided(home: &Home, decision: &Decision) -> Result<[Vec<u8>; 4], Error> {
    let package = Package::of(home, &decision.proposal_id);
    Ok([
        package.decided(Part::Spec, &decision.spec_sha256)?,
        package.decided(Part::Source, &decision.source_sha256)?,
        package.decided(Part::Module, &decision.module_sha256)?,
        package.decided(Part::Report, &decision.report_sha256)?,
    ])
}

/// Whether a package can be installed as it was decided on: asked before the decision is recorded, so that a yes to files
/// that have changed leaves no trace and installs nothing later.
///
/// # Errors
/// The first file that differs or cannot be read.
pub fn check(home: &Home, decision: &Decision) -> Result<(), Error> {
    decided(home, decision).map(drop)
}

/// Places an accepted module and records it; every step can be done again.
///
/// # Errors
/// Bytes that are not those decided on, or a failing disk; the proposal then stays where it was.
pub fn install(home: &Home, ledger: &mut Ledger, acceptance: &Acceptance) -> Result<(), Error> {
    let decision = acceptance.decision();
    if ledger.active().get(&decision.name).is_some_and(|l| l.decision.text == acceptance.signed().text) {
        return publish(home, ledger);
    }
    let [spec, source, module, report] = decided(home, decision)?;

    let record = Package::installed(home, &decision.name, decision.version);
    record.make()?;
    let signed = serde_json::to_vec(acceptance.signed()).map_err(Error::failed)?;
    for (part, bytes, point) in [
        (Part::Spec, &spec, Point::InstallProposal),
        (Part::Source, &source, Point::InstallSource),
        (Part::Report, &report, Point::InstallReport),
        (Part::Decision, &signed, Point::InstallDecision),
    ] {
        record.keep(part, bytes)?;
        at(point);
    }
    let path = home.module(&decision.name, decision.version);
    if let Some(folder) = path.parent() {
        make_folder(folder, READABLE)?;
    }
    durable::replace(&path, &module, READABLE_FILE).map_err(Error::io(&path))?;
    at(Point::InstallModule);

    let proposal = ledger.ticket(&decision.proposal_id).map(|ticket| ticket.proposal());
    let dependencies = proposal.map_or_else(Vec::new, |proposal| proposal.dependencies.clone());
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
        dependencies,
        emits_events: decision.emits_events.clone(),
        handles_events: decision.handles_events.clone(),
        recipients: decision.recipients.clone(),
        described: acceptance.described().clone(),
        decision: acceptance.signed().clone(),
    };
    ledger.append(ProposalEvent::Installed { entry: Box::new(entry) }.of(&decision.proposal_id))?;
    at(Point::InstallRecorded);
    publish(home, ledger)
}
