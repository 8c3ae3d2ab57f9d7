//! `cl-admin estop`

use base::error::Error;
use base::home::Home;
use base::stop;
use pipeline::intake::room::chats;
use shared_types::exit;

use crate::commands::out::outln;

/// Stop at once: no tool, stage or child runs until `--clear`; what runs is ended. The assistant still answers in words.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Let everything continue; a profile's own stop (`cl-bot estop`) stays
    #[arg(long, conflicts_with_all = ["hard", "reason"])]
    clear: bool,
    /// End the bot's processes as well: a bot that somebody owns does not look at files
    #[arg(long)]
    hard: bool,
    /// Why, for the person who finds it
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Stops, or clears the stop. Neither the journal nor a running service is needed for it.
///
/// # Errors
/// What the operating system refuses.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    if args.clear {
        match stop::clear(home)? {
            true => outln!("the emergency stop is cleared; what waited continues"),
            false => outln!("there was no emergency stop"),
        }
        return Ok(exit::DONE);
    }
    stop::set(home, args.reason.as_deref().unwrap_or("set with cl-admin estop"))?;
    outln!("stopped: no tool, stage or child runs until `cl-admin estop --clear`");
    if args.hard {
        let ended = chats::kill_all(home, &|line| eprintln!("cl-admin: {}", shared_types::text::line(line)));
        outln!("{ended} process(es) of the bot ended");
    }
    Ok(exit::DONE)
}
