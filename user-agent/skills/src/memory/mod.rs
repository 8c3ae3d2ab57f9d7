//! Facts and conversations: how they are kept and found is the library's business, who may ask for what is this one's.
//!
//! What it answers, by the field `what` of an event; a failure is `{error}`:
//!
//! | event | `what` | answer |
//! |---|---|---|
//! | `memory_query` | `facts` (`query`, `limit`) | the facts, the most relevant first; without a query the newest, oldest first |
//! | `memory_query` | `turns` (`query`, `limit`) | the messages, the most relevant first |
//! | `memory_query` | `conversation` (`id`, `limit`) | its newest messages, oldest first |
//! | `memory_query` | `conversations` (`limit`) | `{id, at, first}` of each, the newest first |
//! | `memory_query` | `last` | the identifier of the last conversation |
//! | `memory_query` | `show` (`id`) | what it names: `{fact}` or `{turn}` each |
//! | `memory_store` | `fact` (`text`, `said_by`, `turn_id`, `outside`) | `{stored: new, known or replaced, text, id}` |
//! | `memory_store` | `forget` (`query` or `id`) | `{forgotten: [texts]}` |
//! | `memory_store` | `turns` (`records`) | `{stored: n}` |
//! | `memory_store` | `extract` (`line`, `turn_id`, `conversation_id`) | `{stored: n, facts: [texts], by: rules or model}` |
//! | `memory_store` | `clear` | `{cleared: true}` |
//!
//! Whoever is not the conversation or the terminal stores facts only, as outside content under its own name.

use bot_base::log;
use kernel::skill::{Call, Outcome, Skill};
use memory::{Fact, Record, Store, Stored, Turn};
use ports::handles::HandleError;
use ports::own::{core_events, own_name};
use ports::{KernelContext, Shared};
use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName, ToolName};
use shared_types::verdict::Denial;
use shared_types::verdict::Weight;

mod extract;
mod search;

/// The skills that speak for the person.
const TRUSTED: [&str; 3] = ["reasoning", "cli", "memory"];
/// The most records of one answer, unless all facts are asked for.
const MOST: usize = 1_000;
/// The messages of a conversation that are answered.
const MOST_MESSAGES: usize = 2_000;

