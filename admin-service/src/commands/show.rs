//! `cl-admin show`

use shared_types::home::Home;

use crate::commands::out::outln;
use crate::error::Error;
use crate::journal::Book;
use crate::review::{package, pages};

/// Show one proposal: facts, words, history, and its source.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Shows the proposal.
///
/// # Errors
/// No such proposal.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let book = Book::read(home)?;
    let ticket = book.find(&args.id)?;
    if args.json {
        let report = ticket.review().map(|_| package::read_report(home, ticket.id())).transpose()?;
        let source = ticket.review().map(|_| package::source(home, ticket.id())).transpose()?;
        let value = serde_json::json!({
            "id": ticket.id(), "name": ticket.proposal().name, "status": ticket.status(),
            "waits_for": ticket.waits_for(), "proposal": ticket.proposal(), "history": ticket.history(),
            "digest": ticket.review().map(|r| &r.report_sha256), "report": report, "source": source,
        });
        outln!("{value}");
        return Ok(shared_types::exit::DONE);
    }
    outln!("{}", package::head(ticket).trim_end());
    for page in pages::pages(home, ticket)? {
        outln!("\n{}", page.text().trim_end());
    }
    if let Some(review) = ticket.review() {
        outln!("\ndigest of the package: {}", review.report_sha256);
    }
    Ok(shared_types::exit::DONE)
}
