//! Sentence patterns with named slots: how a line finds a tool without a language model.
//!
//! Patterns are those of [`language::pattern`]; politeness around a line is ignored. A slot whose parameter is a number, an
//! integer, a boolean or an `enum` takes only what is one.

mod continued;
mod near;

use std::ops::Range;

pub use continued::continued;
pub use near::{Near, near};

use language::slot::SlotKind;
use language::words::Words;
use language::{Language, Pattern, pattern, slot};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::request::ToolSpec;
use shared_types::sorted;

/// A sentence pattern of one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// The language's code, as in `en`.
    pub language: String,
    pub pattern: String,
}

/// A tool that a line may mean, with the arguments taken from the line.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// `<skill>.<tool>`.
    pub tool: String,
    pub arguments: Value,
    /// Literal words times 1000, less one for each word in a slot.
    pub score: i32,
}

/// The tools that `line` may mean, best first: more literal words, then fewer words in slots, then phrases of
/// `language`, then the order of the tools; each tool with the same arguments once. Patterns that do not parse are
/// passed over.
pub fn route(line: &str, tools: &[ToolSpec], language: Option<Language>) -> Vec<Candidate> {
    routed(line, &language::readings(line), tools, language)
}

/// The literal words that a phrase needs to be found in a part of a line.
const LEAST_LOOSE: i32 = 1_900;

/// The same for the first part of a line, where the tool only answers.
const LEAST_FIRST: i32 = 990;

/// The tools that a line may mean that no phrase takes as it is: without all that is said around it, and clause by clause.
pub fn route_loosely(line: &str, tools: &[ToolSpec], language: Option<Language>) -> Vec<Candidate> {
    let clauses = language::clauses(line);
    let parts_are_many = clauses.len() > 1;
    let parts = clauses.iter().filter(|_| parts_are_many).copied();
    let mut found = Vec::new();
    for part in std::iter::once(line).chain(parts) {
        let mut readings = if part == line { Vec::new() } else { language::readings(part) };
        readings.extend(language::loose_reading(part));
        let only_answers = |c: &Candidate| tools.iter().any(|tool| tool.name == c.tool && tool.only_answers);
        // The order at the beginning of a line, with a remark behind it: `roll a d20, jake wants to know`.
        let is_first = parts_are_many && clauses.first() == Some(&part);
        let is_enough =
            |c: &Candidate| c.score >= LEAST_LOOSE || is_first && c.score >= LEAST_FIRST && only_answers(c);
        found.extend(routed(part, &readings, tools, language).into_iter().filter(is_enough));
    }
    found
}

/// The calls with which a line may continue the one before it, the likeliest first: `and in Tokyo?` behind `what time is it`. The
/// tool has one parameter, and the line holds a value for it and nothing else.
pub fn follow_up(
    line: &str,
    earlier: &[&str],
    tools: &[ToolSpec],
    language: Option<Language>,
) -> Vec<Candidate> {
    let Some(value) = language::follow_up(line) else { return vec![] };
    for (at, before) in earlier.iter().enumerate() {
        let mut calls = route(before, tools, language);
        calls.extend(route_loosely(before, tools, language));
        if !calls.is_empty() {
            return calls.into_iter().filter_map(|call| with_another(call, before, &value, tools)).collect();
        }
        // Only lines that continued it themselves may be between.
        if at >= MOST_BETWEEN || language::follow_up(before).is_none() {
            break;
        }
    }
    vec![]
}

/// The call of the line before with another value in the place of its own.
fn with_another(call: Candidate, before: &str, value: &str, tools: &[ToolSpec]) -> Option<Candidate> {
    let Candidate { tool, mut arguments, .. } = call;
    let spec = tools.iter().find(|spec| spec.name == tool)?;
    let properties = spec.parameters.get("properties")?.as_object()?;
    // Of several texts, the one with which the line before ended, where nothing but an answer comes of it.
    let asked = before.trim_end_matches(['?', '!', '.', ' ']);
    let is_last = |name: &str| {
        let text = arguments.get(name).and_then(Value::as_str);
        text.is_some_and(|text| !text.is_empty() && asked.ends_with(text))
    };
    let is_alone = properties.len() == 1;
    let (name, schema) =
        properties.iter().find(|(name, _)| is_alone || spec.only_answers && is_last(name))?;
    let is_text = schema.get("type").and_then(Value::as_str) == Some("string");
    match arguments.as_object_mut().filter(|_| !is_alone) {
        Some(given) => drop(given.insert(name.clone(), json!(value))),
        None => arguments = json!({name: value}),
    }
    is_text.then_some(Candidate { tool, arguments, score: 0 })
}

