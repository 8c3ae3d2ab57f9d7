//! A person's yes and no, carried out; what a crash or a full disk interrupted is ended once.

use audit::own;
use base::config::Config;
use base::error::Error;
use base::error::journal::{Illegal, Stand};
use base::failpoints::{Point, at};
use base::home::Home;
use ledger::statements::StatementError;
use ledger::ticket::Ticket;
use ledger::{Ledger, ProposalEvent, Store, mirror, reserve};
use review::package::stands;
use shared_types::decision::Decision;
use shared_types::id::{ApproverId, ProposalId, SkillName};
use shared_types::signed::Signed;
use shared_types::status::Status;

use super::people;
use crate::advance::{Acceptance, accept, advance_by, settle};
use crate::agent_review::weigh_again;
use crate::decision::{HumanDecision, Yes};
use crate::install::install;
use base::log::Event;

/// Why a rejection is not taken back.
#[derive(Debug, thiserror::Error)]
enum NotReopened {
    #[error("{name} is in {status}; only a rejection can be taken back")]
    NotRejected { name: SkillName, status: Status },
    #[error("{0} was rejected before it had a complete package; ask for it again in the chat")]
    NoPackage(SkillName),
    #[error("another proposal `{name}` is open: {id}")]
    OtherOpen { id: ProposalId, name: SkillName },
}

/// What came of a yes.
#[derive(Debug)]
pub enum Approved {
    /// The skill is active.
    Installed(SkillName, u32),
    /// It was the first of two; in words.
    First(String),
}

/// Takes a yes: it is recorded and the skill installed, or it is the first of two.
///
/// # Errors
/// A decision that does not hold, a one-time code that is missing or wrong, or a failing disk; a decision that was recorded
/// is ended by the next pass.
pub fn approve(store: &Store, signed: &Signed<Decision>, code: Option<&str>) -> Result<Approved, Error> {
    let mut ledger = store.ledger();
    at(Point::DecideBefore);
    let speaker = people::speaker(&ledger, signed)?;
    let yes = HumanDecision::mint(&store.home, &ledger, signed)?;
    waits_for_a_person(&ledger, signed)?;
    crate::install::check(&store.home, &read(signed)?)?;
    reserve::spend(&store.home, || codes::spend(&store.home, &mut ledger, &speaker, code))?;
    let decision = match yes {
        Yes::Whole(decision) => *decision,
        Yes::First(by) => {
            let decision = read(signed)?;
            let id = decision.proposal_id.clone();
            let first = ProposalEvent::FirstYes { decision: signed.clone() }.of(&id);
            reserve::spend(&store.home, || ledger.append(first.clone()))?;
            reserve::spend(&store.home, || {
                own::record_skill(&store.home, own::Step::FirstYes, &decision, by.as_str())
            })?;
            let name = ledger.ticket(&id).map(|t| t.proposal().name.to_string()).unwrap_or_default();
            let words = format!("the yes of `{by}` is recorded; {name} waits for a second approver");
            store.tell(&Event::FirstYes { proposal: &id, by: &by }, &words);
            return Ok(Approved::First(words));
        }
    };
    let mut decision = Some(decision);
    let acceptance = reserve::spend(&store.home, || match decision.take() {
        Some(decision) => accept(&mut ledger, decision),
        // The first try was refused for want of room: the same decision is made again.
        None => match HumanDecision::mint(&store.home, &ledger, signed)? {
            Yes::Whole(decision) => accept(&mut ledger, *decision),
            Yes::First(_) => Err(StatementError::TooFewSigners.into()),
        },
    })?;
    at(Point::DecideRecorded);
    finish(&store.home, &mut ledger, &acceptance)?;
    let decision = acceptance.decision();
    Ok(Approved::Installed(decision.name.clone(), decision.version))
}

/// A yes is for what waits for one: told before a code is used up.
fn waits_for_a_person(ledger: &Ledger, signed: &Signed<Decision>) -> Result<(), Error> {
    let id = read(signed)?.proposal_id;
    let status = ledger.ticket(&id).map(|t| t.status());
    if status == Some(Status::HumanReview) {
        return Ok(());
    }
    let from = status.map_or(Stand::Unknown, Stand::At);
    Err(Error::IllegalMove(Illegal { id, from, to: Stand::At(Status::Accepted) }))
}

fn read(signed: &Signed<Decision>) -> Result<Decision, Error> {
    signed.read().map_err(Error::refused)
}

