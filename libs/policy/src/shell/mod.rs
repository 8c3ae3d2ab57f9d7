//! A shell line, split into words and judged by its programs; no shell ever sees it.
//!
//! Only plain words are taken: whatever a shell could read differently is refused.

use shared_types::grants::CommandPattern;
use shared_types::risk::Risk;

/// Programs that never run, beside the configured ones.
pub const FORBIDDEN: [&str; 5] = ["rm", "shutdown", "reboot", "mkfs", "dd"];

/// A line as it was parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// Its words.
    pub argv: Vec<String>,
}

/// What a profile's configuration says of commands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules<'a> {
    /// What is medium; every other command is high.
    pub allowed: &'a [CommandPattern],
    /// What never runs, beside [`FORBIDDEN`].
    pub forbidden: &'a [String],
}

/// How risky a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Judgement {
    /// The worst of its parts.
    pub risk: Risk,
    /// One for each command, in the order of the line.
    pub parts: Vec<Part>,
}

/// How risky one command is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its argument vector.
    pub argv: Vec<String>,
    /// The risk.
    pub risk: Risk,
    /// The rule, by its name in the documentation.
    pub rule: &'static str,
    /// Why, in words that are safe to show.
    pub why: String,
}

/// Parses and judges in one step; a line that does not parse is high at least.
pub fn judge_text(line: &str, rules: &Rules<'_>) -> (Option<Line>, Judgement) {
    let argv: Vec<String> = line.split_ascii_whitespace().map(str::to_owned).collect();
    let plain = |word: &String| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./:=+,".contains(&b));
    let never = |word: &String| {
        let program = word.rsplit('/').next().unwrap_or_default();
        FORBIDDEN.contains(&program) || rules.forbidden.iter().any(|name| name == program)
    };
    let parses = !argv.is_empty() && argv.iter().all(plain);
    let (risk, rule, why) = if argv.iter().any(never) {
        (Risk::Blocked, "forbidden", "it names a program that never runs".to_owned())
    } else if !parses {
        (Risk::High, "unparsed", "character 1 of the line: only plain words are taken".to_owned())
    } else if rules.allowed.iter().any(|pattern| pattern.matches(&argv)) {
        (Risk::Medium, "allowed", "the profile's file names it".to_owned())
    } else {
        (Risk::High, "not-allowed", "no pattern of `grants.commands` names it".to_owned())
    };
    let part = Part { argv: argv.clone(), risk, rule, why };
    (parses.then_some(Line { argv }), Judgement { risk, parts: vec![part] })
}
