//! The one mint of a person's yes.

use shared_types::decision::{Decision, SignedDecision, Verdict};
use shared_types::described::Described;
use shared_types::home::Home;
use shared_types::id::ApproverId;

use super::approvers;
use super::report::Report;
use crate::error::Error;
use crate::journal::{Book, Reviewed};
use crate::keys::Signer;
use crate::pipeline::ticket::Ticket;

/// A decision that was checked against the approvers and against what was reviewed; nothing else installs.
///
/// It cannot be copied, stored or made elsewhere.
#[derive(Debug)]
pub struct HumanDecision {
    decision: Decision,
    signed: SignedDecision,
    described: Described,
}

impl HumanDecision {
    /// Checks a signed decision: the approver's signature, every digest, the versions and the manifest's serial.
    ///
    /// # Errors
    /// The first thing that differs from what was reviewed.
    pub fn mint(home: &Home, book: &Book, signed: &SignedDecision) -> Result<HumanDecision, Error> {
        let decision = Self::again(home, book, signed)?;
        if decision.decision.manifest_serial != book.serial() {
            return Err(Error::Refused(format!(
                "the decision is for manifest {}, but manifest {} is in force: look at the package again",
                decision.decision.manifest_serial,
                book.serial()
            )));
        }
        Ok(decision)
    }

    /// Re-makes a decision that the journal holds already: all checks but the serial's, which the installation raises.
    ///
    /// # Errors
    /// The first thing that differs from what was reviewed.
    pub fn again(home: &Home, book: &Book, signed: &SignedDecision) -> Result<HumanDecision, Error> {
        let approvers = approvers::read(home)?;
        let decision = signed.verify(&approvers).map_err(|e| Error::Refused(e.to_string()))?;
        let ticket = book
            .ticket(&decision.proposal_id)
            .ok_or_else(|| Error::NotFound(decision.proposal_id.to_string()))?;
        let (review, report) = reviewed(home, ticket)?;
        let expected = form(ticket, &review, &report, decision.approver.clone(), decision.decided_at.clone());
        if decision != expected {
            return Err(Error::Refused(
                "the decision is not for the package as it was reviewed: look at it again".into(),
            ));
        }
        Ok(HumanDecision { decision, signed: signed.clone(), described: report.described })
    }

    /// Hands the parts to the mover.
    pub(crate) fn into_parts(self) -> (Decision, SignedDecision, Described) {
        (self.decision, self.signed, self.described)
    }
}

/// Makes the decision for the package that the person has just seen, and signs it with the approver's open key.
///
/// # Errors
/// A package that is not complete or has changed, or a key that cannot sign.
pub fn sign(
    home: &Home,
    ticket: &Ticket,
    approver: &ApproverId,
    signer: &Signer,
    seen: &Reviewed,
) -> Result<SignedDecision, Error> {
    let (review, report) = reviewed(home, ticket)?;
    if review != *seen {
        return Err(Error::Refused("the package has changed since it was shown: look at it again".into()));
    }
    let decision = form(ticket, &review, &report, approver.clone(), crate::journal::now());
    let text = serde_json_canonicalizer::to_string(&decision).map_err(|e| Error::Failed(e.to_string()))?;
    let signature = signer.sign(text.as_bytes())?;
    Ok(SignedDecision { text, signature })
}

/// The digests that the journal holds, with the report that they name.
fn reviewed(home: &Home, ticket: &Ticket) -> Result<(Reviewed, Report), Error> {
    let Some(review) = ticket.review().cloned() else {
        return Err(Error::Refused(format!(
            "{} was not reviewed yet (it is in {})",
            ticket.id(),
            ticket.status()
        )));
    };
    let (digest, report) = super::package::read_hashed(home, ticket.id())?;
    if digest != review.report_sha256 {
        return Err(Error::Integrity(format!(
            "the report of {} is not the one that was recorded",
            ticket.id()
        )));
    }
    if let Some(stop) = report.findings.iter().find(|f| f.violation) {
        return Err(Error::Refused(format!("the package has a violation: {}; reject or edit it", stop.text)));
    }
    Ok((review, report))
}

fn form(
    ticket: &Ticket,
    review: &Reviewed,
    report: &Report,
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
        approver,
        decided_at,
    }
}

#[cfg(test)]
mod tests;
