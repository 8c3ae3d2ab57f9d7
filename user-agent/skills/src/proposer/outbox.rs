//! Writes proposals, and reads what became of them.

pub use ports::spool::{list, write};
use shared_types::proposal::Document;

/// The proposal of that identifier, of that beginning of one, or the newest of that name.
pub fn find<'a>(documents: &'a [Document], wanted: &str) -> Option<&'a Document> {
    let named = |d: &&Document| d.proposal.name.as_str() == wanted;
    let begins = |d: &&Document| wanted.len() >= 4 && d.proposal.id.as_str().starts_with(wanted);
    documents.iter().rev().find(named).or_else(|| {
        let mut found = documents.iter().filter(begins);
        // A beginning that two share names neither.
        found.next().filter(|_| found.next().is_none())
    })
}
