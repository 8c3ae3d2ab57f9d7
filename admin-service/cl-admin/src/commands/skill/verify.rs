//! `cl-admin skill verify`

use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use pipeline::lifecycle::verify;
use serde_json::json;
use shared_types::id::SkillName;

use crate::commands::out::{self, outln};

/// Skills whose files are not those that were decided on.
#[derive(Debug, thiserror::Error)]
#[error("{} does not hold", .0.join(", "))]
struct Broken(Vec<String>);

/// Verify modules, records, decisions and the manifest against the journal; exit code 4 names what does not hold.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this skill
    name: Option<SkillName>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Verifies.
///
/// # Errors
/// A journal whose chain does not hold, or a skill that is not installed.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let all = verify::verify(home, &ledger, args.name.as_ref())?;
    for one in &all {
        if args.json {
            out::json(&json!({"subject": one.subject, "holds": one.faults.is_empty(), "faults": one.faults}));
            continue;
        }
        outln!("{}  {}", if one.faults.is_empty() { "holds " } else { "BROKEN" }, one.subject);
        for fault in &one.faults {
            outln!("    {}", shared_types::text::line(fault));
        }
    }
    let broken: Vec<String> =
        all.iter().filter(|c| !c.faults.is_empty()).map(|c| c.subject.clone()).collect();
    if broken.is_empty() {
        return Ok(shared_types::exit::DONE);
    }
    Err(Error::integrity(Broken(broken)))
}
