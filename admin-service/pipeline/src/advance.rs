//! The only mover of a proposal: what the table does not list is refused.

use base::config::gates::{Mover, Passage};
use base::error::Error;
use base::error::journal::{Illegal, Stand};
use base::failpoints::{Point, at};
use ledger::statements::StatementError;
use ledger::ticket::PendingMove;
use ledger::{Ledger, ProposalEvent, SkillRecord};
use shared_types::decision::Decision;
use shared_types::described::Described;
use shared_types::id::{ApproverId, Digest, ProposalId};
use shared_types::signed::Signed;
use shared_types::status::{Status, Wait, gate};
use shared_types::text::cut;

use crate::decision::HumanDecision;
use crate::removal::HumanRemoval;

/// The proof that a person's decision was recorded; the installer asks for it. Only [`accept`] makes one.
///
/// ```compile_fail,E0451
/// use pipeline::advance::Acceptance;
/// fn forge(decision: shared_types::decision::Decision) -> Acceptance {
///     Acceptance { decision, signed: todo!(), description: todo!(), described: todo!() }
/// }
/// ```
/// ```compile_fail,E0277
/// fn copied<T: Clone>() {}
/// copied::<pipeline::advance::Acceptance>();
/// ```
/// ```compile_fail,E0277
/// fn stored<T: serde::de::DeserializeOwned>() {}
/// stored::<pipeline::advance::Acceptance>();
/// ```
/// ```compile_fail,E0277
/// fn from_nothing<T: Default>() {}
/// from_nothing::<pipeline::advance::Acceptance>();
/// ```
///
/// The same path compiles where nothing is forged:
/// ```
/// fn named<T: std::fmt::Debug>() {}
/// named::<pipeline::advance::Acceptance>();
/// ```
#[derive(Debug)]
pub struct Acceptance {
    decision: Decision,
    signed: Signed<Decision>,
    description: String,
    described: Described,
}

