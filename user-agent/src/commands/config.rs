//! `cl-bot config`: checks or shows the configuration.

use clap::Subcommand;
use shared_types::exit;

use crate::error::Error;
use crate::kernel::paths::Folder;
use crate::start::{Options, home, read_config};

/// What can be done with the configuration.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Tell every fault of the configuration
    Validate,
    /// Show the configuration with every default, without any secret, as JSON
    Show,
}

/// Checks or shows.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let home = home::choose(options)?;
    let folder = Folder::root(&home.config())?;
    let config = read_config(&home, &folder)?;
    match verb {
        Verb::Validate => super::print(&format!("{}: no faults", home.bot_config().display())),
        Verb::Show => super::print(&format!("{:#}", config.as_json())),
    }
    Ok(exit::DONE)
}
