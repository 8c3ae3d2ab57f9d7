//! Which memories go with a line, and what the person prefers.

use language::restate;
use memory::statements;
use ports::KernelContext;
use ports::guard::{Source, Verdict};
use shared_types::memory::Fact;
use shared_types::message::{Answer, Recall};
use shared_types::sorted;

/// The facts that go with a line to a model.
const MOST_FOR_MODEL: usize = 6;
/// The newest facts go to the companion, which picks on its own.
const NEWEST: usize = 150;
/// This number of facts goes with them that share words with the line, however old they are.
const ALIKE: usize = 50;
/// The longest fact that goes along, in bytes.
const MAX_FACT: usize = 500;

/// Stands before a fact that came from a tool or a skill.
const NOT_TOLD: &str = "(from outside, not told by me)";

/// The facts that may matter for a line, as they were said; what looks like an order to a model stays behind.
pub(super) fn for_line(line: &str, free: bool, ctx: &KernelContext) -> Vec<String> {
    let facts = match free {
        true => found(line.to_owned(), MOST_FOR_MODEL, ctx),
        false => for_companion(line, ctx),
    };
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

/// The facts from which the companion picks, the newest first: of two that answer a question equally well, what was said last
/// holds. However many there are, the newest of all are among them, and those that share words with the line.
pub(super) fn for_companion(line: &str, ctx: &KernelContext) -> Vec<Fact> {
    let mut facts = found(String::new(), NEWEST, ctx);
    if facts.len() == NEWEST {
        facts.extend(found(restate::widened(line), ALIKE, ctx));
        sorted::by(&mut facts, |a, b| (&a.at, &a.id).cmp(&(&b.at, &b.id)));
        facts.dedup_by(|a, b| a.id == b.id);
    }
    facts.reverse();
    facts
}

/// What the memory finds; nothing where it cannot be asked.
fn found(query: String, most: usize, ctx: &KernelContext) -> Vec<Fact> {
    match ctx.ask(Recall::Facts { query, limit: Some(most) }) {
        Some(Answer::Facts(facts)) => facts,
        _ => vec![],
    }
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
