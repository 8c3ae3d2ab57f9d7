//! `cl-bot skill`: the active skills.

use bot_base::error::Error;
use clap::Subcommand;
use serde_json::json;
use shared_types::exit;

use super::Format;
use crate::start::Options;

/// What can be done with skills.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the active skills with their rights
    List(Format),
}

/// Lists.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let Verb::List(format) = verb;
    for skill in super::looking(options, |ctx| ctx.skills())? {
        let origin = skill.origin();
        if format.json {
            super::print_json(&json!({
                "name": skill.name,
                "version": skill.version,
                "origin": origin,
                "description": skill.description,
                "capabilities": skill.tokens,
                "tools": skill.tools,
            }));
        } else {
            let (name, version, tokens) = (&skill.name, &skill.version, &skill.tokens);
            super::print(&format!("{name:<16} {version:<6} {origin:<8} [{tokens}] {}", skill.description));
        }
    }
    Ok(exit::DONE)
}
