//! One turn: hands a line to the conversation, shows what comes back, and says it as an exit code.

use std::sync::PoisonError;
use std::time::Duration;

use ports::KernelContext;
use ports::deadline::within;
use serde_json::{Map, Value, json};
use shared_types::event::core;
use shared_types::{exit, text};

use super::Cli;
use super::render;
use super::screen::Manner;

/// What came of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Came {
    /// The exit code that tells it.
    pub(super) exit: u8,
    /// The person ended it.
    pub(super) cancelled: bool,
}

/// Answers a line.
pub(super) fn line(cli: &Cli, line: &str, ctx: &KernelContext) -> Came {
    run(cli, json!({"text": line}), ctx)
}

/// Answers whatever a turn can begin with; the answer may be streamed where somebody watches.
pub(super) fn run(cli: &Cli, mut asked: Value, ctx: &KernelContext) -> Came {
    let session = &ctx.shared().session;
    let manner = match (session.json || !session.terminal, session.colour) {
        (true, _) => Manner::Pipe,
        (false, false) => Manner::Plain,
        (false, true) => Manner::Fancy,
    };
    asked["stream"] = Value::Bool(manner != Manner::Pipe);
    let turn = cli.screen.begin(manner);
    let (answer, late) =
        within(session.overrides.timeout, ctx.cancel(), || ctx.send(core::USER_INPUT, asked));
    let answer = answer.unwrap_or_else(
        || json!({"failed": "nobody is here to think: the skill `reasoning` is not active", "mute": true}),
    );
    let answer = match session.overrides.timeout.filter(|_| late && answer["cancelled"] == true) {
        Some(limit) => json!({"failed": format!("there was no answer within {} s", limit.as_secs())}),
        None => answer,
    };
    let code = exit_code(&answer);
    let cancelled = answer["cancelled"] == true;
    for note in answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        cli.screen.note(note);
    }
    let lasted = turn.lasted();
    if session.json {
        cli.screen.answer(&shared_types::json::line(&as_json(&answer, code, lasted, ctx)));
    } else if let Some(reply) = answer["reply"].as_str() {
        cli.screen.answer(reply);
    }
    drop(turn);
    if !session.json {
        explain(&answer);
    }
    if answer["mute"] != true && !cancelled {
        cli.used.lock().unwrap_or_else(PoisonError::into_inner).add(&answer, lasted);
    }
    Came { exit: code, cancelled }
}

/// The exit code of an answer: one that could not be kept whole is no success.
fn exit_code(answer: &Value) -> u8 {
    if answer["reply"].is_string() {
        if answer["incomplete"] == true { exit::FAILED } else { exit::DONE }
    } else if answer["refused"].is_string() {
        exit::REFUSED
    } else {
        exit::FAILED
    }
}

/// Says why there is no reply.
fn explain(answer: &Value) {
    let field = |key: &str| answer[key].as_str().map(text::line);
    if answer["reply"].is_string() {
    } else if let Some(why) = field("refused") {
        render::notice(&why);
    } else if answer["cancelled"] == true {
        render::notice("cancelled");
    } else if answer["mute"] == true {
        render::notice(&field("failed").unwrap_or_default());
    } else {
        render::notice(&format!(
            "no answer: {}",
            field("failed").unwrap_or_else(|| "the turn failed".to_owned())
        ));
    }
}

/// The one JSON value of a turn; `refused`, `failed`, `cancelled` and `incomplete` are there only where they are so.
fn as_json(answer: &Value, code: u8, lasted: Duration, ctx: &KernelContext) -> Value {
    let mut shown = Map::new();
    shown.insert("reply".to_owned(), answer["reply"].clone());
    for key in ["refused", "failed", "cancelled", "incomplete"] {
        if let Some(value) = answer.get(key).filter(|value| !value.is_null()) {
            shown.insert(key.to_owned(), value.clone());
        }
    }
    shown.insert("conversation_id".to_owned(), json!(ctx.conversation()));
    for key in ["turn_id", "provider", "model", "usage", "calls"] {
        shown.insert(key.to_owned(), answer.get(key).cloned().unwrap_or(Value::Null));
    }
    let seconds =
        answer["seconds"].as_f64().unwrap_or_else(|| (lasted.as_secs_f64() * 1000.0).round() / 1000.0);
    shown.insert("seconds".to_owned(), json!(seconds));
    shown.insert("exit".to_owned(), json!(code));
    Value::Object(shown)
}

#[cfg(test)]
mod tests;
