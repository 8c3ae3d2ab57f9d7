//! One source through scan, compiler and import check.

use std::sync::atomic::AtomicBool;

use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::stop::may_start;
use builder::compile::{CompileFault, Compiled, compile};
use builder::scan::{Scanned, Violation};
use builder::toolchain::Toolchain;
use builder::workers::{self, Inspection, Job, NotInspected, TrialInput};
use pipeline::agent_review::objection;
use shared_types::capability::TokenSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Accepted,
    Refused,
    Unknown,
}

/// What came of one source.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// Where it ended: `read`, `scan`, `compile`, `module`, `imports`, or `done`.
    pub(super) stage: &'static str,
    pub(super) messages: Vec<String>,
    pub(super) violations: Vec<Violation>,
    pub(super) compiled: Option<Compiled>,
    pub(super) inspection: Option<Inspection>,
}

impl Judged {
    fn new(verdict: Verdict, stage: &'static str, messages: Vec<String>) -> Judged {
        Judged { verdict, stage, messages, violations: vec![], compiled: None, inspection: None }
    }

    fn refused(stage: &'static str, words: &str) -> Judged {
        Judged::new(Verdict::Refused, stage, vec![format!("{stage}: {words}")])
    }

    pub(super) fn unknown(stage: &'static str, words: impl std::fmt::Display) -> Judged {
        Judged::new(Verdict::Unknown, stage, vec![format!("{stage}: {words}")])
    }

    fn violating(violations: Vec<Violation>) -> Judged {
        let messages = violations.iter().map(|v| objection(v).to_string()).collect();
        Judged { violations, ..Judged::new(Verdict::Refused, "scan", messages) }
    }
}

/// What all sources of one call share.
pub(super) struct Bench {
    place: Place,
    config: Config,
    declared: TokenSet,
    rules_only: bool,
    cancel: AtomicBool,
}

impl Bench {
    /// Takes the compiler and its limits from the home's configuration, or the shipped ones where there is no home.
    pub(super) fn new(home: Option<&Home>, declared: TokenSet, rules_only: bool) -> Result<Bench, Error> {
        let config = match home.filter(|home| home.admin_config().is_file()) {
            Some(home) => {
                may_start(home, None)?;
                Config::read(home)?
            }
            None => Config::parse("defaults".as_ref(), "")?,
        };
        let cancel = AtomicBool::new(false);
        Ok(Bench { place: Place::make()?, config, declared, rules_only, cancel })
    }

    pub(super) fn judge(&self, source: &[u8]) -> Result<Judged, Error> {
        let job = if self.rules_only { Job::ScanRules } else { Job::Scan };
        if std::str::from_utf8(source).is_err() {
            return Ok(Judged::refused("scan", "the source is not UTF-8"));
        }
        let scanned: Result<Scanned, Vec<Violation>> = match workers::run(job, source, &self.cancel) {
            Ok(verdict) => verdict,
            Err(fault) if fault.blames_input() => Err(vec![Violation::of_a_crash(&fault.to_string())]),
            Err(fault) => return Ok(Judged::unknown("scan", fault)),
        };
        match scanned {
            Err(violations) => Ok(Judged::violating(violations)),
            Ok(_) if self.rules_only => Ok(Judged::new(Verdict::Accepted, "done", vec![])),
            Ok(scanned) => self.build(&scanned.source),
        }
    }

    fn build(&self, canonical: &str) -> Result<Judged, Error> {
        let toolchain = match Toolchain::find(&self.config.compiler) {
            Ok(toolchain) => toolchain,
            Err(why) => return Ok(Judged::unknown("compile", why)),
        };
        match compile(&self.place.0, &toolchain, canonical, &self.config.limits, &self.cancel) {
            Ok(compiled) => self.inspect(compiled),
            Err(CompileFault::Source { words, .. }) => Ok(Judged::refused("compile", &words)),
            Err(CompileFault::NoJail(why) | CompileFault::Waits(why)) => Ok(Judged::unknown("compile", why)),
            Err(CompileFault::Own(error)) => Err(error),
        }
    }

    fn inspect(&self, compiled: Compiled) -> Result<Judged, Error> {
        let asked = TrialInput {
            declared: self.declared.clone(),
            emits: true,
            trials: vec![],
            seconds: 5,
            edges: false,
        };
        let mut input = serde_json::to_vec(&asked)?;
        input.push(b'\n');
        input.extend_from_slice(&compiled.module);
        let inspected = workers::run::<Result<Inspection, NotInspected>>(Job::Inspect, &input, &self.cancel);
        let judged = match inspected {
            Ok(Ok(inspection)) => {
                let undeclared = inspection.facts.derived.without(&self.declared);
                let judged = if undeclared.is_empty() {
                    Judged::new(Verdict::Accepted, "done", vec![])
                } else {
                    let declared = &self.declared;
                    let words =
                        format!("it needs {undeclared}, which is not declared (declared: {declared})");
                    Judged::refused("imports", &words)
                };
                Judged { inspection: Some(inspection), ..judged }
            }
            Ok(Err(why)) => Judged::refused("module", &why.to_string()),
            Err(fault) if fault.blames_input() => Judged::refused("module", &fault.to_string()),
            Err(fault) => Judged::unknown("module", fault),
        };
        Ok(Judged { compiled: Some(compiled), ..judged })
    }
}

/// A build folder outside any home: removed at the end.
struct Place(Home);

impl Place {
    fn make() -> Result<Place, Error> {
        let name =
            format!("tameclaw-scan-{}-{}", std::process::id(), shared_types::id::ProposalId::generate());
        let root = std::env::temp_dir().join(name);
        base::folders::make_folder(&root, base::folders::PRIVATE)?;
        Ok(Place(Home::new(root, None)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.root());
    }
}
