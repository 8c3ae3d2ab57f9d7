//! What may be said: the list that an ear like `cl-ear` takes, of the companion's own sentences and of the approved skills.

use std::collections::BTreeSet;
use std::io::Write as _;

use bot_base::config::channel::{BUILT_IN, Through};
use bot_base::error::{Error, say};
use models::ToolSpec;
use ports::{KernelContext, offered};
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
/// The same in German, for an ear that understands German alone.
const OWN_GERMAN: [&str; 18] = [
    "stopp",
    "hilfe",
    "hallo",
    "guten morgen",
    "gute nacht",
    "danke",
    "wer bist du",
    "was kannst du",
    "wie spät ist es",
    "welcher tag ist heute",
    "welches datum haben wir",
    "was weißt du über mich",
    "welche erinnerungen habe ich",
    "stell|stelle einen timer auf <number> minuten",
    "stell|stelle einen timer auf <number> stunden",
    "was ist <number> plus <number>",
    "was ist <number> minus <number>",
    "was ist <number> mal <number>",
];
/// The most lines; an ear takes a list that is not longer.
const MOST: usize = 1_500;
/// The skill whose tools are what may be said.
pub(super) const TALKS: &str = "reasoning";
/// The least words and slots of a skill's phrase.
const LEAST_WORDS: usize = 2;
/// The slots of the list.
const NUMBER: &str = "<number>";
const DATE: &str = "<date>";
const DICE: &str = "<dice>";
const UNIT: &str = "<unit>";

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
    let ctx = kernel.context_of(TALKS).ok_or(Error::NoDriver)?;
    let written = std::io::stdout().write_all(list(&ctx, wake.as_deref(), "en").as_bytes());
    written.map_err(Error::io("standard output".as_ref()))?;
    Ok(exit::DONE)
}

/// The list in a language, one phrase a line: the companion's own and those of approved skills, behind the words that wake it.
pub(super) fn list(ctx: &KernelContext, wake: Option<&str>, language: &str) -> String {
    let tools = offered::specs(ctx);
    let approved = tools.iter().filter(|tool| !BUILT_IN.contains(&tool.name.as_str()));
    let own = if language == "de" { OWN_GERMAN } else { OWN };
    let mut lines: Vec<String> = own.map(str::to_owned).to_vec();
    lines.extend(approved.flat_map(|tool| of_tool(tool, language)).collect::<BTreeSet<_>>());
    if lines.len() > MOST {
        say(&format!(
            "voice: {} of the phrases of skills are not in the list for the ear",
            lines.len() - MOST
        ));
        lines.truncate(MOST);
    }
    if let Some(wake) = wake {
        for line in lines.iter_mut().filter(|line| !is_stop(line)) {
            *line = format!("{wake} {line}");
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The phrases of a tool in this language.
fn of_tool(tool: &ToolSpec, language: &str) -> BTreeSet<String> {
    let own = tool.phrases.iter().filter(|phrase| phrase.language == language);
    own.filter_map(|phrase| of_pattern(&phrase.pattern, &tool.parameters)).collect()
}

/// A pattern as a line of the list, with a slot of the list for each of its own. Nothing where it cannot do without a slot for
/// anybody's words: a list cannot hold what anybody may say. A group that may be missing is left out then. A word alone is heard in
/// too many sentences: the first group that may be missing is a part of the phrase then.
fn of_pattern(pattern: &str, parameters: &Value) -> Option<String> {
    let (mut line, mut group): (Vec<String>, Option<(Vec<String>, bool)>) = (Vec::new(), None);
    let spaced = pattern.replace('[', " [ ").replace(']', " ] ").replace('{', " {").replace('}', "} ");
    for word in spaced.split_whitespace() {
        let said = match word {
            "[" => {
                group = Some((Vec::new(), true));
                continue;
            }
            "]" => {
                let (words, is_whole) = group.take()?;
                line.extend((is_whole && !words.is_empty()).then(|| format!("[{}]", words.join(" "))));
                continue;
            }
            word => match word.strip_prefix('{') {
                Some(slot) => of_slot(slot.trim_end_matches('}'), parameters),
                None => of_words(word.split('|')),
            },
        };
        match (said, &mut group) {
            (Some(said), None) => line.push(said),
            (Some(said), Some((words, _))) => words.push(said),
            (None, Some((_, is_whole))) => *is_whole = false,
            (None, None) => return None,
        }
    }
    if line.iter().filter(|part| !part.starts_with('[')).count() < LEAST_WORDS {
        let missing = line.iter_mut().find(|part| part.starts_with('['))?;
        *missing = missing.trim_matches(['[', ']']).to_owned();
    }
    Some(line.join(" "))
}

/// Those of some words that can be heard, as a choice.
fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_plain = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '\'');
    let words: Vec<String> = words.filter(is_plain).map(str::to_lowercase).collect();
    (!words.is_empty()).then(|| words.join("|"))
}

/// The slot of the list for a slot of a pattern, with what stands behind its name: by the type of its parameter, its closed words, or
/// what its description says that it is.
fn of_slot(slot: &str, parameters: &Value) -> Option<String> {
    let name = slot.split(':').next().unwrap_or_default();
    let parameter = &parameters["properties"][name];
    if let Some(words) = parameter["enum"].as_array() {
        return of_words(words.iter().filter_map(Value::as_str));
    }
    if parameter["type"] == "integer" || parameter["type"] == "number" {
        return Some(NUMBER.to_owned());
    }
    let about = parameter["description"].as_str().unwrap_or_default().to_lowercase();
    let about: Vec<&str> =
        about.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // What it is stands before `such as` and the examples.
    let end = about.iter().position(|word| *word == "such").unwrap_or(about.len());
    let is = |word: &str| about[..end].contains(&word);
    let found = if is("date") || is("day") {
        DATE.to_owned()
    } else if is("dice") {
        DICE.to_owned()
    } else if is("unit") && is("with") {
        format!("{NUMBER} {UNIT}")
    } else if is("unit") {
        UNIT.to_owned()
    } else if (is("amount") || is("number") || is("bill")) && !is("or") {
        NUMBER.to_owned()
    } else {
        return None;
    };
    Some(found)
}

#[cfg(test)]
mod tests;
