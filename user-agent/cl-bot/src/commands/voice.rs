//! `cl-bot voice`: this program replaces itself by the one of `serve`, which talks by voice.

use std::ffi::OsString;

use bot_base::error::Error;
use clap::Args;

use super::serve::become_door;
use crate::start::Options;

/// What it takes; the other program reads it again, and judges it.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// The WAV file with what is said [default: raw sound on standard input]
    #[arg(long, value_name = "FILE")]
    input: Option<OsString>,

    /// The WAV file for the answers [default: raw sound on standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<OsString>,

    /// The socket file of the service that hears, in place of the one of the profile's file
    #[arg(long, value_name = "FILE")]
    ear: Option<OsString>,

    /// The socket file of the service that speaks, in place of the one of the profile's file
    #[arg(long, value_name = "FILE")]
    mouth: Option<OsString>,

    /// Hear only while you say so: Enter at the terminal begins a sentence, and the next Enter ends it
    #[arg(long, conflicts_with = "input")]
    push: bool,

    /// Print what may be said, as a list for the ear, and end
    #[arg(long)]
    phrases: bool,

    /// Allow calls of low risk only, regardless of the profile
    #[arg(long)]
    readonly: bool,
}

/// Becomes the other program; comes back only where that fails.
pub(super) fn run(options: &Options, arguments: Arguments) -> Result<u8, Error> {
    let Arguments { input, output, ear, mouth, push, phrases, readonly } = arguments;
    let more = [("--input", input), ("--output", output), ("--ear", ear), ("--mouth", mouth)];
    let mut words = vec!["--voice"];
    words.extend(push.then_some("--push"));
    words.extend(phrases.then_some("--phrases"));
    become_door(options, readonly, &more, &words)
}
