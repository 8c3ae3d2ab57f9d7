//! What may be said: the list that an ear like `cl-ear` takes, of the companion's own sentences and of the approved skills.

use std::collections::BTreeSet;
use std::io::Write as _;

use bot_base::config::channel::{BUILT_IN, Through};
use bot_base::error::{Error, say};
use models::ToolSpec;
use ports::offered;
use serde_json::Value;
use shared_types::exit;
use user_agent::start::Options;
use user_agent::start::mind::{Purpose, become_mind_behind};

use crate::messenger::rooms::is_stop;

/// What the companion answers without a skill. A yes and a no are not among them: they are not taken by voice.
const OWN: [&str; 18] = [
    "stop",
    "help",
    "hello",
    "good morning",
    "good night",
    "thank you",
    "who are you",
    "what can you do",
    "what time is it",
    "what day is it",
    "what is the date",
    "what do you know about me",
    "what reminders do i have",
    "set a timer for <number> minutes",
    "set a timer for <number> hours",
    "what is <number> plus <number>",
    "what is <number> minus <number>",
    "what is <number> times <number>",
];
/// The most phrases that one pattern comes to.
const MOST_OF_A_PATTERN: usize = 12;
/// The slot for a number in the list.
const NUMBER: &str = "<number>";

/// Prints the list.
///
/// # Errors
/// What forbids the start, or standard output that cannot be written.
pub(super) fn print(options: &Options) -> Result<u8, Error> {
    let mut wake = None;
    let purpose = Purpose { through: Through::Voice, ..Purpose::default() };
    let (kernel, warnings) = become_mind_behind(options, purpose, &[], |prepared| {
        wake = prepared.settings.voice.wake.clone();
        Ok(None)
    })?;
    for warning in warnings {
        say(&warning);
    }
    let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
    let tools = offered::specs(&ctx);
    let approved = tools.iter().filter(|tool| !BUILT_IN.contains(&tool.name.as_str()));
    let mut lines: Vec<String> = OWN.map(str::to_owned).to_vec();
    lines.extend(approved.flat_map(of_tool).collect::<BTreeSet<_>>());
    if let Some(wake) = wake {
        for line in lines.iter_mut().filter(|line| !is_stop(line)) {
            *line = format!("{wake} {line}");
        }
    }
    lines.push(String::new());
    let written = std::io::stdout().write_all(lines.join("\n").as_bytes());
    written.map_err(Error::io("standard output".as_ref()))?;
    Ok(exit::DONE)
}

/// The English phrases of a tool.
fn of_tool(tool: &ToolSpec) -> BTreeSet<String> {
    let english = tool.phrases.iter().filter(|phrase| phrase.language == "en");
    english.flat_map(|phrase| of_pattern(&phrase.pattern, &tool.parameters)).collect()
}

/// The phrases of a pattern, without what may be missing in it. None where it has a slot for anything but a number: a list cannot
/// hold what anybody may say.
fn of_pattern(pattern: &str, parameters: &Value) -> Vec<String> {
    let mut phrases = vec![String::new()];
    let mut is_optional = false;
    for word in pattern.split_whitespace() {
        is_optional |= word.starts_with('[');
        let is_skipped = is_optional;
        is_optional &= !word.ends_with(']');
        if is_skipped {
            continue;
        }
        let choices: Vec<&str> = match word.strip_prefix('{') {
            Some(slot) if is_number(slot.trim_end_matches('}'), parameters) => vec![NUMBER],
            Some(_) => return vec![],
            None => word.split('|').collect(),
        };
        let is_plain = |choice: &str| {
            choice == NUMBER
                || (!choice.is_empty() && choice.chars().all(|c| c.is_ascii_alphabetic() || c == '\''))
        };
        let with = |phrase: &String, choice: &str| format!("{phrase} {choice}").trim_start().to_owned();
        let choices: Vec<&str> = choices.into_iter().filter(|choice| is_plain(choice)).collect();
        phrases =
            choices.iter().flat_map(|choice| phrases.iter().map(|phrase| with(phrase, choice))).collect();
        phrases.truncate(MOST_OF_A_PATTERN);
    }
    phrases.retain(|phrase| !phrase.is_empty());
    phrases
}

/// Whether a slot, with what stands behind its name, is a parameter that is a number.
fn is_number(slot: &str, parameters: &Value) -> bool {
    let name = slot.split(':').next().unwrap_or_default();
    let kind = &parameters["properties"][name]["type"];
    kind == "integer" || kind == "number"
}

#[cfg(test)]
mod tests;
