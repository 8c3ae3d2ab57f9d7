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

/// The whole package of a proposal, however far it came, with its history.
///
/// # Errors
/// Files of the package that should be there and are not.
pub fn show(home: &Home, ticket: &Ticket) -> Result<String, Error> {
    let mut out = for_decision(home, ticket)?;
    out.push_str("HISTORY\n");
    for step in ticket.history() {
        let reason = step.reason.as_deref().map(|r| format!("  {}", indented(r, 6))).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ =
            writeln!(out, "  {}  {:14}  {}{reason}", step.timestamp, step.status.as_str(), line(&step.actor));
    }
    Ok(out)
}

/// What a person decides on: words first, facts last, so that the facts stand beside the question on a small screen.
///
/// # Errors
/// Files of the package that should be there and are not.
pub fn for_decision(home: &Home, ticket: &Ticket) -> Result<String, Error> {
    let waits = ticket.waits_for().map(|w| format!(", waits for {}", w.as_str())).unwrap_or_default();
    let mut out = format!(
        "{}  {}\n  profile {}, {}{waits}\n",
        ticket.proposal().name,
        ticket.id(),
        ticket.taken().profile,
        ticket.status()
    );
    if let (Some(_), Some(why)) = (ticket.waits_for(), ticket.waits_because()) {
        let _ = writeln!(out, "  {}", line(why));
    }
    let report = ticket.review().map(|_| read_report(home, ticket.id())).transpose()?;
    out.push('\n');
    out.push_str(&words(ticket, report.as_ref()));
    if let Some(report) = &report {
        out.push('\n');
        out.push_str(&facts(report));
    }
    Ok(out)
}

fn indented(text: &str, by: usize) -> String {
    block(text).replace('\n', &format!("\n{}", " ".repeat(by)))
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
    let mut out = String::from("FACTS (derived by this program from the compiled module)\n");
    let mut add = |label: &str, value: &str| {
        let _ = writeln!(out, "  {label:11} {}", indented(value, 14));
    };
    let list = |items: Vec<String>| if items.is_empty() { "nothing".to_owned() } else { items.join(" ") };
    let compiler = report.compiler.split(" --").next().unwrap_or_default();
    add("written by", &format!("{}, attempt {}; {} lines", report.author, report.attempt, report.lines));
    add("module", &format!("{} bytes by {compiler}; the report has the flags", report.module.size));
    add("source", report.source_sha256.as_str());
    add("digest", report.module_sha256.as_str());
    add(
        "version",
        &format!(
            "{} (replaces {}), analysed against manifest {}",
            report.version, report.base_version, report.manifest_serial
        ),
    );
    let passed = report.trials.iter().filter(|t| t.passed).count();
    add("trials", &format!("{passed} of {} as expected", report.trials.len()));
    for trial in &report.trials {
        let mark = if trial.passed { "ok  " } else { "FAIL" };
        add("", &format!("{mark} {} {} -> {}", trial.tool, trial.args, line(&trial.answer)));
    }
    if report.declared != report.derived {
        add("asked for", &report.declared.to_string());
    }
    add("GRANTED", &report.derived.to_string());
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
    add("in short", &report.sentence);
    if report.findings.is_empty() {
        add("findings", "none");
    }
    for finding in &report.findings {
        add("finding", &format!("[{}] {}", finding.rule, finding.text));
    }
    add("RECOMMEND", report.recommendation.as_str());
    out
}

/// Text that the assistant, the person or a model wrote: every line is marked.
fn words(ticket: &Ticket, report: Option<&Report>) -> String {
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
    match report {
        // What the module says of itself is what the assistant will read and route by.
        Some(report) => {
            for tool in &report.described.tools {
                let phrases: Vec<String> =
                    tool.phrases.iter().map(|(language, p)| format!("{language}: {p}")).collect();
                add("tool", &format!("{}: {}\n{}", tool.name, tool.description, phrases.join("; ")));
            }
        }
        None => {
            for tool in &proposal.tools {
                add("tool", &format!("{}: {}", tool.name, tool.description));
            }
        }
    }
    out
}
