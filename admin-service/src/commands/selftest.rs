//! `cl-admin selftest`

use shared_types::exit;
use shared_types::home::Home;

use crate::commands::out::outln;
use crate::error::Error;
use crate::redteam::{self, Verdict};

/// Attack this installation, on a throw-away copy of its home, and say what held.
///
/// Everything is tried by the bot's own user behind the bot's own walls. Nothing of yours is changed, no credential is used,
/// and nothing leaves this machine. It takes about half a minute.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Try what an attacker would who owns the bot completely
    #[arg(long, required = true)]
    redteam: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Runs the attacks; exit 1 when one got through, or could not be tried.
///
/// # Errors
/// A throw-away home that cannot be made.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let (mut held, mut broke, mut untried) = (0, 0, 0);
    redteam::run(home, &mut |attack| {
        match attack.verdict {
            Verdict::Pass => held += 1,
            Verdict::Fail => broke += 1,
            Verdict::Skipped => untried += 1,
        }
        if args.json {
            outln!("{}", serde_json::json!(attack));
        } else {
            outln!("{:7} {:28} {}", attack.verdict.as_str(), attack.name, attack.what);
            if attack.verdict != Verdict::Pass {
                outln!("        {}", attack.why);
            }
        }
    })?;
    let words = format!("{held} attacks were kept out, {broke} got through, {untried} could not be tried");
    eprintln!("{words}");
    Ok(if broke + untried == 0 { exit::DONE } else { exit::FAILED })
}
