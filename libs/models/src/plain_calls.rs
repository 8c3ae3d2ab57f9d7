//! Tool calls that a model wrote as plain text, because its server does not read them out of the answer.
//!
//! Only an answer that consists of nothing else is taken for a call. A call at the end of other words is reported to the
//! model instead: it may as well be a quotation from something that the model has read.

use serde_json::Value;

use crate::draft::{MAX_CALLS, RawCall};
use crate::provider::{Piece, Watch};
use crate::wire_names::WireNames;

/// What was found in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    /// No call.
    None,
    /// Nothing but calls.
    Alone(Vec<RawCall>),
    /// Words, and calls at their end.
    AfterText(String, Vec<RawCall>),
}

/// What begins a call anywhere in a text, and what ends it.
const MARKS: [(&str, &str); 3] =
    [("<tool_call>", "</tool_call>"), ("<function=", "</function>"), ("[TOOL_CALLS]", "")];

/// Looks for calls in an answer that has no proper ones.
pub(crate) fn read(text: &str, names: &WireNames) -> Plain {
    let trimmed = text.trim();
    if let Some(calls) = unmarked(trimmed, names) {
        return Plain::Alone(calls);
    }
    let Some(at) = MARKS.iter().filter_map(|(open, _)| trimmed.find(open)).min() else { return Plain::None };
    let (before, marked) = trimmed.split_at(at);
    match marked_calls(marked) {
        Some(calls) if before.is_empty() => Plain::Alone(calls),
        Some(calls) => Plain::AfterText(before.trim_end().to_owned(), calls),
        None => Plain::None,
    }
}

/// An object or list, bare or in a fence, that names nothing but offered tools.
fn unmarked(text: &str, names: &WireNames) -> Option<Vec<RawCall>> {
    let json = match text.strip_prefix("```") {
        Some(rest) => {
            let (language, rest) = rest.split_once('\n')?;
            if !FENCES.contains(&language.trim()) {
                return None;
            }
            rest.trim_end().strip_suffix("```")?.trim()
        }
        None => text,
    };
    if !json.starts_with(['{', '[']) {
        return None;
    }
    let calls = calls_in(&serde_json::from_str(json).ok()?)?;
    calls.iter().all(|c| names.to_own(&c.name).is_some()).then_some(calls)
}

const FENCES: [&str; 3] = ["", "json", "tool_call"];

/// Calls between marks, one after the other to the end of the text; `None` when other words stand between or after them.
fn marked_calls(mut text: &str) -> Option<Vec<RawCall>> {
    let mut calls = Vec::new();
    while !text.is_empty() {
        let (open, close) = MARKS.iter().find(|(open, _)| text.starts_with(open))?;
        let rest = &text[open.len()..];
        let (inner, after) = match rest.find(close) {
            Some(at) if !close.is_empty() => (&rest[..at], &rest[at + close.len()..]),
            // The end of the answer ends a call as well.
            _ => (rest, ""),
        };
        if *open == "<function=" {
            let (name, arguments) = inner.split_once('>')?;
            calls.push(RawCall {
                name: name.trim().to_owned(),
                arguments: arguments.trim().to_owned(),
                ..RawCall::default()
            });
        } else {
            let found = serde_json::from_str(inner.trim()).ok().and_then(|value| calls_in(&value));
            // What cannot be read is handed back as a call without a name, so that the model hears what is wrong.
            let unreadable = || {
                vec![RawCall {
                    arguments: inner.trim().to_owned(),
                    name: "tool_call".to_owned(),
                    ..RawCall::default()
                }]
            };
            calls.extend(found.unwrap_or_else(unreadable));
        }
        text = after.trim_start();
    }
    (!calls.is_empty() && calls.len() <= MAX_CALLS).then_some(calls)
}

fn calls_in(value: &Value) -> Option<Vec<RawCall>> {
    match value {
        Value::Array(calls) if (1..=MAX_CALLS).contains(&calls.len()) => calls.iter().map(call_in).collect(),
        Value::Object(_) => Some(vec![call_in(value)?]),
        _ => None,
    }
}

/// The spellings that models have learned.
fn call_in(value: &Value) -> Option<RawCall> {
    let value = value.get("function").filter(|f| f.is_object()).unwrap_or(value);
    let name = ["name", "function", "tool", "tool_name"].iter().find_map(|key| value.get(key)?.as_str())?;
    let arguments = ["arguments", "parameters", "args", "input"].iter().find_map(|key| value.get(key))?;
    let arguments = match arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Some(RawCall { name: name.to_owned(), arguments, ..RawCall::default() })
}

/// Tells the pieces of an answer, but keeps back what may turn out to be a call.
pub(crate) struct Teller<'w, 'f> {
    watch: &'w mut Watch<'f>,
    /// Whether tools are offered; otherwise nothing is kept back.
    offered: bool,
    /// What is kept back.
    held: String,
    /// Whether everything is kept back until the end.
    stopped: bool,
    /// Whether any word was told or is to be told.
    begun: bool,
}

impl<'w, 'f> Teller<'w, 'f> {
    pub(crate) fn new(watch: &'w mut Watch<'f>, names: &WireNames) -> Self {
        Teller { watch, offered: !names.is_empty(), held: String::new(), stopped: false, begun: false }
    }

    /// More of the text.
    pub(crate) fn text(&mut self, more: &str) {
        if more.is_empty() {
            return;
        }
        if !self.offered {
            return (self.watch)(Piece::Text(more));
        }
        self.held.push_str(more);
        if self.stopped {
            return;
        }
        let at = self.certain();
        if at > 0 {
            self.begun |= !self.held[..at].trim().is_empty();
            (self.watch)(Piece::Text(&self.held[..at]));
            self.held.drain(..at);
        }
    }

    /// The model began to call a tool.
    pub(crate) fn call(&mut self, name: &str) {
        (self.watch)(Piece::Call(name));
    }

    /// Tells what was kept back, or in its place the words and the calls that were found in it.
    pub(crate) fn finish(self, text: &str, calls_in_text: &[crate::ToolCall]) {
        let rest = match (calls_in_text.is_empty(), self.begun) {
            (true, _) => self.held.as_str(),
            (false, false) => text,
            (false, true) => "",
        };
        if !rest.is_empty() {
            (self.watch)(Piece::Text(rest));
        }
        for call in calls_in_text {
            (self.watch)(Piece::Call(&call.name));
        }
    }

    /// How much of what is held is certainly no call.
    fn certain(&mut self) -> usize {
        if !self.begun {
            let start = self.held.trim_start();
            let fence = start
                .strip_prefix("```")
                .map(|rest| rest.split_once('\n').map(|(language, _)| language.trim()));
            match fence {
                Some(Some(language)) if FENCES.contains(&language) => self.stopped = true,
                // The language of the fence is not complete.
                Some(None) if start.len() < 20 => return 0,
                _ if start.starts_with(['{', '[']) => self.stopped = true,
                _ if start.is_empty() || "```".starts_with(start) => return 0,
                _ => {}
            }
            if self.stopped {
                return 0;
            }
        }
        if let Some(at) = MARKS.iter().filter_map(|(open, _)| self.held.find(open)).min() {
            self.stopped = true;
            return at;
        }
        // The beginning of a mark may be at the end.
        let partial =
            |open: &str| (1..open.len()).rev().find(|n| self.held.ends_with(&open[..*n])).unwrap_or(0);
        self.held.len() - MARKS.iter().map(|(open, _)| partial(open)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
