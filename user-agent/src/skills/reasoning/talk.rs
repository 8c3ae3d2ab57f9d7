//! One conversation: what was said, and what the assistant offered last.

use models::{Message, Role};
use serde_json::{Value, json};
use shared_types::id::ConversationId;

use super::Said;
use crate::kernel::context::KernelContext;

/// How much of a conversation a model sees again.
const MOST_MESSAGES: usize = 40;
const MOST_BYTES: usize = 24 * 1024;

/// A conversation.
pub struct Talk {
    /// The identifier.
    pub id: ConversationId,
    /// What was said, oldest first.
    pub messages: Vec<Message>,
    /// The line for which the assistant offered to ask, if its last reply did.
    pub offer: Option<String>,
    /// The learned skills at the last turn, if there was one.
    skills: Option<Vec<String>>,
}

impl Talk {
    /// A new conversation.
    pub fn new(id: ConversationId) -> Talk {
        Talk { id, messages: vec![], offer: None, skills: None }
    }

    /// A conversation from its records, oldest first.
    pub fn of(id: ConversationId, records: &[Value]) -> Talk {
        let mut talk = Talk::new(id);
        for record in records {
            let content = record["content"].as_str().unwrap_or_default();
            match record["role"].as_str() {
                Some("user") => talk.messages.push(Message::user(content)),
                Some("assistant") => {
                    talk.messages.push(plain(Role::Assistant, content));
                    let metadata = &record["metadata"];
                    talk.offer = metadata["offer"].as_str().map(str::to_owned);
                    let names = metadata["skills"].as_array();
                    talk.skills =
                        names.map(|n| n.iter().filter_map(|s| s.as_str().map(str::to_owned)).collect());
                }
                _ => {}
            }
        }
        talk
    }

    /// What a model sees again: the newest messages, beginning with a line of the person.
    pub fn recent(&self) -> Vec<Message> {
        let mut bytes = 0;
        let fits = |message: &&Message| {
            bytes += message.content.len();
            bytes <= MOST_BYTES
        };
        let kept = self.messages.iter().rev().take(MOST_MESSAGES).take_while(fits).count();
        let newest = &self.messages[self.messages.len() - kept..];
        let start = newest.iter().position(|m| m.role == Role::User).unwrap_or(newest.len());
        newest[start..].to_vec()
    }

    /// Takes a turn down: into the conversation, and as records for memory.
    pub(super) fn take_down(
        &mut self,
        line: &str,
        reply: &str,
        said: &Said,
        ctx: &KernelContext,
    ) -> Vec<Value> {
        self.offer = super::offers_to_learn(reply).then(|| line.to_owned());
        self.messages.push(Message::user(line));
        self.messages.push(plain(Role::Assistant, reply));
        let skills = learned(ctx);
        let turn = ConversationId::generate();
        let at = ctx.shared().timestamp();
        let records = vec![
            json!({"conversation_id": self.id, "turn_id": turn, "timestamp": at, "role": "user", "content": line}),
            json!({
                "conversation_id": self.id,
                "turn_id": turn,
                "timestamp": at,
                "role": "assistant",
                "content": reply,
                "tool_calls": said.calls,
                "tool_results": said.results,
                "provider": said.provider,
                "model": said.model,
                "metadata": {"offer": self.offer, "skills": skills},
            }),
        ];
        self.skills = Some(skills);
        records
    }

    /// The skills that were learned since the last turn.
    pub fn news(&self, ctx: &KernelContext) -> Vec<String> {
        match &self.skills {
            Some(before) => learned(ctx).into_iter().filter(|name| !before.contains(name)).collect(),
            None => vec![],
        }
    }
}

fn learned(ctx: &KernelContext) -> Vec<String> {
    ctx.skills().into_iter().filter(|s| s.learned).map(|s| s.name.to_string()).collect()
}

fn plain(role: Role, content: &str) -> Message {
    Message { role, content: content.to_owned(), tool_calls: vec![], tool_call_id: None }
}
