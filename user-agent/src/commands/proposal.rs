//! `cl-bot proposal`: what was asked for, and where it stands.

use std::cmp::Reverse;

use clap::Subcommand;
use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::status::Status;
use shared_types::{exit, text};

use super::Format;
use crate::error::Error;
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
                super::print(&if format.json { row.to_string() } else { line(&row) });
            }
        }
        Verb::Show { id, .. } if found.is_null() => return Err(Error::NoProposal(text::cut(id, 80))),
        Verb::Show { json: true, .. } => super::print(&found["document"].to_string()),
        Verb::Show { .. } => {
            let document = &found["document"];
            let mut row = document["proposal"].clone();
            for key in ["status", "waits_for"] {
                row[key] = document[key].clone();
            }
            row["reason"] = document["history"]
                .as_array()
                .and_then(|h| h.last())
                .map_or(Value::Null, |e| e["reason"].clone());
            super::print(&format!("# {}", line(&row)));
            super::print(&text::block(found["yaml"].as_str().unwrap_or_default()));
        }
    }
    Ok(exit::DONE)
}

/// One row of a list, for people.
fn line(row: &Value) -> String {
    let field = |key: &str| text::line(row[key].as_str().unwrap_or_default());
    format!("{}  {:<20} {:<14} {}", field("id"), field("name"), field("status"), in_words(row))
}

/// What a proposal waits for, or what became of it.
pub(crate) fn in_words(row: &Value) -> String {
    let reason = match row["reason"].as_str() {
        Some(reason) if !reason.is_empty() => format!(" ({})", text::cut(reason, 200)),
        _ => String::new(),
    };
    let words = match (row["waits_for"].as_str(), status(row)) {
        (Some("person"), _) => "waits for a person's yes".to_owned(),
        (Some("model"), _) => "waits for a model".to_owned(),
        (Some("compiler"), _) => "waits for the compiler".to_owned(),
        (Some("room"), _) => "waits for room".to_owned(),
        (Some(other), _) => format!("waits for: {}", text::line(other)),
        (None, Some(Status::New)) => "waits to be picked up by the admin service".to_owned(),
        (None, Some(Status::HumanReview)) => "waits for a person's yes".to_owned(),
        (None, Some(Status::Accepted)) => "installed".to_owned(),
        (None, Some(Status::Rejected)) => "was refused".to_owned(),
        (None, Some(Status::Removed)) => "was taken away again".to_owned(),
        (None, _) => "is being worked on".to_owned(),
    };
    format!("{words}{reason}")
}

/// Whether something can still come of a proposal.
pub(crate) fn is_open(row: &Value) -> bool {
    status(row).is_some_and(|status| !status.is_settled())
}

/// The rows with what is nearest to its end first, then what has ended; among equals the oldest first.
pub(crate) fn nearest_first(mut rows: Vec<Value>) -> Vec<Value> {
    rows.sort_by_key(|row| match status(row) {
        Some(status) if !status.is_settled() => (0, Reverse(Some(status))),
        _ => (1, Reverse(None)),
    });
    rows
}

fn status(row: &Value) -> Option<Status> {
    let word = row["status"].as_str()?;
    Status::ALL.into_iter().find(|status| status.as_str() == word)
}

#[cfg(test)]
mod tests;
