//! Tool calls that a model wrote as plain text, because its server does not read them out of the answer.
//!
//! Only an answer that consists of nothing else is taken for a call. A call among other words is reported to the model
//! instead: it may as well be a quotation from something that the model has read. Either way it is not shown as an answer.
//!
//! The forms are those of the chat templates of Qwen, Hermes, Llama, Mistral, Granite, LFM and Phi, and what small models make
//! of them: doubled braces, single quotes, fences.

use serde_json::{Map, Value, json};

use crate::draft::RawCall;
use crate::wire_names::WireNames;

pub(crate) use teller::Teller;

mod teller;

/// What was found in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    /// No call.
    None,
    /// Nothing but calls.
    Alone(Vec<RawCall>),
    /// Calls, and words around them; the words before the first call.
    AmongText(String, Vec<RawCall>),
}

/// What begins a call anywhere in a text, and what ends it; the end of the answer ends it as well.
const MARKS: [(&str, &str); 9] = [
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<tools>", "</tools>"),
    ("<function_call>", "</function_call>"),
    (FUNCTION, "</function>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"),
    ("<|python_tag|>", "<|eom_id|>"),
    ("[TOOL_CALLS]", "[/TOOL_CALLS]"),
];
/// The mark that holds the tool's name.
const FUNCTION: &str = "<function=";
/// What stands between name and arguments behind Mistral's mark.
const ARGUMENTS: &str = "[ARGS]";

const FENCE: &str = "```";
/// The languages of fences that may hold a call.
const FENCES: [&str; 5] = ["", "json", "tool_call", "xml", "plaintext"];

/// The keys of a call, in the spellings that models have learned.
const NAMES: [&str; 4] = ["name", "function", "tool", "tool_name"];
const INPUTS: [&str; 4] = ["arguments", "parameters", "args", "input"];
/// What may stand beside them.
const OTHERS: [&str; 3] = ["id", "type", "call_id"];

/// At this number of places at most, a text is searched for a call.
const MOST_PLACES: usize = 64;

/// Where a call may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// At one of [`MARKS`].
    Mark(usize),
    /// At a fence.
    Fence,
    /// At an object, or a list of them, that begins a line.
    Json,
}

/// Looks for calls in an answer that has no proper ones.
pub(crate) fn read(text: &str, names: &WireNames) -> Plain {
    let text = text.trim();
    let (mut calls, mut first, mut words) = (Vec::new(), None, String::new());
    let mut rest = text;
    for _ in 0..MOST_PLACES {
        let Some((at, sign)) = next_sign(rest, true) else { break };
        let begin = text.len() - rest.len() + at;
        let block = Block::at(&rest[at..], sign, names);
        match block.calls {
            Some(found) => {
                first.get_or_insert(begin);
                words.push_str(&rest[..at]);
                calls.extend(found);
            }
            None => words.push_str(&rest[..at + block.len]),
        }
        rest = &rest[at + block.len..];
    }
    words.push_str(rest);
    match first {
        Some(_) if words.trim().is_empty() => Plain::Alone(calls),
        Some(at) => Plain::AmongText(text[..at].trim_end().to_owned(), calls),
        None => Plain::None,
    }
}

/// The first place where a call may begin; in the rest of a line at a mark alone.
fn next_sign(text: &str, at_line_start: bool) -> Option<(usize, Sign)> {
    let marks = MARKS.iter().enumerate().filter_map(|(n, (open, _))| Some((text.find(open)?, Sign::Mark(n))));
    let lines = line_starts(text, at_line_start).find_map(|at| {
        let line = &text[at..];
        match () {
            () if line.starts_with(FENCE) => Some((at, Sign::Fence)),
            () if begins_json(line) => Some((at, Sign::Json)),
            () => None,
        }
    });
    marks.chain(lines).min_by_key(|(at, _)| *at)
}

/// Where the words of each line begin; where the text is the rest of a line, those of the lines after it.
fn line_starts(text: &str, at_line_start: bool) -> impl Iterator<Item = usize> + '_ {
    let mut end = if at_line_start { 0 } else { text.find('\n').map_or(text.len(), |at| at + 1) };
    text[end..].split_inclusive('\n').filter_map(move |line| {
        let start = end + line.len() - line.trim_start().len();
        end += line.len();
        (start < end).then_some(start)
    })
}

