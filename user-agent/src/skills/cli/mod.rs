//! Lines in, lines out: a pure driver, the same for a terminal, a pipe and a single message.
//!
//! - [`input`]: where lines come from
//! - [`terminal`]: the prompt
//! - [`render`]: replies to text
//! - [`slash`]: the commands that begin with `/`

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::{exit, text};

use crate::error::Error;
use crate::kernel::context::KernelContext;
use crate::kernel::guard;
use crate::skills::{Skill, core_events, own_name};
use input::{Lines, Taken};
use terminal::{Prompt, Typed};

mod input;
mod render;
mod slash;
mod terminal;

/// How long a skill waits for the person.
const PATIENCE: Duration = Duration::from_secs(120);

/// The skill.
pub struct Cli {
    name: SkillName,
    lines: Mutex<Lines>,
}

impl Default for Cli {
    fn default() -> Self {
        Cli { name: own_name("cli"), lines: Mutex::new(Lines::default()) }
    }
}

impl Skill for Cli {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Reads what is typed and shows what is answered"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::UserInput, Token::UserOutput].into_iter().collect()
    }

    fn handles_events(&self) -> Vec<EventType> {
        core_events(&[core::ASSISTANT_OUTPUT])
    }

    fn emits_events(&self) -> Vec<EventType> {
        core_events(&[core::USER_INPUT])
    }

    /// Shows what a skill says, or asks what it asks, always under its name.
    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        let from = &event.source;
        if let Some(said) = event.payload["say"].as_str() {
            render::show(&render::labelled(from, &guard::output(said)));
            return Some(json!({}));
        }
        let question = event.payload["ask"].as_str()?;
        let session = &ctx.shared().session;
        if session.message.is_some() {
            return Some(json!({"error": "no one is here to answer"}));
        }
        render::show(&render::labelled(from, &guard::output(question)));
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        Some(match lines.next(Some(PATIENCE), ctx.cancel()) {
            Taken::Line(line) => json!({"answer": guard::input(&line).text}),
            Taken::End => json!({"error": "no one is here to answer"}),
            Taken::TooLate => json!({"error": "there was no answer in time"}),
            Taken::Cancelled => json!({"error": "the person cancelled"}),
        })
    }

    fn run(&self, ctx: &KernelContext) -> Option<Result<u8, Error>> {
        let session = &ctx.shared().session;
        let resumed = session.conversation.as_deref().map(|asked| resume(asked, ctx));
        if let Some(message) = session.message.clone() {
            return Some(Ok(answer(&message, ctx)));
        }
        match resumed {
            Some(true) => render::notice("we go on where we were"),
            _ => render::banner(ctx),
        }
        Some(if session.interactive { self.at_terminal(ctx) } else { Ok(self.at_pipe(ctx)) })
    }
}

impl Cli {
    fn at_terminal(&self, ctx: &KernelContext) -> Result<u8, Error> {
        let mut prompt = Prompt::new(ctx)?;
        loop {
            ctx.cancel().store(false, Ordering::Relaxed);
            let line = match prompt.read(ctx)? {
                Typed::Line(line) => line,
                Typed::Leave => break,
                Typed::Restart => return Ok(exit::RESTART),
            };
            if line.trim().is_empty() {
                continue;
            }
            prompt.remember(&line, ctx);
            // Ctrl-C at the prompt was meant for the prompt.
            ctx.cancel().store(false, Ordering::Relaxed);
            match slash::run(&line, ctx) {
                slash::Done::Leave => break,
                slash::Done::Handled => {}
                slash::Done::NotACommand => {
                    answer(&line, ctx);
                }
            }
        }
        render::notice("goodbye");
        Ok(exit::DONE)
    }

    /// Answers each line of a pipe; the worst exit code of all turns is that of the program.
    fn at_pipe(&self, ctx: &KernelContext) -> u8 {
        let mut worst = exit::DONE;
        loop {
            let taken = self.lines.lock().unwrap_or_else(PoisonError::into_inner).next(None, ctx.cancel());
            let Taken::Line(line) = taken else { return worst };
            if line.trim().is_empty() {
                continue;
            }
            match slash::run(&line, ctx) {
                slash::Done::Leave => return worst,
                slash::Done::Handled => {}
                slash::Done::NotACommand => worst = worst.max(answer(&line, ctx)),
            }
        }
    }
}

/// Hands a line to the conversation and shows what comes back.
fn answer(line: &str, ctx: &KernelContext) -> u8 {
    let answer = ctx.send(core::USER_INPUT, json!({"text": line}));
    let Some(answer) = answer else {
        render::notice("nobody is here to think: the skill `reasoning` is not active");
        return exit::FAILED;
    };
    let field = |key: &str| answer[key].as_str();
    if let Some(reply) = field("reply") {
        render::show(reply);
        if answer["incomplete"] == true { exit::FAILED } else { exit::DONE }
    } else if let Some(why) = field("refused") {
        render::notice(&text::line(why));
        exit::REFUSED
    } else if answer["cancelled"] == true {
        render::notice("cancelled");
        exit::FAILED
    } else {
        let why = field("failed").unwrap_or("the turn failed");
        render::notice(&format!("no answer: {}", text::line(why)));
        exit::FAILED
    }
}

/// Goes on with an earlier conversation; whether anything was said in it. What was learned meanwhile is told.
fn resume(asked: &str, ctx: &KernelContext) -> bool {
    let Some(found) = ctx.send(core::USER_INPUT, json!({"command": "resume", "argument": asked})) else {
        return false;
    };
    if let Some(id) = found["id"].as_str().and_then(|id| id.parse::<ConversationId>().ok()) {
        ctx.turn_to(id);
    }
    let news: Vec<&str> = found["news"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for skill in ctx.skills().iter().filter(|s| news.contains(&s.name.as_str())) {
        let can: Vec<&str> = skill.tools.iter().map(|t| t.as_str()).collect();
        render::notice(&format!("I have learned {}: {} ({})", skill.name, skill.description, can.join(", ")));
    }
    found["turns"].as_u64().is_some_and(|turns| turns > 0)
}

#[cfg(test)]
mod tests;
