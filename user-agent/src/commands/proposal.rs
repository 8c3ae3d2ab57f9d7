//! `cl-bot proposal`: what was asked for, and where it stands.

use clap::Subcommand;
use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::{exit, text};

use super::Format;
use crate::error::Error;
use crate::start::Options;

/// What can be done with proposals.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the proposals of this profile, oldest first
    List(Format),
    /// Show one proposal with its history
    Show {
        /// Its identifier, the beginning of it, or the name of the skill
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Lists or shows.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let payload = match verb {
        Verb::List(_) => json!({"what": "list"}),
        Verb::Show { id, .. } => json!({"what": "show", "id": id}),
    };
    let Some(found) = super::looking(options, |ctx| super::asked(ctx, core::SKILL_PROPOSAL, payload))? else {
        return Ok(exit::FAILED);
    };
    match verb {
        Verb::List(format) => {
            for row in found.as_array().map_or(&[][..], Vec::as_slice) {
                super::print(&if format.json { row.to_string() } else { line(row) });
            }
        }
        Verb::Show { id, .. } if found.is_null() => return Err(Error::NoProposal(text::cut(id, 80))),
        Verb::Show { json: true, .. } => super::print(&found["document"].to_string()),
        Verb::Show { .. } => super::print(&text::block(found["yaml"].as_str().unwrap_or_default())),
    }
    Ok(exit::DONE)
}

/// One row of a list, for people.
pub(crate) fn line(row: &Value) -> String {
    let field = |key: &str| text::line(row[key].as_str().unwrap_or_default());
    let waits = match row["waits_for"].as_str() {
        Some(word) => format!(", waits for: {}", text::line(word)),
        None => String::new(),
    };
    let reason = match row["reason"].as_str() {
        Some(reason) if !reason.is_empty() => format!(" ({})", text::cut(reason, 200)),
        _ => String::new(),
    };
    format!("{}  {:<20} {}{waits}{reason}", field("id"), field("name"), field("status"))
}
