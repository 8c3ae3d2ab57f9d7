//! Writes proposals, and reads what became of them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shared_types::id::ProposalId;
use shared_types::proposal::{self, Document};
use shared_types::yaml;

use crate::kernel::paths::Folder;

/// What others may do with a proposal: the admin's group reads it.
const MODE: u32 = 0o640;

/// Puts a proposal into the folder; whoever watches it sees the whole file or none.
///
/// # Errors
/// A sentence that says why.
pub fn write(proposals: &Folder, document: &Document) -> Result<(), String> {
    let text = yaml::to_string(document).map_err(|e| e.to_string())?;
    // What the admin would refuse is not written.
    proposal::parse(&text)
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    proposals.create_new(&document.file_name(), text.as_bytes(), MODE).map_err(|e| e.to_string())
}

/// Every proposal of the profile, oldest first; where the admin's mirror tells more, it counts.
pub fn list(proposals: &Folder, status: Option<&Folder>) -> Vec<Document> {
    let mut found: BTreeMap<ProposalId, Document> = BTreeMap::new();
    for folder in std::iter::once(proposals).chain(status) {
        for name in folder.files().unwrap_or_default() {
            if name.ends_with(".yaml")
                && let Ok(text) = folder.read_text(&name, yaml::MAX_BYTES as u64)
                && let Ok(document) = proposal::parse(&text)
            {
                found.insert(document.proposal.id.clone(), document);
            }
        }
    }
    found.into_values().collect()
}

/// A proposal as one row of a list.
pub fn row(document: &Document) -> Value {
    let proposal = &document.proposal;
    let reason = document.history.last().and_then(|entry| entry.reason.clone());
    json!({
        "id": proposal.id,
        "name": proposal.name,
        "status": document.status,
        "waits_for": document.waits_for,
        "reason": reason,
        "description": proposal.description,
        "capabilities": proposal.capabilities,
        "generated_at": proposal.generated_at,
    })
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
    json!({"document": document, "yaml": yaml::to_string(document).unwrap_or_default()})
}
