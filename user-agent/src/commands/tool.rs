//! `cl-bot tool`: what the skills can do.

use clap::Subcommand;
use serde_json::json;
use shared_types::exit;
use shared_types::text;

use super::Format;
use crate::error::Error;
use crate::start::Options;

/// What can be done with tools.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the tools that the model is offered
    List(Format),
}

/// Lists.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let Verb::List(format) = verb;
    for tool in super::looking(options, |ctx| ctx.tools())? {
        if format.json {
            let row =
                json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
            super::print(&row.to_string());
        } else {
            super::print(&format!("{:<32} {}", tool.name, text::cut(&tool.description, 200)));
        }
    }
    Ok(exit::DONE)
}
