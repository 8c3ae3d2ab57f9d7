//! Lines in, lines out: a pure driver, the same for a terminal, a pipe and a single message. This layer uses `ports` and what is
//! below.
//!
//! - [`input`], [`fold`]: where lines come from, and which of them are one input
//! - [`ahead`]: what was typed before the prompt stood there
//! - [`prompt`], [`editor`]: the prompt of a terminal; [`news`] what makes it start again,
//!   [`ready`] what waits for an approver
//! - [`turn`]: one line answered; [`used`] what that cost
//! - [`screen`], [`spinner`]: what is seen while a turn runs; [`markdown`] what an answer looks like, [`wrap`] where its lines end
//! - `state`: what the driver holds; [`tongue`] what it says in the profile's language
//! - [`approval`]: the gate's question about a call
//! - [`slash`]: the commands that begin with `/`
//! - [`ask`]: the model's own question to the person
//! - [`banner`], [`render`]: the start, and what commands show; [`rows`] proposals in words
//!
//! # How it works
//!
//! The skill `cli` is a pure driver. Lines become messages of `user_input` (`Input::Line`); while a turn runs,
//! `reasoning` and nobody else may show pieces of the answer (`Show`). The streamed text is a preview: the reply of the
//! turn is what counts, and is shown again whole where the two differ. `terminal/src/markdown` decides character by
//! character, so that the way an answer is cut never changes what is shown, and lets no character through that could
//! steer a terminal. A pipe gets the reply alone, unchanged, and pays for none of this. What a command line tightens
//! (`user-agent/base/src/config/overrides.rs`) is written into the configuration before the fork, so that `net` is
//! bound by it too.
#![forbid(unsafe_code)]

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bot_base::error::Error;
use kernel::approval::GATE;
use kernel::skill::{Call, Outcome, Skill};
use ports::own::core_events;
use ports::{KernelContext, Shared, guard};
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::event::{Event, core};
use shared_types::exit;
use shared_types::id::{ConversationId, EventType, SkillName, ToolName};
use shared_types::message::{Answer, Command, Input, Message, Show, TurnResult};

use fold::Folding;
use input::LineRead;
use prompt::{Prompt, Typed};

mod ahead;
mod approval;
mod ask;
mod banner;
mod editor;
mod fold;
mod input;
mod markdown;
mod news;
mod prompt;
mod ready;
mod render;
pub mod rows;
mod screen;
mod slash;
mod spinner;
mod state;
mod tongue;
mod turn;
mod used;
mod wrap;

pub use news::News;
pub use ready::{Ready, count as count_ready};
pub use state::Cli;
pub use turn::{answered, as_json};

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
    fn answer(&self, event: &Event<Message>, ctx: &KernelContext) -> Option<Answer> {
        let Message::Show(show) = &event.payload else { return None };
        let from = &event.source;
        match show {
            Show::Approve { approve } if from == GATE => return Some(approval::ask(self, approve, ctx)),
            Show::Stream { stream } if from == CONVERSATION => self.screen.stream(stream),
            Show::StreamAgain { .. } if from == CONVERSATION => self.screen.again(),
            Show::Status { status } if from == CONVERSATION => self.screen.doing(status),
            Show::Note { note } if from == CONVERSATION => self.screen.note(note),
            Show::Waiting { waiting, told } => {
                let what = shared_types::text::cut(waiting, 200);
                // A child does not know the parts of the program by their names; what was learned always bears its own.
                let is_nameless = ctx.shared().audience.is_minor()
                    && ctx.skills().iter().any(|own| own.name.as_str() == from && own.origin() != "learned");
                let what = if is_nameless { what } else { format!("{from}: {what}") };
                self.screen.doing(&what);
                if *told {
                    self.screen.note(&what);
                }
            }
            Show::Say { say } => {
                let said = render::labelled(from, &guard::output(say));
                match ctx.shared().session.json {
                    // It would not be JSON.
                    true => render::aside(&said),
                    false => self.screen.say(&said),
                }
            }
            Show::Ask { ask } => return Some(self.ask_person(from, ask, ctx)),
            _ => return None,
        }
        Some(Answer::Shown)
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
            Some(true) => render::notice(ctx.shared().tongue().say("we continue where we were")),
            _ => banner::show(ctx),
        }
        Some(self.at_terminal(ctx))
    }
}

impl Cli {
    /// Asks under a skill's name and waits for the line.
    fn ask_person(&self, from: &str, question: &str, ctx: &KernelContext) -> Answer {
        let failed = |why: &str| Answer::Failed(why.to_owned());
        let session = &ctx.shared().session;
        if session.message.is_some() || session.json {
            return failed("no one is here to answer");
        }
        // What was typed before is not an answer to a question that nobody had seen.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).put_aside();
        // The echo is back before the question is shown: an answer may come at once.
        let _still = self.screen.pause();
        self.screen.say(&render::labelled(ask::name_of(from), &guard::output(question)));
        self.answered(ctx).map_or_else(failed, Answer::Said)
    }

