//! `cl-admin model`

use base::error::Error;
use base::home::Home;
use shared_types::exit;

use crate::commands::onboard::{self, ModelArgs};

/// Choose who answers in the chat: a model server of this machine, another one, or the built-in companion.
///
/// It looks for servers on the usual ports of this machine, says whose process each is, and asks. What is chosen is tried by a turn.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Show the servers of this machine and their models, and change nothing
    #[arg(long, conflicts_with = "model")]
    list: bool,
    /// One JSON object a line
    #[arg(long, requires = "list")]
    json: bool,
    #[command(flatten)]
    chosen: ModelArgs,
}

/// Lists, or asks and sets.
///
/// # Errors
/// A flag that is wrong or missing, or a step that failed.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    if args.list {
        onboard::list_servers(&args.chosen, args.json);
        return Ok(exit::DONE);
    }
    onboard::model_alone(home, &args.chosen)
}
