//! The one mint of a person's word that a skill must go.

use base::error::Error;
use base::keys::Signer;
use ledger::statements::removal::{NoReason, Removal, Verdict};
use ledger::statements::{Signed, StatementError};
use ledger::{Ledger, past};
use shared_types::id::{ApproverId, SkillName};
use shared_types::manifest::Learned;
use shared_types::status::Status;

/// A skill that cannot be removed, since it is not there.
#[derive(Debug, thiserror::Error)]
#[error("no learned skill `{0}` is installed; `cl-admin skill list` shows those that are")]
struct NotInstalled(SkillName);

/// A removal that was checked against the approvers and against what is installed; nothing else removes.
///
/// It cannot be copied, stored or made elsewhere.
#[derive(Debug)]
pub struct HumanRemoval {
    removal: Removal,
    signed: Signed<Removal>,
}

impl HumanRemoval {
    /// Checks a signed removal: the signature, the version and module, the manifest's serial, and that no other skill needs
    /// this one.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub fn mint(ledger: &Ledger, signed: &Signed<Removal>) -> Result<HumanRemoval, Error> {
        let removal = signed.verify(&ledger.people().approvers()?).map_err(Error::refused)?;
        let entry = removable(ledger, &removal.name)?;
        if (entry.version, &entry.module_sha256) != (removal.version, &removal.module_sha256)
            || removal.manifest_serial != ledger.serial()
        {
            return Err(StatementError::OtherVersion {
                version: removal.version,
                manifest: removal.manifest_serial,
                present: entry.version,
                in_force: ledger.serial(),
            }
            .into());
        }
        // An installation that a crash cut off would be ended after the removal, and bring it back.
        let unfinished =
            |p: &past::Past<'_>| p.decision.version == entry.version && p.ticket.status() != Status::Accepted;
        if past::versions(ledger, &removal.name).iter().any(unfinished) {
            return Err(StatementError::InstallationOpen(removal.name).into());
        }
        if removal.reason.trim().is_empty() {
            return Err(Error::usage(NoReason));
        }
        Ok(HumanRemoval { removal, signed: signed.clone() })
    }

    /// Which skill, and which version of it.
    pub fn subject(&self) -> (SkillName, u32) {
        (self.removal.name.clone(), self.removal.version)
    }

    /// Who decided it.
    pub fn approver(&self) -> &ApproverId {
        &self.removal.approver
    }

    /// Hands the parts to the mover.
    pub(crate) fn into_parts(self) -> (Removal, Signed<Removal>) {
        (self.removal, self.signed)
    }
}

/// The entry of a skill that may be removed.
///
/// # Errors
/// A part of the bot, a skill that is not installed, or one that others depend on, each named.
pub fn removable<'a>(ledger: &'a Ledger, name: &SkillName) -> Result<&'a Learned, Error> {
    if ledger.builtin().iter().any(|b| b.name == *name) {
        return Err(StatementError::BuiltIn(name.clone()).into());
    }
    let Some(entry) = ledger.active().get(name) else {
        return Err(Error::failed(NotInstalled(name.clone())));
    };
    let needed_by = past::dependants(ledger, name);
    if !needed_by.is_empty() {
        let names: Vec<&str> = needed_by.iter().map(|n| n.as_str()).collect();
        return Err(StatementError::Needed { name: name.clone(), by: names.join(" and ") }.into());
    }
    Ok(entry)
}

/// Makes the removal of a skill as it stands, and signs it with the approver's open key.
///
/// # Errors
/// As [`removable`], or a key that cannot sign.
pub fn sign(
    ledger: &Ledger,
    name: &SkillName,
    reason: &str,
    approver: &ApproverId,
    signer: &Signer,
) -> Result<Signed<Removal>, Error> {
    let entry = removable(ledger, name)?;
    let removal = Removal {
        verdict: Verdict::Remove,
        name: name.clone(),
        version: entry.version,
        module_sha256: entry.module_sha256.clone(),
        manifest_serial: ledger.serial(),
        reason: shared_types::text::cut(reason, 500),
        approver: approver.clone(),
        decided_at: base::clock::now(),
    };
    Signed::by(&removal, |text| signer.sign(text))
}
