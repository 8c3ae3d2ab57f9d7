//! A person's yes and no to an action, carried out, and what was always allowed taken back.

use actions::decision::HumanAction;
use actions::keep::mirrored;
use actions::moves;
use base::error::Error;
use ledger::statements::Signed;
use ledger::statements::action::ActionDecision;
use ledger::{ActionRecord, Store, reserve};
use shared_types::action::Action;
use shared_types::id::{ApproverId, ProposalId};

use base::log::Event;
/// Whether an id is an action's.
pub fn is_one(store: &Store, id: &ProposalId) -> bool {
    store.ledger().cases().case(id).is_some()
}

/// Takes a yes; what is to be run is started by the thread that waits for news.
///
/// # Errors
/// A decision that does not hold, a one-time code that is missing or wrong, or a failing disk.
pub fn allow(store: &Store, signed: &Signed<ActionDecision>, code: Option<&str>) -> Result<String, Error> {
    let mut ledger = store.ledger();
    let yes = HumanAction::mint(&ledger, signed)?;
    let (id, by) = (signed.read().map_err(Error::refused)?.id, yes.approver().clone());
    reserve::spend(&store.home, || codes::spend(&store.home, &mut ledger, &by, code))?;
    let mut yes = Some(yes);
    reserve::spend(&store.home, || match yes.take() {
        Some(yes) => moves::allow(&mut ledger, yes),
        // The first try was refused for want of room: the same decision is made again.
        None => {
            let again = HumanAction::mint(&ledger, signed)?;
            moves::allow(&mut ledger, again)
        }
    })?;
    let case = ledger.cases().case(&id).ok_or_else(|| Error::NotFound(id.to_string()))?;
    mirrored(store, case)?;
    let permit = matches!(case.action(), Some(Action::Permit { .. }));
    let always = match signed.read().map_err(Error::refused)?.always {
        Some(always) => format!("; the same is always allowed until {}", always.until),
        None => String::new(),
    };
    let what = if permit { "the assistant may make that one call" } else { "it is run" };
    store
        .tell(&Event::ActionAllowed { proposal: &id, by: &by }, &format!("action {id} is allowed by `{by}`"));
    Ok(format!("{} is allowed: {what}{always}", case.taken().proposal.name))
}

/// Records a no, for the same action asked for again as well.
///
/// # Errors
/// An action that does not wait, or a failing disk.
pub fn reject(store: &Store, id: &ProposalId, by: &ApproverId, reason: &str) -> Result<String, Error> {
    let mut ledger = store.ledger();
    let case = ledger.cases().waiting(id)?;
    let name = case.taken().proposal.name.clone();
    let mut all: Vec<ProposalId> = ledger.cases().alike(case).map(|c| c.id().clone()).collect();
    all.insert(0, id.clone());
    for id in &all {
        reserve::spend(&store.home, || moves::reject(&mut ledger, id, by.as_str(), reason))?;
        if let Some(case) = ledger.cases().case(id) {
            mirrored(store, case)?;
        }
    }
    let also = if all.len() > 1 { format!(", {} times", all.len()) } else { String::new() };
    Ok(format!("{name} is rejected{also}"))
}

/// A permission that nobody gave.
#[derive(Debug, thiserror::Error)]
#[error("nothing was always allowed with {0}; `cl-admin grant list` shows all")]
struct NotAllowed(ProposalId);

/// Takes a standing permission back.
///
/// # Errors
/// None of that id, or a failing disk.
pub fn remove_allowance(store: &Store, id: &ProposalId, by: &ApproverId) -> Result<String, Error> {
    let mut ledger = store.ledger();
    let Some(allowance) = ledger.cases().allowances().get(id) else {
        return Err(Error::failed(NotAllowed(id.clone())));
    };
    let (profile, line) = (allowance.profile.clone(), shared_types::text::line(&allowance.line));
    ledger.append(ActionRecord::AllowanceRemoved { id: id.clone(), by: by.clone() })?;
    Ok(format!("asked about again in `{profile}`: {line}"))
}
