//! A line that gives another value to the call of a line before.

use language::slot::SlotKind;
use language::{Language, Pattern, slot};
use serde_json::Value;

use super::{Candidate, route};
use crate::request::ToolSpec;

/// The call of a line before with a value that this one gives by a part of a phrase: `and four ways` or `with 12% tip` behind
/// `split 86.40 three ways`. The tool only answers, and the lines between are such parts too.
pub fn continued(line: &str, earlier: &[&str], tools: &[ToolSpec], language: Language) -> Option<Candidate> {
    for (at, before) in earlier.iter().enumerate().take(MOST_BETWEEN + 1) {
        let Some(mut call) = route(before, tools, Some(language)).into_iter().next() else { continue };
        let tool = tools.iter().find(|tool| tool.name == call.tool && tool.only_answers)?;
        let given = call.arguments.as_object_mut()?;
        for part in earlier[..at].iter().rev().chain([&line]) {
            let (name, value) = given_by(part, tool, language)?;
            given.insert(name, value);
        }
        return Some(Candidate { score: 0, ..call });
    }
    None
}

/// The lines that may be between a call and the last line that continues it.
const MOST_BETWEEN: usize = 3;

/// The parameter whose slot, with the words around it in a phrase of the tool, is the line, and its value. A slot that takes any words
/// would be any line.
fn given_by(line: &str, tool: &ToolSpec, language: Language) -> Option<(String, Value)> {
    let behind =
        line.split_once(' ').filter(|(first, _)| language::joins(first)).map(|(_, behind)| behind.to_owned());
    let texts: Vec<String> =
        [Some(line.to_owned()), language::follow_up(line), behind].into_iter().flatten().collect();
    let readings: Vec<_> = texts.iter().flat_map(|text| language::readings(text)).collect();
    let own = tool.phrases.iter().filter(|phrase| phrase.language == language.code());
    own.flat_map(|phrase| parts(&phrase.pattern)).find_map(|part| {
        let pattern = Pattern::parse(&part).ok()?;
        let kinds = slot::kinds(&tool.parameters, pattern.slots(), language.decimal_comma())?;
        let [kind] = &kinds[..] else { return None };
        if *kind == SlotKind::Text {
            return None;
        }
        readings.iter().find_map(|words| {
            let found = pattern.matches(words, &kinds)?;
            let value = kind.value(words, found.slots.first()?.clone()?)?;
            Some((pattern.slots().first()?.clone(), value))
        })
    })
}

/// The parts of a pattern with one slot each: with the words around it up to the next slots, those before it, or those behind it.
fn parts(pattern: &str) -> Vec<String> {
    let begins: Vec<usize> = pattern.match_indices('{').map(|(at, _)| at).collect();
    let ends: Vec<usize> = pattern.match_indices('}').map(|(at, _)| at + 1).collect();
    let mut parts = Vec::new();
    for (at, (begin, end)) in begins.iter().zip(&ends).enumerate() {
        let from = at.checked_sub(1).map_or(0, |before| ends[before]);
        let to = begins.get(at + 1).copied().unwrap_or(pattern.len());
        parts.extend([&pattern[from..to], &pattern[from..*end], &pattern[*begin..to]].map(str::to_owned));
    }
    parts
}
