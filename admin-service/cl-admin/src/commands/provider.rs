//! `cl-admin provider`

mod bench;

use base::error::Error;
use base::home::Home;
use clap::Subcommand;

/// Look at the model servers that write skills.
#[derive(Debug, Subcommand)]
pub enum Verb {
    Bench(bench::Args),
}

/// Does it.
///
/// # Errors
/// See [`bench::run`].
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Bench(args) => bench::run(home, args),
    }
}
