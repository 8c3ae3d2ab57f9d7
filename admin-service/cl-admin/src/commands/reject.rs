//! `cl-admin reject`

use std::io::IsTerminal;

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use console::line_mode::ask_line;
use service::session::DOORS;
use shared_types::id::ApproverId;

use crate::commands::out::outln;

/// A rejection without a reason.
#[derive(Debug, thiserror::Error)]
#[error("nobody can be asked here: give --reason TEXT")]
struct NoReason;

/// Say no to a proposal; the reason is recorded and shown in the chat. `reopen` takes it back.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// Why; without it the terminal asks
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Who decides
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
}

/// Rejects the proposal.
///
/// # Errors
/// An unknown or settled proposal.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let desk = Desk::new(home, &args.approver, DOORS);
    let id = desk.find(&args.id)?;
    let reason = match &args.reason {
        Some(reason) => reason.clone(),
        None if std::io::stdin().is_terminal() => {
            let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
            ask_line(&mut input, &mut output, "reason, which the asking person reads: ")?.unwrap_or_default()
        }
        None => return Err(Error::usage(NoReason)),
    };
    outln!("{}", desk.reject(&id, &reason)?);
    Ok(shared_types::exit::DONE)
}
