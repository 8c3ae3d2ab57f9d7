//! The only mover of an action: what its table does not list is refused.

use base::clock::now;
use base::error::Error;
use base::error::journal::{Illegal, Stand};
use base::failpoints::{Point, at};
use base::home::Home;
use ledger::action_ticket::ActionTicket;
use ledger::judgement::Judged;
use ledger::{ActionRecord, ActionTaken, Ledger, Received};
use shared_types::action::ActionResult;
use shared_types::id::ProposalId;
use shared_types::status::{Gate, Status, action_gate};

use super::decision::HumanAction;
use super::keep;

/// Keeps an action that was judged; one record takes it as far as the policy lets it.
///
/// # Errors
/// A way that the table does not list, or a journal that cannot be written.
pub fn take(ledger: &mut Ledger, taken: Received, judged: Judged) -> Result<(), Error> {
    let id = taken.proposal.id.clone();
    let preview = ActionTicket::new(taken.clone(), judged.clone(), &now());
    let mut way = preview.history().iter().map(|step| step.status);
    let mut from = way.next().unwrap_or(Status::New);
    for to in way {
        if action_gate(from, to) != Some(Gate::Auto) {
            return Err(illegal(&id, from, to));
        }
        from = to;
    }
    at(Point::ActionBefore);
    ledger.append(ActionRecord::Taken(Box::new(ActionTaken { taken, judged })))?;
    at(Point::ActionTaken);
    Ok(())
}

/// Allows an action by a person's decision.
///
/// # Errors
/// An action that does not wait for a person, or a journal that cannot be written.
pub fn allow(ledger: &mut Ledger, decision: HumanAction) -> Result<(), Error> {
    let (decision, signed) = decision.into_parts();
    let id = decision.id;
    let from = standing(ledger, &id)?.status();
    if action_gate(from, Status::Accepted).is_none() {
        return Err(illegal(&id, from, Status::Accepted));
    }
    ledger.append(ActionRecord::Decided { id, decision: signed })?;
    at(Point::ActionDecided);
    Ok(())
}

/// Rejects an action that is not settled.
///
/// # Errors
/// One that is settled, or a journal that cannot be written.
pub fn reject(ledger: &mut Ledger, id: &ProposalId, actor: &str, reason: &str) -> Result<(), Error> {
    let from = standing(ledger, id)?.status();
    if action_gate(from, Status::Rejected).is_none() {
        return Err(illegal(id, from, Status::Rejected));
    }
    let (actor, reason) = (actor.to_owned(), shared_types::text::cut(reason, 2_000));
    ledger.append(ActionRecord::Rejected { id: id.clone(), actor, reason })?;
    at(Point::ActionRejected);
    Ok(())
}

/// Records that an action's child is being started; from then on it is never started again. Answers whether it may be.
///
/// # Errors
/// A journal that cannot be written.
pub fn start(ledger: &mut Ledger, id: &ProposalId) -> Result<bool, Error> {
    let case = standing(ledger, id)?;
    if !case.is_due() || case.started() {
        return Ok(false);
    }
    ledger.append(ActionRecord::Started { id: id.clone() })?;
    at(Point::ActionStarted);
    Ok(true)
}

/// Why a move is not made.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0} has its result already")]
    Done(ProposalId),
}

/// Records what came of an action.
///
/// # Errors
/// One that has its result already, or a disk that cannot be written.
pub fn done(home: &Home, ledger: &mut Ledger, id: &ProposalId, result: ActionResult) -> Result<(), Error> {
    if !standing(ledger, id)?.is_due() {
        return Err(Error::refused(Fault::Done(id.clone())));
    }
    let result = keep::put(home, id, result)?;
    at(Point::ActionKept);
    ledger.append(ActionRecord::Done { id: id.clone(), result })?;
    at(Point::ActionDone);
    Ok(())
}

fn standing<'a>(ledger: &'a Ledger, id: &ProposalId) -> Result<&'a ActionTicket, Error> {
    ledger.cases().case(id).ok_or_else(|| Error::NotFound(id.to_string()))
}

fn illegal(id: &ProposalId, from: Status, to: Status) -> Error {
    Error::IllegalMove(Illegal { id: id.clone(), from: Stand::At(from), to: Stand::At(to) })
}
