//! `cl-admin plugin`: programs and MCP servers of others.

mod install;
mod list;
mod remove;
mod show;
mod try_tool;
mod verify;

use base::error::Error;
use base::home::Home;

/// Plugins: programs and MCP servers of others, pinned, approved by a person, run in a jail.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    Install(Box<install::Args>),
    List(list::Args),
    Show(show::Args),
    Remove(remove::Args),
    Verify(verify::Args),
    Try(try_tool::Args),
}

/// Does what is asked.
///
/// # Errors
/// Why it could not be done.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Install(args) => install::run(home, args),
        Verb::List(args) => list::run(home, args),
        Verb::Show(args) => show::run(home, args),
        Verb::Remove(args) => remove::run(home, args),
        Verb::Verify(args) => verify::run(home, args),
        Verb::Try(args) => try_tool::run(home, args),
    }
}
