//! `cl-admin skill export`

use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use ledger::{Ledger, past};
use pipeline::implement::kept_trials;
use pipeline::lifecycle::export::{Exported, FORMAT};
use shared_types::id::SkillName;

use crate::commands::out::outln;

/// Write a skill into one file: its proposal, its source and its digests; no module, no secret, nothing of a memory.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The skill
    name: SkillName,
    /// The file; it must not be there yet [default: stdout]
    file: Option<PathBuf>,
    /// The version [default: the installed one, or else the last]
    #[arg(long, value_name = "VERSION")]
    version: Option<u32>,
}

/// Exports the skill.
///
/// # Errors
/// An unknown skill or version, a record that was changed, or a file that is there already.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let active = ledger.active().get(&args.name).map(|l| l.version);
    let last = past::versions(&ledger, &args.name).last().map(|p| p.decision.version);
    let wanted = args.version.or(active).or(last).ok_or_else(|| past::unknown(&args.name))?;
    let past = past::version(&ledger, &args.name, wanted)?;
    let kept = past.kept(home)?;
    let decision = past.decision;
    let file = Exported {
        format: FORMAT.into(),
        name: decision.name,
        version: decision.version,
        spec: kept.spec,
        source: kept.source,
        examples: kept_trials(home, past.ticket.id()),
        spec_sha256: decision.spec_sha256,
        source_sha256: decision.source_sha256,
        module_sha256: decision.module_sha256,
        report_sha256: decision.report_sha256,
        approved_by: decision.approver.to_string(),
        approved_at: decision.decided_at,
    };
    let text = shared_types::json::pretty(&file);
    match args.file.as_deref().filter(|f| *f != Path::new("-")) {
        None => outln!("{text}"),
        Some(path) => {
            durable::create_new(path, format!("{text}\n").as_bytes(), 0o600).map_err(Error::io(path))?;
            outln!("{} version {wanted} is in {}", args.name, path.display());
        }
    }
    Ok(shared_types::exit::DONE)
}
