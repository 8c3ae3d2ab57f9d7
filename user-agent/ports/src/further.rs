//! Further folders that the configuration opens to the profile, as skills may know them: their names, and no handle.

use shared_types::grants::{FileGrants, beneath};

/// A further folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Further {
    /// Its path as the configuration spells it.
    pub spelled: String,
    pub path: String,
    /// What may be done beneath it.
    pub files: FileGrants,
}

impl Further {
    /// Whether files are written there.
    pub fn writes(&self) -> bool {
        !self.files.write.is_empty()
    }

    /// `read` or `write`, as the configuration says it.
    pub fn access(&self) -> &'static str {
        if self.writes() { "write" } else { "read" }
    }

    /// What of a path is beneath this folder, whichever of its names the path begins with.
    pub fn beneath<'a>(&self, path: &'a str) -> Option<&'a str> {
        [&self.spelled, &self.path].into_iter().find_map(|name| beneath(path, name))
    }
}
