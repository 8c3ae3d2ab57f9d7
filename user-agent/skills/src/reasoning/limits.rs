//! The limits of a profile's talk: in quiet hours and after a used-up budget a line is answered with one sentence. No model and no
//! tool is asked then, and nothing of the line is kept.

use std::time::Instant;

use bot_base::error::Error;
use jiff::Zoned;
use jiff::civil::Time;
use language::{Language, Says, fill};
use ports::KernelContext;
use ports::talk::{Ended, Hints};
use shared_types::message::{Answer, Around, Line, Recall, Reply, TurnOutcome, TurnResult};

use super::turn;
use crate::words;

/// The commands of reminders that are done at any time: a reminder can be seen and ended, and none is set or moved.
const AT_ANY_TIME: [&str; 6] = ["list", "day", "left", "cancel", "cancel-all", "cancel-timers"];

/// Has a line answered where the profile's limits leave room for it, and counts it; else says why not, and until when.
pub(super) fn within(line: &Line, ctx: &KernelContext, answer: impl FnOnce() -> TurnResult) -> TurnResult {
    let talk = &ctx.shared().talk;
    if let Err(ended) = talk.begin() {
        let reply = reminders(line, ctx).unwrap_or_else(|| refusal(&line.text, &ended, ctx));
        return TurnResult::Reply(Box::new(reply));
    }
    let begun = Instant::now();
    let mut result = answer();
    let hints = talk.end(begun.elapsed(), matches!(result, TurnResult::Reply(_)));
    if let TurnResult::Reply(reply) = &mut result {
        reply.notes.extend(notes(&hints, words::language(ctx, &line.text).says()));
    }
    result
}

/// Has a call made that comes without a line, where the profile's limits leave room for it, and counts it as a line.
///
/// # Errors
/// [`Error::Limited`]: why not, and until when, in the profile's language.
pub fn counted<T>(ctx: &KernelContext, call: impl FnOnce() -> T) -> Result<T, Error> {
    let talk = &ctx.shared().talk;
    talk.begin().map_err(|ended| Error::Limited(refused("", &ended, ctx)))?;
    let begun = Instant::now();
    let answer = call();
    talk.end(begun.elapsed(), false);
    Ok(answer)
}

/// The reminders that are due; in quiet hours none is announced, and the next look is at their end.
pub(super) fn due(since: i64, ctx: &KernelContext) -> Option<Answer> {
    match ctx.shared().talk.quiet_until() {
        Some(until) if !ctx.shared().session.scheduled => {
            Some(Answer::Due { told: vec![], unread: None, next: Some(until.timestamp().as_second()) })
        }
        _ => ctx.ask(Recall::Due { since }),
    }
}

/// Why nobody is answered now, in the language of a line.
fn refused(line: &str, ended: &Ended, ctx: &KernelContext) -> String {
    let language = words::language(ctx, line);
    let says = language.says();
    let until = |template, until: &Zoned| {
        let moment = match until.time() == Time::midnight() {
            true => words::on_day(says.span_day, until, language),
            false => words::moment_of(until, &ctx.shared().talk.now(), language),
        };
        fill(template, &[("until", &moment)])
    };
    match ended {
        Ended::Quiet(end) => until(says.talk_quiet, end),
        Ended::Minutes(end) => until(says.talk_minutes, end),
        Ended::Tokens(end) => until(says.talk_tokens, end),
        // A child reads no path.
        Ended::Unkept(_) if ctx.shared().audience.is_minor() => says.broken_minor.to_owned(),
        Ended::Unkept(why) => fill(says.talk_unkept, &[("why", &why.to_string())]),
    }
}

fn refusal(line: &str, ended: &Ended, ctx: &KernelContext) -> Reply {
    Reply { reply: refused(line, ended, ctx), outcome: TurnOutcome::Denied, ..Reply::default() }
}

/// The answer to a typed line that lists or cancels reminders.
fn reminders(line: &Line, ctx: &KernelContext) -> Option<Reply> {
    if line.untyped || line.call.is_some() {
        return None;
    }
    let (command, spoken): (String, Language) = language::remind(&line.text)?;
    let name = command.split('|').next().unwrap_or_default().trim();
    if !AT_ANY_TIME.contains(&name) {
        return None;
    }
    let (said, _) = turn::of_reminders(&line.text, command, spoken, false, Around::default(), ctx)?;
    Some(Reply { reply: said.text, outcome: said.outcome, ..Reply::default() })
}

fn notes(hints: &Hints, says: &Says) -> Vec<String> {
    let minutes = hints.nearly_over.minutes.map(|minutes| {
        let form = says.talk_minutes_left.split(" | ").nth(usize::from(minutes == 0));
        fill(form.unwrap_or_default(), &[("minutes", &minutes.to_string())])
    });
    let tokens = hints.nearly_over.tokens.then(|| says.talk_tokens_left.to_owned());
    let quiet = hints
        .quiet_from
        .as_ref()
        .map(|from| fill(says.talk_quiet_soon, &[("when", &words::clock(from.time()))]));
    [minutes, tokens, quiet].into_iter().flatten().collect()
}
