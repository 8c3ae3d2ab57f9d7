//! What a run of one test says.

use std::fmt;

/// How one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It failed.
    Red,
    /// It passed.
    Green,
    /// It said that this machine lacks what it needs.
    Skipped,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Red => "red",
            Outcome::Green => "green",
            Outcome::Skipped => "skipped",
        })
    }
}

/// Reads the closing line of a program that ran exactly one test; nothing where it ran none, or died.
pub(super) fn judge(said: &str) -> Option<Outcome> {
    let mut closing = said.lines().filter_map(|line| {
        let counts = line.split_once("test result: ")?.1.split_once(". ")?.1;
        let mut parts = counts.split("; ");
        let passed: u32 = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
        let failed: u32 = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
        Some((passed, failed))
    });
    let counts = closing.next()?;
    if closing.next().is_some() {
        return None;
    }
    match counts {
        (0, 1) => Some(Outcome::Red),
        (1, 0) if said.lines().any(|line| line.starts_with("skipped: ")) => Some(Outcome::Skipped),
        (1, 0) => Some(Outcome::Green),
        _ => None,
    }
}

/// The first line of what a test that failed says of it.
pub(super) fn reason(said: &str) -> String {
    let mut lines = said.lines().skip_while(|line| !line.contains("panicked at "));
    let (place, text) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let place = place.split_once("panicked at ").map_or("", |(_, place)| place);
    let text: String = text.chars().take(160).collect();
    format!("{place} {text}")
}

#[cfg(test)]
mod tests;