/// Whether an object, or a list of them, begins here.
fn begins_json(line: &str) -> bool {
    let object = line.strip_prefix('[').unwrap_or(line).trim_start().strip_prefix('{').map(str::trim_start);
    object.is_some_and(|inner| inner.starts_with(['"', '\'', '{']))
}

/// What begins at a sign.
struct Block {
    /// Its length in bytes.
    len: usize,
    /// The calls in it; `None` where it is not a call.
    calls: Option<Vec<RawCall>>,
}

impl Block {
    /// Reads the block at the begin of a text.
    fn at(text: &str, sign: Sign, names: &WireNames) -> Block {
        match sign {
            Sign::Mark(n) => Block::marked(text, n, names),
            Sign::Fence => Block::fenced(text, names),
            Sign::Json => Block::bare(text, names),
        }
    }

    fn marked(text: &str, n: usize, names: &WireNames) -> Block {
        let (open, close) = MARKS[n];
        let rest = &text[open.len()..];
        let (inner, len) = match rest.find(close) {
            Some(at) => (&rest[..at], open.len() + at + close.len()),
            None => (rest, text.len()),
        };
        let inner = inner.trim();
        let found = match open {
            FUNCTION => function(inner),
            _ => marked_calls(inner, names),
        };
        let is_broken = text[len..].trim().is_empty() && inner.starts_with(['{', '[']);
        // What cannot be read is handed back as a call without a name, so that the model hears what is wrong.
        let calls = found.or_else(|| is_broken.then(|| vec![unreadable(inner)]));
        Block { len, calls }
    }

    /// The block from a fence to its end, or to the end of the text.
    fn fenced(text: &str, names: &WireNames) -> Block {
        let rest = &text[FENCE.len()..];
        let Some((language, body)) = rest.split_once('\n') else {
            return Block { len: text.len(), calls: None };
        };
        let body_at = text.len() - body.len();
        let (inner, len) = match body.find(FENCE) {
            Some(at) => (&body[..at], body_at + at + FENCE.len()),
            None => (body, text.len()),
        };
        let inner = inner.trim();
        let is_mine = FENCES.contains(&language.trim());
        let calls = is_mine.then(|| match next_sign(inner, true) {
            Some((0, Sign::Mark(n))) => Block::marked(inner, n, names).calls,
            Some((0, Sign::Json)) => object_calls(inner, names),
            _ => None,
        });
        Block { len, calls: calls.flatten() }
    }

    /// The block from an object that begins a line to its end.
    fn bare(text: &str, names: &WireNames) -> Block {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            return Block { len: values.byte_offset(), calls: own_calls(&value, names) };
        }
        let line = text.find('\n').unwrap_or(text.len());
        for len in [text.len(), line] {
            if let Some(calls) = object_calls(text[..len].trim_end(), names) {
                return Block { len, calls: Some(calls) };
            }
        }
        Block { len: line, calls: None }
    }
}

/// A text with nothing but values that are calls; one that looks like a call and cannot be read is one without a name.
fn object_calls(text: &str, names: &WireNames) -> Option<Vec<RawCall>> {
    let Some(values) = values(text) else {
        let holds = |keys: &[&str]| keys.iter().any(|key| text.contains(&format!("\"{key}\"")));
        return (holds(&NAMES) && holds(&INPUTS)).then(|| vec![unreadable(text)]);
    };
    let calls: Option<Vec<Vec<RawCall>>> = values.iter().map(|value| own_calls(value, names)).collect();
    calls.map(|calls| calls.concat()).filter(|calls| !calls.is_empty())
}

/// The calls of a value that stands without a mark: nothing in it may say that it is something else.
fn own_calls(value: &Value, names: &WireNames) -> Option<Vec<RawCall>> {
    let is_call = |value: &Value| {
        let is_known =
            |key: &String| [&NAMES[..], &INPUTS, &OTHERS].iter().any(|keys| keys.contains(&key.as_str()));
        value.as_object().is_some_and(|object| object.keys().all(is_known))
    };
    let all = value.as_array().map_or_else(|| is_call(value), |list| list.iter().all(is_call));
    let calls = calls_in(value).filter(|_| all)?;
    // A tool that does not exist is reported to the model; without arguments it is any object with a name.
    let is_one = |call: &RawCall| !call.arguments.is_empty() || names.to_own(&call.name).is_some();
    calls.iter().all(is_one).then_some(calls)
}

