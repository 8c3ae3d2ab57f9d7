//! `cl-admin plugin verify`

use actions::plugins::run::{approved, stands};
use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use serde_json::json;

use crate::commands::out::{self, outln};

/// Check every plugin: the approver's yes, its files, and the programs of this machine that it runs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Checks the plugins; the exit code tells whether all stand.
///
/// # Errors
/// A journal that cannot be read.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let mut whole = true;
    for (name, installed) in ledger.plugins() {
        let checked = approved(&ledger, installed).and_then(|()| stands(home, &installed.facts));
        let wrong = checked.err().map(|e| e.to_string());
        whole &= wrong.is_none();
        match (args.json, wrong) {
            (true, wrong) => out::json(&json!({"name": name, "stands": wrong.is_none(), "wrong": wrong})),
            (false, None) => outln!("{name}  stands"),
            (false, Some(wrong)) => outln!("{name}  {}", shared_types::text::line(&wrong)),
        }
    }
    Ok(if whole { shared_types::exit::DONE } else { shared_types::exit::INTEGRITY })
}
