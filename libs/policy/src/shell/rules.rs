//! The rules of a profile.

use shared_types::grants::{CommandPattern, FileGrants, Grants, beneath};

/// What a profile's configuration says of commands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules<'a> {
    /// What is medium; every other command is high.
    pub allowed: &'a [CommandPattern],
    /// What never runs, beside [`FORBIDDEN`](super::FORBIDDEN): a program, or a program and its first words.
    pub forbidden: &'a [String],
    /// Files of the workspace that are forbidden.
    pub files: Option<&'a FileGrants>,
    /// Folders outside of the workspace that no command names, beside those that are always forbidden.
    pub folders: &'a [String],
}

impl<'a> Rules<'a> {
    /// The rules of a profile.
    pub fn of(grants: &'a Grants) -> Rules<'a> {
        Rules {
            allowed: &grants.commands,
            forbidden: &grants.forbidden_commands,
            files: Some(&grants.files),
            folders: &grants.forbidden_folders,
        }
    }

    /// Whether the configuration forbids a path.
    pub(super) fn forbids(&self, path: &str) -> bool {
        self.files.is_some_and(|files| files.forbids(path))
            || self.folders.iter().any(|folder| beneath(path, folder).is_some())
    }
}
