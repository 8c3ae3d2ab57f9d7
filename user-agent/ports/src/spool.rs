//! The folder into which proposals are put, and the admin's mirror that tells what became of them.

use std::collections::BTreeMap;

use bot_base::paths::{Folder, PathError};
use documents::yaml::{self, YamlError};
use shared_types::id::ProposalId;
use shared_types::proposal::{Document, Fault};

/// What others may do with a proposal: the admin's group reads it.
pub(super) const MODE: u32 = 0o640;

/// Why a proposal was not put into the folder.
#[derive(Debug, thiserror::Error)]
pub enum NotWritten {
    /// It has no form as YAML.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The admin would refuse it.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Fault>),
    /// The folder takes no file.
    #[error(transparent)]
    Folder(#[from] PathError),
}

/// Puts a proposal into the folder; a program that watches it sees the whole file or none.
///
/// # Errors
/// See [`NotWritten`].
pub fn write(proposals: &Folder, document: &Document) -> Result<(), NotWritten> {
    let text = yaml::to_string(document)?;
    // What the admin would refuse is not written.
    documents::proposal::parse_written(&text).map_err(NotWritten::Refused)?;
    Ok(proposals.create_new(&document.file_name(), text.as_bytes(), MODE)?)
}

/// Every proposal of the profile, oldest first; where the admin's mirror tells more, it counts.
pub fn list(proposals: &Folder, status: Option<&Folder>) -> Vec<Document> {
    begins_with(proposals, status, "")
}

/// The same, of the files whose names begin so.
pub(super) fn begins_with(proposals: &Folder, status: Option<&Folder>, head: &str) -> Vec<Document> {
    let wish = |name: &str| {
        let text = proposals.read_text(name, yaml::MAX_BYTES as u64).ok()?;
        documents::proposal::parse_written(&text).ok()
    };
    let mut found: BTreeMap<ProposalId, Document> = BTreeMap::new();
    let mut take = |folder: &Folder, read: &dyn Fn(&str) -> Option<Document>| {
        for name in folder.files().unwrap_or_default() {
            if name.starts_with(head)
                && name.ends_with(".yaml")
                && let Some(document) = read(&name)
            {
                found.insert(document.proposal.id.clone(), document);
            }
        }
    };
    take(proposals, &wish);
    if let Some(status) = status {
        take(status, &|name| mirror(status, name));
    }
    found.into_values().collect()
}

/// The mirror of that name, where there is one that can be read; it is as large as the result of an action may make it.
pub(super) fn mirror(status: &Folder, name: &str) -> Option<Document> {
    let text = status.read_text(name, yaml::MAX_MIRROR_BYTES as u64).ok()?;
    documents::proposal::parse_mirror(&text).ok()
}