    /// Waits for the line that answers a question.
    ///
    /// # Errors
    /// Why there is none.
    fn answered(&self, ctx: &KernelContext) -> Result<String, &'static str> {
        let taken = {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.next(Some(PATIENCE), ctx.cancel())
        };
        match taken {
            // It goes to nobody but the conversation, which has the answer for a person in need.
            LineRead::Line(line) if language::need(&line).is_some() => {
                self.is_of_need(&line);
                if let Some(Answer::Turn(TurnResult::Reply(reply))) = ctx.ask(Input::typed(&line, false)) {
                    self.screen.say(&reply.reply);
                }
                Err("the person does not want to answer this")
            }
            LineRead::Line(line) => Ok(ctx.shared().guard().input(&line).text),
            LineRead::End => Err("no one is here to answer"),
            LineRead::TooLate => Err("there was no answer in time"),
            LineRead::Cancelled => Err("the person cancelled"),
        }
    }

    /// Whether the next line that somebody typed speaks of a person in need, or continues about it.
    fn is_of_need(&self, line: &str) -> bool {
        self.after.lock().unwrap_or_else(PoisonError::into_inner).said(line).is_some()
    }

    /// Answers one message, or runs the command that it is; `-` stands for everything on standard input, which is text.
    fn one_shot(&self, message: &str, ctx: &KernelContext) -> Result<u8, Error> {
        if message != WHOLE_INPUT {
            return self.message(message, ctx);
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

    /// Answers a message of the command line. A slip in the name of a command is wrong use: nobody is there to see it.
    fn message(&self, message: &str, ctx: &KernelContext) -> Result<u8, Error> {
        let session = &ctx.shared().session;
        let is_alone = |what: String, hint: &str| Err(Error::Usage { what, hint: hint.to_owned() });
        match slash::named(message) {
            Some(name) if session.json => is_alone(
                format!("`{name}` is a command, and commands print no JSON"),
                "run it without `--json`",
            ),
            Some(name) if !session.pictures.shown().is_empty() => is_alone(
                format!("`{name}` is a command, and no picture goes with a command"),
                "run it without `--attach`",
            ),
            None if session.json => Ok(turn::line(self, message, ctx).exit),
            _ => Ok(match slash::run(message, self, ctx) {
                slash::Done::Leave => exit::DONE,
                slash::Done::Handled(exit) => exit,
                slash::Done::Unknown => exit::USAGE,
                slash::Done::Text(line) => turn::line(self, &line, ctx).exit,
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
            // A person in need is answered regardless of any stop, and nothing of it is kept.
            if !self.is_of_need(&line) {
                if ctx.shared().talk.judge().is_ok() {
                    prompt.remember(&line, ctx);
                }
                halted(ctx)?;
            }
            // Ctrl-C at the prompt was meant for the prompt.
            ctx.cancel().store(false, Ordering::Relaxed);
            match slash::run(&line, self, ctx) {
                slash::Done::Leave => break,
                slash::Done::Handled(_) | slash::Done::Unknown => {}
                slash::Done::Text(line) => {
                    turn::line(self, &line, ctx);
                }
            }
        }
        for sentence in ready::left(ctx).into_iter().chain(ctx.shared().session.later.take()) {
            render::notice(&sentence);
        }
        let tongue = ctx.shared().tongue();
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner).line(tongue);
        match used {
            _ if ctx.shared().audience.is_minor() => render::notice(tongue::says(ctx).goodbye),
            Some(used) => render::notice(&format!("{}: {used}", tongue.say("goodbye"))),
            None => render::notice(tongue.say("goodbye")),
        }
        Ok(exit::DONE)
    }

    /// Answers each input of a pipe; the worst exit code of all turns is that of the program.
    fn at_pipe(&self, ctx: &KernelContext) -> u8 {
        let (mut worst, mut folding) = (exit::DONE, Folding::default());
        loop {
            let taken = self.lines.lock().unwrap_or_else(PoisonError::into_inner).next(None, ctx.cancel());
            let (input, over) = match taken {
                LineRead::Line(line) => (folding.take(line), false),
                _ => (folding.rest(), true),
            };
            if let Some(line) = input.filter(|line| !line.trim().is_empty()) {
                if let (Err(error), false) = (halted(ctx), self.is_of_need(&line)) {
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
    /// not be JSON. The words to leave with are none.
    fn answer_piped(&self, line: &str, ctx: &KernelContext) -> Option<turn::TurnEnd> {
        if ctx.shared().session.json {
            return (!slash::leaves(line, self, ctx)).then(|| turn::line(self, line, ctx));
        }
        match slash::run(line, self, ctx) {
            slash::Done::Leave => None,
            slash::Done::Handled(exit) => Some(turn::TurnEnd { exit, cancelled: false }),
            // A slip among many lines is reported, and is not a failure of the others.
            slash::Done::Unknown => Some(turn::TurnEnd { exit: exit::DONE, cancelled: false }),
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

/// Continues an earlier conversation; whether anything was said in it. What was learned meanwhile is reported.
fn resume(asked: &str, ctx: &KernelContext) -> bool {
    let Some(Answer::Resumed { id, turns, news }) = ctx.ask(Command::Resume { argument: asked.to_owned() })
    else {
        return false;
    };
    if let Ok(id) = id.parse::<ConversationId>() {
        ctx.turn_to(id);
    }
    for skill in ctx.skills().iter().filter(|s| news.iter().any(|name| name == s.name.as_str())) {
        let can: Vec<&str> = skill.tools.iter().map(|t| t.as_str()).collect();
        render::notice(&format!("I have learned {}: {} ({})", skill.name, skill.description, can.join(", ")));
    }
    turns > 0
}

#[cfg(test)]
mod tests;
