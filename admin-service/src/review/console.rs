//! The review in line mode: one package at a time, plain text, every answer typed.

use std::io::{BufRead, IsTerminal, Write};

use shared_types::home::Home;
use shared_types::id::{ApproverId, ProposalId};
use shared_types::status::Status;

use super::{decision, package};
use crate::ask::{self, Source};
use crate::error::Error;
use crate::journal::Book;
use crate::service::requests::Request;
use crate::service::session::submit;

/// Shows every package that waits for a person, in order, and takes the answers; answers how many were decided.
///
/// Each yes asks for the approver's passphrase anew: whoever sits down at a review that was left open decides nothing.
///
/// # Errors
/// What cannot be read or written; a refused decision is told and the review goes on.
pub fn review(
    home: &Home,
    approver: &ApproverId,
    passphrase: &Source,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<usize, Error> {
    let mut decided = 0;
    let mut skipped: Vec<ProposalId> = vec![];
    loop {
        let book = Book::read(home)?;
        let waiting = |id: &ProposalId, s: Status| s == Status::HumanReview && !skipped.contains(id);
        let Some(ticket) = book.tickets().find(|t| waiting(t.id(), t.status())) else { break };
        let id = ticket.id().clone();
        let left = book.tickets().filter(|t| waiting(t.id(), t.status())).count();
        say(output, &format!("\n--- {left} waiting ---\n{}", package::for_decision(home, ticket)?))?;
        let Some(seen) = ticket.review().cloned() else { break };
        loop {
            match ask(input, output, "[A]pprove  [R]eject  [V]iew code  [S]kip  [Q]uit: ")?.as_deref() {
                Some("a" | "approve") => {
                    let signer = match ask::approver_key(home, approver, passphrase) {
                        Ok(signer) => signer,
                        Err(error) => {
                            say(output, &format!("not approved: {error}"))?;
                            // A slip of the finger may be put right; a file or a missing terminal stays what it is.
                            if passphrase.file.is_none() && std::io::stdin().is_terminal() {
                                continue;
                            }
                            skipped.push(id.clone());
                            break;
                        }
                    };
                    let answer =
                        decision::sign(home, ticket, approver, &signer, &seen).and_then(|decision| {
                            let code = ask::code(&book, approver, None)?;
                            submit(home, Request::Approve { decision, code })
                        });
                    match answer {
                        Ok(words) => {
                            decided += 1;
                            say(output, &words)?;
                        }
                        Err(error) => {
                            say(output, &format!("not approved: {error}"))?;
                            skipped.push(id.clone());
                        }
                    }
                }
                Some("r" | "reject") => {
                    let Some(reason) = ask_line(input, output, "reason: ")?.filter(|r| !r.is_empty()) else {
                        say(output, "a rejection needs a reason; nothing was changed")?;
                        continue;
                    };
                    let request = Request::Reject { id: id.clone(), by: approver.clone(), reason };
                    say(output, &submit(home, request)?)?;
                    decided += 1;
                }
                Some("v" | "view") => {
                    say(output, &numbered(&package::source(home, &id)?))?;
                    continue;
                }
                Some("s" | "skip") => skipped.push(id.clone()),
                Some("q" | "quit") | None => return Ok(decided),
                Some(other) => {
                    say(
                        output,
                        &format!("`{}` is none of a, r, v, s, q", shared_types::text::cut(other, 20)),
                    )?;
                    continue;
                }
            }
            break;
        }
    }
    let words = match (decided, skipped.len()) {
        (0, 0) => "nothing waits for a person".to_owned(),
        (_, 0) => "nothing else waits for a person".to_owned(),
        (_, n) => format!("{n} left waiting"),
    };
    say(output, &words)?;
    // Whoever comes too early is told so, rather than that there is nothing.
    let book = Book::read(home)?;
    for ticket in book.tickets().filter(|t| !t.status().is_settled() && t.status() != Status::HumanReview) {
        let waits = ticket
            .waits_for()
            .map_or("is being worked on".to_owned(), |w| format!("waits for {}", w.as_str()));
        say(output, &format!("not ready yet: {} ({}) {waits}", ticket.proposal().name, ticket.status()))?;
    }
    Ok(decided)
}

/// A source with line numbers.
pub fn numbered(source: &str) -> String {
    source.lines().enumerate().map(|(i, l)| format!("{:4}  {l}\n", i + 1)).collect()
}

fn ask(input: &mut dyn BufRead, output: &mut dyn Write, prompt: &str) -> Result<Option<String>, Error> {
    Ok(ask_line(input, output, prompt)?.map(|l| l.to_lowercase()))
}

/// One trimmed line, or nothing at the end of the input.
pub fn ask_line(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    prompt: &str,
) -> Result<Option<String>, Error> {
    let trouble = |e: std::io::Error| Error::Failed(format!("the terminal: {e}"));
    write!(output, "{prompt}").and_then(|()| output.flush()).map_err(trouble)?;
    let mut line = String::new();
    match input.read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line.trim().to_owned())),
        Err(e) => Err(trouble(e)),
    }
}

fn say(output: &mut dyn Write, text: &str) -> Result<(), Error> {
    writeln!(output, "{text}")
        .and_then(|()| output.flush())
        .map_err(|e| Error::Failed(format!("the terminal: {e}")))
}
