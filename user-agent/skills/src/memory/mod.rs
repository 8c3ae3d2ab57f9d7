//! Facts and conversations: how they are kept and found is the library's business, who may ask for what is this one's.
//!
//! Any skill other than the conversation or the terminal stores facts only, as outside content under its own name.

use bot_base::log;
use kernel::skill::{Call, Outcome, Skill};
use memory::{Fact, Kind, Record, Store, Stored, statements};
use ports::handles::{self, HandleError};
use ports::own::{core_events, own_name};
use ports::{KernelContext, Shared};
use serde_json::Value;
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName, ToolName};
use shared_types::message::{Answer, Message, Recall, Remember, StoredFact};
use shared_types::verdict::Denial;
use shared_types::verdict::Weight;

pub mod correct;
mod extract;
mod past;
pub(crate) mod reminders;
mod scheduled;
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
    /// It would do more than add facts.
    #[error("the skill `{0}` may add facts and no more")]
    Untrusted(String),
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
        search::call(call.args, call.line, ctx)
            .map_or_else(|why| Outcome::Failed(why.to_string()), Outcome::Said)
    }

    fn answer(&self, event: &Event<Message>, ctx: &KernelContext) -> Option<Answer> {
        let answer = match &event.payload {
            Message::Recall(asked) => recall(asked, ctx),
            Message::Remember(asked) => store(asked, event, ctx),
            _ => return None,
        };
        Some(answer.unwrap_or_else(|error| Answer::Failed(error.to_string())))
    }
}

fn recall(asked: &Recall, ctx: &KernelContext) -> Result<Answer, NotAnswered> {
    let memory = ctx.handles().recall()?;
    let within = |limit: &Option<usize>, most: usize| limit.unwrap_or(most).min(most);
    Ok(match asked {
        Recall::Facts { query, limit } if query.trim().is_empty() => {
            Answer::Facts(memory.facts(within(limit, usize::MAX))?)
        }
        Recall::Facts { query, limit } => {
            Answer::Facts(memory.search_facts(query.trim(), within(limit, MOST))?)
        }
        Recall::Preferences => {
            let mut facts = memory.facts(MOST)?;
            facts.retain(|fact| {
                !fact.outside && (fact.kind == Kind::Preference || statements::name(&fact.text).is_some())
            });
            Answer::Facts(facts)
        }
        Recall::Turns { query, limit } => {
            Answer::Turns(memory.search_turns(query.trim(), within(limit, MOST))?)
        }
        Recall::Conversation { id, limit } => {
            Answer::Turns(memory.conversation(id, within(limit, MOST_MESSAGES))?)
        }
        Recall::Conversations { limit } => Answer::Conversations(memory.conversations(within(limit, MOST))?),
        Recall::Past { limit } => {
            Answer::Conversations(past::past(memory, ctx.conversation().as_str(), within(limit, MOST))?)
        }
        Recall::Last => Answer::Last(memory.last_conversation()?),
        Recall::Show { id } => Answer::Records(memory.show(id)?),
        Recall::Due { since } => reminders::due(*since, ctx)?,
    })
}

