//! `cl-admin plugin remove`

use actions::plugins::removal;
use api::Request;
use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use service::session::submit_on;
use shared_types::id::SkillName;

use crate::commands::decider::Decider;
use crate::commands::out::outln;
use crate::commands::skill::EmptyReason;

/// Remove a plugin, with the approver's key; its files go with it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name
    name: SkillName,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    decider: Decider,
}

/// Removes the plugin.
///
/// # Errors
/// A plugin that is not installed, or a key that does not open.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    if args.reason.trim().is_empty() {
        return Err(Error::usage(EmptyReason));
    }
    let mut ledger = Ledger::read(home)?;
    removal::installed(&ledger, &args.name)?;
    let signer = args.decider.key(home)?;
    let code = args.decider.code(&ledger)?;
    let removal = removal::sign(&ledger, &args.name, &args.reason, &args.decider.approver, &signer)?;
    outln!("{}", submit_on(home, &mut ledger, Request::RemovePlugin { removal, code })?);
    Ok(shared_types::exit::DONE)
}
