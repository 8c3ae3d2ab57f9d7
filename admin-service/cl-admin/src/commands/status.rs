//! `cl-admin status`

mod facts;
mod screen;

use base::error::Error;
use base::home::Home;

use crate::commands::out::{self, outln};
use facts::Facts;

/// Show on one screen what runs, what waits for you, and how this home stands.
///
/// Nothing is changed, and no service is needed. `cl-admin doctor` looks deeper, and says what helps.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON value
    #[arg(long)]
    json: bool,
}

/// Shows it.
///
/// # Errors
/// A journal that cannot be read.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let facts = Facts::of(home)?;
    if args.json {
        out::json(&facts);
    } else {
        for line in screen::lines(&facts) {
            outln!("{line}");
        }
    }
    Ok(shared_types::exit::DONE)
}
