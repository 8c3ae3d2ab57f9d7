//! `cl-bot mcp`, `acp`, `matrix` and `telegram`: this program replaces itself by the one of `serve`, which speaks with another program in place
//! of HTTP.

use bot_base::error::Error;
use clap::Args;

use super::serve::become_door;
use crate::start::Options;

/// What they take; the other program reads it again, and judges it.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Allow calls of low risk only, regardless of the profile
    #[arg(long)]
    readonly: bool,
}

/// Becomes the other program, which this word has speak a protocol; comes back only where that fails.
pub(super) fn run(options: &Options, arguments: &Arguments, word: &str) -> Result<u8, Error> {
    become_door(options, arguments.readonly, &[], &[word])
}
