//! What earlier conversations were about, for a model and for a person who asks.

use jiff::{Timestamp, Zoned};
use language::{Language, fill};
use ports::KernelContext;
use ports::guard::{Source, Verdict};
use shared_types::message::{self, Answer};

use super::memories;
use crate::words;

/// The most conversations that are looked at.
const MOST: usize = 50;
/// What their lines may take in the instructions of a model, in bytes.
const BUDGET: usize = 2 * 1024;
/// The conversations that are listed to a person at once.
const MOST_TOLD: usize = 5;

/// An earlier conversation.
struct Past {
    at: Zoned,
    about: String,
}

/// The lines for the instructions of a model, the newest first, as far as the budget goes; what looks like an order to a
/// model stays behind.
pub(super) fn for_model(ctx: &KernelContext) -> Vec<String> {
    let passes = |line: &String| {
        matches!(ctx.shared().guard().outside(Source::Memory, line, BUDGET).verdict, Verdict::Pass)
    };
    let lines = earlier(ctx).into_iter().map(|past| format!("- {}: {}", past.at.date(), past.about));
    memories::within(BUDGET, lines.filter(passes))
}

/// What a person reads who asks for the last conversations, or for those of a day.
pub(super) fn told(when: &str, language: Language, ctx: &KernelContext) -> String {
    let today = Timestamp::now().to_zoned(ctx.shared().zone.clone());
    let day = language::day(when).and_then(|days| today.checked_add(jiff::Span::new().days(days)).ok());
    let is_then = |past: &Past| day.as_ref().is_none_or(|day| day.date() == past.at.date());
    let rows: Vec<String> = earlier(ctx)
        .iter()
        .filter(|past| is_then(past))
        .take(MOST_TOLD)
        .map(|past| {
            fill(&words::on_day(language.says().past_row, &past.at, language), &[("about", &past.about)])
        })
        .collect();
    if rows.is_empty() {
        return language.says().past_none.to_owned();
    }
    format!("{}\n{}", language.says().past, rows.join("\n"))
}

/// How many conversations there are, with this one.
pub(super) fn count(ctx: &KernelContext) -> usize {
    match ctx.ask(message::Recall::Conversations { limit: None }) {
        Some(Answer::Conversations(all)) => all.len(),
        _ => 0,
    }
}

/// The conversations before this one, the newest first.
fn earlier(ctx: &KernelContext) -> Vec<Past> {
    let Some(Answer::Conversations(all)) = ctx.ask(message::Recall::Past { limit: Some(MOST) }) else {
        return vec![];
    };
    let past = all.into_iter().filter_map(|one| {
        let at = one.at.parse::<Timestamp>().ok()?.to_zoned(ctx.shared().zone.clone());
        Some(Past { at, about: one.first })
    });
    past.collect()
}