impl Acceptance {
    /// What was decided.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The decision as it was signed.
    pub fn signed(&self) -> &Signed<Decision> {
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

/// Moves a proposal along the table for the program; where the configured gate is a person's, the proposal is held there
/// instead. Neither acceptance nor removal is to be had here.
///
/// # Errors
/// A move that the table does not list, or a journal that cannot be written.
pub fn advance(
    ledger: &mut Ledger,
    id: &ProposalId,
    to: Status,
    actor: &str,
    reason: Option<String>,
) -> Result<(), Error> {
    let Some(ticket) = ledger.ticket(id) else { return Err(Error::NotFound(id.to_string())) };
    match ledger.gates().passage(ticket.status(), to, Mover::Program) {
        _ if matches!(to, Status::Accepted | Status::Removed) => Err(illegal(ledger, id, to)),
        Passage::None => Err(illegal(ledger, id, to)),
        Passage::Open => moved(ledger, id, to, actor, reason),
        Passage::Person => {
            let held = PendingMove { to, actor: actor.to_owned(), reason: reason.map(|r| cut(&r, 2_000)) };
            if ticket.held() == Some(&held) {
                return Ok(());
            }
            let PendingMove { to, actor, reason } = held;
            ledger.append(ProposalEvent::Held { to, actor, reason }.of(id))
        }
    }
}

/// Moves a proposal along the table for a person; neither acceptance nor removal is to be had here either.
///
/// # Errors
/// A move that the table does not list, or a journal that cannot be written.
pub fn advance_by(
    ledger: &mut Ledger,
    id: &ProposalId,
    to: Status,
    by: &ApproverId,
    reason: Option<String>,
) -> Result<(), Error> {
    let Some(ticket) = ledger.ticket(id) else { return Err(Error::NotFound(id.to_string())) };
    match ledger.gates().passage(ticket.status(), to, Mover::Person) {
        Passage::Open if !matches!(to, Status::Accepted | Status::Removed) => {
            moved(ledger, id, to, by.as_str(), reason)
        }
        _ => Err(illegal(ledger, id, to)),
    }
}

/// Lets a proposal that is held at a gate continue by one step; what the program would reject is sent back instead.
///
/// # Errors
/// A proposal that is not held, or that can only be rejected or edited; a journal that cannot be written.
pub fn open_gate(ledger: &mut Ledger, id: &ProposalId, by: &ApproverId) -> Result<(), Error> {
    let Some(ticket) = ledger.ticket(id) else { return Err(Error::NotFound(id.to_string())) };
    let name = &ticket.proposal().name;
    match ticket.held().cloned() {
        None => Err(StatementError::NotHeld(name.clone()).into()),
        Some(_) if ticket.status() == Status::HumanReview => {
            Err(StatementError::HeldByViolation(name.clone()).into())
        }
        Some(held) if held.to == Status::Rejected => {
            ledger.append(ProposalEvent::SentBack { by: by.clone() }.of(id))
        }
        Some(held) => advance_by(ledger, id, held.to, by, held.reason),
    }
}

/// Records a person's decision; the proposal is accepted when [`settle`] follows the installation.
///
/// # Errors
/// A proposal that does not wait for a person, or a journal that cannot be written.
pub fn accept(ledger: &mut Ledger, decision: HumanDecision) -> Result<Acceptance, Error> {
    let (decision, signed, described) = decision.into_parts();
    let id = decision.proposal_id.clone();
    let Some(ticket) = ledger.ticket(&id) else { return Err(Error::NotFound(id.to_string())) };
    if gate(ticket.status(), Status::Accepted).is_none() {
        return Err(illegal(ledger, &id, Status::Accepted));
    }
    let description = ticket.proposal().description.clone();
    if ticket.decision() != Some(&signed) {
        ledger.append(ProposalEvent::Decided { decision: signed.clone() }.of(&id))?;
    }
    Ok(Acceptance { decision, signed, description, described })
}

/// Ends an acceptance once the skill is installed; one that was ended already stays as it is.
///
/// # Errors
/// A journal that cannot be written.
pub fn settle(ledger: &mut Ledger, acceptance: &Acceptance) -> Result<(), Error> {
    let decision = acceptance.decision();
    let ended = |t: &ledger::ticket::Ticket| {
        t.status() == Status::Accepted && t.decision() == Some(acceptance.signed())
    };
    if ledger.ticket(&decision.proposal_id).is_some_and(ended) {
        return Ok(());
    }
    // The first of two yeses is a step of its own.
    let last = acceptance.signed().others.last().map_or(&decision.approver, |other| &other.approver);
    moved(ledger, &decision.proposal_id, Status::Accepted, last.as_str(), None)
}

/// Records a person's own source as the next attempt; the same record takes the proposal back to agent-review.
///
/// # Errors
/// A proposal that is not in human-review, or a journal that cannot be written.
pub fn edited(
    ledger: &mut Ledger,
    id: &ProposalId,
    by: &ApproverId,
    attempt: u32,
    source_sha256: Digest,
) -> Result<(), Error> {
    let Some(ticket) = ledger.ticket(id) else { return Err(Error::NotFound(id.to_string())) };
    if ticket.status() != Status::HumanReview || gate(ticket.status(), Status::AgentReview).is_none() {
        return Err(illegal(ledger, id, Status::AgentReview));
    }
    ledger.append(ProposalEvent::Edited { by: by.clone(), attempt, source_sha256 }.of(id))
}

/// Takes a skill out of the active ones by a person's decision; [`end_removals`] then moves its proposals.
///
/// # Errors
/// A journal that cannot be written.
pub fn remove(ledger: &mut Ledger, removal: HumanRemoval) -> Result<(), Error> {
    let (removal, signed) = removal.into_parts();
    ledger.append(SkillRecord::Uninstalled {
        name: removal.name,
        by: Some(removal.approver),
        reason: removal.reason,
        removal: Some(signed),
    })
}

/// Moves the proposals of removed skills, every version's, to `removed`; answers which. What a crash cut off is ended so.
///
/// # Errors
/// A journal that cannot be written.
pub fn end_removals(ledger: &mut Ledger) -> Result<Vec<ProposalId>, Error> {
    let due: Vec<(ProposalId, String, String)> = ledger
        .tickets()
        .filter(|t| t.status() == Status::Accepted)
        .filter_map(|t| t.removed().map(|(by, why)| (t.id().clone(), by.to_owned(), why.to_owned())))
        .collect();
    for (id, by, why) in &due {
        moved(ledger, id, Status::Removed, by, Some(why.clone()))?;
    }
    Ok(due.into_iter().map(|(id, ..)| id).collect())
}

/// Records what a proposal waits for; nothing is written when it waited for that already.
///
/// # Errors
/// A journal that cannot be written.
pub fn wait(ledger: &mut Ledger, id: &ProposalId, on: Wait, why: &str) -> Result<(), Error> {
    let why = cut(why, 500);
    let same = ledger
        .ticket(id)
        .is_some_and(|t| t.waits_for() == Some(on) && t.waits_because() == Some(why.as_str()));
    if same {
        return Ok(());
    }
    ledger.append(ProposalEvent::Waits { on: Some(on), why }.of(id))?;
    at(Point::WaitRecorded);
    Ok(())
}

fn moved(
    ledger: &mut Ledger,
    id: &ProposalId,
    to: Status,
    actor: &str,
    reason: Option<String>,
) -> Result<(), Error> {
    let Some(ticket) = ledger.ticket(id) else { return Err(Error::NotFound(id.to_string())) };
    let from = ticket.status();
    if gate(from, to).is_none() {
        return Err(illegal(ledger, id, to));
    }
    let reason = reason.map(|r| cut(&r, 2_000));
    ledger.append(ProposalEvent::Moved { from, to, actor: actor.to_owned(), reason }.of(id))
}

fn illegal(ledger: &Ledger, id: &ProposalId, to: Status) -> Error {
    let from = ledger.ticket(id).map_or(Stand::Unknown, |t| Stand::At(t.status()));
    Error::IllegalMove(Illegal { id: id.clone(), from, to: Stand::At(to) })
}
