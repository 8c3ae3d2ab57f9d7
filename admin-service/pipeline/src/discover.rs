//! Whether a proposal that was taken in can be followed up at all.

use base::error::Error;
use base::failpoints::{Point, at};
use documents::yaml;
use ledger::ticket::Ticket;
use ledger::{Book, Store};
use shared_types::id::ProposalId;
use shared_types::profile::SystemProfile;
use shared_types::status::Status;

use super::advance::advance;

/// Moves a new proposal on, or rejects it with the reason.
///
/// # Errors
/// A journal that cannot be written.
pub fn discover(store: &Store, id: &ProposalId) -> Result<(), Error> {
    let profile = system_profile(store);
    let mut book = store.book();
    let Some(ticket) = book.ticket(id) else { return Ok(()) };
    at(Point::DiscoverBefore);
    match obstacle(&book, ticket, profile.as_ref()) {
        Some(reason) => advance(&mut book, id, Status::Rejected, "discovery", Some(reason)),
        None => advance(&mut book, id, Status::Discovered, "discovery", None),
    }?;
    at(Point::DiscoverMoved);
    Ok(())
}

/// What stands in the way of a proposal, in words with the next step.
pub fn obstacle(book: &Book, ticket: &Ticket, profile: Option<&SystemProfile>) -> Option<String> {
    let proposal = ticket.proposal();
    let name = &proposal.name;
    if book.builtin().iter().any(|b| b.name == *name) {
        return Some(format!("`{name}` is the name of a built-in skill; ask again under another name"));
    }
    // The name of a learned skill that is installed makes it an upgrade: the old version stays until a person's yes.
    let missing = |d: &&shared_types::id::SkillName| {
        !book.active().contains_key(*d) && !book.builtin().iter().any(|b| b.name == **d)
    };
    if let Some(missing) = proposal.dependencies.iter().find(missing) {
        return Some(format!("it depends on `{missing}`, which is not installed; learn that first"));
    }
    let available = &profile?.available_capabilities;
    let lacking = proposal.requirements.system_capabilities.iter().find(|c| !available.contains(c))?;
    Some(format!("it needs `{}`, which this system does not offer", lacking.as_str()))
}

fn system_profile(store: &Store) -> Option<SystemProfile> {
    let text = std::fs::read_to_string(store.home.system_profile()).ok()?;
    yaml::from_own(&text).ok()
}