/// What stands between marks: objects, a name with arguments, or a function.
fn marked_calls(inner: &str, names: &WireNames) -> Option<Vec<RawCall>> {
    if let Some(inner) = inner.strip_prefix(FUNCTION) {
        return function(inner.trim_end_matches("</function>"));
    }
    if let Some((name, arguments)) = inner.split_once(ARGUMENTS) {
        return Some(vec![call(name, arguments)]);
    }
    let inner = match inner.strip_prefix(FENCE) {
        Some(fenced) => fenced.split_once('\n')?.1.trim_end().trim_end_matches(FENCE),
        None => inner,
    };
    // Some servers leave the name before the object: `clock.now {"zone": "UTC"}`.
    if let Some((name, arguments)) =
        inner.split_once('{').filter(|(name, _)| names.to_own(name.trim()).is_some())
    {
        return Some(vec![call(name, &format!("{{{arguments}"))]);
    }
    let calls: Option<Vec<Vec<RawCall>>> = values(inner)?.iter().map(calls_in).collect();
    calls.map(|calls| calls.concat()).filter(|calls| !calls.is_empty())
}

/// `name>{...}`, or `name>` with a parameter in each `<parameter=key>value</parameter>`.
fn function(text: &str) -> Option<Vec<RawCall>> {
    let (name, body) = text.split_once('>')?;
    let name = name.trim().trim_matches('"');
    let mut rest = body.trim();
    if !rest.starts_with(PARAMETER) {
        return Some(vec![call(name, rest)]);
    }
    let mut arguments = Map::new();
    while let Some(parameter) = rest.strip_prefix(PARAMETER) {
        let (key, value) = parameter.split_once('>')?;
        let (value, after) = value.split_once("</parameter>")?;
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        // Text that is not a number, object and so on is a text as it stands.
        let value = serde_json::from_slice(value.as_bytes()).unwrap_or_else(|_| json!(value));
        arguments.insert(key.trim().to_owned(), value);
        rest = after.trim_start();
    }
    rest.is_empty().then(|| vec![call(name, &Value::Object(arguments).to_string())])
}

const PARAMETER: &str = "<parameter=";

fn call(name: &str, arguments: &str) -> RawCall {
    RawCall { name: name.trim().to_owned(), arguments: arguments.trim().to_owned(), ..RawCall::default() }
}

fn unreadable(text: &str) -> RawCall {
    call("tool_call", text)
}

/// The values of a text, one after the other: as they stand, or in one of the ways in which small models write them.
fn values(text: &str) -> Option<Vec<Value>> {
    let read = |text: &str| -> Option<Vec<Value>> {
        serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()
    };
    let one = |text: &str| {
        read(text)
            .or_else(|| read(&format!("{{{}}}", text.strip_prefix("{{")?.strip_suffix("}}")?)))
            .or_else(|| read(&text.replace("{{", "{").replace("}}", "}")))
            .or_else(|| (!text.contains('"')).then(|| text.replace('\'', "\"")).and_then(|text| read(&text)))
    };
    one(text).or_else(|| {
        let lines: Option<Vec<Vec<Value>>> = text.lines().map(|line| one(line.trim())).collect();
        lines.map(|lines| lines.concat())
    })
}

fn calls_in(value: &Value) -> Option<Vec<RawCall>> {
    match value {
        Value::Array(calls) if !calls.is_empty() => calls.iter().map(call_in).collect(),
        Value::Object(_) => Some(vec![call_in(value)?]),
        _ => None,
    }
}

fn call_in(value: &Value) -> Option<RawCall> {
    let value = value.get("function").filter(|f| f.is_object()).unwrap_or(value);
    let name = NAMES.iter().find_map(|key| value.get(key)?.as_str())?;
    let arguments = match INPUTS.iter().find_map(|key| value.get(key)) {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    Some(call(name, &arguments))
}

#[cfg(test)]
mod tests;
