//! Reads proposals: wishes of the bot, and the admin's mirror of them.

use serde_json::Value;
use shared_types::proposal::{Document, Fault, judge};

use crate::yaml::{self, YamlError};

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

/// Reads a document that a program wrote, by way of a tree: as [`parse`], except that a text needs its quotes where it looks
/// like a number.
///
/// # Errors
/// As [`parse`].
pub fn parse_written(text: &str) -> Result<Document, Vec<Fault>> {
    of_tree(yaml::from_outside(text))
}

/// Reads the admin's mirror of a proposal: as [`parse_written`], with room for the result of an action.
///
/// # Errors
/// As [`parse`].
pub fn parse_mirror(text: &str) -> Result<Document, Vec<Fault>> {
    of_tree(yaml::from_mirror(text))
}

fn of_tree(tree: Result<Value, YamlError>) -> Result<Document, Vec<Fault>> {
    let tree = tree.map_err(|e| vec![Fault::new("", e.to_string())])?;
    judge(shared_types::json::read(&tree), || Ok(tree), false)
}

fn read(text: &str, wish: bool) -> Result<Document, Vec<Fault>> {
    judge(yaml::from_outside(text), || yaml::from_outside(text), wish)
}

#[cfg(test)]
mod tests;
