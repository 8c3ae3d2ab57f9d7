//! What the last runs of a profile's schedules came to: one JSON value a line, from the service to the profile's chat.

use serde::{Deserialize, Serialize};

use crate::id::WorkflowName;

/// The file's name, in the profile's mirror.
pub const FILE: &str = "scheduled.jsonl";
/// The name under which the chat is handed a digest of the profile's week; no schedule has it.
pub const DIGEST: &str = "weekly-digest";
/// The most runs of one schedule that are kept for its person.
pub const MOST: usize = 3;

/// A run that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Over {
    /// The schedule.
    pub schedule: WorkflowName,
    /// Which run of the schedule it was, from 1.
    pub number: u64,
    /// When it was over, in RFC 3339.
    pub at: String,
    /// The exit code; none where it was ended, or could not begin.
    pub exit: Option<u8>,
    /// What it said last, safe to show.
    pub words: String,
    /// Whether it said more before that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}
