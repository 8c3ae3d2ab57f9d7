//! The orders of a child.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use shared_types::id::ProfileId;

/// The word of the child's hidden verb.
pub const VERB: &str = "data";
/// The word to begin.
pub(super) const GO: u8 = b'g';
/// The word to begin, even unconfined.
pub(super) const GO_UNCONFINED: u8 = b'u';

/// What the child is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Orders {
    /// `data/`.
    pub(super) data: PathBuf,
    /// The user and group that it becomes.
    pub(super) user: Option<(u32, u32)>,
    /// Whether root started it early: it becomes the user at once, before it waits for the word to begin.
    pub(super) waits: bool,
    pub(super) job: Job,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Job {
    /// Hand over every file, logins where they are wanted.
    Gather { logins: bool },
    /// Tell of which profiles there is something, and what each has seen.
    Survey,
    /// Make the folders of the profiles that come in, and those of logins and of the network.
    Folders,
    /// Write the files that come in.
    Put,
    /// Remove what there is of a profile.
    Erase { profile: ProfileId },
}

impl Job {
    /// Whether it changes anything.
    pub(super) fn writes(&self) -> bool {
        matches!(self, Job::Put | Job::Folders | Job::Erase { .. })
    }
}
