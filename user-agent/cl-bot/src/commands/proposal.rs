//! `cl-bot proposal`: what was asked for, and where it stands.

use bot_base::error::Error;
use clap::Subcommand;
use serde_json::json;
use shared_types::message::{Answer, ProposalRow, Request};
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
    let request = match verb {
        Verb::List(_) => Request::List,
        Verb::Show { id, .. } => Request::Show { id: id.clone() },
    };
    match (super::looking(options, |ctx| super::asked(ctx, request))?, verb) {
        (Some(Answer::Proposals(rows)), Verb::List(format)) => {
            for row in nearest_first(rows) {
                super::print(&if format.json { shared_types::json::line(&json!(row)) } else { line(&row) });
            }
        }
        (Some(Answer::Proposal(None)), Verb::Show { id, .. }) => {
            return Err(Error::NoProposal(text::cut(id, 80)));
        }
        (Some(Answer::Proposal(Some(document))), Verb::Show { json: true, .. }) => {
            super::print_json(&json!(document));
        }
        (Some(Answer::Proposal(Some(document))), Verb::Show { .. }) => {
            super::print(&format!("# {}", line(&ProposalRow::from(&*document))));
            super::print(&text::block(&documents::yaml::to_string(&document).unwrap_or_default()));
        }
        _ => return Ok(exit::FAILED),
    }
    Ok(exit::DONE)
}

/// One row of a list, for people.
fn line(row: &ProposalRow) -> String {
    let what = what(row).map_or(String::new(), |what| format!(": {what}"));
    let [name, status] = [row.name.as_str(), row.status.as_str()];
    format!("{}  {name:<20} {status:<14} {}{what}", row.id, in_words(row))
}
