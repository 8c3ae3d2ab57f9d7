//! `cl-bot memory`: what is remembered.

use clap::Subcommand;
use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::{exit, text};

use super::Format;
use crate::error::Error;
use crate::start::Options;

/// What can be done with the memory.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List every fact, oldest first
    List(Format),
    /// List the facts that words are about, the most relevant first
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
        /// How the list is printed
        #[command(flatten)]
        format: Format,
    },
}

/// Lists or searches.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let (query, format) = match verb {
        Verb::List(format) => (String::new(), format),
        Verb::Search { words, format } => (words.join(" "), format),
    };
    let payload = json!({"what": "facts", "query": query});
    let Some(found) = super::looking(options, |ctx| super::asked(ctx, core::MEMORY_QUERY, payload))? else {
        return Ok(exit::FAILED);
    };
    for fact in found.as_array().map_or(&[][..], Vec::as_slice) {
        if format.json {
            super::print(&fact.to_string());
        } else {
            let field = |key: &str| text::line(fact[key].as_str().unwrap_or_default());
            super::print(&format!("{}  {}", field("at"), field("text")));
        }
    }
    debug_assert!(matches!(found, Value::Array(_)), "facts are a list");
    Ok(exit::DONE)
}
