//! Facts and conversations: stored as lines that are only ever added, looked up by relevance.
//!
//! What it answers, by the field `what` of an event:
//!
//! | event | `what` | answer |
//! |---|---|---|
//! | `memory_query` | `facts` (`query`, `limit`) | the facts, the most relevant first; without a query all, oldest first |
//! | `memory_query` | `conversation` (`id`) | its turns, oldest first |
//! | `memory_query` | `last` | the identifier of the last conversation |
//! | `memory_store` | `fact` (`text`, `said_by`) | `{stored: new, known or replaced, text}` |
//! | `memory_store` | `forget` (`query`) | `{forgotten: [texts]}` |
//! | `memory_store` | `turns` (`records`) | `{stored: n}` |

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};

use crate::kernel::context::{CONVERSATIONS, FACTS, KernelContext};
use crate::skills::{Skill, core_events, own_name};

pub mod rank;

/// The skill.
pub struct Memory {
    name: SkillName,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { name: own_name("memory") }
    }
}

/// Something that the person wants to be remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The identifier.
    pub id: String,
    /// The fact, as it was said.
    pub text: String,
    /// When.
    pub at: String,
    /// Who said it.
    pub said_by: String,
}

impl Skill for Memory {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Remembers facts and conversations"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::MemoryRead, Token::MemoryWrite].into_iter().collect()
    }

    fn handles_events(&self) -> Vec<EventType> {
        core_events(&[core::MEMORY_QUERY, core::MEMORY_STORE])
    }

    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        let answer = match event.event_type.as_str() {
            core::MEMORY_QUERY => query(&event.payload, ctx),
            core::MEMORY_STORE => store(event, ctx),
            _ => return None,
        };
        Some(answer.unwrap_or_else(|error| json!({"error": error})))
    }
}

fn query(payload: &Value, ctx: &KernelContext) -> Result<Value, String> {
    let memory = ctx.memory_read().ok_or("memory:read was not granted")?;
    match payload["what"].as_str() {
        Some("facts") => {
            let facts = facts_of(&memory.records(FACTS)?);
            let limit =
                payload["limit"].as_u64().map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
            let chosen = match payload["query"].as_str().filter(|q| !q.trim().is_empty()) {
                Some(query) => rank::best(&facts, query, limit),
                None => facts.iter().take(limit).collect(),
            };
            Ok(chosen
                .into_iter()
                .map(|f| json!({"id": f.id, "text": f.text, "at": f.at, "said_by": f.said_by}))
                .collect())
        }
        Some("conversation") => {
            let id = payload["id"].as_str().unwrap_or_default();
            let turns = memory.records(CONVERSATIONS)?;
            Ok(turns.into_iter().filter(|turn| turn["conversation_id"] == id).collect())
        }
        Some("last") => {
            let turns = memory.records(CONVERSATIONS)?;
            Ok(turns.last().map_or(Value::Null, |turn| turn["conversation_id"].clone()))
        }
        _ => Err("`what` must be facts, conversation or last".to_owned()),
    }
}

fn store(event: &Event, ctx: &KernelContext) -> Result<Value, String> {
    let payload = &event.payload;
    let writer = ctx.memory_write().ok_or("memory:write was not granted")?;
    let known = || {
        Ok::<_, String>(facts_of(&ctx.memory_read().ok_or("memory:read was not granted")?.records(FACTS)?))
    };
    match payload["what"].as_str() {
        Some("fact") => {
            let text = shared_types::text::cut(payload["text"].as_str().unwrap_or_default().trim(), 500);
            if text.is_empty() {
                return Err("there is nothing to remember".to_owned());
            }
            let facts = known()?;
            if facts.iter().any(|f| rank::fold(&f.text) == rank::fold(&text)) {
                return Ok(json!({"stored": "known", "text": text}));
            }
            let subject = subject(&text);
            let old = facts.iter().find(|f| subject.is_some() && self::subject(&f.text) == subject);
            let mut record = json!({
                "id": ConversationId::generate(),
                "text": text,
                "said_by": payload["said_by"].as_str().unwrap_or("person"),
                "at": ctx.shared().timestamp(),
                "source": event.source,
                "conversation_id": event.session_id,
            });
            if let Some(old) = old {
                record["replaces"] = json!(old.id);
            }
            writer.append(FACTS, &record)?;
            Ok(json!({"stored": if old.is_some() { "replaced" } else { "new" }, "text": text}))
        }
        Some("forget") => {
            let query = payload["query"].as_str().unwrap_or_default();
            let facts = known()?;
            let gone = rank::meant(&facts, query);
            for fact in &gone {
                writer.append(FACTS, &json!({"forgets": fact.id, "at": ctx.shared().timestamp()}))?;
            }
            Ok(json!({"forgotten": gone.iter().map(|f| &f.text).collect::<Vec<_>>()}))
        }
        Some("turns") => {
            let records = payload["records"].as_array().map_or(&[][..], Vec::as_slice);
            for record in records {
                writer.append(CONVERSATIONS, record)?;
            }
            Ok(json!({"stored": records.len()}))
        }
        _ => Err("`what` must be fact, forget or turns".to_owned()),
    }
}

/// What the lines of the log come to: later lines replace and forget earlier ones.
pub fn facts_of(records: &[Value]) -> Vec<Fact> {
    let mut facts: BTreeMap<usize, Fact> = BTreeMap::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (n, record) in records.iter().enumerate() {
        for key in ["forgets", "replaces"] {
            if let Some(place) = record[key].as_str().and_then(|id| places.get(id)) {
                facts.remove(place);
            }
        }
        if let (Some(id), Some(text)) = (record["id"].as_str(), record["text"].as_str()) {
            let field = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
            places.insert(id.to_owned(), n);
            facts.insert(
                n,
                Fact { id: id.to_owned(), text: text.to_owned(), at: field("at"), said_by: field("said_by") },
            );
        }
    }
    facts.into_values().collect()
}

/// What a fact of the form `my X is Y` is about; two facts about the same contradict each other.
fn subject(text: &str) -> Option<String> {
    const VERBS: [&str; 9] = ["is", "are", "was", "ist", "sind", "war", "heisst", "heißt", "lautet"];
    const OWNERS: [&str; 6] = ["my", "mein", "meine", "meinen", "our", "unser"];
    let folded = rank::fold(text);
    let words: Vec<&str> = folded.split_whitespace().collect();
    let folded_verbs: Vec<String> = VERBS.iter().map(|v| rank::fold(v)).collect();
    let verb = words.iter().position(|w| folded_verbs.iter().any(|v| v == w))?;
    if verb < 2 || verb + 1 >= words.len() || !OWNERS.contains(&words[0]) {
        return None;
    }
    Some(words[1..verb].join(" "))
}

#[cfg(test)]
mod tests;