/// The lines that may be between a question and the last line that continues it.
const MOST_BETWEEN: usize = 4;

/// A sentence that a tool answers: its own example in a language, else a phrase without slots, else any example.
pub fn example(tool: &ToolSpec, language: Language) -> Option<String> {
    let own = tool.examples.iter().find(|line| language::detect(line) == language);
    let bare = || {
        let own = |phrase: &&Phrase| phrase.language == language.code() && !phrase.pattern.contains('{');
        tool.phrases.iter().find(own).map(|phrase| pattern::plainly(&phrase.pattern))
    };
    own.cloned().or_else(bare).or_else(|| tool.examples.first().cloned())
}

fn routed(
    line: &str,
    readings: &[language::Words<'_>],
    tools: &[ToolSpec],
    language: Option<Language>,
) -> Vec<Candidate> {
    let mut candidates: Vec<(bool, Candidate)> = Vec::new();
    for tool in tools {
        for phrase in &tool.phrases {
            // Before it is read whole: most patterns need another word than those of the line.
            if !pattern::may_match(&phrase.pattern, readings) {
                continue;
            }
            let Ok(pattern) = Pattern::parse(&phrase.pattern) else { continue };
            let spoken = Language::of_code(&phrase.language);
            let decimal_comma = spoken.is_some_and(Language::decimal_comma);
            let kinds = slot::kinds(&tool.parameters, pattern.slots(), decimal_comma);
            // A slot without a parameter would be lost, so the phrase does not belong to this tool.
            let Some(kinds) = kinds else { continue };
            let found = readings.iter().filter_map(|words| Some((pattern.matches(words, &kinds)?, words)));
            let Some((found, words)) = found.max_by_key(|(f, _)| f.score) else { continue };
            let Some(arguments) = given(tool, &pattern, &kinds, &found.slots, words, line) else { continue };
            let own_language = language.is_some() && language == spoken;
            match candidates.iter_mut().find(|(_, c)| c.tool == tool.name && c.arguments == arguments) {
                Some((own, known)) => {
                    known.score = known.score.max(found.score);
                    *own |= own_language;
                }
                None => {
                    let candidate = Candidate { tool: tool.name.clone(), arguments, score: found.score };
                    candidates.push((own_language, candidate));
                }
            }
        }
    }
    // Stable, so that equals stay in the order of the tools.
    sorted::by_key(&mut candidates, |(own_language, c)| std::cmp::Reverse((c.score, *own_language)));
    candidates.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The arguments that the words in the slots of a phrase make; nothing where one is missing, or where a tool that changes something
/// would be given a question.
fn given(
    tool: &ToolSpec,
    pattern: &Pattern,
    kinds: &[SlotKind],
    taken: &[Option<Range<usize>>],
    words: &Words<'_>,
    line: &str,
) -> Option<Value> {
    // `what do I need to buy` asks: its word is not to be written down.
    let asks = |taken: &Range<usize>| {
        taken.start == 0 && language::is_question(words.norm(0))
            || language::clauses(words.span(taken.clone())).into_iter().skip(1).any(language::is_question)
    };
    if !tool.only_answers && taken.iter().flatten().any(asks) {
        return None;
    }
    let slots = pattern.slots().iter().zip(kinds).zip(taken);
    let values = slots.filter_map(|((name, kind), taken)| {
        let value = kind.value(words, taken.clone()?)?;
        Some((name.clone(), if name == VERBATIM { whole(line, value) } else { value }))
    });
    let arguments: Map<String, Value> = sorted::collected(values);
    required(&tool.parameters).all(|name| arguments.contains_key(name)).then_some(Value::Object(arguments))
}

/// The parameter that holds a command line: there a mark at the end of a sentence is a part of the command.
const VERBATIM: &str = "command";

/// The text with the marks that end the line, where it stands at its end.
fn whole(line: &str, value: Value) -> Value {
    let Some(text) = value.as_str() else { return value };
    let line = line.trim_end();
    match line.rfind(text) {
        Some(at) if line[at + text.len()..].chars().all(|c| matches!(c, '.' | '!' | '?')) => {
            Value::from(&line[at..])
        }
        _ => value,
    }
}

/// The parameters that must be given.
fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests;
