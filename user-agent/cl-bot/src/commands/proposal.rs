//! `cl-bot proposal`: what was asked for, and where it stands.

use bot_base::error::Error;
use clap::Subcommand;
use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::{exit, text};
use terminal::rows::{in_words, nearest_first, what};

use super::Format;
use crate::start::Options;

/// What can be done with proposals.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the proposals of this profile, what is nearest to its end first
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
            for row in nearest_first(found.as_array().cloned().unwrap_or_default()) {
                super::print(&if format.json { shared_types::json::line(&row) } else { line(&row) });
            }
        }
        Verb::Show { id, .. } if found.is_null() => return Err(Error::NoProposal(text::cut(id, 80))),
        Verb::Show { json: true, .. } => super::print_json(&found["document"]),
        Verb::Show { .. } => {
            super::print(&format!("# {}", line(&found["row"])));
            super::print(&text::block(found["yaml"].as_str().unwrap_or_default()));
        }
    }
    Ok(exit::DONE)
}

/// One row of a list, for people.
fn line(row: &Value) -> String {
    let field = |key: &str| text::line(row[key].as_str().unwrap_or_default());
    let what = what(row).map_or(String::new(), |what| format!(": {what}"));
    format!("{}  {:<20} {:<14} {}{what}", field("id"), field("name"), field("status"), in_words(row))
}
