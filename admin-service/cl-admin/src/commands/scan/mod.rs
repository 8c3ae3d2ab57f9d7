//! `cl-admin scan`

mod judge;
mod sources;

use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use serde_json::{Value, json};
use shared_types::capability::Token;
use shared_types::id::Digest;

use crate::commands::out::{self, outln};
use judge::{Bench, Judged, Verdict};
use sources::Source;

/// Scan, compile in the jail and check the imports of Rust sources; nothing is installed.
///
/// Exit code 0: all accepted; 3: one is refused; 1: none is refused, but one could not be judged. The compiler and its
/// limits are those of the home's admin.yaml, where there is one.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The sources; a folder stands for every .rs file beneath it, `-` for stdin
    #[arg(required = true, value_name = "FILE.rs")]
    files: Vec<PathBuf>,
    /// The tokens that a proposal would declare
    #[arg(long, value_name = "TOKEN,..", value_delimiter = ',')]
    capabilities: Vec<Token>,
    /// The rules of the source alone: no entry point needed, nothing compiled
    #[arg(long)]
    rules_only: bool,
    /// One JSON object a line, a line per file
    #[arg(long)]
    json: bool,
}

/// The most messages that are printed about one source.
const MAX_TOLD: usize = 40;

/// Scans the files; exit 3 when one is refused, 1 when one could not be judged.
///
/// # Errors
/// A configuration with faults, or a disk that cannot be written.
pub fn run(home: Option<&Home>, args: &Args) -> Result<u8, Error> {
    let bench = Bench::new(home, args.capabilities.iter().copied().collect(), args.rules_only)?;
    let mut counts = [0_usize; 3];
    for source in sources::gather(&args.files) {
        let name = shared_types::text::line(&source.name);
        let judged = match &source.content {
            Ok(bytes) => bench.judge(bytes)?,
            Err(why) => Judged::unknown("read", why),
        };
        counts[judged.verdict as usize] += 1;
        if args.json {
            out::json(&in_json(&name, &judged));
        } else if let Source { content: Err(why), .. } = &source {
            eprintln!("error: {name}: {why}");
        } else {
            print(&name, &judged);
        }
    }
    let [accepted, refused, unknown] = counts;
    if !args.json && accepted + refused + unknown > 1 {
        outln!("{accepted} accepted, {refused} refused, {unknown} not judged");
    }
    Ok(match counts {
        [_, 0, 0] => shared_types::exit::DONE,
        [_, 0, _] => shared_types::exit::FAILED,
        _ => shared_types::exit::REFUSED,
    })
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Refused => "refused",
        Verdict::Unknown => "unknown",
    }
}

fn in_json(file: &str, judged: &Judged) -> Value {
    let facts = judged.inspection.as_ref().map(|inspection| &inspection.facts);
    let module = judged.compiled.as_ref();
    json!({
        "file": file, "verdict": word(judged.verdict), "stage": judged.stage,
        "violations": judged.violations.iter().take(MAX_TOLD).collect::<Vec<_>>(),
        "more_violations": judged.violations.len().saturating_sub(MAX_TOLD),
        "messages": judged.messages.iter().take(MAX_TOLD).collect::<Vec<_>>(),
        "derived": facts.map(|f| &f.derived),
        "imports": facts.map(|f| f.imports.iter().map(|i| i.name()).collect::<Vec<_>>()),
        "module_sha256": module.map(|m| Digest::of(&m.module)),
        "module_bytes": module.map(|m| m.module.len()),
        "compiler": module.map(|m| &m.by),
        "memory_min_pages": facts.map(|f| f.memory_min_pages),
        "memory_max_pages": facts.and_then(|f| f.memory_max_pages),
        "bounds": facts.map(|f| &f.bounds),
    })
}

fn print(file: &str, judged: &Judged) {
    outln!("{file}: {}", word(judged.verdict));
    for message in judged.messages.iter().take(MAX_TOLD) {
        outln!("  {}", shared_types::text::block(message).replace('\n', "\n  "));
    }
    if judged.messages.len() > MAX_TOLD {
        outln!("  ... and {} more", judged.messages.len() - MAX_TOLD);
    }
    if let Some(inspection) = &judged.inspection {
        outln!("  derived tokens: {}", inspection.facts.derived);
    }
    if let (Some(compiled), Verdict::Accepted) = (&judged.compiled, judged.verdict) {
        outln!("  module: {} bytes, sha256 {}", compiled.module.len(), Digest::of(&compiled.module));
        outln!("  compiler: {}", compiled.by);
    }
}
