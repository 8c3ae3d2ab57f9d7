//! Asks the tables of `status.rs` whether a record may follow on what the journal tells so far: at each append, and again at
//! each replay, since a user with access to the disk can append records that this program never writes.

use std::collections::BTreeMap;

use base::error::journal::{Illegal, Stand};
use shared_types::id::ProposalId;
use shared_types::status::{Gate, Status, action_gate, gate};

use super::record::Record;
use crate::cases::Cases;
use crate::ticket::Ticket;

/// Checks one record. What moves nothing is not looked at here.
pub(super) fn check(
    tickets: &BTreeMap<ProposalId, Ticket>,
    cases: &Cases,
    record: &Record,
) -> Result<(), Illegal> {
    let ticket = |id: &ProposalId| tickets.get(id);
    match record {
        Record::Taken(taken) => is_new(tickets, cases, &taken.proposal.id),
        Record::ActionTaken(action) => {
            let id = &action.taken.proposal.id;
            is_new(tickets, cases, id)?;
            let way =
                [Status::New, Status::Discovered, Status::AgentReview, action.judged.verdict.leads_to()];
            way.windows(2).try_for_each(|step| match action_gate(step[0], step[1]) {
                Some(Gate::Auto) => Ok(()),
                _ => Err(illegal(id, Stand::At(step[0]), Stand::At(step[1]))),
            })
        }
        Record::Moved { id, from, to, .. } => {
            let proven = |t: &Ticket| match to {
                Status::Accepted => t.decision().is_some(),
                Status::Removed => t.removed().is_some(),
                _ => true,
            };
            let legal = |t: &Ticket| t.status() == *from && gate(*from, *to).is_some() && proven(t);
            only_if(ticket(id), id, *to, legal)
        }
        Record::Held { id, to, .. } => only_if(ticket(id), id, *to, |t| gate(t.status(), *to).is_some()),
        Record::SentBack { id, .. } => {
            let held = |t: &Ticket| t.held().is_some_and(|held| held.to == Status::Rejected);
            only_if(ticket(id), id, Status::Implementation, |t| {
                held(t) && t.status() != Status::HumanReview && !t.status().is_settled()
            })
        }
        Record::Edited { id, .. } => {
            let to = Status::AgentReview;
            only_if(ticket(id), id, to, |t| {
                t.status() == Status::HumanReview && gate(t.status(), to).is_some()
            })
        }
        Record::FirstYes { id, .. } | Record::Decided { id, .. } => {
            only_if(ticket(id), id, Status::Accepted, |t| gate(t.status(), Status::Accepted).is_some())
        }
        Record::Installed { id, .. } => only_if(ticket(id), id, Status::Accepted, |t| {
            gate(t.status(), Status::Accepted).is_some() && t.decision().is_some()
        }),
        Record::ActionDecided { id, .. } => action(cases, id, Stand::At(Status::Accepted)),
        Record::ActionRejected { id, .. } => action(cases, id, Stand::At(Status::Rejected)),
        Record::ActionStarted { id } => action(cases, id, Stand::Started),
        Record::ActionDone { id, .. } => action(cases, id, Stand::Done),
        Record::Builtins { .. }
        | Record::Refused { .. }
        | Record::Recurred { .. }
        | Record::Waits { .. }
        | Record::Written { .. }
        | Record::Wanting { .. }
        | Record::Reviewed { .. }
        | Record::Uninstalled { .. }
        | Record::ProfileAdded { .. }
        | Record::ProfileRemoved { .. }
        | Record::PassphraseSet { .. }
        | Record::Spent { .. }
        | Record::EditDropped { .. }
        | Record::Noted { .. }
        | Record::Changed { .. }
        | Record::Compiled { .. }
        | Record::ApproversChanged { .. }
        | Record::Countersigned { .. }
        | Record::CodesSet { .. }
        | Record::CodesRemoved { .. }
        | Record::CodeUsed { .. }
        | Record::CodeWrong { .. }
        | Record::Alarm { .. }
        | Record::Acknowledged { .. }
        | Record::AllowanceRemoved { .. }
        | Record::PluginInstalled { .. }
        | Record::PluginRemoved { .. }
        | Record::Schedule { .. } => Ok(()),
    }
}

/// An identifier is given once: a second record of taking it in would begin its way anew.
fn is_new(tickets: &BTreeMap<ProposalId, Ticket>, cases: &Cases, id: &ProposalId) -> Result<(), Illegal> {
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

fn action(cases: &Cases, id: &ProposalId, to: Stand) -> Result<(), Illegal> {
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
