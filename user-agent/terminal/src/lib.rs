//! Lines in, lines out: a pure driver, the same for a terminal, a pipe and a single message. This layer uses `ports` and what lies
//! below.
//!
//! - [`input`], [`fold`]: where lines come from, and which of them are one input
//! - [`prompt`], [`editor`]: the prompt of a terminal; [`news`] what makes it start again
//! - [`turn`]: one line answered; [`used`] what that cost
//! - [`screen`], [`spinner`]: what is seen while a turn runs; [`markdown`] what an answer looks like
//! - `state`: what the driver holds
//! - [`approval`]: the gate's question about a call
//! - [`slash`]: the commands that begin with `/`
//! - [`ask`]: the model's own question to the person
//! - [`banner`], [`render`]: the start, and what commands show; [`rows`] proposals in words
#![forbid(unsafe_code)]

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bot_base::error::Error;
use kernel::approval::GATE;
use kernel::skill::{Call, Outcome, Skill};
use ports::own::core_events;
use ports::{KernelContext, Shared, guard};
use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::event::{Event, core};
use shared_types::exit;
use shared_types::id::{ConversationId, EventType, SkillName, ToolName};

use fold::Folding;
use input::Taken;
use prompt::{Prompt, Typed};

mod approval;
mod ask;
mod banner;
mod editor;
mod fold;
mod input;
mod markdown;
mod news;
mod prompt;
mod render;
pub mod rows;
mod screen;
mod slash;
mod spinner;
mod state;
mod turn;
mod used;

pub use state::Cli;

/// How long a skill waits for the person.
const PATIENCE: Duration = Duration::from_secs(120);

impl Skill<Shared> for Cli {
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

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn full_name(&self, tool: &ToolName) -> String {
        tool.to_string()
    }

    fn call_tool(&self, _: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        ask::call(call.args, ctx)
    }

    /// Shows what a skill says, or asks what it asks, always under its name; only the conversation streams its answer.
    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        let from = &event.source;
        if from == CONVERSATION && self.streams(&event.payload) {
            return Some(json!({}));
        }
        if from == GATE {
            return Some(approval::ask(self, &event.payload["approve"], ctx));
        }
        if let Some(what) = event.payload["waiting"].as_str() {
            let what = format!("{from}: {}", shared_types::text::cut(what, 200));
            self.screen.doing(&what);
            if event.payload["told"] == true {
                self.screen.note(&what);
            }
            return Some(json!({}));
        }
        if let Some(said) = event.payload["say"].as_str() {
            let said = render::labelled(from, &guard::output(said));
            match ctx.shared().session.json {
                // It would not be JSON.
                true => render::aside(&said),
                false => self.screen.say(&said),
            }
            return Some(json!({}));
        }
        let question = event.payload["ask"].as_str()?;
        let session = &ctx.shared().session;
        if session.message.is_some() || session.json {
            return Some(json!({"error": "no one is here to answer"}));
        }
        self.screen.say(&render::labelled(ask::name_of(from), &guard::output(question)));
        let _still = self.screen.pause();
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        Some(match lines.next(Some(PATIENCE), ctx.cancel()) {
            Taken::Line(line) => json!({"answer": ctx.shared().guard().input(&line).text}),
            Taken::End => json!({"error": "no one is here to answer"}),
            Taken::TooLate => json!({"error": "there was no answer in time"}),
            Taken::Cancelled => json!({"error": "the person cancelled"}),
        })
    }

    fn run(&self, ctx: &KernelContext) -> Option<Result<u8, Error>> {
        let session = &ctx.shared().session;
        banner::warn(ctx);
        let resumed = session.conversation.as_deref().map(|asked| resume(asked, ctx));
        if let Some(message) = session.message.as_deref() {
            return Some(self.one_shot(message, ctx));
        }
        if !session.interactive {
            return Some(Ok(self.at_pipe(ctx)));
        }
        match resumed {
            Some(true) => render::notice("we go on where we were"),
            _ => banner::show(ctx),
        }
        Some(self.at_terminal(ctx))
    }
}