/// Records a no.
///
/// # Errors
/// An unknown proposal, one that cannot be rejected any more, or a failing disk.
pub fn reject(store: &Store, id: &ProposalId, by: &ApproverId, reason: &str) -> Result<SkillName, Error> {
    let mut ledger = store.ledger();
    let ticket = ledger.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
    let name = ticket.proposal().name.clone();
    if ticket.status() == Status::HumanReview && ticket.installed_version().is_some() {
        return Err(StatementError::Installing(name).into());
    }
    if ticket.status() == Status::Accepted {
        return Err(StatementError::Installed(name).into());
    }
    at(Point::RejectBefore);
    reserve::spend(&store.home, || {
        let settled = ledger
            .ticket(id)
            .is_some_and(|t| t.status() == Status::Rejected && t.last_reason() == Some(reason));
        // Done again for want of room in the mirror: the record stands.
        if settled {
            Ok(())
        } else {
            advance_by(&mut ledger, id, Status::Rejected, by, Some(reason.to_owned()))
        }
    })?;
    at(Point::RejectMoved);
    reserve::spend(&store.home, || mirrored(&store.home, &ledger, id))?;
    at(Point::RejectMirrored);
    Ok(name)
}

/// Takes a rejection back: the package that was reviewed waits for a decision again, and is analysed beside what was installed
/// since.
///
/// # Errors
/// A proposal that was not rejected, whose package is not there, or in whose place another one waits; a failing disk.
pub fn reopen(store: &Store, config: &Config, id: &ProposalId, by: &ApproverId) -> Result<SkillName, Error> {
    let name = {
        let mut ledger = store.ledger();
        let ticket = ledger.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
        let name = ticket.proposal().name.clone();
        if ticket.status() != Status::Rejected {
            let status = ticket.status();
            return Err(Error::refused(NotReopened::NotRejected { name, status }));
        }
        if !ticket.review().is_some_and(|review| stands(&store.home, id, review)) {
            return Err(Error::refused(NotReopened::NoPackage(name)));
        }
        let open = |t: &&Ticket| t.proposal().name == name && !t.status().is_settled();
        if let Some(other) = ledger.tickets().find(open) {
            return Err(Error::refused(NotReopened::OtherOpen { id: other.id().clone(), name }));
        }
        advance_by(&mut ledger, id, Status::HumanReview, by, Some("the rejection is taken back".into()))?;
        mirrored(&store.home, &ledger, id)?;
        name
    };
    weigh_again(store, config)?;
    Ok(name)
}

/// Ends acceptances that were interrupted: each decision is made again from the journal's proof.
///
/// # Errors
/// A failing disk, or bytes that are not those decided on; a proof that does not hold any more is reported and left.
pub fn finish_all(store: &Store) -> Result<(), Error> {
    let decided: Vec<ProposalId> = store
        .ledger()
        .tickets()
        .filter(|t| t.status() == Status::HumanReview && t.decision().is_some())
        .map(|t| t.id().clone())
        .collect();
    for id in decided {
        let mut ledger = store.ledger();
        let Some(signed) = ledger.ticket(&id).and_then(|t| t.decision().cloned()) else { continue };
        let decision = match HumanDecision::again(&store.home, &ledger, &signed) {
            Ok(decision) => decision,
            Err(error) => {
                store.tell(&Event::ProposalFailed { proposal: &id }, &format!("{id}: {error}"));
                continue;
            }
        };
        let acceptance = accept(&mut ledger, decision)?;
        finish(&store.home, &mut ledger, &acceptance)?;
    }
    Ok(())
}

/// Installs what was accepted; each step can be done again.
fn finish(home: &Home, ledger: &mut Ledger, acceptance: &Acceptance) -> Result<(), Error> {
    let decision = acceptance.decision();
    let by = acceptance.signed().others.iter().fold(decision.approver.to_string(), |mut all, other| {
        all.push('+');
        all.push_str(other.approver.as_str());
        all
    });
    reserve::spend(home, || {
        own::record_skill(home, own::Step::Approved, decision, &by)?;
        at(Point::DecideReceipt);
        install(home, ledger, acceptance)?;
        at(Point::DecideInstalled);
        own::record_skill(home, own::Step::Activated, decision, &by)?;
        at(Point::DecideActivated);
        settle(ledger, acceptance)?;
        at(Point::DecideSettled);
        mirrored(home, ledger, &acceptance.decision().proposal_id)?;
        at(Point::DecideMirrored);
        Ok(())
    })
}

fn mirrored(home: &Home, ledger: &Ledger, id: &ProposalId) -> Result<(), Error> {
    ledger.ticket(id).map_or(Ok(()), |ticket| mirror(home, ticket))
}
