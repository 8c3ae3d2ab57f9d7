//! `cl-bot probe`: the bot's side of the self-test, tried by the mind itself behind all its walls.

use bot_base::error::Error;
use confine::probe::{self, Targets};

use super::print_json;
use crate::start::Options;
use crate::start::mind::{Purpose, become_mind};

/// What to try.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The probe's name
    name: String,
    /// What it aims at, as JSON
    #[arg(value_parser = targets)]
    targets: Targets,
}

fn targets(text: &str) -> serde_json::Result<Targets> {
    serde_json::from_slice(text.as_bytes())
}

/// Starts as for a conversation, tries one thing, and tells what came of it as one JSON value.
///
/// # Errors
/// What prevents the start, or an unknown name.
pub fn run(options: &Options, arguments: &Arguments) -> Result<u8, Error> {
    let (_kernel, _) = become_mind(options, Purpose::default())?;
    let Some(outcome) = probe::run(&arguments.name, &arguments.targets) else {
        let what = format!("there is no probe `{}`", shared_types::text::cut(&arguments.name, 40));
        return Err(Error::Usage { what, hint: "`cl-admin selftest --redteam` names them".to_owned() });
    };
    print_json(&outcome);
    Ok(shared_types::exit::DONE)
}