/// Why a question or a request has no answer.
#[derive(Debug, thiserror::Error)]
enum NotAnswered {
    /// The token was not granted.
    #[error(transparent)]
    NotGranted(#[from] HandleError),
    /// The memory cannot do it.
    #[error(transparent)]
    Memory(#[from] memory::Error),
    /// A field that it needs.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// Another `what` than these.
    #[error("`what` must be {0}")]
    Unknown(&'static str),
    /// It would do more than add facts.
    #[error("the skill `{0}` may add facts and no more")]
    Untrusted(String),
    /// Records of another form.
    #[error("`records` are no messages: {0}")]
    NotMessages(#[from] serde_json::Error),
    /// A fact without words.
    #[error("there is nothing to remember")]
    Nothing,
}

/// The skill.
pub struct Memory {
    name: SkillName,
    tools: Vec<Tool>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { name: own_name("memory"), tools: vec![search::tool()] }
    }
}

impl Skill<Shared> for Memory {
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
        [Token::MemoryRead, Token::MemoryWrite, Token::LlmCall].into_iter().collect()
    }

    fn handles_events(&self) -> Vec<EventType> {
        core_events(&[core::MEMORY_QUERY, core::MEMORY_STORE])
    }

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn full_name(&self, tool: &ToolName) -> String {
        tool.to_string()
    }

    fn weigh(&self, _: &Tool, args: &Value, ctx: &KernelContext) -> Result<Weight, Denial> {
        Ok(search::weigh(args, ctx))
    }

    fn call_tool(&self, _: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        search::call(call.args, ctx).map_or_else(|why| Outcome::Failed(why.to_string()), Outcome::Said)
    }

    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        let answer = match event.event_type.as_str() {
            core::MEMORY_QUERY => query(&event.payload, ctx),
            core::MEMORY_STORE => store(event, ctx),
            _ => return None,
        };
        Some(answer.unwrap_or_else(|error| json!({"error": error.to_string()})))
    }
}

fn query(payload: &Value, ctx: &KernelContext) -> Result<Value, NotAnswered> {
    let memory = ctx.handles().recall()?;
    let limit = |most: usize| {
        payload["limit"].as_u64().map_or(most, |n| usize::try_from(n).unwrap_or(most)).min(most)
    };
    let words = payload["query"].as_str().unwrap_or_default().trim();
    let id = || payload["id"].as_str().ok_or(NotAnswered::Missing("id"));
    Ok(match payload["what"].as_str() {
        Some("facts") if words.is_empty() => facts(memory.facts(limit(usize::MAX))?),
        Some("facts") => facts(memory.search_facts(words, limit(MOST))?),
        Some("turns") => json!(memory.search_turns(words, limit(MOST))?),
        Some("conversation") => json!(memory.conversation(id()?, limit(MOST_MESSAGES))?),
        Some("conversations") => json!(memory.conversations(limit(MOST))?),
        Some("last") => json!(memory.last_conversation()?),
        Some("show") => json!(memory.show(id()?)?),
        _ => return Err(NotAnswered::Unknown("facts, turns, conversation, conversations, last or show")),
    })
}

/// Facts with their provenance; whether they came from outside is always said.
fn facts(facts: Vec<Fact>) -> Value {
    let row = |fact: Fact| {
        let outside = fact.outside;
        let mut row = json!(fact);
        row["outside"] = json!(outside);
        row
    };
    facts.into_iter().map(row).collect()
}

fn store(event: &Event, ctx: &KernelContext) -> Result<Value, NotAnswered> {
    let payload = &event.payload;
    let memory = ctx.handles().store()?;
    let trusted = TRUSTED.contains(&event.source.as_str());
    match payload["what"].as_str() {
        Some("fact") => remember(event, trusted, memory, ctx),
        Some("forget" | "turns" | "extract" | "clear") if !trusted => {
            Err(NotAnswered::Untrusted(event.source.clone()))
        }
        Some("forget") => forget(payload, memory, &ctx.shared().timestamp()),
        Some("turns") => {
            let mut turns: Vec<Turn> = serde_json::from_value(payload["records"].clone())?;
            let here = event.session_id.to_string();
            for turn in turns.iter_mut().filter(|turn| turn.role != "user" && turn.conversation_id == here) {
                let holds = ctx.holds();
                turn.outside |= holds.outside;
                turn.private |= holds.private;
            }
            memory.add_turns(&turns)?;
            let conversation = event.session_id.as_str();
            let conversation = log::Name::of(conversation);
            log::event(log::Event::MemoryPersisted { records: turns.len(), conversation });
            Ok(json!({"stored": turns.len()}))
        }
        Some("extract") => extract::extract(event, memory, ctx),
        Some("clear") => Ok(memory.clear().map(|()| json!({"cleared": true}))?),
        _ => Err(NotAnswered::Unknown("fact, forget, turns, extract or clear")),
    }
}

fn remember(
    event: &Event,
    trusted: bool,
    memory: &dyn Store,
    ctx: &KernelContext,
) -> Result<Value, NotAnswered> {
    let payload = &event.payload;
    let text = shared_types::text::cut(payload["text"].as_str().unwrap_or_default().trim(), memory::MAX_FACT);
    if text.is_empty() {
        return Err(NotAnswered::Nothing);
    }
    let said_by = if trusted { payload["said_by"].as_str().unwrap_or("person") } else { &event.source };
    let fact = Fact {
        said_by: said_by.to_owned(),
        // What the person said is theirs, whatever else the conversation holds.
        outside: !trusted || payload["outside"] == true || (said_by != "person" && ctx.holds().outside),
        turn_id: payload["turn_id"].as_str().map(str::to_owned),
        ..new_fact(text, event, ctx)
    };
    keep(fact, memory)
}

/// A fact with a new identifier, said now in this conversation.
fn new_fact(text: String, event: &Event, ctx: &KernelContext) -> Fact {
    Fact {
        id: ConversationId::generate().to_string(),
        text,
        at: ctx.shared().timestamp(),
        source: event.source.clone(),
        conversation_id: Some(event.session_id.to_string()),
        ..Fact::default()
    }
}

fn keep(fact: Fact, memory: &dyn Store) -> Result<Value, NotAnswered> {
    let (id, text) = (fact.id.clone(), fact.text.clone());
    Ok(match memory.add_fact(fact)? {
        Stored::New => json!({"stored": "new", "text": text, "id": id}),
        Stored::Known(old) => json!({"stored": "known", "text": old.text, "id": old.id}),
        Stored::Replaced(old) => json!({"stored": "replaced", "text": text, "id": id, "replaced": old.text}),
    })
}

fn forget(payload: &Value, memory: &dyn Store, at: &str) -> Result<Value, NotAnswered> {
    let named = match payload["id"].as_str() {
        Some(id) => {
            let records = memory.show(id)?;
            records.into_iter().take(1).map(|record| label(record, id)).collect()
        }
        None => {
            let query = payload["query"].as_str().unwrap_or_default();
            let meant = memory.meant(query, MOST)?;
            meant.into_iter().map(|fact| (fact.id, fact.text)).collect::<Vec<_>>()
        }
    };
    let mut forgotten = Vec::new();
    for (id, text) in named {
        if memory.forget(&id, at)? {
            forgotten.push(text);
        }
    }
    Ok(json!({"forgotten": forgotten}))
}

/// What is forgotten by an identifier, and what it is called.
fn label(record: Record, id: &str) -> (String, String) {
    match record {
        Record::Fact(fact) => (fact.id, fact.text),
        Record::Turn(turn) => (id.to_owned(), format!("the conversation of {}", turn.timestamp)),
    }
}

#[cfg(test)]
mod tests;
