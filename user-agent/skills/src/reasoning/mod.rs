//! The conversation: one turn after the other, always in the same order.
//!
//! It answers lines and [`Command`]s; what it does not know itself it asks memory or the proposer for. While a turn runs it
//! shows more of the answer, that the answer begins anew, and which tool is called; without `stream` nothing is streamed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bot_base::log;
use kernel::skill::Skill;
use ports::own::{core_events, own_name};
use ports::{KernelContext, Shared, guard};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::memory::Turn as Record;
use shared_types::message::{
    Answer, Command, Input, Line, Message, Recall, Remember, Reply, Request, TurnOutcome, TurnResult,
};
use turn::Turn;

use crate::words;

mod directives;
mod known;
mod memories;
mod need;
mod offer;
mod past;
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
    /// What stores the last turn.
    storing: Mutex<Option<Storing>>,
    /// What was told once already.
    told: Mutex<BTreeSet<String>>,
    /// What the last lines of a person in need spoke of.
    after: Mutex<language::After>,
}

/// The storing of a turn.
enum Storing {
    /// In a thread of its own, while the person reads and types.
    Running(JoinHandle<()>),
    /// At the end of the program.
    Later(Box<dyn FnOnce() + Send>),
}

impl Default for Reasoning {
    fn default() -> Self {
        Reasoning {
            name: own_name("reasoning"),
            talk: Mutex::new(None),
            storing: Mutex::new(None),
            told: Mutex::new(BTreeSet::new()),
            after: Mutex::default(),
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

    fn answer(&self, event: &Event<Message>, ctx: &KernelContext) -> Option<Answer> {
        let Message::Input(input) = &event.payload else { return None };
        self.finish_storing();
        let command = match input {
            Input::Line(line) => return Some(Answer::Turn(self.answer_line(line, &event.session_id, ctx))),
            Input::Command(command) => command,
        };
        match command {
            Command::Retry { stream } => Some(Answer::Turn(self.retry(&event.session_id, *stream, ctx))),
            Command::Resume { argument } => Some(self.resume(argument, ctx)),
            Command::Memory { argument } => ctx.ask(Recall::Facts { query: argument.clone(), limit: None }),
            Command::Conversations => ctx.ask(Recall::Conversations { limit: None }),
            Command::Proposals => ctx.ask(Request::List),
            Command::Policy => Some(Answer::Policy(Box::new(rules::policy(ctx)))),
            Command::Permissions => Some(Answer::Permissions(Box::new(rules::permissions(ctx)))),
            Command::Model { argument } => rules::model(argument, ctx),
        }
    }

    fn on_unload(&self, _ctx: &KernelContext) {
        self.finish_storing();
    }
}

impl Reasoning {
    /// Answers a line; a person in need before anything else, and nothing of that is kept.
    fn answer_line(&self, line: &Line, session: &ConversationId, ctx: &KernelContext) -> TurnResult {
        let mut after = self.after.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reply) = need::answer(&mut after, line, ctx) {
            return TurnResult::Reply(Box::new(reply));
        }
        drop(after);
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let talk = match &mut *talk {
            Some(talk) if talk.id == *session => talk,
            other => other.insert(Talk::new(session.clone())),
        };
        talk.untyped = line.untyped;
        self.run_turn(&line.text, line.stream, talk, ctx)
    }

    /// Runs a turn and has it remembered.
    fn run_turn(&self, line: &str, streams: bool, talk: &mut Talk, ctx: &KernelContext) -> TurnResult {
        let begun = std::time::Instant::now();
        let turn = talk.messages.len() as u64 / 2 + 1;
        let conversation = talk.id.clone();
        let conversation = log::Name::of(conversation.as_str());
        let _span = log::in_turn(turn, conversation);
        log::event(log::Event::TurnStarted { turn, conversation });
        let came = turn::turn(line, streams, talk, ctx);
        talk.said_last(line, matches!(came, Turn::Reply { .. }));
        match came {
            Turn::Reply { said, line, tells } => {
                let said = *said;
                let reply = guard::output(&said.text);
                let mut notes: Vec<String> = said.notes.iter().map(|note| guard::output(note)).collect();
                notes.extend(self.news(&said.notices));
                if need::is_pause_due(ctx.shared()) {
                    notes.push(words::language(ctx, &line).says().need_pause.to_owned());
                }
                // The embedded companion says its own sentences, and what tools return: a list of films for instance.
                let is_free = ctx.handles().model().is_some_and(|model| model.writes_freely("chat"));
                if let Some(reply) = need::with_help(&reply, ctx).filter(|_| is_free) {
                    let seconds = begun.elapsed().as_secs_f64();
                    let (provider, model) = (said.provider, said.model);
                    let answer = Reply { reply, provider, model, notes, seconds, ..Reply::default() };
                    return TurnResult::Reply(Box::new(answer));
                }
                let (turn_id, records) = talk.take_down(&line, &reply, &said, ctx);
                // Facts about the person are looked for only in what the person said.
                let told = tells.filter(|_| !talk.untyped).unwrap_or_default();
                self.store(records, &told, &turn_id, ctx);
                let took = begun.elapsed();
                log::event(log::Event::TurnFinished { turn, conversation, rounds: said.rounds, took });
                TurnResult::Reply(Box::new(Reply {
                    reply,
                    provider: said.provider,
                    model: said.model,
                    usage: said.usage,
                    calls: said.calls.len(),
                    notes,
                    seconds: begun.elapsed().as_secs_f64(),
                    turn_id: turn_id.to_string(),
                    outcome: said.outcome,
                    broke_off: said.broke_off.map(|why| guard::output(&why)),
                    incomplete: said.outcome == TurnOutcome::Failed,
                }))
            }
            Turn::Refused(refused) => TurnResult::Refused { refused },
            Turn::Failed(why) => TurnResult::Failed { failed: guard::output(&why) },
            Turn::Cancelled => TurnResult::Cancelled { cancelled: true },
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

    /// Remembers in the background, or at the end of a program that answers one message; the next turn and the end wait for it.
    fn store(&self, records: Vec<Record>, line: &str, turn_id: &ConversationId, ctx: &KernelContext) {
        let extract = (!line.is_empty()).then(|| Remember::Extract {
            line: line.to_owned(),
            turn_id: Some(turn_id.to_string()),
            conversation_id: Some(ctx.conversation().to_string()),
        });
        let theirs = ctx.clone();
        let work = move || keep(&theirs, &records, extract.as_ref());
        let put = |storing| *self.storing.lock().unwrap_or_else(PoisonError::into_inner) = Some(storing);
        if ctx.shared().session.message.is_some() {
            // The only turn: the program ends when it is stored, and a thread would take its time, too.
            return put(Storing::Later(Box::new(work)));
        }
        let work = Arc::new(work);
        let run = work.clone();
        let builder = std::thread::Builder::new().name("remember".into()).stack_size(512 * 1024);
        match builder.spawn(move || run()) {
            Ok(handle) => put(Storing::Running(handle)),
            // Without a thread the person waits a moment; nothing is lost.
            Err(_) => work(),
        }
    }

    fn finish_storing(&self) {
        let storing = self.storing.lock().unwrap_or_else(PoisonError::into_inner).take();
        match storing {
            // A panic there has been reported already.
            Some(Storing::Running(handle)) => drop(handle.join()),
            Some(Storing::Later(work)) => work(),
            None => {}
        }
    }

    fn resume(&self, asked: &str, ctx: &KernelContext) -> Answer {
        let id = match asked {
            "last" | "" => match ctx.ask(Recall::Last) {
                Some(Answer::Last(id)) => id.and_then(|id| id.parse().ok()),
                _ => None,
            },
            id => id.parse::<ConversationId>().ok(),
        };
        let id = id.unwrap_or_else(ConversationId::generate);
        let turns = match ctx.ask(Recall::conversation(&id)) {
            Some(Answer::Turns(turns)) => turns,
            _ => vec![],
        };
        let talk = Talk::of(id.clone(), &turns);
        let answer = Answer::Resumed { id: id.to_string(), turns: talk.messages.len(), news: talk.news(ctx) };
        *self.talk.lock().unwrap_or_else(PoisonError::into_inner) = Some(talk);
        answer
    }

    /// Says the last line once more, as if its turn had not been.
    fn retry(&self, session: &ConversationId, streams: bool, ctx: &KernelContext) -> TurnResult {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let nothing = || TurnResult::Failed { failed: "there is no line yet to repeat".to_owned() };
        let Some(talk) = talk.as_mut().filter(|talk| talk.id == *session) else { return nothing() };
        let Some((line, taken)) = talk.take_back() else { return nothing() };
        let answer = self.run_turn(&line, streams, talk, ctx);
        if !matches!(answer, TurnResult::Reply(_)) {
            // What was said before still stands.
            talk.put_back(taken);
        }
        answer
    }
}

/// Stores a turn, then the facts in its line.
fn keep(ctx: &KernelContext, turns: &[Record], extract: Option<&Remember>) {
    if let Some(Answer::Failed(error)) = ctx.ask(Remember::Turns { records: turns.to_vec() }) {
        bot_base::error::say(&format!("this turn could not be remembered: {error}"));
        return;
    }
    // A fact that is not found is no loss: the line itself is kept.
    extract.cloned().map(|extract| ctx.ask(extract));
}

#[cfg(test)]
mod tests;
