//! What a yes to a package says, and the approver's signature under it. Whether it counts is for the pipeline to check.

use base::error::Error;
use base::home::Home;
use base::keys::Signer;
pub use ledger::statements::StatementError;
use ledger::ticket::Ticket;
use ledger::{Ledger, Reviewed, past};
use shared_types::decision::{Decision, Verdict};
use shared_types::id::{ApproverId, ProposalId};
use shared_types::recipients::Recipients;
use shared_types::signed::{Countersignature, Signed};

use crate::package::read_hashed;
use crate::report::Report;

/// Said where a reason is missing.
const NO_REASON: &str =
    "a rejection needs a reason in words, which the asking person reads; nothing was changed";

/// Whether a text can be the reason of a rejection: `?` asks what there is.
pub fn is_reason(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Refuses a rejection without a reason.
///
/// # Errors
/// A text that is not a reason.
pub fn check_reason(text: &str) -> Result<(), Error> {
    if is_reason(text) { Ok(()) } else { Err(Error::usage(NO_REASON)) }
}

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
) -> Result<Signed<Decision>, Error> {
    let text = text(home, ticket, approver, seen, recipients)?;
    let signature = signer.sign(&text)?;
    Ok(signed(ticket, approver, text, signature))
}

/// The text that a yes to the package that was seen signs. Where another approver has said the first of two yeses, it is the one
/// that they signed.
///
/// # Errors
/// A package that is not complete or has changed, or a second yes of the same person.
pub fn text(
    home: &Home,
    ticket: &Ticket,
    approver: &ApproverId,
    seen: &Reviewed,
    recipients: &Recipients,
) -> Result<String, Error> {
    let (review, report) = reviewed(home, ticket)?;
    if review != *seen {
        return Err(StatementError::PackageChanged.into());
    }
    let Some(first) = ticket.first_yes() else {
        let (recipients, now) = (recipients.clone(), base::clock::now());
        let decision = form(ticket, &review, &report, recipients, approver.clone(), now);
        return serde_json_canonicalizer::to_string(&decision).map_err(Error::failed);
    };
    let decided = first.read().map_err(Error::integrity)?;
    if decided.approver == *approver {
        return Err(StatementError::SecondOfTheSame(decided.approver).into());
    }
    if decided.recipients != *recipients {
        return Err(StatementError::OtherRecipients(decided.recipients).into());
    }
    Ok(first.text.clone())
}

/// The decision of an approver who signed this text: beside that of the first of two, where it is the same text.
pub fn signed(ticket: &Ticket, approver: &ApproverId, text: String, signature: String) -> Signed<Decision> {
    match ticket.first_yes().filter(|first| first.text == text) {
        Some(first) => {
            let mut both = first.clone();
            both.others.push(Countersignature { approver: approver.clone(), signature });
            both
        }
        None => Signed::unchecked(text, signature),
    }
}

/// A report that is not the one of which the journal has the digest.
#[derive(Debug, thiserror::Error)]
#[error("the report of {0} is not the one that was recorded")]
struct OtherReport(ProposalId);

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
        return Err(Error::integrity(OtherReport(ticket.id().clone())));
    }
    if let Some(stop) = report.findings.iter().find(|f| f.violation) {
        return Err(StatementError::Violation(stop.text.clone()).into());
    }
    Ok((review, report))
}

/// To whom a yes gives the skill where the person names nobody: those of the first of two yeses, else those of the version
/// before, removed or not, else every profile. So a new version never reaches more profiles automatically.
pub fn recipients(ledger: &Ledger, ticket: &Ticket) -> Recipients {
    let first = ticket.first_yes().and_then(|first| first.read().ok());
    let before =
        || past::versions(ledger, &ticket.proposal().name).pop().map(|past| past.decision.recipients);
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
