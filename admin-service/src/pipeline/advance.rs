//! The only mover of a proposal: what the table does not list is refused.

use shared_types::decision::{Decision, SignedDecision};
use shared_types::described::Described;
use shared_types::id::ProposalId;
use shared_types::status::{Status, Wait, gate};

use crate::error::Error;
use crate::journal::{Book, Record};
use crate::review::decision::HumanDecision;

/// The proof that a person's decision was recorded; the installer asks for it. Only [`accept`] makes one.
///
/// ```compile_fail,E0451
/// use admin_service::pipeline::advance::Acceptance;
/// fn forge(decision: shared_types::decision::Decision) -> Acceptance {
///     Acceptance { decision, signed: todo!(), description: todo!(), described: todo!() }
/// }
/// ```
/// ```compile_fail,E0277
/// fn copied<T: Clone>() {}
/// copied::<admin_service::pipeline::advance::Acceptance>();
/// ```
/// ```compile_fail,E0277
/// fn stored<T: serde::de::DeserializeOwned>() {}
/// stored::<admin_service::pipeline::advance::Acceptance>();
/// ```
/// ```compile_fail,E0277
/// fn from_nothing<T: Default>() {}
/// from_nothing::<admin_service::pipeline::advance::Acceptance>();
/// ```
#[derive(Debug)]
pub struct Acceptance {
    decision: Decision,
    signed: SignedDecision,
    description: String,
    described: Described,
}

impl Acceptance {
    /// What was decided.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The decision as it was signed.
    pub fn signed(&self) -> &SignedDecision {
        &self.signed
    }

    /// What the skill says about itself.
    pub fn described(&self) -> &Described {
        &self.described
    }

    /// One line about the skill.
    pub fn description(&self) -> &str {
        &self.description
    }
}

/// Moves a proposal along the table; acceptance is not to be had here.
///
/// # Errors
/// A move that the table does not list, or a journal that cannot be written.
pub fn advance(
    book: &mut Book,
    id: &ProposalId,
    to: Status,
    actor: &str,
    reason: Option<String>,
) -> Result<(), Error> {
    if to == Status::Accepted {
        return Err(illegal(book, id, to));
    }
    moved(book, id, to, actor, reason)
}

/// Records a person's decision; the proposal is accepted when [`settle`] follows the installation.
///
/// # Errors
/// A proposal that does not wait for a person, or a journal that cannot be written.
pub fn accept(book: &mut Book, decision: HumanDecision) -> Result<Acceptance, Error> {
    let (decision, signed, described) = decision.into_parts();
    let id = decision.proposal_id.clone();
    let Some(ticket) = book.ticket(&id) else { return Err(Error::NotFound(id.to_string())) };
    if gate(ticket.status(), Status::Accepted).is_none() {
        return Err(illegal(book, &id, Status::Accepted));
    }
    let description = ticket.proposal().description.clone();
    if ticket.decision() != Some(&signed) {
        book.append(Record::Decided { id, decision: signed.clone() })?;
    }
    Ok(Acceptance { decision, signed, description, described })
}

/// Ends an acceptance once the skill is installed.
///
/// # Errors
/// A journal that cannot be written.
pub fn settle(book: &mut Book, acceptance: &Acceptance) -> Result<(), Error> {
    let decision = acceptance.decision();
    moved(book, &decision.proposal_id, Status::Accepted, decision.approver.as_str(), None)
}

/// Records what a proposal waits for; nothing is written when it waited for that already.
///
/// # Errors
/// A journal that cannot be written.
pub fn wait(book: &mut Book, id: &ProposalId, on: Wait, why: &str) -> Result<(), Error> {
    let why = shared_types::text::cut(why, 500);
    let same =
        book.ticket(id).is_some_and(|t| t.waits_for() == Some(on) && t.waits_because() == Some(why.as_str()));
    if same {
        return Ok(());
    }
    book.append(Record::Waits { id: id.clone(), on: Some(on), why })
}

fn moved(
    book: &mut Book,
    id: &ProposalId,
    to: Status,
    actor: &str,
    reason: Option<String>,
) -> Result<(), Error> {
    let Some(ticket) = book.ticket(id) else { return Err(Error::NotFound(id.to_string())) };
    let from = ticket.status();
    if gate(from, to).is_none() {
        return Err(illegal(book, id, to));
    }
    let reason = reason.map(|r| shared_types::text::cut(&r, 2_000));
    book.append(Record::Moved { id: id.clone(), from, to, actor: actor.to_owned(), reason })
}

fn illegal(book: &Book, id: &ProposalId, to: Status) -> Error {
    let from = book.ticket(id).map_or_else(|| "nowhere".to_owned(), |t| t.status().to_string());
    Error::IllegalMove { id: id.clone(), from, to: to.to_string() }
}
