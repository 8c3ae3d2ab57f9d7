//! What scheduled runs came to, reported to their person once.

use jiff::{Timestamp, Zoned};
use language::{Language, fill};
use shared_types::exit;
use shared_types::scheduled::{DIGEST, Over};
use shared_types::text::block;

use crate::words::moment_of;

/// A sentence about a run that is over; `skipped` runs before it are not kept.
pub(super) fn sentence(over: &Over, skipped: u64, now: &Zoned, language: Language) -> String {
    if over.schedule.as_str() == DIGEST {
        return block(over.words.trim());
    }
    let forms: Vec<&str> = language.says().scheduled.split(" | ").collect();
    let form = |at: usize| forms.get(at).copied().unwrap_or_default();
    let at = match over.exit {
        Some(exit::DONE) => 0,
        Some(exit::WAITS) => 1,
        _ => 2,
    };
    let then = over.at.parse::<Timestamp>().unwrap_or_default().to_zoned(now.time_zone().clone());
    let said = [("name", over.schedule.as_str()), ("when", &moment_of(&then, now, language))];
    let mut sentence = fill(form(at), &said);
    if skipped > 0 {
        sentence += &fill(form(3), &[("count", &skipped.to_string())]);
    }
    if over.cut {
        sentence += form(4);
    }
    let words = block(over.words.trim());
    if !words.is_empty() {
        sentence.push(':');
    }
    // What a run said never looks like a line of the chat.
    sentence + &words.lines().map(|line| format!("\n  {line}")).collect::<String>()
}

#[cfg(test)]
mod tests;
