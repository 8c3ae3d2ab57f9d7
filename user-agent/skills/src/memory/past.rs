//! What earlier conversations were about: a line for each, made of what the person typed in it, so that nothing from outside
//! comes with it.
//!
//! No model is asked. What memory does not keep, such as a line of a person in need, stands in none of them, and what told
//! facts stands in them as long as each of them is remembered. A fact that a model found in a line is not looked for there.
//!
//! What a line is held against takes a tenth of a millisecond, and a new conversation asks about fifty of them: so it is noted with the
//! line when it is stored.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use language::Intent;
use memory::{Error, Recall, Summary, Turn, statements};
use serde_json::{Value, json};
use shared_types::text;

/// The messages of a conversation that are looked at, and the lines of the person that stand for it.
const MOST_MESSAGES: usize = 40;
const MOST_LINES: usize = 3;
/// The longest summary, in characters.
const MAX_SUMMARY: usize = 140;
/// The note of a line, among the metadata of its turn.
const NOTE: &str = "about";
/// The newest facts that are looked at.
const MOST_FACTS: usize = 1_000;

/// The newest conversations but `here`, each with what it was about in place of its first line.
pub(super) fn past(memory: &dyn Recall, here: &str, most: usize) -> Result<Vec<Summary>, Error> {
    let mut past = memory.conversations(most + 1)?;
    past.retain(|one| one.id != here);
    past.truncate(most);
    let ids: Vec<&str> = past.iter().map(|one| one.id.as_str()).collect();
    let turns = memory.each_conversation(&ids, MOST_MESSAGES)?;
    let told = FactCounts { memory, counts: OnceCell::new() };
    let mut kept = Vec::new();
    for (one, turns) in past.into_iter().zip(turns) {
        kept.extend(about(&turns, &told)?.map(|first| Summary { first, ..one }));
    }
    Ok(kept)
}

/// How many facts that are remembered each turn told; they are read when a line is the first that told one.
struct FactCounts<'a> {
    memory: &'a dyn Recall,
    counts: OnceCell<BTreeMap<String, u64>>,
}

impl FactCounts<'_> {
    fn by(&self, turn: &Turn) -> Result<u64, Error> {
        if self.counts.get().is_none() {
            let mut counts = BTreeMap::<String, u64>::new();
            for turn in self.memory.facts(MOST_FACTS)?.into_iter().filter_map(|fact| fact.turn_id) {
                *counts.entry(turn).or_default() += 1;
            }
            let _ = self.counts.set(counts);
        }
        Ok(self.counts.get().and_then(|counts| counts.get(&turn.turn_id)).copied().unwrap_or_default())
    }
}

/// Notes with what the person typed whether it says what a conversation was about.
pub(super) fn note(turn: &mut Turn) {
    if is_typed(turn) {
        match &mut turn.metadata {
            Value::Object(metadata) => _ = metadata.insert(NOTE.to_owned(), noted(&turn.content)),
            other => *other = json!({ NOTE: noted(&turn.content) }),
        }
    }
}

/// How many facts a line tells, where it says what a conversation was about, else false.
fn noted(content: &str) -> Value {
    match tells(&text::line(content.trim())) {
        true => statements::statements(content).len().into(),
        false => false.into(),
    }
}

fn is_typed(turn: &Turn) -> bool {
    turn.role == "user" && turn.metadata["untyped"] != true
}

/// What the person typed first in a conversation that says what it was about.
fn about(turns: &[Turn], told: &FactCounts<'_>) -> Result<Option<String>, Error> {
    // Turns of an older version have no note.
    let counts = |turn: &Turn| match turn.metadata.get(NOTE) {
        Some(note) => note.as_u64(),
        None => noted(&turn.content).as_u64(),
    };
    let mut lines: Vec<String> = Vec::new();
    for turn in turns.iter().filter(|turn| is_typed(turn)) {
        let line = text::line(turn.content.trim());
        if !lines.contains(&line)
            && let Some(facts) = counts(turn)
            && (facts == 0 || facts <= told.by(turn)?)
        {
            lines.push(line);
        }
        if lines.len() == MOST_LINES {
            break;
        }
    }
    Ok((!lines.is_empty()).then(|| text::cut(&lines.join("; "), MAX_SUMMARY)))
}

/// Whether a line says what a conversation was about.
fn tells(line: &str) -> bool {
    use Intent::{
        Confirm, Decline, Forget, ForgetAll, Goodbye, Greeting, HowAreYou, Past, Recall, Remember, Thanks,
    };
    !line.is_empty()
        && !language::intent(line).is_some_and(|meant| {
            matches!(
                meant.intent,
                Confirm
                    | Decline
                    | Forget { .. }
                    | ForgetAll
                    | Goodbye
                    | Greeting
                    | HowAreYou
                    | Past { .. }
                    | Recall { .. }
                    | Remember { .. }
                    | Thanks
            )
        })
}

#[cfg(test)]
mod tests;
