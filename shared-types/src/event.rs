//! The only way skills talk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{ConversationId, EventType, ProfileId};
use crate::message::Message;

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

/// One event; the kernel sets source, session and profile, regardless of what the sender wrote there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event<T = Value> {
    /// What happened.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// The content, by type.
    pub payload: T,
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

impl Event<Message> {
    /// The event as a learned skill receives it.
    pub fn to_json(&self) -> Event {
        let Event { event_type, payload, source, session_id, profile_id, metadata } = self;
        Event {
            event_type: event_type.clone(),
            payload: payload.to_json(),
            source: source.clone(),
            session_id: session_id.clone(),
            profile_id: profile_id.clone(),
            metadata: metadata.clone(),
        }
    }
}
