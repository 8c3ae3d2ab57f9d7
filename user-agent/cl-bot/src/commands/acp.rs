//! `cl-bot acp`: replaces itself by the program of `serve`, which speaks with an editor in place of HTTP.

use bot_base::error::Error;
use clap::Args;

use super::serve::become_door;
use crate::start::Options;

/// What `acp` takes; the other program reads it again, and judges it.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Let no more than calls of low risk happen, whatever the profile allows
    #[arg(long)]
    readonly: bool,
}

/// Becomes the other program; comes back only where that fails.
pub(super) fn run(options: &Options, arguments: &Arguments) -> Result<u8, Error> {
    become_door(options, arguments.readonly, &[], Some("--acp"))
}
