//! The package of one proposal as text: facts from the system first, words of others apart and marked.

use std::fmt::Write as _;
use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use base::package::{Package, Part};
use documents::yaml::{self, YamlError};
use ledger::Reviewed;
use ledger::ticket::Ticket;
use shared_types::id::{Digest, ProposalId};
use shared_types::text::{block, line};

use super::report::Report;
use super::words::Words;

/// A report that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", .path.display())]
struct Unread {
    path: PathBuf,
    why: YamlError,
}

/// Reads a package's report.
///
/// # Errors
/// A report that is missing or broken.
pub fn read_report(home: &Home, id: &ProposalId) -> Result<Report, Error> {
    read_hashed(home, id).map(|(_, report)| report)
}

/// Reads a package's report with the digest of its bytes.
///
/// # Errors
/// A report that is missing or broken.
pub fn read_hashed(home: &Home, id: &ProposalId) -> Result<(Digest, Report), Error> {
    let package = Package::of(home, id);
    let text = package.text(Part::Report)?;
    let wrong = |why| Error::integrity(Unread { path: package.path(Part::Report), why });
    let report = yaml::from_own(&text).map_err(wrong)?;
    Ok((Digest::of(text.as_bytes()), report))
}

/// Whether the files of a package are those that its review names.
pub fn stands(home: &Home, id: &ProposalId, review: &Reviewed) -> bool {
    let package = Package::of(home, id);
    package.decided(Part::Source, &review.source_sha256).is_ok()
        && package.decided(Part::Module, &review.module_sha256).is_ok()
        && package.decided(Part::Report, &review.report_sha256).is_ok()
}

/// The head of a package: which proposal, whose, and what it waits for.
pub fn head(ticket: &Ticket, words: Words) -> String {
    let head = words.head(ticket.taken().profile.as_str(), ticket.status(), ticket.waits_for());
    let mut out = format!("{}  {}\n  {head}\n", ticket.proposal().name, ticket.id());
    if let (Some(_), Some(why)) = (ticket.waits_for(), ticket.waits_because()) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "  {}", line(why));
    }
    if ticket.changed_late() {
        let _ =
            writeln!(out, "  its file was changed after it was taken in; what counts is what was taken in");
    }
    out
}

/// The canonical source of a package.
///
/// # Errors
/// A source that is missing.
pub fn source(home: &Home, id: &ProposalId) -> Result<String, Error> {
    Package::of(home, id).text(Part::Source).map(|text| block(&text))
}
