//! The conversation: one turn after the other, always in the same order.
//!
//! What it answers, by the content of `user_input`:
//!
//! | content | answer |
//! |---|---|
//! | `text` | `{reply}`, `{refused}`, `{failed}` or `{cancelled}` |
//! | `command: resume`, `argument` | `{id, turns, news}` |
//! | `command: memory`, `argument` | what memory knows, or null |
//! | `command: proposals` | what was asked for, or null |

use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use models::{Message, Request, Role, TASK, language};
use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};

use crate::kernel::context::KernelContext;
use crate::kernel::guard::{self, Verdict};
use crate::skills::{Outcome, Skill, core_events, own_name, words};
use directives::Directive;

mod directives;
mod prompt;
mod talk;

pub use talk::Talk;

/// The skill.
pub struct Reasoning {
    name: SkillName,
    talk: Mutex<Option<Talk>>,
    /// The thread that stores the last turn.
    storing: Mutex<Option<JoinHandle<()>>>,
}

impl Default for Reasoning {
    fn default() -> Self {
        Reasoning { name: own_name("reasoning"), talk: Mutex::new(None), storing: Mutex::new(None) }
    }
}

/// What a turn came to.
enum Turn {
    Reply(Said),
    Refused(String),
    Failed(String),
    Cancelled,
}

/// A reply, and how it came about.
#[derive(Default)]
struct Said {
    text: String,
    provider: String,
    model: String,
    calls: Vec<Value>,
    results: Vec<Value>,
    /// A tool gave the answer.
    by_tool: bool,
}

impl Skill for Reasoning {
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
        match event.payload["command"].as_str() {
            Some("resume") => return Some(self.resume(&event.payload, ctx)),
            Some("memory") => {
                let query = event.payload["argument"].as_str().unwrap_or_default();
                return ctx.send(core::MEMORY_QUERY, json!({"what": "facts", "query": query}));
            }
            Some("proposals") => return ctx.send(core::SKILL_PROPOSAL, json!({"what": "list"})),
            Some(_) => return None,
            None => {}
        }
        let line = event.payload["text"].as_str()?;
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let talk = match &mut *talk {
            Some(talk) if talk.id == event.session_id => talk,
            other => other.insert(Talk::new(event.session_id.clone())),
        };
        Some(match turn(line, talk, ctx) {
            Turn::Reply(said) => {
                let reply = guard::output(&said.text);
                let records = talk.take_down(line, &reply, &said, ctx);
                self.store(records, ctx);
                json!({"reply": reply})
            }
            Turn::Refused(why) => json!({"refused": why}),
            Turn::Failed(why) => json!({"failed": guard::output(&why)}),
            Turn::Cancelled => json!({"cancelled": true}),
        })
    }

    fn on_unload(&self, _ctx: &KernelContext) {
        self.finish_storing();
    }
}

