//! Writes proposals, and reads what became of them.

use documents::yaml;
pub use ports::spool::{list, write};
use serde_json::{Value, json};
use shared_types::action::Action;
use shared_types::proposal::Document;
use shared_types::text::cut;

/// A proposal as one row of a list.
pub fn row(document: &Document) -> Value {
    let proposal = &document.proposal;
    let reason = document.history.last().and_then(|entry| entry.reason.clone());
    json!({
        "id": proposal.id,
        "kind": proposal.kind,
        "name": proposal.name,
        "status": document.status,
        "waits_for": document.waits_for,
        "reason": reason,
        "description": proposal.description,
        "capabilities": proposal.capabilities,
        "generated_at": proposal.generated_at,
        "action": proposal.action.as_ref().map(|action| json!({"type": action.word(), "what": what(action)})),
        "result": document.result.as_ref().map(|result| {
            json!({"exit": result.exit, "ended": result.ended, "cut": result.cut, "ms": result.ms})
        }),
    })
}

/// An action in one line.
fn what(action: &Action) -> String {
    match action {
        Action::Shell { line, .. } => cut(line, 200),
        Action::Plugin { plugin, tool, .. } => format!("{plugin}.{tool}"),
        Action::Permit { tool, .. } => format!("a yes to one call of {}", cut(tool, 100)),
    }
}

/// The proposal of that identifier, of that beginning of one, or the newest of that name.
pub fn find<'a>(documents: &'a [Document], wanted: &str) -> Option<&'a Document> {
    let named = |d: &&Document| d.proposal.name.as_str() == wanted;
    let begins = |d: &&Document| wanted.len() >= 4 && d.proposal.id.as_str().starts_with(wanted);
    documents.iter().rev().find(named).or_else(|| {
        let mut found = documents.iter().filter(begins);
        // A beginning that two share names neither.
        found.next().filter(|_| found.next().is_none())
    })
}

/// A proposal with everything in it.
pub fn whole(document: &Document) -> Value {
    json!({"document": document, "row": row(document), "yaml": yaml::to_string(document).unwrap_or_default()})
}
