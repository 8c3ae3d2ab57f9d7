//! Asks the tables of `status.rs` whether a record may follow on what the journal tells so far: at each append, and again at
//! each replay, since a user with access to the disk can append records that this program never writes.

use std::collections::BTreeMap;

use base::error::journal::{Illegal, Stand};
use shared_types::id::ProposalId;
use shared_types::status::{Gate, Status, action_gate, gate};

use super::record::{ActionRecord, IntakeRecord, ProposalEvent, ProposalRecord, Record};
use crate::action_tickets::ActionTickets;
use crate::ticket::Ticket;

/// Checks one record. What moves nothing is not looked at here.
pub(super) fn check(
    tickets: &BTreeMap<ProposalId, Ticket>,
    cases: &ActionTickets,
    record: &Record,
) -> Result<(), Illegal> {
    match record {
        Record::Intake(IntakeRecord::Taken(taken)) => is_new(tickets, cases, &taken.proposal.id),
        Record::Proposal(ProposalRecord { id, event }) => proposal(tickets.get(id), id, event),
        Record::Action(record) => match record {
            ActionRecord::Taken(action) => {
                let id = &action.taken.proposal.id;
                is_new(tickets, cases, id)?;
                let way =
                    [Status::New, Status::Discovered, Status::AgentReview, action.judged.verdict.leads_to()];
                way.windows(2).try_for_each(|step| match action_gate(step[0], step[1]) {
                    Some(Gate::Auto) => Ok(()),
                    _ => Err(illegal(id, Stand::At(step[0]), Stand::At(step[1]))),
                })
            }
            ActionRecord::Decided { id, .. } => action(cases, id, Stand::At(Status::Accepted)),
            ActionRecord::Rejected { id, .. } => action(cases, id, Stand::At(Status::Rejected)),
            ActionRecord::Started { id } => action(cases, id, Stand::Started),
            ActionRecord::Done { id, .. } => action(cases, id, Stand::Done),
            ActionRecord::AllowanceRemoved { .. } => Ok(()),
        },
        Record::Intake(IntakeRecord::Refused { .. })
        | Record::Skill(_)
        | Record::Plugin(_)
        | Record::Profile(_)
        | Record::People(_)
        | Record::Alarm(_)
        | Record::Schedule(_)
        | Record::Restored(_) => Ok(()),
    }
}

fn proposal(ticket: Option<&Ticket>, id: &ProposalId, event: &ProposalEvent) -> Result<(), Illegal> {
    match event {
        ProposalEvent::Moved { from, to, .. } => {
            let proven = |t: &Ticket| match to {
                Status::Accepted => t.decision().is_some(),
                Status::Removed => t.removed().is_some(),
                // What was rejected before there was a package has nothing to be looked at again.
                Status::HumanReview if *from == Status::Rejected => t.review().is_some(),
                _ => true,
            };
            let legal = |t: &Ticket| t.status() == *from && gate(*from, *to).is_some() && proven(t);
            only_if(ticket, id, *to, legal)
        }
        ProposalEvent::Held { to, .. } => only_if(ticket, id, *to, |t| gate(t.status(), *to).is_some()),
        ProposalEvent::SentBack { .. } => {
            let held = |t: &Ticket| t.held().is_some_and(|held| held.to == Status::Rejected);
            only_if(ticket, id, Status::Implementation, |t| {
                held(t) && t.status() != Status::HumanReview && !t.status().is_settled()
            })
        }
        ProposalEvent::Edited { .. } => {
            let to = Status::AgentReview;
            only_if(ticket, id, to, |t| t.status() == Status::HumanReview && gate(t.status(), to).is_some())
        }
        ProposalEvent::FirstYes { .. } | ProposalEvent::Decided { .. } => {
            only_if(ticket, id, Status::Accepted, |t| gate(t.status(), Status::Accepted).is_some())
        }
        ProposalEvent::Installed { .. } => only_if(ticket, id, Status::Accepted, |t| {
            gate(t.status(), Status::Accepted).is_some() && t.decision().is_some()
        }),
        ProposalEvent::Waits { .. }
        | ProposalEvent::Written { .. }
        | ProposalEvent::Wanting { .. }
        | ProposalEvent::EditDropped { .. }
        | ProposalEvent::Noted { .. }
        | ProposalEvent::Changed { .. }
        | ProposalEvent::Recurred { .. }
        | ProposalEvent::Spent { .. }
        | ProposalEvent::Compiled { .. }
        | ProposalEvent::Reviewed { .. } => Ok(()),
    }
}

/// An identifier is given once: a second record of taking it in would begin its way anew.
fn is_new(
    tickets: &BTreeMap<ProposalId, Ticket>,
    cases: &ActionTickets,
    id: &ProposalId,
) -> Result<(), Illegal> {
    let known = tickets.get(id).map(Ticket::status).or_else(|| cases.case(id).map(|case| case.status()));
    known.map_or(Ok(()), |status| Err(illegal(id, Stand::At(status), Stand::At(Status::New))))
}

fn only_if(
    ticket: Option<&Ticket>,
    id: &ProposalId,
    to: Status,
    legal: impl Fn(&Ticket) -> bool,
) -> Result<(), Illegal> {
    match ticket {
        Some(ticket) if legal(ticket) => Ok(()),
        Some(ticket) => Err(illegal(id, Stand::At(ticket.status()), Stand::At(to))),
        None => Err(illegal(id, Stand::Unknown, Stand::At(to))),
    }
}

fn action(cases: &ActionTickets, id: &ProposalId, to: Stand) -> Result<(), Illegal> {
    let Some(case) = cases.case(id) else { return Err(illegal(id, Stand::Unknown, to)) };
    let from = match (case.result(), case.started()) {
        (Some(_), _) => Stand::Done,
        (None, true) => Stand::Started,
        (None, false) => Stand::At(case.status()),
    };
    let legal = match (from, to) {
        (Stand::At(from), Stand::At(to)) => action_gate(from, to).is_some(),
        (Stand::At(Status::Accepted), Stand::Started | Stand::Done) | (Stand::Started, Stand::Done) => {
            case.is_due()
        }
        _ => false,
    };
    if legal { Ok(()) } else { Err(illegal(id, from, to)) }
}

fn illegal(id: &ProposalId, from: Stand, to: Stand) -> Illegal {
    Illegal { id: id.clone(), from, to }
}
