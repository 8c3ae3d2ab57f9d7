//! `cl-admin show`

use std::io::IsTerminal;

use base::error::Error;
use base::home::Home;
use base::package::{Package, Part};
use console::line_mode::columns;
use ledger::Ledger;
use ledger::action_ticket::Seen;
use ledger::ticket::Ticket;
use review::package;
use review::pages::line::{Origin, Page, wrapped};
use review::pages::pages;
use review::words::Words;
use serde_json::{Value, json};
use shared_types::text::{cut, is_unsafe};

use crate::commands::out::{self, outln};

/// Why a file or page is not shown.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("this file could steer your terminal: send it to a file, or look at the page instead")]
    Steers,
    #[error("there is no page `{name}`; there are {}", .there.join(", "))]
    NoPage { name: String, there: Vec<String> },
}

/// Show one proposal: every page of it, the source and the transcript too.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// Only this page, such as summary, trial, facts, words, diff, source, transcript, history or notes
    #[arg(long, value_name = "NAME")]
    page: Option<String>,
    /// One file of it as it is, byte by byte, for a pipe or a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["page", "json"])]
    raw: Option<Raw>,
    /// One JSON object, with the digest of the package and its pages line by line
    #[arg(long)]
    json: bool,
}

/// The files of a package that a person may want as they are.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Raw {
    /// What was asked for, as it was taken in
    Proposal,
    /// What is compiled; `cl-admin edit ID --file -` takes it back
    Source,
    /// What the compiler made of it
    Module,
    /// All that a decision rests on
    Report,
    /// How the last attempt came about
    Transcript,
}

/// Shows the proposal.
///
/// # Errors
/// An unknown proposal or page.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let ticket = match (ledger.find(&args.id), args.raw) {
        (Err(Error::NotFound(_)), None) => return action(home, &ledger, args),
        (found, None) => found?,
        (found, Some(wanted)) => return raw_file(home, found?, wanted),
    };
    let mut pages = pages(home, &ledger, ticket)?;
    if let Some(name) = &args.page {
        let page = named(&pages, name)?.clone();
        pages = vec![page];
    }
    if args.json {
        let report = ticket.review().map(|_| package::read_report(home, ticket.id())).transpose()?;
        let source = ticket.review().map(|_| package::source(home, ticket.id())).transpose()?;
        let value = json!({
            "id": ticket.id(), "name": ticket.proposal().name, "status": ticket.status(),
            "waits_for": ticket.waits_for(), "proposal": ticket.proposal(), "history": ticket.history(),
            "digest": ticket.review().map(|r| &r.report_sha256), "report": report, "source": source,
            "pages": pages.iter().map(as_json).collect::<Vec<_>>(),
        });
        out::json(&value);
        return Ok(shared_types::exit::DONE);
    }
    let words = Words::of_home(home);
    outln!("{}", wrapped(&package::head(ticket, words), columns()).trim_end());
    for page in pages {
        outln!("\n{}", page.text(columns()).trim_end());
    }
    if let Some(review) = ticket.review() {
        let digest = [("digest", review.report_sha256.as_str())];
        outln!("\n{}", words.fill("package-digest", &digest));
    }
    Ok(shared_types::exit::DONE)
}

/// Prints a file of a package as it is. A terminal gets none that could steer it.
fn raw_file(home: &Home, ticket: &Ticket, wanted: Raw) -> Result<u8, Error> {
    let part = match wanted {
        Raw::Proposal => Part::Spec,
        Raw::Source => Part::Source,
        Raw::Module => Part::Module,
        Raw::Report => Part::Report,
        Raw::Transcript => Part::Transcript(ticket.attempts().last().map_or(1, |last| last.number)),
    };
    let bytes = Package::of(home, ticket.id()).bytes(part)?;
    let is_plain = |text: &str| text.chars().all(|c| matches!(c, '\n' | '\t') || !is_unsafe(c));
    if std::io::stdout().is_terminal() && !std::str::from_utf8(&bytes).is_ok_and(is_plain) {
        return Err(Error::refused(Fault::Steers));
    }
    out::bytes(&bytes);
    Ok(shared_types::exit::DONE)
}

/// Shows an action.
fn action(home: &Home, ledger: &Ledger, args: &Args) -> Result<u8, Error> {
    let case = ledger.cases().find(&args.id)?;
    let alike = if case.waits_for().is_some() { ledger.cases().alike(case).count() } else { 0 };
    let mut pages = actions::pages::pages(home, case, alike)?;
    if let Some(name) = &args.page {
        let page = named(&pages, name)?.clone();
        pages = vec![page];
    }
    if args.json {
        let result = case.result().map(|kept| actions::keep::get(home, case.id(), kept)).transpose()?;
        let value = json!({
            "id": case.id(), "name": case.taken().proposal.name, "status": case.status(),
            "waits_for": case.waits_for(), "proposal": case.taken().proposal, "history": case.history(),
            "judgement": case.judged(), "digest": Seen::of(case).action_sha256, "result": result,
            "pages": pages.iter().map(as_json).collect::<Vec<_>>(),
        });
        out::json(&value);
        return Ok(shared_types::exit::DONE);
    }
    let waits = case.waits_for().map(|w| format!(", waits for {}", w.as_str())).unwrap_or_default();
    outln!("{}  {}", case.taken().proposal.name, case.id());
    outln!("  profile {}, {}{waits}", case.taken().profile, case.status());
    for page in pages {
        outln!("\n{}", page.text(columns()).trim_end());
    }
    outln!("\ndigest of the action: {}", Seen::of(case).action_sha256);
    Ok(shared_types::exit::DONE)
}

/// The page of that name.
///
/// # Errors
/// None has it; the names that there are.
pub fn named<'a>(pages: &'a [Page], name: &str) -> Result<&'a Page, Error> {
    pages.iter().find(|p| p.title.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let there = pages.iter().map(|p| p.title.to_string()).collect();
        Error::usage(Fault::NoPage { name: cut(name, 30), there })
    })
}

fn as_json(page: &Page) -> Value {
    let origin = |origin| match origin {
        Origin::Facts => "facts",
        Origin::Words => "words",
        Origin::Code => "code",
    };
    let lines: Vec<Value> =
        page.lines.iter().map(|l| json!({"origin": origin(l.origin), "text": l.text().trim_end()})).collect();
    json!({"title": page.title, "heading": page.heading, "lines": lines})
}
