//! What came of an action, in words: for the person, and for the model as the result of its call.

use kernel::skill::Outcome;
use ports::actions::ActionOutcome;
use shared_types::action::{ActionResult, MAX_OUTPUT};
use shared_types::text::{block, cut};
use shared_types::verdict::Rule;

/// A command's outcome: exit code 0 is an answer, anything else a failure that tells as much.
pub fn outcome(came: ActionOutcome) -> Outcome {
    match came {
        ActionOutcome::Done(result) if result.exit == Some(0) => Outcome::Said(in_words(&result)),
        ActionOutcome::Done(result) => Outcome::Failed(in_words(&result)),
        ActionOutcome::Refused { why, .. } => {
            Outcome::Denied(Rule::Refused, format!("the admin service refused it: {why}"))
        }
        ActionOutcome::Withdrawn(why) => Outcome::Failed(why),
        ActionOutcome::Approved(by) => Outcome::Failed(format!("{by} said yes, but nothing ran")),
    }
}

/// Exit code, output, and what was left out; safe to show.
pub(super) fn in_words(result: &ActionResult) -> String {
    let mut text = match (result.exit, result.ended.as_deref()) {
        (Some(code), None) => format!("exit {code}"),
        (Some(code), Some(ended)) => format!("exit {code} ({})", cut(ended, 200)),
        (None, ended) => format!("no exit code: {}", cut(ended.unwrap_or("ended"), 200)),
    };
    for (name, output) in [("stdout", &result.stdout), ("stderr", &result.stderr)] {
        if !output.trim().is_empty() {
            text.push_str(&format!("\n{name}:\n{}", block(output.trim_end())));
        }
    }
    if result.stdout.trim().is_empty() && result.stderr.trim().is_empty() {
        text.push_str(", no output");
    }
    if result.cut {
        text.push_str(&format!("\n[cut: at most {} KB of each output are kept]", MAX_OUTPUT / 1024));
    }
    text
}
