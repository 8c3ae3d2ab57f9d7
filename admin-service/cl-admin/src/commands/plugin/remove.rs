//! `cl-admin plugin remove`

use std::path::PathBuf;

use actions::plugins::removal;
use api::Request;
use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use review::ask::{self, Source};
use service::session::submit_on;
use shared_types::id::SkillName;

use crate::commands::approve::parse_approver;
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
    /// Who decides
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
    /// The file (mode 0600) that holds the passphrase of the approver's key; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The one-time code, where the approver needs one; without it the terminal asks
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
}

/// Removes the plugin.
///
/// # Errors
/// A plugin that is not installed, or a key that does not open.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    if args.reason.trim().is_empty() {
        return Err(Error::usage(EmptyReason));
    }
    let approver = parse_approver(&args.approver)?;
    let mut ledger = Ledger::read(home)?;
    removal::installed(&ledger, &args.name)?;
    let signer = ask::approver_key(home, &approver, &Source::passphrase(args.passphrase_file.clone()))?;
    let code = ask::code(&ledger, &approver, args.code.clone())?;
    let removal = removal::sign(&ledger, &args.name, &args.reason, &approver, &signer)?;
    outln!("{}", submit_on(home, &mut ledger, Request::RemovePlugin { removal, code })?);
    Ok(shared_types::exit::DONE)
}
