//! The conversation: one turn after the other, always in the same order.
//!
//! What it answers, by the content of `user_input`:
//!
//! | content | answer |
//! |---|---|
//! | `text` | `{reply, provider, model, usage, calls, notes, seconds, turn_id}`, `{refused}`, `{failed}` or `{cancelled}` |
//! | `command: retry` | as `text`, for the last line once more |
//! | `command: resume`, `argument` | `{id, turns, news}` |
//! | `command: memory`, `argument` | what memory knows, or null |
//! | `command: conversations` | the conversations so far, or null |
//! | `command: proposals` | what was asked for, or null |
//! | `command: policy` | `{max_tool_rounds, ..., rules}` |
//! | `command: permissions` | `{autonomy, grants, this_conversation_holds, skills}`, one row per skill |
//! | `command: model`, `argument` | one row per provider, or `{current}` after a choice, or `{error}` |
//!
//! While a turn runs it sends `assistant_output`: `{stream}` more of the answer, `{stream_again}` the answer begins anew,
//! `{status}` a tool is called. With `stream: false` nothing is streamed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bot_base::log;
use kernel::skill::Skill;
use ports::own::{core_events, own_name};
use ports::{KernelContext, Shared, guard};
use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};
use turn::Turn;

mod directives;
mod memories;
mod offer;
mod prompt;
mod relay;
mod rounds;
mod rules;
mod talk;
mod turn;

pub use talk::Talk;

/// The skill.
pub struct Reasoning {
    name: SkillName,
    talk: Mutex<Option<Talk>>,
    /// The thread that stores the last turn.
    storing: Mutex<Option<JoinHandle<()>>>,
    /// What was told once already.
    told: Mutex<BTreeSet<String>>,
}

impl Default for Reasoning {
    fn default() -> Self {
        Reasoning {
            name: own_name("reasoning"),
            talk: Mutex::new(None),
            storing: Mutex::new(None),
            told: Mutex::new(BTreeSet::new()),
        }
    }
}

impl Skill<Shared> for Reasoning {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Holds the conversation"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::LlmCall, Token::MemoryRead, Token::MemoryWrite].into_iter().collect()
    }

    fn handles_events(&self) -> Vec<EventType> {
        core_events(&[core::USER_INPUT])
    }

    fn emits_events(&self) -> Vec<EventType> {
        core_events(&[core::MEMORY_QUERY, core::MEMORY_STORE, core::SKILL_PROPOSAL, core::ASSISTANT_OUTPUT])
    }

    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        self.finish_storing();
        let streams = event.payload["stream"].as_bool().unwrap_or(false);
        let argument = event.payload["argument"].as_str().unwrap_or_default();
        match event.payload["command"].as_str() {
            Some("resume") => return Some(self.resume(argument, ctx)),
            Some("memory") => {
                return ctx.send(core::MEMORY_QUERY, json!({"what": "facts", "query": argument}));
            }
            Some("conversations") => {
                return ctx.send(core::MEMORY_QUERY, json!({"what": "conversations"}));
            }
            Some("proposals") => return ctx.send(core::SKILL_PROPOSAL, json!({"what": "list"})),
            Some("policy") => return Some(rules::policy(ctx)),
            Some("model") => return rules::model(argument, ctx),
            Some("permissions") => return Some(rules::permissions(ctx)),
            Some("retry") => {
                return Some(self.retry(event.session_id.clone(), streams, ctx));
            }
            Some(_) => return None,
            None => {}
        }
        let line = event.payload["text"].as_str()?;
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let talk = match &mut *talk {
            Some(talk) if talk.id == event.session_id => talk,
            other => other.insert(Talk::new(event.session_id.clone())),
        };
        talk.untyped = event.payload["untyped"] == true;
        Some(self.answer(line, streams, talk, ctx))
    }

    fn on_unload(&self, _ctx: &KernelContext) {
        self.finish_storing();
    }
}

