//! `cl-admin show`

use base::error::Error;
use base::home::Home;
use console::line_mode::columns;
use ledger::Book;
use review::package;
use review::pages::line::{Origin, Page, wrapped};
use review::pages::pages;
use serde_json::{Value, json};
use shared_types::text::cut;

use crate::commands::out::{self, outln};

/// Show one proposal: every page of it, the source and the transcript too.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// Only this page, such as summary, trial, facts, words, diff, source, transcript, history or notes
    #[arg(long, value_name = "NAME")]
    page: Option<String>,
    /// One JSON object, with the digest of the package and its pages line by line
    #[arg(long)]
    json: bool,
}

/// Shows the proposal.
///
/// # Errors
/// No such proposal or page.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let book = Book::read(home)?;
    let ticket = match book.find(&args.id) {
        Err(Error::NotFound(_)) => return action(home, &book, args),
        found => found?,
    };
    let mut pages = pages(home, &book, ticket)?;
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
            "pages": pages.iter().map(raw).collect::<Vec<_>>(),
        });
        out::json(&value);
        return Ok(shared_types::exit::DONE);
    }
    outln!("{}", wrapped(&package::head(ticket), columns()).trim_end());
    for page in pages {
        outln!("\n{}", page.text(columns()).trim_end());
    }
    if let Some(review) = ticket.review() {
        outln!("\ndigest of the package: {}", review.report_sha256);
    }
    Ok(shared_types::exit::DONE)
}

/// Shows an action.
fn action(home: &Home, book: &Book, args: &Args) -> Result<u8, Error> {
    let case = book.cases().find(&args.id)?;
    let alike = if case.waits_for().is_some() { book.cases().alike(case).count() } else { 0 };
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
            "judgement": case.judged(), "digest": case.action_digest(), "result": result,
            "pages": pages.iter().map(raw).collect::<Vec<_>>(),
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
    outln!("\ndigest of the action: {}", case.action_digest());
    Ok(shared_types::exit::DONE)
}

/// The page of that name.
///
/// # Errors
/// None has it; the names that there are.
pub fn named<'a>(pages: &'a [Page], name: &str) -> Result<&'a Page, Error> {
    pages.iter().find(|p| p.title.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let there: Vec<&str> = pages.iter().map(|p| p.title).collect();
        Error::usage(format!("there is no page `{}`; there are {}", cut(name, 30), there.join(", ")))
    })
}

fn raw(page: &Page) -> Value {
    let origin = |origin| match origin {
        Origin::Facts => "facts",
        Origin::Words => "words",
        Origin::Code => "code",
    };
    let lines: Vec<Value> =
        page.lines.iter().map(|l| json!({"origin": origin(l.origin), "text": l.text().trim_end()})).collect();
    json!({"title": page.title, "heading": page.heading, "lines": lines})
}
