//! The one mint of a person's yes.

use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use ledger::statements::StatementError;
use review::decision::{form, reviewed};
use shared_types::decision::Decision;
use shared_types::described::Described;
use shared_types::id::ApproverId;
use shared_types::signed::{Signed, Weighed};

/// A decision that was checked against the approvers and against what was reviewed; nothing else installs.
///
/// It cannot be copied, stored or made elsewhere: each of these lines is refused by the compiler.
///
/// ```compile_fail,E0451
/// use pipeline::decision::HumanDecision;
/// fn forge(decision: shared_types::decision::Decision) -> HumanDecision {
///     HumanDecision { decision, signed: todo!(), described: todo!() }
/// }
/// ```
/// ```compile_fail,E0277
/// fn stored<T: serde::de::DeserializeOwned>() {}
/// stored::<pipeline::decision::HumanDecision>();
/// ```
/// ```compile_fail,E0277
/// fn written<T: serde::Serialize>() {}
/// written::<pipeline::decision::HumanDecision>();
/// ```
/// ```compile_fail,E0277
/// fn copied<T: Clone>() {}
/// copied::<pipeline::decision::HumanDecision>();
/// ```
/// ```compile_fail,E0277
/// fn from_nothing<T: Default>() {}
/// from_nothing::<pipeline::decision::HumanDecision>();
/// ```
/// ```compile_fail,E0624
/// fn opened(decision: pipeline::decision::HumanDecision) {
///     let _ = decision.into_parts();
/// }
/// ```
///
/// The same paths compile where nothing is forged:
/// ```
/// fn named<T: std::fmt::Debug>() {}
/// named::<pipeline::decision::HumanDecision>();
/// fn stored<T: serde::de::DeserializeOwned + serde::Serialize + Clone + Default>() {}
/// stored::<String>();
/// ```
#[derive(Debug)]
pub struct HumanDecision {
    decision: Decision,
    signed: Signed<Decision>,
    described: Described,
}

/// What a signed decision comes to.
#[derive(Debug)]
#[must_use]
pub enum Yes {
    /// All who must say yes have said it.
    Whole(Box<HumanDecision>),
    /// A rule asks for two persons, and this one was the first.
    First(ApproverId),
}

impl HumanDecision {
    /// Checks a signed decision: the approvers' signatures, every digest, the versions and the manifest's serial.
    ///
    /// # Errors
    /// The first thing that differs from what was reviewed.
    pub fn mint(home: &Home, ledger: &Ledger, signed: &Signed<Decision>) -> Result<Yes, Error> {
        let (decision, weighed) = Self::check(home, ledger, signed)?;
        if decision.decision.manifest_serial != ledger.serial() {
            let decided = decision.decision.manifest_serial;
            return Err(StatementError::OtherManifest { decided, in_force: ledger.serial() }.into());
        }
        match weighed.signers.as_slice() {
            [first] if weighed.needed > 1 => Ok(Yes::First(first.clone())),
            signers if signers.len() < weighed.needed => Err(StatementError::TooFewSigners.into()),
            _ => Ok(Yes::Whole(Box::new(decision))),
        }
    }

    /// Re-makes a decision that the journal holds already: all checks but the serial's, which the installation raises.
    ///
    /// # Errors
    /// The first thing that differs from what was reviewed.
    pub fn again(home: &Home, ledger: &Ledger, signed: &Signed<Decision>) -> Result<HumanDecision, Error> {
        let (decision, weighed) = Self::check(home, ledger, signed)?;
        if weighed.signers.len() < weighed.needed {
            return Err(StatementError::TooFewSigners.into());
        }
        Ok(decision)
    }

    fn check(
        home: &Home,
        ledger: &Ledger,
        signed: &Signed<Decision>,
    ) -> Result<(HumanDecision, Weighed<Decision>), Error> {
        let approvers = ledger.people().approvers()?;
        let weighed = signed.weigh(&approvers).map_err(Error::refused)?;
        let decision = &weighed.statement;
        let ticket = ledger
            .ticket(&decision.proposal_id)
            .ok_or_else(|| Error::NotFound(decision.proposal_id.to_string()))?;
        let (review, report) = reviewed(home, ticket)?;
        // To whom the skill goes is the approver's choice alone.
        let (recipients, at) = (decision.recipients.clone(), decision.decided_at.clone());
        let expected = form(ticket, &review, &report, recipients, decision.approver.clone(), at);
        if *decision != expected {
            return Err(StatementError::NotAsReviewed.into());
        }
        let made =
            HumanDecision { decision: decision.clone(), signed: signed.clone(), described: report.described };
        Ok((made, weighed))
    }

    /// Hands the parts to the mover.
    pub(crate) fn into_parts(self) -> (Decision, Signed<Decision>, Described) {
        (self.decision, self.signed, self.described)
    }
}
