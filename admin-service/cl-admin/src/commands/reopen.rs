//! `cl-admin reopen`

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use service::session::DOORS;
use shared_types::id::ApproverId;

use crate::commands::out::outln;

/// Take a rejection back while the package is there: it waits for a decision again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// Who takes it back
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
}

/// Takes the rejection back.
///
/// # Errors
/// A proposal that was not rejected, or whose package is not there any more.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let desk = Desk::new(home, &args.approver, DOORS);
    outln!("{}", desk.reopen(&desk.find(&args.id)?)?);
    Ok(shared_types::exit::DONE)
}