impl Cli {
    /// Shows what the conversation tells while it answers; whether it told something of that kind.
    fn streams(&self, told: &Value) -> bool {
        if told["stream_again"] == true {
            self.screen.again();
        } else if let Some(piece) = told["stream"].as_str() {
            self.screen.stream(piece);
        } else if let Some(what) = told["status"].as_str() {
            self.screen.doing(what);
        } else if let Some(note) = told["note"].as_str() {
            self.screen.note(note);
        } else {
            return false;
        }
        true
    }

    /// Answers one message; `-` stands for everything on standard input.
    fn one_shot(&self, message: &str, ctx: &KernelContext) -> Result<u8, Error> {
        if message != WHOLE_INPUT {
            return Ok(turn::line(self, message, ctx).exit);
        }
        let read = self.lines.lock().unwrap_or_else(PoisonError::into_inner).whole(ctx.cancel());
        match read.filter(|text| !text.trim().is_empty()) {
            Some(text) => Ok(turn::line(self, &text, ctx).exit),
            None => Err(Error::Usage {
                what: "there is no message on standard input".to_owned(),
                hint: "as in: cl-bot -m - < question.txt".to_owned(),
            }),
        }
    }

    fn at_terminal(&self, ctx: &KernelContext) -> Result<u8, Error> {
        let mut prompt = Prompt::new(&self.lines, ctx)?;
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
            halted(ctx)?;
            // Ctrl-C at the prompt was meant for the prompt.
            ctx.cancel().store(false, Ordering::Relaxed);
            match slash::run(&line, self, ctx) {
                slash::Done::Leave => break,
                slash::Done::Handled(_) => {}
                slash::Done::Text(line) => {
                    turn::line(self, &line, ctx);
                }
            }
        }
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner).line();
        render::notice(&used.map_or("goodbye".to_owned(), |used| format!("goodbye: {used}")));
        Ok(exit::DONE)
    }

    /// Answers each input of a pipe; the worst exit code of all turns is that of the program.
    fn at_pipe(&self, ctx: &KernelContext) -> u8 {
        let (mut worst, mut folding) = (exit::DONE, Folding::default());
        loop {
            let taken = self.lines.lock().unwrap_or_else(PoisonError::into_inner).next(None, ctx.cancel());
            let (input, over) = match taken {
                Taken::Line(line) => (folding.take(line), false),
                _ => (folding.rest(), true),
            };
            if let Some(line) = input.filter(|line| !line.trim().is_empty()) {
                if let Err(error) = halted(ctx) {
                    bot_base::error::tell(&error);
                    return worst.max(error.exit_code());
                }
                let came = self.answer_piped(&line, ctx);
                let Some(came) = came else { return worst };
                worst = worst.max(came.exit);
                if came.cancelled {
                    return worst;
                }
                // A turn that took too long was cancelled; the next begins anew.
                ctx.cancel().store(false, Ordering::Relaxed);
            }
            if over {
                return worst;
            }
        }
    }

    /// Answers one input of a pipe; nothing where it says to leave. With JSON there are no commands: their text would
    /// not be JSON.
    fn answer_piped(&self, line: &str, ctx: &KernelContext) -> Option<turn::Came> {
        if ctx.shared().session.json {
            return Some(turn::line(self, line, ctx));
        }
        match slash::run(line, self, ctx) {
            slash::Done::Leave => None,
            slash::Done::Handled(exit) => Some(turn::Came { exit, cancelled: false }),
            slash::Done::Text(line) => Some(turn::line(self, &line, ctx)),
        }
    }
}

/// Nobody talks once the admin has said so; what was said so far is kept.
///
/// # Errors
/// The admin's reason.
fn halted(ctx: &KernelContext) -> Result<(), Error> {
    ctx.shared().halted().map_or(Ok(()), |why| Err(Error::Halted(why)))
}

/// The skill whose answers are streamed.
const CONVERSATION: &str = "reasoning";
/// The message that stands for standard input.
const WHOLE_INPUT: &str = "-";

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
