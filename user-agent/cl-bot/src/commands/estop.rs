//! `cl-bot estop`: stops every tool of a profile, and lets them run again.

use bot_base::error::{Error, say};
use clap::Args;
use ports::stop;
use shared_types::exit;

use crate::start::{Options, Reached};

/// What `estop` takes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Let tools run again; a stop of the admin's stays
    #[arg(long)]
    clear: bool,

    /// Why, for the person who finds it
    #[arg(long, value_name = "TEXT", conflicts_with = "clear")]
    reason: Option<String>,
}

/// Stops, or clears the bot's own stop.
pub(super) fn run(options: &Options, arguments: &Arguments) -> Result<u8, Error> {
    // Neither a model nor a manifest is needed for this: it works when nothing else does.
    let reached = Reached::read(options)?;
    let folder = &reached.folders.root;
    if arguments.clear {
        let there = folder.remove(stop::NAME)?;
        match stop::in_folder(&reached.config_folder, "admin") {
            Some(stopped) => {
                say(&stopped.words());
                return Ok(exit::REFUSED);
            }
            None if there => super::print("tools run again"),
            None => super::print("there was no stop"),
        }
        return Ok(exit::DONE);
    }
    let reason = arguments.reason.as_deref().unwrap_or("set with cl-bot estop");
    stop::set(folder, reason)?;
    super::print(
        "stopped: no tool of this profile runs until `cl-bot estop --clear`; the conversation continues",
    );
    Ok(exit::DONE)
}
