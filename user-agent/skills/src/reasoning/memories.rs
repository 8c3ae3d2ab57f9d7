//! Which memories go with a line, and what the person prefers.

use memory::statements;
use ports::KernelContext;
use ports::guard::{Source, Verdict};
use shared_types::message::{Answer, Recall};

/// The facts that go with a line to a model.
const MOST_FOR_MODEL: usize = 6;
/// The facts that go to the companion, which picks by itself.
pub(super) const MOST_FOR_COMPANION: usize = 200;
/// The longest fact that goes along, in bytes.
const MAX_FACT: usize = 500;

/// Stands before a fact that came from a tool or a skill.
const NOT_TOLD: &str = "(from outside, not told by me)";

/// The facts that may matter for a line, as they were said; what looks like an order to a model stays behind.
pub(super) fn for_line(line: &str, free: bool, ctx: &KernelContext) -> Vec<String> {
    let asked = match free {
        true => Recall::Facts { query: line.to_owned(), limit: Some(MOST_FOR_MODEL) },
        false => Recall::Facts { query: String::new(), limit: Some(MOST_FOR_COMPANION) },
    };
    let Some(Answer::Facts(mut facts)) = ctx.ask(asked) else { return vec![] };
    if !free {
        // Of two facts that answer a question equally well, what was said last holds.
        facts.reverse();
    }
    let kept = facts.iter().filter_map(|fact| {
        // Only a model can be misled; the companion repeats a fact and nothing else.
        let judged = ctx.shared().guard().outside(Source::Memory, &fact.text, MAX_FACT);
        let misleads = free && !matches!(judged.verdict, Verdict::Pass);
        let from_outside = free && fact.outside;
        let text = if from_outside { format!("{NOT_TOLD} {}", judged.text) } else { judged.text };
        (!misleads).then_some(text)
    });
    kept.collect()
}

/// What preferences may take in the instructions of a model, in bytes.
const BUDGET: usize = 1024;

/// What the person prefers, the newest first, for the instructions of a model; what looks like an order to it, and what the
/// person did not say, stays behind.
pub(super) fn preferences(ctx: &KernelContext) -> Vec<String> {
    let Some(Answer::Facts(facts)) = ctx.ask(Recall::Preferences) else { return vec![] };
    let guard = ctx.shared().guard();
    let passes = |text: &str| matches!(guard.outside(Source::Memory, text, MAX_FACT).verdict, Verdict::Pass);
    let lines = facts.into_iter().rev().filter(|fact| passes(&fact.text));
    within(BUDGET, lines.map(|fact| format!("- {}", fact.text)))
}

/// The first lines for which there is room, in bytes.
pub(super) fn within(mut room: usize, lines: impl Iterator<Item = String>) -> Vec<String> {
    let fits = |line: &String| {
        let rest = room.checked_sub(line.len() + 1);
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    lines.take_while(fits).collect()
}

/// The name by which the person wants to be called, as they said it last.
pub(super) fn name(ctx: &KernelContext) -> Option<String> {
    let Some(Answer::Facts(facts)) = ctx.ask(Recall::Preferences) else { return None };
    facts.iter().rev().find_map(|fact| statements::name(&fact.text))
}
