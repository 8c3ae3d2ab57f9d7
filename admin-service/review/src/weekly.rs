//! A weekly digest in words: counts by kind, and nothing that somebody wrote.

use ledger::digests::{Asked, Calls, Counts, Runs};

use crate::words::Words;

/// The counts, one kind a line.
pub fn lines(words: Words, counts: &Counts) -> String {
    let Counts { skills, actions, calls, runs } = counts;
    let asked = |asked: &Asked| [asked.asked, asked.approved, asked.refused].map(|count| count.to_string());
    let [all, approved, refused] = asked(skills);
    let skills =
        words.fill("week-skills", &[("asked", &all), ("approved", &approved), ("refused", &refused)]);
    let [all, approved, refused] = asked(actions);
    let actions =
        words.fill("week-actions", &[("asked", &all), ("approved", &approved), ("refused", &refused)]);
    let Calls { made, denied, failed } = calls;
    let [made, denied, failed] = [made, denied, failed].map(ToString::to_string);
    let calls = words.fill("week-calls", &[("made", &made), ("denied", &denied), ("failed", &failed)]);
    let Runs { over, failed } = runs;
    let [over, failed] = [over, failed].map(ToString::to_string);
    let runs = words.fill("week-runs", &[("over", &over), ("failed", &failed)]);
    [skills, actions, calls, runs].map(|line| format!("- {line}")).join("\n")
}

/// What the person of the profile is shown: what the approver gets, and when at the latest.
pub fn shown(words: Words, (from, until): (&str, &str), late: &str, counts: &Counts) -> String {
    let head = words.fill("week-head", &[("from", from), ("until", until), ("late", late)]);
    format!("{head}\n{}", lines(words, counts))
}
