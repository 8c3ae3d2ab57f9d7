//! `cl-admin review`

use std::path::PathBuf;

use shared_types::home::Home;

use crate::ask::Source;
use crate::error::Error;
use crate::review::console;

/// Look at every package that waits for a person, one at a time, and decide.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who decides
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
    /// The file (mode 0600) that holds the passphrase of the approver's key; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

/// Runs the review on this terminal, or on lines from a pipe.
///
/// # Errors
/// What cannot be read or written.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let approver = super::approve::parse_approver(&args.approver)?;
    let passphrase = Source::passphrase(args.passphrase_file.clone());
    console::review(home, &approver, &passphrase, &mut std::io::stdin().lock(), &mut std::io::stdout())?;
    Ok(shared_types::exit::DONE)
}