impl Reasoning {
    /// Runs a turn and has it remembered.
    fn answer(&self, line: &str, streams: bool, talk: &mut Talk, ctx: &KernelContext) -> Value {
        let begun = std::time::Instant::now();
        let turn = talk.messages.len() as u64 / 2 + 1;
        let conversation = talk.id.clone();
        let conversation = log::Name::of(conversation.as_str());
        let _span = log::in_turn(turn, conversation);
        log::event(log::Event::TurnStarted { turn, conversation });
        let came = turn::turn(line, streams, talk, ctx);
        talk.said_last(line, matches!(came, Turn::Reply { .. }));
        match came {
            Turn::Reply { said, line } => {
                let reply = guard::output(&said.text);
                let notes = self.news(&said.notes);
                let (turn_id, records) = talk.take_down(&line, &reply, &said, ctx);
                // Facts about the person are looked for only in what the person said.
                let told = if talk.untyped { "" } else { &line };
                self.store(records, told, &turn_id, ctx);
                let took = begun.elapsed();
                log::event(log::Event::TurnFinished { turn, conversation, rounds: said.rounds, took });
                json!({
                    "reply": reply,
                    "provider": said.provider,
                    "model": said.model,
                    "usage": said.usage,
                    "calls": said.calls.len(),
                    "notes": notes,
                    "seconds": begun.elapsed().as_secs_f64(),
                    "turn_id": turn_id,
                    "incomplete": said.incomplete.then_some(true),
                })
            }
            Turn::Refused(why) => json!({"refused": why}),
            Turn::Failed(why) => json!({"failed": guard::output(&why)}),
            Turn::Cancelled => json!({"cancelled": true}),
        }
    }

    /// What was not told before.
    fn news(&self, notes: &[String]) -> Vec<String> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut news = Vec::new();
        for note in notes {
            // The same failure comes with other figures each time.
            let kind: String = note.chars().filter(|c| !c.is_ascii_digit()).collect();
            if told.insert(kind) {
                let note = guard::output(note);
                news.push(note);
            }
        }
        news
    }

    /// Remembers in the background; the next turn and the end of the program wait for it.
    fn store(&self, records: Vec<Value>, line: &str, turn_id: &ConversationId, ctx: &KernelContext) {
        let turns = json!({"what": "turns", "records": records});
        let extract = json!({
            "what": "extract", "line": line, "turn_id": turn_id, "conversation_id": ctx.conversation()});
        let theirs = ctx.clone();
        let work = Arc::new(move || keep(&theirs, &turns, &extract));
        let builder = std::thread::Builder::new().name("remember".into()).stack_size(512 * 1024);
        let run = work.clone();
        match builder.spawn(move || run()) {
            Ok(handle) => *self.storing.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle),
            // Without a thread the person waits a moment; nothing is lost.
            Err(_) => work(),
        }
    }

    fn finish_storing(&self) {
        let storing = self.storing.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(handle) = storing {
            // A panic there has been reported already.
            let _ = handle.join();
        }
    }

    fn resume(&self, asked: &str, ctx: &KernelContext) -> Value {
        let id = match asked {
            "last" | "" => {
                ctx.send(core::MEMORY_QUERY, json!({"what": "last"})).and_then(|v| v.as_str()?.parse().ok())
            }
            id => id.parse::<ConversationId>().ok(),
        };
        let id = id.unwrap_or_else(ConversationId::generate);
        let turns = ctx.send(core::MEMORY_QUERY, json!({"what": "conversation", "id": id}));
        let talk = Talk::of(id.clone(), turns.as_ref().and_then(Value::as_array).map_or(&[], Vec::as_slice));
        let answer = json!({"id": id, "turns": talk.messages.len(), "news": talk.news(ctx)});
        *self.talk.lock().unwrap_or_else(PoisonError::into_inner) = Some(talk);
        answer
    }

    /// Says the last line once more, as if its turn had not been.
    fn retry(&self, session: ConversationId, streams: bool, ctx: &KernelContext) -> Value {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let nothing = || json!({"failed": "there is no line yet to repeat"});
        let Some(talk) = talk.as_mut().filter(|talk| talk.id == session) else { return nothing() };
        let Some((line, taken)) = talk.take_back() else { return nothing() };
        let answer = self.answer(&line, streams, talk, ctx);
        if answer["reply"].is_null() {
            // What was said before still stands.
            talk.put_back(taken);
        }
        answer
    }
}

/// Stores a turn, then the facts in its line.
fn keep(ctx: &KernelContext, turns: &Value, extract: &Value) {
    let answer = ctx.send(core::MEMORY_STORE, turns.clone());
    if let Some(error) = answer.as_ref().and_then(|a| a["error"].as_str()) {
        bot_base::error::say(&format!("this turn could not be remembered: {error}"));
        return;
    }
    if extract["line"] == "" {
        return;
    }
    // A fact that is not found is no loss: the line itself is kept.
    ctx.send(core::MEMORY_STORE, extract.clone());
}

#[cfg(test)]
mod tests;
