//! The record of calls that typed words excused, so that a later run of the program counts them too.

use serde_json::json;
use shared_types::id::ConversationId;

use crate::{ByKernel, Shared};

/// The file, beneath `logs/`, with a record for each call that typed words excused.
const EXCUSED: &str = "excused.jsonl";
/// The largest such file, in bytes; beyond half of it the older half goes.
const MOST_EXCUSED_BYTES: u64 = 512 * 1024;

impl Shared {
    /// Puts on record that typed words excuse a call, so that a later run of the program counts it too; answers whether
    /// that could be done. On some channels a line excuses nothing.
    pub(crate) fn note_excused(&self, _: &ByKernel, tool: &str) -> bool {
        if !self.session.through.excuses() {
            return false;
        }
        if self.places.0.logs.stamp(EXCUSED).is_some_and(|(_, size)| size > MOST_EXCUSED_BYTES / 2) {
            // What cannot be read counts as a whole share in a later run; it is not thrown away.
            let Ok(all) = self.places.0.logs.read_text(EXCUSED, MOST_EXCUSED_BYTES) else { return false };
            let lines: Vec<&str> = all.lines().collect();
            let newest = lines[lines.len() / 2..].join("\n");
            if self.places.0.logs.replace(EXCUSED, format!("{newest}\n").as_bytes()).is_err() {
                return false;
            }
        }
        let record = json!({"at": self.timestamp(), "conversation": self.conversation(), "tool": tool});
        self.places.0.logs.append(EXCUSED, &record.to_string()).is_ok()
    }

    /// How many calls typed words excused in a conversation; one whose records cannot be read had its share.
    pub(crate) fn excused_in(&self, _: &ByKernel, conversation: &ConversationId) -> usize {
        if !self.session.through.excuses() {
            return usize::MAX;
        }
        match self.places.0.logs.read_text(EXCUSED, MOST_EXCUSED_BYTES) {
            Ok(text) => text.lines().filter(|line| line.contains(conversation.as_str())).count(),
            Err(e) if e.is_missing() => 0,
            Err(_) => usize::MAX,
        }
    }
}
