//! The one mint of a person's yes to an action.

use base::error::Error;
use base::keys::Signer;
use jiff::{SignedDuration, Timestamp};
use ledger::Ledger;
use ledger::action_ticket::{ActionTicket, Seen};
use ledger::statements::Signed;
use ledger::statements::StatementError;
use ledger::statements::action::{ActionDecision, Always, PinnedProgram, Verdict};
use shared_types::action::Action;
use shared_types::id::ApproverId;

use super::allow::MAX_DAYS;
use super::plan::Plan;
use super::programs;

/// Why nothing is always allowed.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the end of what is always allowed: {0}")]
    Until(jiff::Error),
    #[error("always allowed is at most {MAX_DAYS} days")]
    TooLong,
    #[error("--always takes 1 to {MAX_DAYS} days")]
    Days,
}

/// A yes that was checked against the approvers and against what waits; nothing else allows an action that a person is
/// asked about.
///
/// It cannot be copied, stored or made elsewhere.
#[derive(Debug)]
pub struct HumanAction {
    decision: ActionDecision,
    signed: Signed<ActionDecision>,
}

impl HumanAction {
    /// Checks a signed yes: the signature, its purpose, and what it is to allow from now on.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub fn mint(ledger: &Ledger, signed: &Signed<ActionDecision>) -> Result<HumanAction, Error> {
        let decision = signed.verify(&ledger.people().approvers()?).map_err(Error::refused)?;
        let case = ledger.cases().waiting(&decision.id)?;
        let now = Seen::of(case);
        if decision.profile != case.taken().profile
            || (&decision.action_sha256, &decision.judgement_sha256)
                != (&now.action_sha256, &now.judgement_sha256)
        {
            return Err(StatementError::OtherAction.into());
        }
        if let Some(always) = &decision.always {
            let until: Timestamp = always.until.parse().map_err(|e| Error::usage(Fault::Until(e)))?;
            let latest =
                Timestamp::now().checked_add(SignedDuration::from_hours(24 * i64::from(MAX_DAYS) + 1));
            if latest.is_ok_and(|latest| until > latest) {
                return Err(Error::usage(Fault::TooLong));
            }
            if always.programs != pinned(case)? {
                return Err(StatementError::ProgramChanged.into());
            }
        }
        Ok(HumanAction { decision, signed: signed.clone() })
    }

    /// Who decided it.
    pub fn approver(&self) -> &ApproverId {
        &self.decision.approver
    }

    /// Hands the parts to the mover.
    pub(crate) fn into_parts(self) -> (ActionDecision, Signed<ActionDecision>) {
        (self.decision, self.signed)
    }
}

/// The programs of an action that may be allowed for longer than once, as they are now.
///
/// # Errors
/// An action that uses the network or is not a shell command; a program that does not exist.
pub fn pinned(case: &ActionTicket) -> Result<Vec<PinnedProgram>, Error> {
    let Some(Action::Shell { line, network, .. }) = case.action() else {
        return Err(StatementError::OnceOnly.into());
    };
    if *network {
        return Err(StatementError::NetworkOnceOnly.into());
    }
    let plan = Plan::read(line).map_err(Error::refused)?;
    let names = plan.programs().filter_map(|p| p.words.first()).map(|word| word.text.as_str());
    programs::pin(names).map_err(Error::refused)
}

/// Makes the yes to an action as it was seen, and signs it with the approver's open key.
///
/// # Errors
/// An action that is not what was seen, or that cannot be allowed for so long; a key that cannot sign.
pub fn sign(
    case: &ActionTicket,
    seen: &Seen,
    always_days: Option<u16>,
    approver: &ApproverId,
    signer: &Signer,
) -> Result<Signed<ActionDecision>, Error> {
    Signed::by(&form(case, seen, always_days, approver)?, |text| signer.sign(text))
}

/// The yes to an action as it was seen.
///
/// # Errors
/// An action that is not what was seen, or that cannot be allowed for so long.
pub fn form(
    case: &ActionTicket,
    seen: &Seen,
    always_days: Option<u16>,
    approver: &ApproverId,
) -> Result<ActionDecision, Error> {
    if Seen::of(case) != *seen {
        return Err(StatementError::ActionChanged.into());
    }
    let always = always_days.map(|days| always(case, days)).transpose()?;
    Ok(ActionDecision {
        verdict: Verdict::AllowAction,
        id: case.id().clone(),
        profile: case.taken().profile.clone(),
        action_sha256: seen.action_sha256.clone(),
        judgement_sha256: seen.judgement_sha256.clone(),
        always,
        approver: approver.clone(),
        decided_at: base::clock::now(),
    })
}

fn always(case: &ActionTicket, days: u16) -> Result<Always, Error> {
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(Error::usage(Fault::Days));
    }
    let until = Timestamp::now()
        .checked_add(SignedDuration::from_hours(24 * i64::from(days)))
        .map_err(Error::failed)?;
    Ok(Always { until: format!("{until:.0}"), programs: pinned(case)? })
}

#[cfg(test)]
mod tests;
