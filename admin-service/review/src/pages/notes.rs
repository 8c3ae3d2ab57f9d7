//! What people left with a proposal for the person who looks next.

use ledger::ticket::Ticket;

use super::line::{Line, Origin, Page, Tone};
use crate::words::Words;

/// The page, if there is a note.
pub fn page(words: Words, ticket: &Ticket) -> Option<Page> {
    if ticket.notes().is_empty() {
        return None;
    }
    let mut page = Page::new("notes", words.say("notes-page"));
    for note in ticket.notes() {
        page.lines.push(Line::new(Origin::Facts, Tone::Quiet, &format!("{}  {}", note.at, note.by)));
        for text in shared_types::text::block(&note.text).lines() {
            page.lines.push(Line::new(Origin::Words, Tone::Plain, text));
        }
    }
    Some(page)
}