impl Reasoning {
    /// Remembers in the background; the next turn and the end of the program wait for it.
    fn store(&self, records: Vec<Value>, ctx: &KernelContext) {
        let payload = json!({"what": "turns", "records": records});
        let (theirs, copy) = (ctx.clone(), payload.clone());
        let builder = std::thread::Builder::new().name("remember".into()).stack_size(256 * 1024);
        match builder.spawn(move || keep(&theirs, copy)) {
            Ok(handle) => *self.storing.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle),
            // Without a thread the person waits a moment; nothing is lost.
            Err(_) => keep(ctx, payload),
        }
    }

    fn finish_storing(&self) {
        let storing = self.storing.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(handle) = storing {
            // A panic there has been reported already.
            let _ = handle.join();
        }
    }

    fn resume(&self, payload: &Value, ctx: &KernelContext) -> Value {
        let asked = payload["argument"].as_str().unwrap_or("last");
        let id = match asked {
            "last" => {
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
}

fn keep(ctx: &KernelContext, payload: Value) {
    let answer = ctx.send(core::MEMORY_STORE, payload);
    if let Some(error) = answer.as_ref().and_then(|a| a["error"].as_str()) {
        crate::error::say(&format!("this turn could not be remembered: {error}"));
    }
}

/// Guard the input, directives that need no model, recall, persona, tools, model, tool rounds, the other directives.
fn turn(line: &str, talk: &mut Talk, ctx: &KernelContext) -> Turn {
    let judged = guard::input(line);
    if let Verdict::Block(_) = &judged.verdict {
        return Turn::Refused(format!("this line is not taken: it {}", judged.reasons.join("; it ")));
    }
    let line = judged.text.as_str();
    if line.is_empty() {
        return Turn::Refused("there is nothing in this line".to_owned());
    }
    let directive = directives::read(line, talk.offer.as_deref());
    if let Some(Directive::Learn { wish, line }) = &directive {
        return Turn::Reply(Said { text: propose(wish, line, ctx), ..Said::default() });
    }
    let mut said = match converse(line, talk, ctx) {
        Ok(said) => said,
        Err(models::ModelError::Cancelled { .. }) => return Turn::Cancelled,
        Err(error) => return Turn::Failed(error.to_string()),
    };
    if let Some(directive) = directive.filter(|_| !said.by_tool)
        && let Some(text) = remember_or_forget(&directive, line, ctx)
    {
        said.text = text;
    }
    Turn::Reply(said)
}

/// Asks the model, and runs the tools that it calls, until it answers in words.
fn converse(line: &str, talk: &Talk, ctx: &KernelContext) -> Result<Said, models::ModelError> {
    let Some(model) = ctx.model() else {
        let text = "I have no model to think with: the right llm:call was not granted to me.";
        return Ok(Said { text: text.to_owned(), ..Said::default() });
    };
    let free = model.writes_freely(ctx, "chat");
    let german = words::is_german(ctx, line);
    let mut request = Request {
        system: prompt::system(ctx),
        messages: talk.recent(),
        tools: ctx.tools(),
        memories: prompt::memories(line, free, ctx),
        metadata: [(TASK.to_owned(), "chat".to_owned())].into(),
        ..Request::default()
    };
    request.messages.push(Message::user(line));
    let mut said = Said::default();
    let rounds = ctx.shared().config.limits.max_tool_rounds;
    for round in 0..=rounds {
        let response = model.chat(&request, ctx.cancel())?;
        (said.provider, said.model) = (response.provider, response.model);
        if response.tool_calls.is_empty() {
            said.text = response.text;
            break;
        }
        if round == rounds {
            said.by_tool = false;
            said.text = match german {
                false => format!("I stopped after {rounds} rounds of tool calls without an answer."),
                true => format!("Ich habe nach {rounds} Runden mit Werkzeugen ohne Antwort aufgehört."),
            };
            break;
        }
        request.messages.push(Message {
            role: Role::Assistant,
            content: response.text,
            tool_calls: response.tool_calls.clone(),
            tool_call_id: None,
        });
        for call in &response.tool_calls {
            if ctx.is_cancelled() {
                return Err(models::ModelError::Cancelled { provider: said.provider });
            }
            let outcome = match &call.fault {
                Some(fault) => Outcome::Failed(fault.clone()),
                None => ctx.call_tool(&call.name, &call.arguments, line),
            };
            said.by_tool |= outcome != Outcome::NotMine;
            let content = prompt::observation(&outcome, german, free);
            said.calls.push(json!({"id": call.id, "name": call.name, "arguments": call.arguments}));
            said.results.push(json!({"id": call.id, "content": shared_types::text::cut(&content, 2_000)}));
            request.messages.push(Message {
                role: Role::Tool,
                content,
                tool_calls: vec![],
                tool_call_id: Some(call.id.clone()),
            });
        }
    }
    if said.text.trim().is_empty() {
        said.text =
            words::pick(german, "The model gave no answer.", "Das Modell hat nicht geantwortet.").to_owned();
    }
    Ok(said)
}

fn propose(wish: &str, line: &str, ctx: &KernelContext) -> String {
    let german = words::is_german(ctx, line);
    let answer =
        ctx.send(core::SKILL_PROPOSAL, json!({"what": "wish", "wish": wish, "line": line, "german": german}));
    match answer.as_ref().and_then(|a| a["reply"].as_str()) {
        Some(reply) => reply.to_owned(),
        None => words::pick(
            german,
            "I cannot ask to learn that: the skill `proposer` is not active.",
            "Ich kann nicht darum bitten: die Fähigkeit `proposer` ist nicht aktiv.",
        )
        .to_owned(),
    }
}

/// Stores or forgets; a sentence only where the model's own reply would not be true.
fn remember_or_forget(directive: &Directive, line: &str, ctx: &KernelContext) -> Option<String> {
    let german = words::is_german(ctx, line);
    let none = || {
        words::pick(
            german,
            "I cannot remember anything: the skill `memory` is not active.",
            "Ich kann mir nichts merken: die Fähigkeit `memory` ist nicht aktiv.",
        )
    };
    let answer = match directive {
        Directive::Learn { .. } => return None,
        Directive::Remember { fact } => {
            ctx.send(core::MEMORY_STORE, json!({"what": "fact", "text": fact, "said_by": "person"}))
        }
        Directive::Forget { what } => ctx.send(core::MEMORY_STORE, json!({"what": "forget", "query": what})),
    };
    let Some(answer) = answer else { return Some(none().to_owned()) };
    if let Some(error) = answer["error"].as_str() {
        return Some(match german {
            false => format!("That did not work: {error}"),
            true => format!("Das hat nicht geklappt: {error}"),
        });
    }
    match answer["forgotten"].as_array() {
        Some(gone) if gone.is_empty() => Some(
            words::pick(german, "I remember nothing like that.", "Daran erinnere ich mich ohnehin nicht.")
                .to_owned(),
        ),
        Some(gone) => {
            let gone: Vec<&str> = gone.iter().filter_map(Value::as_str).collect();
            let gone = gone.join("; ");
            Some(if german { format!("Vergessen: {gone}") } else { format!("Forgotten: {gone}") })
        }
        None => None,
    }
}

/// Whether a reply offers to ask for an ability, so that a yes to it is a wish.
fn offers_to_learn(reply: &str) -> bool {
    let lower = reply.to_lowercase();
    language::offers_to_learn(reply).is_some()
        || (reply.trim_end().ends_with('?')
            && ["to learn", "lernen soll", "zu lernen", "ask to learn"]
                .iter()
                .any(|words| lower.contains(words)))
}

#[cfg(test)]
mod tests;
