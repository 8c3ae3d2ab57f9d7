//! Puts a model's draft of a proposal into form: what has no meaning is left out and noted, what is only spelled otherwise is
//! respelled. What is left is judged as ever.

use serde_json::{Map, Value, json};
use shared_types::capability::Token;
use shared_types::profile::SystemCapability;
use shared_types::schema::{KEYWORDS, Parameters};
use shared_types::sorted;
use shared_types::text;

/// The most examples of a tool.
const MOST_EXAMPLES: usize = 8;
/// The most notes, and the longest, in characters.
const MOST_NOTES: usize = 8;
const LONGEST_NOTE: usize = 120;

/// Mends a draft in place; answers what was left out.
pub(super) fn mend(draft: &mut Map<String, Value>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(name) = draft.get("name").and_then(Value::as_str) {
        draft.insert("name".to_owned(), json!(spelled(name, '-')));
    }
    if let Some(about) = draft.get_mut("description") {
        *about = json!(one_line(about));
    }
    keep(draft.get_mut("capabilities"), "token", &mut notes, |word| word.parse::<Token>().is_ok());
    if let Some(required) = draft.get_mut("requirements").and_then(Value::as_object_mut) {
        required.retain(|key, _| key == "system_capabilities");
        let known = |word: &str| SystemCapability::parse(word).is_some();
        keep(required.get_mut("system_capabilities"), "system capability", &mut notes, known);
    } else {
        draft.remove("requirements");
    }
    for tool in draft.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(tool) = tool.as_object_mut() {
            mend_tool(tool, &mut notes);
        }
    }
    notes.truncate(MOST_NOTES);
    notes
}

/// Leaves the words of a list that are known; a single word is a list of one.
fn keep(list: Option<&mut Value>, what: &str, notes: &mut Vec<String>, known: impl Fn(&str) -> bool) {
    let Some(list) = list else { return };
    let words = match list.take() {
        Value::Array(words) => words,
        Value::String(word) => vec![Value::String(word)],
        _ => vec![],
    };
    let mut kept: Vec<Value> = vec![];
    for word in words {
        match word.as_str().map(str::trim) {
            Some(word) if known(word) && !kept.iter().any(|k| k == word) => kept.push(json!(word)),
            Some(word) if known(word) => {}
            _ => notes.push(format!("there is no {what} {}", shown(&word))),
        }
    }
    *list = Value::Array(kept);
}

fn mend_tool(tool: &mut Map<String, Value>, notes: &mut Vec<String>) {
    tool.retain(|key, _| ["name", "description", "parameters", "examples"].contains(&key.as_str()));
    let name = tool.get("name").and_then(Value::as_str).map(|name| spelled(name, '_')).unwrap_or_default();
    let about = tool.get("description").map(one_line).filter(|about| !about.is_empty());
    tool.insert("description".to_owned(), json!(about.unwrap_or_else(|| name.replace('_', " "))));
    tool.insert("name".to_owned(), json!(name));
    let parameters = tool.entry("parameters").or_insert(json!({"type": "object", "properties": {}}));
    mend_schema(parameters, 0);
    let fits = Parameters::parse(parameters.clone()).ok();
    let Some(examples) = tool.get_mut("examples") else { return };
    let all = examples.take().as_array().cloned().unwrap_or_default();
    let mut kept = Vec::new();
    for mut example in all {
        let mended = mended_example(&mut example);
        let args = mended.as_ref().and_then(|e| e.get("args"));
        let is_right = fits.as_ref().zip(args).is_some_and(|(schema, args)| schema.check(args).is_ok());
        match mended.filter(|_| is_right && kept.len() < MOST_EXAMPLES) {
            Some(example) => kept.push(example),
            None => {
                notes.push(format!("an example of {name} does not fit its parameters: {}", shown(&example)))
            }
        }
    }
    tool.insert("examples".to_owned(), Value::Array(kept));
}

fn mended_example(example: &mut Value) -> Option<Value> {
    let expect = match example.get("expect") {
        Some(Value::String(expect)) => expect.clone(),
        Some(number @ (Value::Number(_) | Value::Bool(_))) => number.to_string(),
        _ => String::new(),
    };
    let args = example.get_mut("args")?.as_object_mut()?;
    let args: Map<String, Value> =
        sorted::collected(std::mem::take(args).into_iter().map(|(k, v)| (spelled(&k, '_'), v)));
    Some(json!({"args": args, "expect": expect}))
}

/// Spells names, takes out keywords that a proposal has not, and gives a type where none stands.
fn mend_schema(schema: &mut Value, depth: usize) {
    const DEEPEST: usize = 8;
    let Some(map) = schema.as_object_mut().filter(|_| depth < DEEPEST) else { return };
    map.retain(|key, value| KEYWORDS.contains(&key.as_str()) && !value.is_null());
    if let Some(Value::Array(types)) = map.get("type") {
        let first = types.iter().find(|kind| *kind != "null").cloned();
        map.insert("type".to_owned(), first.unwrap_or_else(|| json!("string")));
    }
    let kind = match (map.contains_key("properties"), map.contains_key("items")) {
        (true, _) => "object",
        (false, true) => "array",
        (false, false) => "string",
    };
    let kind = if depth == 0 { "object" } else { kind };
    map.entry("type").or_insert(json!(kind));
    if map.get("additionalProperties").is_some_and(|value| value != false) {
        map.remove("additionalProperties");
    }
    if let Some(about) = map.get_mut("description") {
        *about = json!(one_line(about));
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        let spelt = std::mem::take(properties).into_iter().map(|(name, mut below)| {
            mend_schema(&mut below, depth + 1);
            (spelled(&name, '_'), below)
        });
        *properties = sorted::collected(spelt);
    }
    if let Some(below) = map.get_mut("items") {
        mend_schema(below, depth + 1);
    }
    let names: Vec<String> = map
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(n, _)| n.clone())
        .collect();
    match map.get_mut("required") {
        Some(Value::Array(required)) => {
            let known = required.iter().filter_map(Value::as_str).map(|name| spelled(name, '_'));
            let known: Vec<Value> = known.filter(|name| names.contains(name)).map(Value::String).collect();
            *required = known;
        }
        Some(_) => {
            map.remove("required");
        }
        None => {}
    }
}

/// A name in small letters with one kind of joint: `Split-Bill`, `splitBill` and `split bill` are `split_bill`.
fn spelled(name: &str, joint: char) -> String {
    const LONGEST: usize = 60;
    let mut text = String::new();
    let mut small = false;
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => {
                if c.is_ascii_uppercase() && small {
                    text.push(joint);
                }
                small = !c.is_ascii_uppercase();
                text.push(c.to_ascii_lowercase());
            }
            '-' | '_' | ' ' | '.' => {
                small = false;
                if !text.ends_with(joint) {
                    text.push(joint);
                }
            }
            _ => {}
        }
    }
    let text = text.trim_matches(joint).trim_start_matches(|c: char| c.is_ascii_digit() || c == joint);
    text.chars().take(LONGEST).collect::<String>().trim_end_matches(joint).to_owned()
}

fn one_line(value: &Value) -> String {
    let words: Vec<&str> = value.as_str().unwrap_or_default().split_whitespace().collect();
    words.join(" ").chars().filter(|c| !text::is_refused(*c)).take(200).collect()
}

fn shown(value: &Value) -> String {
    text::cut(&text::line(&value.to_string()), LONGEST_NOTE)
}
