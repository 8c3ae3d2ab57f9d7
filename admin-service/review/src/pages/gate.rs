//! What waits at a gate that the configuration gives to a person.

use base::config::gates;
use ledger::ticket::Ticket;
use shared_types::status::Status;

use super::line::{Origin, Page, Tone};
use crate::words::{Words, label};

/// The page, if the proposal is held.
pub fn page(words: Words, ticket: &Ticket) -> Option<Page> {
    let held = ticket.held()?;
    let mut page = Page::new("gate", words.say("gate-page"));
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    add(Tone::Strong, words.say("gate"), gates::name(ticket.status(), held.to));
    let yes = match (held.to, ticket.status()) {
        (Status::Rejected, Status::HumanReview) => label("gate-refused"),
        (Status::Rejected, Status::AgentReview) => label("gate-sends-back"),
        (Status::Rejected, _) => label("gate-once-more"),
        _ => label("gate-goes-on"),
    };
    let facts = [("actor", held.actor.as_str()), ("to", held.to.as_str())];
    let would = match held.to {
        Status::Rejected => words.fill("would-reject", &facts),
        _ => words.fill("would-go-on", &facts),
    };
    add(Tone::Strong, words.say("the-program"), &would);
    add(Tone::Plain, words.say("gate-yes"), words.say(yes));
    add(Tone::Plain, words.say("gate-no"), words.say("gate-ends"));
    if let Some(reason) = &held.reason {
        page.add(Origin::Words, Tone::Plain, words.say("because"), reason);
    }
    Some(page)
}
