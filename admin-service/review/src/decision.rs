//! What a yes to a package says, and the approver's signature under it. Whether it counts is for the pipeline to check.

use base::error::Error;
use base::home::Home;
use base::keys::Signer;
pub use ledger::statements::StatementError;
use ledger::ticket::Ticket;
use ledger::{Book, Reviewed, past};
use shared_types::decision::{Countersignature, Decision, SignedDecision, Verdict};
use shared_types::id::ApproverId;
use shared_types::recipients::Recipients;

use crate::package::read_hashed;
use crate::report::Report;

/// Makes the decision for the package that the person has just seen, and signs it with the approver's open key. Where another
/// approver has said the first of two yeses already, the same decision is signed beside them.
///
/// # Errors
/// A package that is not complete or has changed, a second yes of the same person, or a key that cannot sign.
pub fn sign(
    home: &Home,
    ticket: &Ticket,
    approver: &ApproverId,
    signer: &Signer,
    seen: &Reviewed,
    recipients: &Recipients,
) -> Result<SignedDecision, Error> {
    let (review, report) = reviewed(home, ticket)?;
    if review != *seen {
        return Err(StatementError::PackageChanged.into());
    }
    if let Some(first) = ticket.first_yes() {
        let decided = first.read().map_err(Error::integrity)?;
        if decided.approver == *approver {
            return Err(StatementError::SecondOfTheSame(decided.approver).into());
        }
        if decided.recipients != *recipients {
            return Err(StatementError::OtherRecipients(decided.recipients).into());
        }
        let signature = signer.sign(&first.text)?;
        let mut both = first.clone();
        both.others.push(Countersignature { approver: approver.clone(), signature });
        return Ok(both);
    }
    let decision = form(ticket, &review, &report, recipients.clone(), approver.clone(), base::clock::now());
    let text = serde_json_canonicalizer::to_string(&decision).map_err(Error::failed)?;
    let signature = signer.sign(&text)?;
    Ok(SignedDecision::new(text, signature))
}

/// The digests that the journal holds, with the report that they name.
///
/// # Errors
/// A proposal that was not reviewed, a report that is not the recorded one, or a package with a violation.
pub fn reviewed(home: &Home, ticket: &Ticket) -> Result<(Reviewed, Report), Error> {
    let Some(review) = ticket.review().cloned() else {
        return Err(StatementError::NotReviewed { id: ticket.id().clone(), status: ticket.status() }.into());
    };
    let (digest, report) = read_hashed(home, ticket.id())?;
    if digest != review.report_sha256 {
        return Err(Error::integrity(format!(
            "the report of {} is not the one that was recorded",
            ticket.id()
        )));
    }
    if let Some(stop) = report.findings.iter().find(|f| f.violation) {
        return Err(StatementError::Violation(stop.text.clone()).into());
    }
    Ok((review, report))
}

/// To whom a yes gives the skill where the person names nobody: those of the first of two yeses, else those of the version
/// before, removed or not, else every profile. So a new version never reaches more profiles by itself.
pub fn recipients(book: &Book, ticket: &Ticket) -> Recipients {
    let first = ticket.first_yes().and_then(|first| first.read().ok());
    let before = || past::versions(book, &ticket.proposal().name).pop().map(|past| past.decision.recipients);
    first.map(|decision| decision.recipients).or_else(before).unwrap_or_default()
}

/// The decision that a yes to this package is.
pub fn form(
    ticket: &Ticket,
    review: &Reviewed,
    report: &Report,
    recipients: Recipients,
    approver: ApproverId,
    decided_at: String,
) -> Decision {
    Decision {
        verdict: Verdict::Approve,
        proposal_id: ticket.id().clone(),
        profile_id: ticket.taken().profile.clone(),
        name: report.name.clone(),
        version: report.version,
        base_version: report.base_version,
        manifest_serial: review.manifest_serial,
        spec_sha256: ticket.taken().spec_sha256.clone(),
        source_sha256: review.source_sha256.clone(),
        module_sha256: review.module_sha256.clone(),
        report_sha256: review.report_sha256.clone(),
        described_sha256: report.described.digest(),
        capabilities: report.derived.clone(),
        network: report.network.clone(),
        secrets: report.secrets.clone(),
        memory_scope: report.memory_scope,
        file_scope: report.file_scope,
        emits_events: report.emits_events.clone(),
        handles_events: report.handles_events.clone(),
        recipients,
        approver,
        decided_at,
    }
}