fn store(asked: &Remember, event: &Event<Message>, ctx: &KernelContext) -> Result<Answer, NotAnswered> {
    let memory = ctx.handles().store()?;
    let trusted = TRUSTED.contains(&event.source.as_str());
    match asked {
        Remember::Fact { text, said_by, turn_id, outside } => {
            let text = shared_types::text::cut(text.trim(), memory::MAX_FACT);
            if text.is_empty() {
                return Err(NotAnswered::Nothing);
            }
            let named = said_by.as_deref().unwrap_or("person");
            let said_by = if trusted { named } else { &event.source };
            let is_persons = trusted && said_by == "person" && !outside;
            // Of what a person tells at once, each half can be put right and forgotten without the other.
            let parts = if is_persons { statements::parts(&text) } else { vec![text] };
            let mut kept = Err(NotAnswered::Nothing);
            for text in parts {
                let fact = Fact {
                    kind: statements::statement(&text).map(|statement| statement.kind).unwrap_or_default(),
                    said_by: said_by.to_owned(),
                    // What the person said is theirs, regardless of what else the conversation holds.
                    outside: !trusted || *outside || (said_by != "person" && ctx.holds().outside),
                    turn_id: turn_id.clone(),
                    ..new_fact(text, event, ctx)
                };
                kept = Ok(Answer::Stored(keep(fact, memory)?));
            }
            kept
        }
        _ if !trusted => Err(NotAnswered::Untrusted(event.source.clone())),
        Remember::Forget { query, id } => forget(query, id.as_deref(), memory, &ctx.shared().timestamp()),
        Remember::Turns { records } => {
            let mut turns = records.clone();
            let here = event.session_id.to_string();
            for turn in turns.iter_mut().filter(|turn| turn.role != "user" && turn.conversation_id == here) {
                let holds = ctx.holds();
                turn.outside |= holds.outside;
                turn.private |= holds.private;
            }
            turns.iter_mut().for_each(past::note);
            memory.add_turns(&turns)?;
            let conversation = log::Name::of(event.session_id.as_str());
            log::event(log::Event::MemoryPersisted { records: turns.len(), conversation });
            Ok(Answer::Kept(turns.len()))
        }
        Remember::Extract { line, turn_id, conversation_id } => {
            let told = Fact {
                turn_id: turn_id.clone(),
                conversation_id: conversation_id.clone().or_else(|| Some(event.session_id.to_string())),
                ..new_fact(String::new(), event, ctx)
            };
            extract::extract(line, &told, memory, ctx)
        }
        Remember::Remind { command, language, again, around } => {
            Ok(reminders::said(command, language, *again, around, ctx)?)
        }
        Remember::Clear => {
            if let Err(why) = handles::forget_lines(ctx.shared()) {
                return Ok(Answer::Failed(why.to_string()));
            }
            let write = ctx.handles().memory_write().ok_or(HandleError::NotGranted(Token::MemoryWrite))?;
            write.forget_reminders(ctx.shared())?;
            Ok(memory.clear().map(|()| Answer::Cleared)?)
        }
    }
}

/// A fact with a new identifier, said now in this conversation.
fn new_fact(text: String, event: &Event<Message>, ctx: &KernelContext) -> Fact {
    Fact {
        id: ConversationId::generate().to_string(),
        text,
        at: ctx.shared().timestamp(),
        source: event.source.clone(),
        conversation_id: Some(event.session_id.to_string()),
        ..Fact::default()
    }
}

fn keep(fact: Fact, memory: &dyn Store) -> Result<StoredFact, NotAnswered> {
    let (id, text) = (fact.id.clone(), fact.text.clone());
    Ok(match memory.add_fact(fact)? {
        Stored::New => StoredFact::New { text, id },
        Stored::Known(old) => StoredFact::Known { text: old.text, id: old.id },
        Stored::Replaced(old) => StoredFact::Replaced { text, id, replaced: old.text },
    })
}

fn forget(query: &str, id: Option<&str>, memory: &dyn Store, at: &str) -> Result<Answer, NotAnswered> {
    let named = match id {
        Some(id) => {
            let records = memory.show(id)?;
            records.into_iter().take(1).map(|record| label(record, id)).collect()
        }
        None => {
            let meant = memory.meant(query, MOST)?;
            let meant = meant.into_iter().filter(|fact| language::restate::is_own(query, &fact.text));
            meant.map(|fact| (fact.id, fact.text)).collect::<Vec<_>>()
        }
    };
    let mut forgotten = Vec::new();
    for (id, text) in named {
        if memory.forget(&id, at)? {
            forgotten.push(text);
        }
    }
    Ok(Answer::Forgotten(forgotten))
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
