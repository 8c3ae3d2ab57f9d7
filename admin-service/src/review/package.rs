//! The package of one proposal as text: facts from the system first, words of others apart and marked.

use std::fmt::Write as _;
use std::fs;

use shared_types::home::Home;
use shared_types::id::{Digest, ProposalId};
use shared_types::text::{block, line};
use shared_types::yaml;

use super::report::Report;
use crate::error::Error;
use crate::pipeline::ticket::Ticket;

/// Reads a package's report.
///
/// # Errors
/// A report that is missing or broken.
pub fn read_report(home: &Home, id: &ProposalId) -> Result<Report, Error> {
    read_hashed(home, id).map(|(_, report)| report)
}

/// Reads a package's report with the digest of its bytes.
///
/// # Errors
/// A report that is missing or broken.
pub fn read_hashed(home: &Home, id: &ProposalId) -> Result<(Digest, Report), Error> {
    let path = home.package(id).join("report.yaml");
    let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
    let report = yaml::from_own(&text).map_err(|e| Error::Integrity(format!("{}: {e}", path.display())))?;
    Ok((Digest::of(text.as_bytes()), report))
}

/// The whole package of a proposal, however far it came.
///
/// # Errors
/// Files of the package that should be there and are not.
pub fn show(home: &Home, ticket: &Ticket) -> Result<String, Error> {
    let mut out = String::new();
    let mut add = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    add(&format!("{}  {}", ticket.proposal().name, ticket.id()));
    add(&format!("  profile  {}", ticket.taken().profile));
    let waits = ticket.waits_for().map(|w| format!(", waits for {}", w.as_str())).unwrap_or_default();
    add(&format!("  status   {}{waits}", ticket.status()));
    if let (Some(_), Some(why)) = (ticket.waits_for(), ticket.waits_because()) {
        add(&format!("           {}", line(why)));
    }
    if ticket.review().is_some() {
        add("");
        add(&facts(&read_report(home, ticket.id())?));
    }
    add("");
    add(&words(ticket));
    add("HISTORY");
    for step in ticket.history() {
        let reason = step.reason.as_deref().map(|r| format!("  {}", block(r).replace('\n', "\n      "))).unwrap_or_default();
        add(&format!("  {}  {:14}  {}{reason}", step.timestamp, step.status.as_str(), line(&step.actor)));
    }
    Ok(out)
}

/// The canonical source of a package.
///
/// # Errors
/// A source that is missing.
pub fn source(home: &Home, id: &ProposalId) -> Result<String, Error> {
    let path = home.package(id).join("skill.rs");
    fs::read_to_string(&path).map(|text| block(&text)).map_err(Error::io(&path))
}

fn facts(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let mut add = |label: &str, value: &str| {
        let _ = writeln!(out, "  {label:12} {}", block(value).replace('\n', "\n               "));
    };
    add("FACTS", "(derived by this program from the compiled module)");
    add("recommend", report.recommendation.as_str());
    add("in short", &report.sentence);
    add("granted", &report.derived.to_string());
    if report.declared != report.derived {
        add("asked for", &report.declared.to_string());
    }
    let list = |items: Vec<String>| items.join(" ");
    if !report.network.is_empty() {
        add("hosts", &list(report.network.iter().map(ToString::to_string).collect()));
    }
    if !report.secrets.is_empty() {
        add("secrets", &list(report.secrets.iter().map(ToString::to_string).collect()));
    }
    if !report.emits_events.is_empty() || !report.handles_events.is_empty() {
        let sends = list(report.emits_events.iter().map(ToString::to_string).collect());
        let receives = list(report.handles_events.iter().map(ToString::to_string).collect());
        add("events", &format!("sends {sends}; receives {receives}"));
    }
    add("version", &format!("{} (replaces {})", report.version, report.base_version));
    add("module", &format!("{} bytes, {} lines of source, memory from {} KiB", report.module.size, report.lines, report.module.memory_min_pages * 64));
    add("written by", &format!("{}, attempt {}", report.author, report.attempt));
    add("compiler", &report.compiler);
    let passed = report.trials.iter().filter(|t| t.passed).count();
    add("trials", &format!("{passed} of {} as expected", report.trials.len()));
    for trial in &report.trials {
        let mark = if trial.passed { "ok  " } else { "FAIL" };
        add("", &format!("{mark} {} {} -> {}", trial.tool, trial.args, line(&trial.answer)));
    }
    if report.findings.is_empty() {
        add("findings", "none");
    }
    for finding in &report.findings {
        add("finding", &format!("[{}] {}", finding.rule, finding.text));
    }
    add("digests", &format!("source {}\nmodule {}", report.source_sha256, report.module_sha256));
    add("analysed", &format!("against manifest {}", report.manifest_serial));
    out
}

/// Text that the assistant, the person or a model wrote: every line is marked.
fn words(ticket: &Ticket) -> String {
    let proposal = ticket.proposal();
    let mut out = String::from("WORDS (written by the assistant and the person; not checked)\n");
    let mut add = |label: &str, text: &str| {
        for (i, l) in block(text).lines().enumerate() {
            let _ = writeln!(out, "  | {:12} {l}", if i == 0 { label } else { "" });
        }
    };
    add("description", &proposal.description);
    add("asked with", &proposal.user_context);
    add("because", &proposal.rationale);
    for tool in &proposal.tools {
        add("tool", &format!("{}: {}", tool.name, tool.description));
    }
    out
}
