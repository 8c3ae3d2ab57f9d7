//! Which memories go with a line, and what the person prefers.

use jiff::{Span, Timestamp, Zoned};
use language::{Language, restate};
use memory::statements;
use ports::KernelContext;
use ports::guard::{Judged, Source, Verdict};
use shared_types::memory::Fact;
use shared_types::message::{Answer, Recall};
use shared_types::sorted;

use crate::words;

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
        let text = if free { judged.text } else { on_its_day(&judged.text, &fact.at, ctx) };
        let judged = Judged { text, ..judged };
        let text = if from_outside { format!("{NOT_TOLD} {}", judged.text) } else { judged.text };
        (!misleads).then_some(text)
    });
    kept.collect()
}

/// A fact of an earlier day, with the day behind a word that counts from it: `mum's birthday is tomorrow (Tuesday,
/// 1 December 2026)`.
fn on_its_day(text: &str, at: &str, ctx: &KernelContext) -> String {
    let zone = &ctx.shared().zone;
    let Ok(told) = at.parse::<Timestamp>() else { return text.to_owned() };
    let (told, today) = (told.to_zoned(zone.clone()), Timestamp::now().to_zoned(zone.clone()));
    if told.date() == today.date() {
        return text.to_owned();
    }
    let language = words::chosen(ctx).unwrap_or_else(|| language::detect(text));
    counted(text, &told, language).unwrap_or_else(|| text.to_owned())
}

/// The most words of a day that is counted from another, such as `the day after tomorrow`.
const MOST_OF_A_DAY: usize = 4;

/// A text told on a day, with the day that it counts from that one.
fn counted(text: &str, told: &Zoned, language: Language) -> Option<String> {
    let typed: Vec<&str> = text.split_whitespace().collect();
    let words: Vec<String> = typed
        .iter()
        .map(|word| language::fold::word(word.trim_matches(|c: char| !c.is_alphanumeric())))
        .collect();
    // `jeden Morgen`, `am Morgen`
    let is_part = |at: usize| {
        at.checked_sub(1)
            .and_then(|before| language::moment(&words[before]))
            .is_some_and(|meant| matches!(meant, "every" | "on" | "at"))
    };
    (0..words.len()).filter(|at| !is_part(*at)).find_map(|at| {
        let most = MOST_OF_A_DAY.min(words.len() - at);
        let (n, days) =
            (1..=most).rev().find_map(|n| Some((n, language::day(&words[at..at + n].join(" "))?)))?;
        let then = told.checked_add(Span::new().try_days(days).ok()?).ok()?;
        let day = words::on_day(language.says().span_day, &then, language);
        let (before, after) = typed.split_at(at + n);
        let said = format!("{} ({day}) {}", before.join(" "), after.join(" "));
        Some(said.trim_end().to_owned())
    })
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

#[cfg(test)]
mod tests;
