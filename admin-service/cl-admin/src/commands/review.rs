//! `cl-admin review`

use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use console::{line_mode, screen};
use review::ask::Source;
use service::session::DOORS;
use shared_types::id::ApproverId;

/// Look at every package that waits for a person, and decide: on the whole screen, or line by line.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who decides
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
    /// The file (mode 0600) that holds the passphrase of the approver's key; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Line by line, for a screen reader; a pipe, TERM=dumb and a window below 50x14 get that anyhow
    #[arg(long)]
    plain: bool,
}

/// Runs the review on this terminal, or on lines from a pipe.
///
/// # Errors
/// What cannot be read or written.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let desk = Desk::new(home, &args.approver, DOORS);
    let passphrase = Source::passphrase(args.passphrase_file.clone());
    if !args.plain && screen::is_possible() {
        screen::run(desk, &passphrase)?;
    } else {
        let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
        line_mode::review(desk, &passphrase, &mut input, &mut output)?;
    }
    Ok(shared_types::exit::DONE)
}
