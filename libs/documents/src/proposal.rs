//! Reads proposals: wishes of the bot, and the admin's mirror of them.

use shared_types::proposal::{Document, Fault, RawDocument, judge};

use crate::yaml;

/// Reads a document that somebody else wrote, wherever it stands: a wish, or the mirror of one.
///
/// # Errors
/// A syntax fault alone, or every fault of the content in one pass.
pub fn parse(text: &str) -> Result<Document, Vec<Fault>> {
    read(text, false)
}

/// Reads a document that must be nothing but a new wish: it claims no status, waiting or history of its own.
///
/// # Errors
/// As [`parse`].
pub fn parse_wish(text: &str) -> Result<Document, Vec<Fault>> {
    read(text, true)
}

/// Reads the admin's mirror of a proposal, which may be larger than a wish: it may hold the result of an action.
///
/// # Errors
/// As [`parse`], the first fault alone where a key does not fit the form.
pub fn parse_mirror(text: &str) -> Result<Document, Vec<Fault>> {
    match yaml::from_mirror::<RawDocument>(text) {
        Ok(raw) => raw.validate(false),
        Err(error) => Err(vec![Fault::new("", error.to_string())]),
    }
}

fn read(text: &str, wish: bool) -> Result<Document, Vec<Fault>> {
    judge(yaml::from_outside(text), || yaml::from_outside(text), wish)
}

#[cfg(test)]
mod tests;
