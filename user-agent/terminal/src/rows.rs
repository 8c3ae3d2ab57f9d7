//! Rows of a list of proposals, in words for people.

use std::cmp::Reverse;

use serde_json::Value;
use shared_types::status::Status;
use shared_types::text;

/// What a proposal waits for, or what became of it.
pub fn in_words(row: &Value) -> String {
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
        (None, Some(Status::Accepted)) if row["kind"] == "action" => done(row),
        (None, Some(Status::Accepted)) => "installed".to_owned(),
        (None, Some(Status::Rejected)) => "was refused".to_owned(),
        (None, Some(Status::Removed)) => "was taken away again".to_owned(),
        (None, _) => "is being worked on".to_owned(),
    };
    format!("{words}{reason}")
}

/// What came of an action that was let through.
fn done(row: &Value) -> String {
    let result = &row["result"];
    match (result["exit"].as_i64(), result["ended"].as_str()) {
        _ if row["action"]["type"] == "permit" => "a person said yes".to_owned(),
        (Some(code), _) => format!("ran: exit {code}"),
        (None, Some(ended)) => format!("did not end by itself: {}", text::cut(ended, 100)),
        (None, None) => "runs".to_owned(),
    }
}

/// What an action does, in one line; nothing for a wish.
pub fn what(row: &Value) -> Option<String> {
    Some(text::cut(row["action"]["what"].as_str()?, 200))
}

/// Whether something can still come of a proposal.
pub fn is_open(row: &Value) -> bool {
    status(row).is_some_and(|status| !status.is_settled())
}

/// The rows with what is nearest to its end first, then what has ended; among equals the oldest first.
pub fn nearest_first(mut rows: Vec<Value>) -> Vec<Value> {
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
