//! What waits at a gate that the configuration gives to a person.

use base::config::gates;
use ledger::ticket::Ticket;
use shared_types::status::Status;

use super::line::{Origin, Page, Tone};

/// The page, if the proposal is held.
pub fn page(ticket: &Ticket) -> Option<Page> {
    let held = ticket.held()?;
    let mut page = Page::new("gate", "GATE (a person's, by admin.yaml)");
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    add(Tone::Strong, "gate", gates::name(ticket.status(), held.to));
    let (wants, yes) = match (held.to, ticket.status()) {
        (Status::Rejected, Status::HumanReview) => {
            ("reject it".to_owned(), "refused: only an edit or a no is possible")
        }
        (Status::Rejected, Status::AgentReview) => {
            ("reject it".to_owned(), "sends it back for one more attempt")
        }
        (Status::Rejected, _) => ("reject it".to_owned(), "has this stage done once more"),
        (to, _) => (format!("go on to {to}"), "lets it go on by this one step; nothing is installed by that"),
    };
    add(Tone::Strong, "the program", &format!("({}) would {wants}", held.actor));
    add(Tone::Plain, "approve", yes);
    add(Tone::Plain, "reject", "ends it, with a reason");
    if let Some(reason) = &held.reason {
        page.add(Origin::Words, Tone::Plain, "because", reason);
    }
    Some(page)
}
