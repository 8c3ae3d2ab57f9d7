//! `cl-admin approve`

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use shared_types::home::Home;
use shared_types::id::{ApproverId, Digest};

use crate::ask::{self, Source};
use crate::commands::out::outln;
use crate::error::Error;
use crate::journal::Book;
use crate::review::console::ask_line;
use crate::review::{decision, package};
use crate::service::requests::Request;
use crate::service::session::submit;

/// Say yes to a reviewed proposal, with the approver's key; it is then installed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// Only if the package still has this digest, as `show` prints it
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
    /// Do not ask; for scripts that have looked at the package
    #[arg(long)]
    yes: bool,
    /// Who decides
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
    /// The file (mode 0600) that holds the passphrase of the approver's key; without it the terminal asks, `--yes` or not
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The one-time code, where the approver needs one; without it the terminal asks
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
}

/// Approves the proposal.
///
/// # Errors
/// A package that is not complete or has changed, a person who says no, a decision that is refused.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let approver = parse_approver(&args.approver)?;
    let digest: Option<Digest> = args
        .digest
        .as_deref()
        .map(str::parse)
        .transpose()
        .map_err(|e| Error::Usage(format!("--digest: {e}")))?;
    let book = Book::read(home)?;
    let ticket = book.find(&args.id)?;
    let Some(seen) = ticket.review().cloned().filter(|_| !ticket.status().is_settled()) else {
        return Err(Error::Refused(format!(
            "{} is in {}{}; only what waits for a person can be approved",
            ticket.proposal().name,
            ticket.status(),
            ticket.waits_for().map(|w| format!(" and waits for {}", w.as_str())).unwrap_or_default()
        )));
    };
    if digest.is_some_and(|d| d != seen.report_sha256) {
        return Err(Error::Refused(format!(
            "the package has the digest {}: look at it again",
            seen.report_sha256
        )));
    }
    if !args.yes {
        outln!("{}", package::for_decision(home, ticket)?);
        if !std::io::stdin().is_terminal() {
            return Err(Error::Usage(
                "nobody can be asked here: give --yes after looking at `cl-admin show`".into(),
            ));
        }
        let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
        let answer =
            ask_line(&mut input as &mut dyn BufRead, &mut output as &mut dyn Write, "Approve? [y/N] ")?;
        if !answer.is_some_and(|a| matches!(a.to_lowercase().as_str(), "y" | "yes")) {
            outln!("not approved; it goes on waiting");
            return Ok(shared_types::exit::FAILED);
        }
    }
    let signer = ask::approver_key(home, &approver, &Source::passphrase(args.passphrase_file.clone()))?;
    let decision = decision::sign(home, ticket, &approver, &signer, &seen)?;
    let code = ask::code(&book, &approver, args.code.clone())?;
    outln!("{}", submit(home, Request::Approve { decision, code })?);
    Ok(shared_types::exit::DONE)
}

/// An approver's name from the command line.
///
/// # Errors
/// Another form.
pub fn parse_approver(name: &str) -> Result<ApproverId, Error> {
    name.parse().map_err(|e| Error::Usage(format!("--approver: {e}")))
}
