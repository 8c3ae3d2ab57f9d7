//! `cl-admin edit`

use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use console::editor;
use service::session::DOORS;
use shared_types::id::ApproverId;

use crate::commands::out::outln;

/// Hand in a source of your own for a package that waits for a decision; it takes agent-review again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// The file with the source, or `-` for stdin
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
    /// Who edits
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
}

/// Hands the source in.
///
/// # Errors
/// A file that is not a source, or a proposal that does not wait for a decision.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let source = editor::read(&args.file)?;
    let desk = Desk::new(home, &args.approver, DOORS);
    let package = desk.found(&args.id)?;
    outln!("{}", desk.edit(&package, &source)?);
    Ok(shared_types::exit::DONE)
}
