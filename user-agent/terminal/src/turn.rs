//! One turn: hands a line to the conversation, shows what comes back, and says it as an exit code.

use std::sync::PoisonError;
use std::time::Duration;

use ports::KernelContext;
use ports::deadline::within;
use serde_json::{Value, json};
use shared_types::message::{Answer, Input, TurnResult};
use shared_types::text;

use super::Cli;
use super::render;
use super::screen::Manner;

/// What came of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TurnEnd {
    /// The exit code that tells it.
    pub(super) exit: u8,
    /// The person ended it.
    pub(super) cancelled: bool,
}

/// Answers a line.
pub(super) fn line(cli: &Cli, line: &str, ctx: &KernelContext) -> TurnEnd {
    run(cli, |stream| Input::typed(line, stream), ctx)
}

/// Answers every input that a turn can begin with; the answer may be streamed where somebody watches.
pub(super) fn run(cli: &Cli, asked: impl FnOnce(bool) -> Input, ctx: &KernelContext) -> TurnEnd {
    let session = &ctx.shared().session;
    let manner = match (session.json || !session.terminal, session.colour) {
        (true, _) => Manner::Pipe,
        (false, false) => Manner::Plain,
        (false, true) => Manner::Fancy,
    };
    let asked = asked(manner != Manner::Pipe);
    let turn = cli.screen.begin(manner, ctx.shared().tongue());
    let (result, mute) = answered(asked, ctx);
    let exit = result.outcome().exit_code();
    let cancelled = matches!(result, TurnResult::Cancelled { .. });
    let reply = if let TurnResult::Reply(reply) = &result { Some(&**reply) } else { None };
    for note in reply.iter().flat_map(|reply| &reply.notes) {
        cli.screen.note(note);
    }
    let lasted = turn.lasted();
    if session.json {
        cli.screen.answer(&shared_types::json::line(&as_json(&result, lasted, ctx)));
    } else if let Some(reply) = reply {
        cli.screen.answer(&reply.reply);
    }
    drop(turn);
    if !session.json {
        explain(&result, mute);
    }
    if !mute && !cancelled {
        let usage = reply.and_then(|reply| reply.usage);
        cli.used.lock().unwrap_or_else(PoisonError::into_inner).add(usage, lasted);
    }
    TurnEnd { exit, cancelled }
}

/// Has the conversation answer, within the time that the command line allows; and whether there is no conversation.
pub fn answered(asked: Input, ctx: &KernelContext) -> (TurnResult, bool) {
    let timeout = ctx.shared().session.overrides.timeout;
    let (answer, late) = within(timeout, ctx.cancel(), || ctx.ask(asked));
    match answer {
        Some(Answer::Turn(TurnResult::Cancelled { .. })) if late => {
            let failed = format!("there was no answer within {} s", timeout.unwrap_or_default().as_secs());
            (TurnResult::Failed { failed }, false)
        }
        Some(Answer::Turn(result)) => (result, false),
        _ => {
            let failed = "nobody is here to think: the skill `reasoning` is not active".to_owned();
            (TurnResult::Failed { failed }, true)
        }
    }
}

/// Says why there is no reply.
fn explain(result: &TurnResult, mute: bool) {
    match result {
        TurnResult::Reply(_) => {}
        TurnResult::Refused { refused } => render::notice(&text::line(refused)),
        TurnResult::Cancelled { .. } => render::notice("cancelled"),
        TurnResult::Failed { failed } if mute => render::notice(failed),
        TurnResult::Failed { failed } => render::notice(&format!("no answer: {}", text::line(failed))),
    }
}

/// The one JSON value of a turn; `refused`, `failed`, `cancelled`, `broke_off` and `incomplete` are there only where
/// they are so.
pub fn as_json(result: &TurnResult, lasted: Duration, ctx: &KernelContext) -> Value {
    let mut shown = json!({"reply": null, "turn_id": null, "provider": null, "model": null, "usage": null, "calls": null});
    shown["seconds"] = json!((lasted.as_secs_f64() * 1000.0).round() / 1000.0);
    if let (Value::Object(shown), Value::Object(mut told)) = (&mut shown, json!(result)) {
        told.remove("notes");
        shown.extend(told);
    }
    shown["conversation_id"] = json!(ctx.conversation());
    shown["outcome"] = json!(result.outcome());
    shown["exit"] = json!(result.outcome().exit_code());
    shown
}

#[cfg(test)]
mod tests;
