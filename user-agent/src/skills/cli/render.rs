//! Replies to text: answers to standard output, everything else to standard error.

use std::io::Write;

use shared_types::text;

use crate::kernel::context::KernelContext;

/// Shows an answer.
pub(super) fn show(answer: &str) {
    let mut out = std::io::stdout().lock();
    // A reader that has gone away wants no more answers; the end of the input comes soon.
    let _ = writeln!(out, "{answer}");
    let _ = out.flush();
}

/// Writes without a line's end.
pub(super) fn raw(written: &str) {
    let mut out = std::io::stdout().lock();
    let _ = write!(out, "{written}");
    let _ = out.flush();
}

/// A text of a skill, under its name.
pub(super) fn labelled(name: &str, said: &str) -> String {
    said.lines().map(|line| format!("[{}] {line}", text::cut(name, 63))).collect::<Vec<_>>().join("\n")
}

/// Says something beside the conversation.
pub(super) fn notice(message: &str) {
    aside(&format!("({message})"));
}

/// Writes to standard error; nobody reading it is no failure.
fn aside(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// What runs here, with what it can do and what holds it back.
pub(super) fn banner(ctx: &KernelContext) {
    let shared = ctx.shared();
    let session = &shared.session;
    let provider = shared.config.models.providers.first().map_or("no model".to_owned(), |p| match &p.model {
        Some(model) => format!("{} ({})", p.name, text::cut(model, 60)),
        None => p.name.clone(),
    });
    let skills = ctx.skills();
    let names = |learned: bool| {
        let names: Vec<String> =
            skills.iter().filter(|s| s.learned == learned).map(|s| s.name.to_string()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    };
    let facts = ctx.send(
        shared_types::event::core::USER_INPUT,
        serde_json::json!({"command": "memory", "argument": ""}),
    );
    let facts = facts.as_ref().and_then(serde_json::Value::as_array).map(Vec::len);
    let tier = session.tier.map_or("unknown".to_owned(), |t| t.to_string());
    let network = if session.network { "in a process of its own" } else { "none" };
    aside(&format!("TameClaw {}: profile {}, model {provider}", env!("CARGO_PKG_VERSION"), shared.profile));
    aside(&format!("  skills     {} | learned: {}", names(false), names(true)));
    match facts {
        Some(n) => aside(&format!("  memory     {n} fact(s)")),
        None => aside("  memory     off"),
    }
    aside(&format!("  isolation  {tier} ({}), network: {network}", session.held));
    if session.interactive {
        aside("  /help shows the commands, /exit or Ctrl-D leaves");
    }
}
