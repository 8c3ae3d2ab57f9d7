//! `cl-admin try`

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use review::tryout;
use service::session::DOORS;
use shared_types::id::ApproverId;

use crate::commands::out::{self, outln};

/// Call a tool of a package by hand, in the sandbox of the trials; nothing is installed, reached or written.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// The tool
    tool: String,
    /// Its arguments, a JSON object
    #[arg(long, value_name = "ARGS", default_value = "{}")]
    json: String,
    /// Print one JSON object instead of text
    #[arg(long)]
    json_out: bool,
    /// Who tries
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
}

/// Calls the tool.
///
/// # Errors
/// Arguments that are not a JSON object, an unknown tool, or a module that cannot be tried.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let desk = Desk::new(home, &args.approver, DOORS);
    let package = desk.found(&args.id)?;
    let run = desk.try_tool(&package, &args.tool, &args.json)?;
    if args.json_out {
        out::json(&run);
    } else {
        outln!("{}", tryout::words(&run));
    }
    Ok(if run.passed { shared_types::exit::DONE } else { shared_types::exit::FAILED })
}
