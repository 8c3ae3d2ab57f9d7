//! The conversation: one turn after the other, always in the same order.
//!
//! It answers lines and [`Command`]s; what it does not know itself it asks memory or the proposer for. While a turn runs it
//! shows more of the answer, that the answer begins anew, and which tool is called; without `stream` nothing is streamed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bot_base::log;
use kernel::skill::Skill;
use models::Attachment;
use models::attachment::Text;
use ports::own::{core_events, own_name};
use ports::{KernelContext, Shared, guard};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::message::{
    Answer, Command, Input, Line, Message, Recall, Remember, Reply, Request, TurnOutcome, TurnResult,
};
use shared_types::provenance::Provenance;
use storing::Storing;
use turn::Turn;

use crate::words;

mod directives;
mod known;
mod limits;
mod memories;
mod need;
mod offer;
mod past;
mod prompt;
mod relay;
mod rounds;
mod rules;
mod storing;
mod talk;
mod turn;

pub use limits::counted;
pub use talk::Talk;

/// The skill.
pub struct Reasoning {
    name: SkillName,
    talk: Mutex<Option<Talk>>,
    /// What stores turns.
    storing: Arc<Storing>,
    /// What was reported once already.
    told: Mutex<BTreeSet<String>>,
    /// What the last lines of a person in need spoke of.
    after: Mutex<language::After>,
}

impl Default for Reasoning {
    fn default() -> Self {
        Reasoning {
            name: own_name("reasoning"),
            talk: Mutex::new(None),
            storing: Arc::default(),
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
        let command = match input {
            Input::Line(line) => return Some(Answer::Turn(self.answer_line(line, &event.session_id, ctx))),
            Input::Command(command) => command,
        };
        match command {
            Command::Retry { stream } => Some(Answer::Turn(self.retry(&event.session_id, *stream, ctx))),
            Command::Resume { argument } => {
                self.storing.kept();
                Some(self.resume(argument, ctx))
            }
            Command::Memory { argument } => {
                self.storing.finished(ctx);
                ctx.ask(Recall::Facts { query: argument.clone(), limit: None })
            }
            Command::Conversations => {
                self.storing.kept();
                ctx.ask(Recall::Conversations { limit: None })
            }
            Command::Proposals => ctx.ask(Request::List),
            Command::Due { since } => limits::due(*since, ctx),
            Command::Policy => Some(Answer::Policy(Box::new(rules::policy(ctx)))),
            Command::Permissions => Some(Answer::Permissions(Box::new(rules::permissions(ctx)))),
            Command::Model { argument } => rules::model(argument, ctx),
        }
    }

    fn on_unload(&self, ctx: &KernelContext) {
        self.storing.finished(ctx);
    }
}

impl Reasoning {
    /// Answers a line; a person in need before anything else, and nothing of that is kept.
    fn answer_line(&self, line: &Line, session: &ConversationId, ctx: &KernelContext) -> TurnResult {
        let mut after = self.after.lock().unwrap_or_else(PoisonError::into_inner);
        let is_typed = !line.untyped && line.call.is_none();
        let pictures = if is_typed { ctx.shared().session.pictures.take() } else { vec![] };
        let texts = ctx.shared().session.texts.take();
        if let Some(reply) = need::answer(&mut after, line, ctx) {
            return TurnResult::Reply(Box::new(reply));
        }
        drop(after);
        limits::within(line, ctx, || self.begin_turn(line, session, (pictures, texts), ctx))
    }

    /// Answers a line that may be answered.
    fn begin_turn(
        &self,
        line: &Line,
        session: &ConversationId,
        (pictures, texts): (Vec<Attachment>, Vec<Text>),
        ctx: &KernelContext,
    ) -> TurnResult {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let talk = match &mut *talk {
            Some(talk) if talk.id == *session => talk,
            other => other.insert(Talk::new(session.clone())),
        };
        talk.untyped = line.untyped;
        talk.call.clone_from(&line.call);
        talk.pictures = pictures;
        talk.texts = texts;
        self.run_turn(&line.text, line.stream, talk, ctx)
    }

    /// Runs a turn and has it remembered.
    fn run_turn(&self, line: &str, streams: bool, talk: &mut Talk, ctx: &KernelContext) -> TurnResult {
        // The companion answers from memory, and what is to be forgotten must not be found afterwards.
        match is_free(ctx) && !talk.forgets_all && !directives::is_about_memory(line) {
            true => self.storing.kept(),
            false => self.storing.hurried(),
        }
        if !talk.pictures.is_empty() || !talk.texts.is_empty() {
            // As what a file brings, whichever way it came: the author may be anybody, and the content is the person's.
            ctx.brings(Provenance::BOTH);
        }
        if !talk.pictures.is_empty() {
            let sizes = talk.pictures.iter().map(|p| format!("{} of {} bytes", p.media_type(), p.size()));
            let sizes = sizes.collect::<Vec<_>>().join(", ");
            ctx.shared().log("reasoning", &format!("pictures with a line: {sizes}"));
        }
        for mut text in std::mem::take(&mut talk.texts) {
            text.text = prompt::without_orders(&text.text, ctx.shared().guard());
            // In a link of an answer nothing of it leaves the conversation.
            talk.bring(&text.text);
            talk.texts.push(text);
        }
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
                if let Some(reply) = need::with_help(&reply, ctx).filter(|_| is_free(ctx)) {
                    let seconds = begun.elapsed().as_secs_f64();
                    let (provider, model) = (said.provider, said.model);
                    let answer = Reply { reply, provider, model, notes, seconds, ..Reply::default() };
                    return TurnResult::Reply(Box::new(answer));
                }
                let (turn_id, records) = talk.take_down(&line, &reply, &said, ctx);
                // Facts about the person are looked for only in what the person said.
                let told = tells.filter(|_| !talk.untyped).unwrap_or_default();
                let extract = (!told.is_empty()).then(|| Remember::Extract {
                    line: told,
                    turn_id: Some(turn_id.to_string()),
                    conversation_id: Some(ctx.conversation().to_string()),
                });
                self.storing.store(records, extract, ctx);
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

    /// What was not reported before.
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
        talk.is_again = true;
        let again = Line { text: line, untyped: true, ..Line::default() };
        let answer = limits::within(&again, ctx, || self.run_turn(&again.text, streams, talk, ctx));
        talk.is_again = false;
        if !matches!(answer, TurnResult::Reply(_)) {
            // What was said before still stands.
            talk.put_back(taken);
        }
        answer
    }
}

/// Whether a model answers, and not the companion.
fn is_free(ctx: &KernelContext) -> bool {
    ctx.handles().model().is_some_and(|model| model.writes_freely("chat"))
}

#[cfg(test)]
mod tests;
