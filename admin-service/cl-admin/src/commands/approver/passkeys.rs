//! `cl-admin approver passkeys`

use base::error::Error;
use base::home::Home;
use base::keys;
use ledger::Ledger;
use shared_types::approvers::{Approver, Passkeys};

use super::by::{By, Set};
use crate::commands::out::outln;

/// Why passkeys alone do not decide.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(
        "a phone can be lost, and nothing but a passkey decides after this: two approvers need such a passkey, or one \
         approver under two names: `cl-admin approver add NAME --passkey FILE`"
    )]
    OnePasskey,
    #[error(
        "only {} could decide from then on, {} could not, and it is never taken back: give --yes",
        names(.set),
        if .gone.is_empty() { "any other kind of key".to_owned() } else { names(.gone) }
    )]
    ForGood { set: Vec<Approver>, gone: Vec<Approver> },
}

fn names(approvers: &[Approver]) -> String {
    approvers.iter().map(|approver| approver.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// What `passkeys` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only passkeys that stay on one device: no synced ones, which their maker copies to an account
    #[arg(long)]
    one_device: bool,
    /// Do not ask; this cannot be reverted
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    by: By,
}

/// Lets passkeys alone decide from now on.
///
/// # Errors
/// Fewer than two such passkeys, or a change that is refused.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let mut ledger = Ledger::read(home)?;
    let present = ledger.people().approvers()?;
    let wanted = if args.one_device { Passkeys::OneDevice } else { Passkeys::Any };
    if present.passkeys() >= Some(wanted) {
        outln!("passkeys alone decide already");
        return Ok(shared_types::exit::DONE);
    }
    let (set, gone): (Vec<_>, Vec<_>) =
        present.listed().iter().cloned().partition(|approver| wanted.hold(approver));
    if set.len() < 2 {
        return Err(Error::refused(Fault::OnePasskey));
    }
    if !args.yes {
        return Err(Error::usage(Fault::ForGood { set, gone }));
    }
    let signers = args.by.open(home, &present)?;
    let set = Set { passkeys: Some(wanted), ..Set::with(&present, set) };
    let (words, _) = signers.change(home, &mut ledger, set)?;
    outln!("{words}: passkeys alone decide from now on");
    for approver in &gone {
        let key = keys::approver_key(home, &approver.id);
        match std::fs::remove_file(&key) {
            Ok(()) => outln!("`{}` approves no more; {} was removed", approver.id, key.display()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                outln!("`{}` approves no more", approver.id);
            }
            Err(e) => outln!("`{}` approves no more; {} is to be removed: {e}", approver.id, key.display()),
        }
    }
    Ok(shared_types::exit::DONE)
}
