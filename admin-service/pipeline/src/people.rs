//! Changes of who may decide, and the codes that go with a yes: checked here, regardless of what the verb did.

use ledger::statements::StatementError;
use std::collections::BTreeSet;

use base::config::Config;
use base::error::Error;
use base::keys;
use codes::{Codes, forget, spend};
use ledger::manifest::publish;
use ledger::{Countersigned, Ledger, PeopleRecord, Store};
use review::approvers;
use shared_types::approvers::{Approvers, ApproversFile, Change, SignedChange};
use shared_types::decision::Decision;
use shared_types::id::ApproverId;
use shared_types::signed::Signed;
use shared_types::status::Status;

use crate::agent_review::weigh_again;

/// Takes over signatures of present approvers over decisions of installed skills.
///
/// # Errors
/// A signature or a code that does not hold; then nothing has changed.
pub fn countersign(store: &Store, countersigned: Vec<Countersigned>, codes: &Codes) -> Result<String, Error> {
    let count = countersigned.len();
    {
        let mut ledger = store.ledger();
        let present = ledger.people().approvers()?;
        check_countersigned(&ledger, &present, &countersigned)?;
        for signer in countersigned.iter().map(|c| &c.by.approver).collect::<BTreeSet<_>>() {
            spend(&store.home, &mut ledger, signer, codes.get(signer).map(String::as_str))?;
        }
        ledger.append(PeopleRecord::Countersigned { countersigned })?;
        publish(&store.home, &ledger)?;
    }
    weigh_again(store, &Config::read(&store.home)?)?;
    Ok(format!("{count} decision(s) carry another signature"))
}

/// Whether a change only takes something from the approvers: no new key, and every rule stays.
pub fn only_less(ledger: &Ledger, change: &SignedChange) -> bool {
    let Ok(after) = serde_json::from_str::<Change>(&change.text) else { return false };
    let Ok(before) = ledger.people().approvers() else { return false };
    let rules = before.rules();
    after.approvers.iter().all(|approver| before.listed().contains(approver))
        && rules.iter().all(|rule| after.rules.contains(rule))
}

/// Finds who says yes with this decision: its one approver, or the second person beside the first yes that was recorded.
///
/// # Errors
/// A decision that is neither.
pub fn speaker(ledger: &Ledger, signed: &Signed<Decision>) -> Result<ApproverId, Error> {
    let decision = signed.read().map_err(Error::refused)?;
    let first = ledger.ticket(&decision.proposal_id).and_then(|t| t.first_yes());
    match (first, signed.others.as_slice()) {
        (None, []) => Ok(decision.approver),
        (Some(first), [second])
            if first.text == signed.text
                && first.signature == signed.signature
                && second.approver != decision.approver =>
        {
            Ok(second.approver.clone())
        }
        (Some(_), _) => Err(StatementError::NotBesideTheFirst(decision.approver).into()),
        (None, _) => Err(StatementError::Together.into()),
    }
}

/// Changes the approvers or their rules.
///
/// # Errors
/// A change, a signature or a code that does not hold; then nothing has changed.
pub fn change(
    store: &Store,
    signed: SignedChange,
    countersigned: Vec<Countersigned>,
    codes: &Codes,
) -> Result<String, Error> {
    let home = &store.home;
    let mut ledger = store.ledger();
    let refused = |e: shared_types::approvers::ChainError| Error::refused(e);
    let change: Change = serde_json::from_str(&signed.text)
        .map_err(|why| StatementError::Unreadable { kind: "change", why })?;
    // What was decided under the present set is installed under it.
    let unfinished = |t: &ledger::ticket::Ticket| t.status() == Status::HumanReview && t.decision().is_some();
    if let Some(ticket) = ledger.tickets().find(|t| unfinished(t)) {
        return Err(StatementError::Unfinished(ticket.proposal().name.clone()).into());
    }
    let (before, after) = if ledger.people().changes().is_empty() {
        let after = Approvers::replay(std::slice::from_ref(&signed)).map_err(refused)?;
        check_sealed(&approvers::file(home)?, &after)?;
        (after.clone(), after)
    } else {
        let before = ledger.people().approvers()?;
        (before.clone(), before.follow(&signed).map_err(refused)?)
    };
    if let Some(other) = countersigned.iter().find(|c| !change.signers.contains(&c.by.approver)) {
        return Err(StatementError::DidNotSign(other.by.approver.clone()).into());
    }
    check_countersigned(&ledger, &after, &countersigned)?;
    check_nothing_lost(&ledger, &before, &after, &countersigned)?;
    for signer in &change.signers {
        spend(home, &mut ledger, signer, codes.get(signer).map(String::as_str))?;
    }
    ledger.append(PeopleRecord::ApproversChanged { change: signed, countersigned })?;
    // The new signatures hold for the old set too, so a reader between these two writes is not misled.
    publish(home, &ledger)?;
    approvers::reconcile(home, &mut ledger)?;
    for gone in before.listed().iter().filter(|a| after.named(&a.id).is_none()) {
        if ledger.people().codes(&gone.id).is_some() {
            let by = change.signers[0].clone();
            ledger.append(PeopleRecord::CodesRemoved { approver: gone.id.clone(), by })?;
            forget(&keys::codes(home, &gone.id));
        }
    }
    for ticket in ledger.tickets() {
        ledger::mirror(home, ticket)?;
    }
    Ok(format!("change {} of the approvers is recorded", after.serial()))
}

/// A first change may say nothing but what the unsigned list said.
fn check_sealed(file: &ApproversFile, after: &Approvers) -> Result<(), Error> {
    let same = file.approvers.len() == after.listed().len()
        && file
            .approvers
            .iter()
            .all(|old| after.named(&old.id).is_some_and(|new| new.public_key == old.public_key));
    if same { Ok(()) } else { Err(StatementError::OtherList.into()) }
}

fn check_countersigned(
    ledger: &Ledger,
    set: &Approvers,
    countersigned: &[Countersigned],
) -> Result<(), Error> {
    for Countersigned { skill, by } in countersigned {
        let entry = ledger.active().get(skill).ok_or_else(|| StatementError::NotInstalled(skill.clone()))?;
        let listed =
            set.named(&by.approver).ok_or_else(|| StatementError::NotAnApprover(by.approver.clone()))?;
        listed.verify(&by.signature, entry.decision.text.as_bytes()).map_err(|why| {
            StatementError::Countersignature { skill: skill.clone(), by: by.approver.clone(), why }
        })?;
    }
    Ok(())
}

/// Refuses a change after which the bot would leave out a skill that it takes now.
fn check_nothing_lost(
    ledger: &Ledger,
    before: &Approvers,
    after: &Approvers,
    countersigned: &[Countersigned],
) -> Result<(), Error> {
    let lost = lost(ledger, before, after, countersigned);
    if lost.is_empty() {
        return Ok(());
    }
    Err(StatementError::DecisionsLost(lost.join(", ")).into())
}

/// The installed skills whose decisions hold before a change and not after it.
pub fn lost(
    ledger: &Ledger,
    before: &Approvers,
    after: &Approvers,
    countersigned: &[Countersigned],
) -> Vec<String> {
    let after_it = |name, decision: &Signed<Decision>| {
        let mut decision = decision.clone();
        decision.others.extend(countersigned.iter().filter(|c| c.skill == name).map(|c| c.by.clone()));
        decision.verify(after)
    };
    let active = ledger.active().values();
    active
        .filter(|e| e.decision.verify(before).is_ok() && after_it(e.name.clone(), &e.decision).is_err())
        .map(|e| e.name.to_string())
        .collect()
}
