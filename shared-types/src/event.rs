//! The only way skills talk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{ConversationId, EventType, ProfileId};

/// The core event types; skills may add `<skill>.<event>` types without a change of the kernel.
pub mod core {
    /// A line that the person typed.
    pub const USER_INPUT: &str = "user_input";
    /// Records are looked up.
    pub const MEMORY_QUERY: &str = "memory_query";
    /// Records are stored.
    pub const MEMORY_STORE: &str = "memory_store";
    /// A wish becomes a proposal.
    pub const SKILL_PROPOSAL: &str = "skill_proposal";
    /// The assistant says something.
    pub const ASSISTANT_OUTPUT: &str = "assistant_output";
    /// All of them.
    pub const ALL: [&str; 5] = [USER_INPUT, MEMORY_QUERY, MEMORY_STORE, SKILL_PROPOSAL, ASSISTANT_OUTPUT];
}

/// One event; the kernel sets source, session and profile, whatever the sender wrote there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What happened.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// The content, by type.
    pub payload: Value,
    /// The skill that sent it.
    pub source: String,
    /// The conversation.
    pub session_id: ConversationId,
    /// The person's space.
    pub profile_id: ProfileId,
    /// Anything else, by name.
    #[serde(default)]
    pub metadata: BTreeMap<String, Value>,
}
