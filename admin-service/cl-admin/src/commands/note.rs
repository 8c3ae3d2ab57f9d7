//! `cl-admin note`

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use service::session::DOORS;
use shared_types::id::ApproverId;

use crate::commands::out::outln;

/// Leave a note with a proposal, for the person who looks at it next.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// The note, at most 2000 characters
    text: String,
    /// Who writes it
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
}

/// Keeps the note.
///
/// # Errors
/// An unknown proposal, or an empty or too long note.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let desk = Desk::new(home, &args.approver, DOORS);
    outln!("{}", desk.note(&desk.find(&args.id)?, &args.text)?);
    Ok(shared_types::exit::DONE)
}
