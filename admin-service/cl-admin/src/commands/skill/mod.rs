//! `cl-admin skill`: what comes after the installation.

mod export;
mod import;
mod list;
pub(super) mod remove;
mod rollback;
mod show;
mod verify;

use base::error::Error;
use base::home::Home;

/// A removal whose reason is empty.
#[derive(Debug, thiserror::Error)]
#[error("--reason must not be empty: it is kept with the removal")]
pub(super) struct EmptyReason;

/// The installed skills: list, verify, remove, roll back, take along.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    List(list::Args),
    Show(show::Args),
    Verify(verify::Args),
    Remove(remove::Args),
    Rollback(rollback::Args),
    Export(export::Args),
    Import(import::Args),
}

/// Does what is asked.
///
/// # Errors
/// Why it could not be done.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::List(args) => list::run(home, args),
        Verb::Show(args) => show::run(home, args),
        Verb::Verify(args) => verify::run(home, args),
        Verb::Remove(args) => remove::run(home, args),
        Verb::Rollback(args) => rollback::run(home, args),
        Verb::Export(args) => export::run(home, args),
        Verb::Import(args) => import::run(home, args),
    }
}
