//! A tool as an MCP server lists it.

use serde::Serialize;
use serde_json::Value;
use shared_types::id::Digest;

use crate::plugins::mcp::frames::{MOST_DESCRIPTION, MOST_NAME, MOST_SCHEMA, Tool};

/// A tool as an MCP server lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    /// The server's name for it.
    pub name: String,
    /// What it says about it.
    pub description: String,
    /// Its parameters.
    pub input: Value,
}

impl Listed {
    /// The tool in the form of the frames.
    pub fn told(&self) -> Tool {
        // Nothing at all stands for no parameters.
        let schema = if self.input.is_null() { "{}".to_owned() } else { self.input.to_string() };
        let mut name = self.name.clone();
        if name.len() > MOST_NAME {
            name.truncate(name.floor_char_boundary(MOST_NAME - MORE.len()));
            name.push_str(MORE);
        }
        let mut description = self.description.clone();
        description.truncate(description.floor_char_boundary(MOST_DESCRIPTION));
        Tool { name, description, schema: Some(schema).filter(|schema| schema.len() <= MOST_SCHEMA) }
    }
}

/// The end of a name that was too long; no tool here has it in its name.
const MORE: &str = "\u{2026}";

/// SHA-256 of a list, regardless of its order: a server that lists anything else later is not the one that was approved.
pub fn digest(listed: &[Listed]) -> Digest {
    let mut all: Vec<&Listed> = listed.iter().collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    let text = serde_json_canonicalizer::to_string(&all).unwrap_or_default();
    Digest::of(text.as_bytes())
}

#[cfg(test)]
mod tests;
