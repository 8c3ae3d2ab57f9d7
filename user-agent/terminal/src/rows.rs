//! Rows of a list of proposals, in words for people.

use std::cmp::Reverse;

use shared_types::message::ProposalRow;
use shared_types::proposal::Kind;
use shared_types::sorted;
use shared_types::status::{Status, Wait};
use shared_types::text;

/// What a proposal waits for, or what became of it.
pub fn in_words(row: &ProposalRow) -> String {
    let reason = match &row.reason {
        Some(reason) if !reason.is_empty() => format!(" ({})", text::cut(reason, 200)),
        _ => String::new(),
    };
    let words = match (row.waits_for, row.status) {
        (Some(Wait::Person), _) | (None, Status::HumanReview) => "waits for a person's yes".to_owned(),
        (Some(Wait::Model), _) => "waits for a model".to_owned(),
        (Some(Wait::Compiler), _) => "waits for the compiler".to_owned(),
        (Some(Wait::Room), _) => "waits for room".to_owned(),
        (None, Status::New) => "waits to be picked up by the admin service".to_owned(),
        (None, Status::Accepted) if row.kind == Kind::Action => done(row),
        (None, Status::Accepted) => "installed".to_owned(),
        (None, Status::Rejected) => "was refused".to_owned(),
        (None, Status::Removed) => "was taken away again".to_owned(),
        (None, Status::Discovered | Status::Implementation | Status::AgentReview) => {
            "is being worked on".to_owned()
        }
    };
    format!("{words}{reason}")
}

/// What came of an action that was let through.
fn done(row: &ProposalRow) -> String {
    if row.action.as_ref().is_some_and(|action| action.kind == "permit") {
        return "a person said yes".to_owned();
    }
    match row.result.as_ref().map(|result| (result.exit, &result.ended)) {
        Some((Some(code), _)) => format!("ran: exit {code}"),
        Some((None, Some(ended))) => format!("did not end on its own: {}", text::cut(ended, 100)),
        Some((None, None)) | None => "runs".to_owned(),
    }
}

/// What an action does, in one line; nothing for a wish.
pub fn what(row: &ProposalRow) -> Option<String> {
    Some(text::cut(&row.action.as_ref()?.what, 200))
}

/// The rows with what is nearest to its end first, then what has ended; among equals the oldest first.
pub fn nearest_first(mut rows: Vec<ProposalRow>) -> Vec<ProposalRow> {
    sorted::by_key(&mut rows, |row| match row.status.is_settled() {
        false => (0, Reverse(Some(row.status))),
        true => (1, Reverse(None)),
    });
    rows
}

#[cfg(test)]
mod tests;
