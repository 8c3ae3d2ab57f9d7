//! What a person at the gate adds of their own: a source in place of the one shown, and notes.
//!
//! An edit takes the whole agent-review again. One that does not pass is dropped and the package before it comes back:
//! it costs the proposal no repair, goes to no model, and rejects nothing because somebody mistyped.

use base::error::Error;
use base::home::Home;
use base::package::Package;
use ledger::attempt::Objection;
use ledger::statements::StatementError;
use ledger::ticket::Attempt;
use ledger::{Ledger, ProposalEvent, Reviewed, Store, mirror};
use review::package::stands;
use review::source::{self, check};
use shared_types::id::{ApproverId, Digest, ProposalId};
use shared_types::status::Status;

use super::advance::{advance, edited};
use super::implement::save_attempt;

/// The longest note, in characters.
pub const LONGEST_NOTE: usize = 2_000;

/// A note that is not kept.
#[derive(Debug, thiserror::Error)]
enum NoteFault {
    #[error("the note is empty; nothing was kept")]
    Empty,
    #[error("the note has {length} characters; at most {LONGEST_NOTE} are kept")]
    TooLong { length: usize },
}

/// Keeps a person's source as the next attempt and sends the proposal through agent-review again; answers in words.
///
/// # Errors
/// A source that cannot be one, a package that is not the one that was edited, or a failing disk; then nothing has changed.
pub fn hand_in(
    store: &Store,
    id: &ProposalId,
    by: &ApproverId,
    source: &str,
    seen: &Reviewed,
) -> Result<String, Error> {
    check(source)?;
    let mut ledger = store.ledger();
    let ticket = ledger.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
    let name = ticket.proposal().name.clone();
    if ticket.status() != Status::HumanReview || ticket.decision().is_some() {
        let status = ticket.status();
        return Err(StatementError::NotEditable { name, status }.into());
    }
    if ticket.review() != Some(seen) {
        return Err(StatementError::PackageChanged.into());
    }
    let source_sha256 = Digest::of(source.as_bytes());
    if source_sha256 == seen.source_sha256 {
        return Err(Error::usage(source::Fault::Unchanged));
    }
    let (number, before) = (ticket.next_attempt(), ticket.attempt().map_or(0, |a| a.number));
    let transcript = format!("Edited by {by}, from attempt {before}.\n");
    save_attempt(&Package::of(&store.home, id), number, source, &transcript)?;
    edited(&mut ledger, id, by, number, source_sha256)?;
    if let Some(ticket) = ledger.ticket(id) {
        mirror(&store.home, ticket)?;
    }
    Ok(format!("the edit is attempt {number} of {name} and takes agent-review again"))
}

/// Drops an edit that did not pass. The package before it, if its files are untouched, goes back to the person at
/// once; otherwise its attempt is reviewed again.
///
/// # Errors
/// A journal that cannot be written.
pub fn drop_edit(
    home: &Home,
    ledger: &mut Ledger,
    id: &ProposalId,
    edit: &Attempt,
    messages: Vec<Objection>,
) -> Result<(), Error> {
    ledger.append(ProposalEvent::EditDropped { attempt: edit.number, messages }.of(id))?;
    let intact = ledger.ticket(id).and_then(|t| t.review()).is_some_and(|review| stands(home, id, review));
    if intact { advance(ledger, id, Status::HumanReview, "review", None) } else { Ok(()) }
}

/// Keeps a note with a proposal; answers in words.
///
/// # Errors
/// An empty or too long note, an unknown proposal, or a failing disk.
pub fn note(store: &Store, id: &ProposalId, by: &ApproverId, text: &str) -> Result<String, Error> {
    if text.trim().is_empty() {
        return Err(Error::usage(NoteFault::Empty));
    }
    let length = text.chars().count();
    if length > LONGEST_NOTE {
        return Err(Error::usage(NoteFault::TooLong { length }));
    }
    let mut ledger = store.ledger();
    let name = ledger.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?.proposal().name.clone();
    ledger.append(ProposalEvent::Noted { by: by.clone(), text: text.to_owned() }.of(id))?;
    Ok(format!("the note is kept with {name}"))
}
