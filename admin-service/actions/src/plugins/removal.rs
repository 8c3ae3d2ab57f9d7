//! A person's word that a plugin must go: signed, and bound to the manifest in force.

use base::error::Error;
use base::keys::Signer;
use ledger::Ledger;
use ledger::facts::Installed;
use ledger::statements::removal::{NoReason, PluginRemoval, Verdict};
use ledger::statements::{Signed, StatementError};
use shared_types::id::{ApproverId, SkillName};

/// A plugin that is not there.
#[derive(Debug, thiserror::Error)]
#[error("no plugin `{0}` is installed; `cl-admin plugin list` shows those that are")]
pub(super) struct NotInstalled(pub SkillName);

/// The installed plugin of that name.
///
/// # Errors
/// None of that name.
pub fn installed<'a>(ledger: &'a Ledger, name: &SkillName) -> Result<&'a Installed, Error> {
    ledger.plugins().get(name).ok_or_else(|| Error::failed(NotInstalled(name.clone())))
}

/// Makes the removal of a plugin as it stands, and signs it.
///
/// # Errors
/// An unknown plugin, or a key that cannot sign.
pub fn sign(
    ledger: &Ledger,
    name: &SkillName,
    reason: &str,
    approver: &ApproverId,
    signer: &Signer,
) -> Result<Signed<PluginRemoval>, Error> {
    let removal = PluginRemoval {
        verdict: Verdict::Remove,
        plugin: name.clone(),
        facts_sha256: installed(ledger, name)?.plugin.facts_sha256.clone(),
        manifest_serial: ledger.serial(),
        reason: shared_types::text::cut(reason, 500),
        approver: approver.clone(),
        decided_at: base::clock::now(),
    };
    Signed::by(&removal, |text| signer.sign(text))
}

/// Checks a signed removal against the approvers and what is installed now.
///
/// # Errors
/// The first thing that is not so.
pub fn check(ledger: &Ledger, signed: &Signed<PluginRemoval>) -> Result<PluginRemoval, Error> {
    let removal = signed.verify(&ledger.people().approvers()?).map_err(Error::refused)?;
    let present = installed(ledger, &removal.plugin)?;
    if present.plugin.facts_sha256 != removal.facts_sha256 || ledger.serial() != removal.manifest_serial {
        return Err(StatementError::OtherInstallation(removal.plugin).into());
    }
    if removal.reason.trim().is_empty() {
        return Err(Error::usage(NoReason));
    }
    Ok(removal)
}
