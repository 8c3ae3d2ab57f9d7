//! `cl-admin scan`

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::home::Home;

use crate::build::compile::{CompileFault, compile};
use crate::build::scan::{Scanned, Violation};
use crate::build::toolchain::Toolchain;
use crate::children::{self, Inspection, Job, TrialInput};
use crate::commands::out::outln;
use crate::config::Config;
use crate::error::Error;
use crate::pipeline::agent_review::violation_line;

/// Scan, compile in the jail and check the imports of Rust sources; nothing is installed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The sources
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

/// The largest source that is looked at, in bytes; the scan's own cap is lower and says so.
const MAX_SOURCE: u64 = 1 << 20;

/// The most messages that are told about one source.
const MAX_TOLD: usize = 40;

/// Scans the files; exit 3 when one is refused, 1 when one could not be judged.
///
/// # Errors
/// A file that cannot be read.
pub fn run(args: &Args) -> Result<u8, Error> {
    let declared: TokenSet = args.capabilities.iter().copied().collect();
    let place = Place::make()?;
    let mut worst = shared_types::exit::DONE;
    for path in &args.files {
        let mut source = String::new();
        let read = File::open(path).and_then(|f| f.take(MAX_SOURCE).read_to_string(&mut source));
        let verdict = match read {
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                Judged::refused(vec!["scan: the source is not UTF-8".into()])
            }
            Err(e) => return Err(Error::io(path)(e)),
            Ok(_) => judge(&place.0, args, &source, &declared)?,
        };
        worst = worst.max(verdict.exit());
        if args.json {
            outln!("{}", verdict.json(&path.display().to_string()));
        } else {
            verdict.print(&path.display().to_string());
        }
    }
    Ok(worst)
}

enum Verdict {
    Accepted,
    Refused,
    Unknown,
}

struct Judged {
    verdict: Verdict,
    messages: Vec<String>,
    violations: Vec<Violation>,
    inspection: Option<Inspection>,
}

impl Judged {
    fn refused(messages: Vec<String>) -> Judged {
        Judged { verdict: Verdict::Refused, messages, violations: vec![], inspection: None }
    }

    fn unknown(message: String) -> Judged {
        Judged { verdict: Verdict::Unknown, messages: vec![message], violations: vec![], inspection: None }
    }

    fn word(&self) -> &'static str {
        match self.verdict {
            Verdict::Accepted => "accepted",
            Verdict::Refused => "refused",
            Verdict::Unknown => "unknown",
        }
    }

    fn exit(&self) -> u8 {
        match self.verdict {
            Verdict::Accepted => shared_types::exit::DONE,
            Verdict::Refused => shared_types::exit::REFUSED,
            Verdict::Unknown => shared_types::exit::FAILED,
        }
    }

    fn json(&self, file: &str) -> Value {
        json!({
            "file": file, "verdict": self.word(),
            "violations": self.violations.iter().take(MAX_TOLD).collect::<Vec<_>>(),
            "more_violations": self.violations.len().saturating_sub(MAX_TOLD),
            "messages": self.messages.iter().take(MAX_TOLD).collect::<Vec<_>>(),
            "derived": self.inspection.as_ref().map(|i| &i.facts.derived),
            "imports": self.inspection.as_ref().map(|i| i.facts.imports.iter().map(|f| f.name()).collect::<Vec<_>>()),
        })
    }

    fn print(&self, file: &str) {
        outln!("{file}: {}", self.word());
        for message in self.messages.iter().take(MAX_TOLD) {
            outln!("  {}", shared_types::text::block(message).replace('\n', "\n  "));
        }
        if self.messages.len() > MAX_TOLD {
            outln!("  ... and {} more", self.messages.len() - MAX_TOLD);
        }
        if let Some(inspection) = &self.inspection {
            outln!("  derived tokens: {}", inspection.facts.derived);
        }
    }
}

fn judge(home: &Home, args: &Args, source: &str, declared: &TokenSet) -> Result<Judged, Error> {
    let cancel = AtomicBool::new(false);
    let job = if args.rules_only { Job::ScanRules } else { Job::Scan };
    let scanned: Result<Scanned, Vec<Violation>> = match children::run(job, source.as_bytes(), &cancel) {
        Ok(verdict) => verdict,
        Err(fault) if fault.blames_input() => return Ok(Judged::refused(vec![format!("scan: {fault}")])),
        Err(fault) => return Ok(Judged::unknown(format!("scan: {fault}"))),
    };
    let scanned = match scanned {
        Ok(scanned) => scanned,
        Err(violations) => {
            let messages = violations.iter().map(violation_line).collect();
            return Ok(Judged { verdict: Verdict::Refused, messages, violations, inspection: None });
        }
    };
    let accepted =
        Judged { verdict: Verdict::Accepted, messages: vec![], violations: vec![], inspection: None };
    if args.rules_only {
        return Ok(accepted);
    }
    let config = Config::parse("defaults".as_ref(), "")?;
    let toolchain = match Toolchain::find(&config.compiler) {
        Ok(toolchain) => toolchain,
        Err(why) => return Ok(Judged::unknown(format!("compile: {why}"))),
    };
    let compiled = match compile(home, &toolchain, &scanned.source, &config.limits, &cancel) {
        Ok(compiled) => compiled,
        Err(CompileFault::Source(words)) => return Ok(Judged::refused(vec![format!("compile: {words}")])),
        Err(CompileFault::Waits(why)) => return Ok(Judged::unknown(format!("compile: {why}"))),
        Err(CompileFault::Own(error)) => return Err(error),
    };
    let asked =
        TrialInput { declared: declared.clone(), emits: true, trials: vec![], seconds: 5, edges: false };
    let mut input = serde_json::to_vec(&asked).map_err(|e| Error::Failed(e.to_string()))?;
    input.push(b'\n');
    input.extend_from_slice(&compiled.module);
    let inspection: Inspection =
        match children::run::<Result<Inspection, String>>(Job::Inspect, &input, &cancel) {
            Ok(Ok(inspection)) => inspection,
            Ok(Err(words)) => return Ok(Judged::refused(vec![format!("module: {words}")])),
            Err(fault) if fault.blames_input() => {
                return Ok(Judged::refused(vec![format!("module: {fault}")]));
            }
            Err(fault) => return Ok(Judged::unknown(format!("module: {fault}"))),
        };
    let undeclared = inspection.facts.derived.without(declared);
    if undeclared.is_empty() {
        return Ok(Judged { inspection: Some(inspection), ..accepted });
    }
    let message = format!("imports: it needs {undeclared}, which is not declared (declared: {declared})");
    Ok(Judged {
        verdict: Verdict::Refused,
        messages: vec![message],
        violations: vec![],
        inspection: Some(inspection),
    })
}

/// A build folder outside any home: removed at the end.
struct Place(Home);

impl Place {
    fn make() -> Result<Place, Error> {
        let name =
            format!("tameclaw-scan-{}-{}", std::process::id(), shared_types::id::ProposalId::generate());
        let root = std::env::temp_dir().join(name);
        crate::install::make_folder(&root, crate::install::PRIVATE)?;
        Ok(Place(Home::new(root, None)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.root());
    }
}
