//! `cl-admin reject`

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use service::session::DOORS;

use crate::commands::out::outln;

/// Say no to a proposal; the reason is recorded and shown in the chat.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decides
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
}

/// Rejects the proposal.
///
/// # Errors
/// No such proposal, or one that is settled.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    if args.reason.trim().is_empty() {
        return Err(Error::usage("--reason must not be empty: it is what the asking person reads"));
    }
    let desk = Desk::new(home, &super::approve::parse_approver(&args.approver)?, DOORS);
    outln!("{}", desk.reject(&desk.find(&args.id)?, &args.reason)?);
    Ok(shared_types::exit::DONE)
}
