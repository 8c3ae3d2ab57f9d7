//! Edge cases of a tool, made from its parameters: what its author may not have thought of.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use shared_types::described::DescribedTool;

/// The most cases of one tool.
pub const MOST_OF_A_TOOL: usize = 12;
/// The length of a long text, in characters.
const LONG: usize = 4_000;

/// Arguments that the tool's schema allows, each different from plain ones in one parameter; `plain` is a call that is tried
/// as an example, where there is one.
pub fn cases(tool: &DescribedTool, plain: Option<&Value>) -> Vec<Value> {
    let base = plain.and_then(Value::as_object).cloned().unwrap_or_else(|| ordinary_values(tool));
    let mut columns: Vec<Vec<Value>> = vec![];
    for (name, schema) in tool.parameters.properties() {
        let with = |value: Value| {
            let mut args = base.clone();
            args.insert(name.to_owned(), value);
            Value::Object(args)
        };
        let mut column: Vec<Value> = unusual(schema).into_iter().map(with).collect();
        if !tool.parameters.is_required(name) && base.contains_key(name) {
            let mut args = base.clone();
            args.remove(name);
            column.push(Value::Object(args));
        }
        columns.push(column);
    }
    let needed: Map<String, Value> = base
        .iter()
        .filter(|(name, _)| tool.parameters.is_required(name))
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    columns.push(vec![Value::Object(needed)]);
    // One of each parameter in turn, so that none takes all the room.
    let longest = columns.iter().map(Vec::len).max().unwrap_or(0);
    let (base, own) = (Value::Object(base), ordinary_call(tool));
    let mut seen: BTreeSet<String> = own.iter().chain([&base]).map(Value::to_string).collect();
    let mut chosen = vec![];
    // Where nobody gave an example, any call is worth a try too.
    if plain.is_none() && own.is_none() && tool.parameters.check(&base).is_ok() {
        chosen.push(base);
    }
    for row in 0..longest {
        for args in columns.iter().filter_map(|column| column.get(row)) {
            let fits = chosen.len() < MOST_OF_A_TOOL && tool.parameters.check(args).is_ok();
            if fits && seen.insert(args.to_string()) {
                chosen.push(args.clone());
            }
        }
    }
    chosen
}

/// A call with ordinary values, regardless of the examples; none if the schema does not take them, and none with a free text:
/// no schema tells which text is ordinary for a tool.
pub fn ordinary_call(tool: &DescribedTool) -> Option<Value> {
    let is_free =
        |schema: &Value| schema.get("type") == Some(&json!("string")) && schema.get("enum").is_none();
    if tool.parameters.properties().any(|(_, schema)| is_free(schema)) {
        return None;
    }
    Some(Value::Object(ordinary_values(tool))).filter(|args| tool.parameters.check(args).is_ok())
}

fn ordinary_values(tool: &DescribedTool) -> Map<String, Value> {
    tool.parameters.properties().map(|(name, schema)| (name.to_owned(), ordinary(schema))).collect()
}

/// A value that nobody would wonder at.
fn ordinary(schema: &Value) -> Value {
    if let Some(first) = schema.get("enum").and_then(Value::as_array).and_then(|e| e.first()) {
        return first.clone();
    }
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => json!(number("minimum").map_or(1, |least| least.ceil() as i64)),
        Some("number") => json!(number("minimum").unwrap_or(1.5)),
        Some("boolean") => json!(true),
        Some("array") => {
            let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).min(16);
            let item = schema.get("items").map_or(json!("one"), ordinary);
            Value::Array(vec![item; count as usize])
        }
        Some("object") => json!({}),
        _ => {
            let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0).min(LONG as u64);
            json!(if least <= 3 { "one".to_owned() } else { "a".repeat(least as usize) })
        }
    }
}

/// Values that an author forgets; those that the schema forbids are left out by the caller.
fn unusual(schema: &Value) -> Vec<Value> {
    if let Some(members) = schema.get("enum").and_then(Value::as_array) {
        return members.clone();
    }
    let bound = |key: &str| schema.get(key).cloned();
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => {
            let bounds = bound("minimum").into_iter().chain(bound("maximum"));
            bounds.chain([json!(0), json!(-1), json!(i64::MAX), json!(i64::MIN)]).collect()
        }
        Some("number") => {
            let bounds = bound("minimum").into_iter().chain(bound("maximum"));
            bounds.chain([json!(0), json!(-0.5), json!(1e300), json!(5e-324)]).collect()
        }
        Some("boolean") => vec![json!(false), json!(true)],
        Some("array") => {
            let item = schema.get("items").map_or(json!(""), ordinary);
            let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(500).min(500);
            vec![json!([]), Value::Array(vec![item; most as usize])]
        }
        Some("object") => vec![json!({})],
        _ => {
            let most =
                schema.get("maxLength").and_then(Value::as_u64).unwrap_or(LONG as u64).min(LONG as u64);
            let texts = [
                String::new(),
                "ab ".repeat(LONG).chars().take(most as usize).collect(),
                "Zu\u{308}rich \u{6771}\u{4eac} \u{1f3b2}".to_owned(),
                "\u{202e}drawkcab\u{2066} \u{200b}\u{feff}".to_owned(),
                "0".to_owned(),
                "-1".to_owned(),
                "\n\t<b>&amp;\"'\\{}".to_owned(),
            ];
            texts.into_iter().map(Value::String).collect()
        }
    }
}

#[cfg(test)]
mod tests;
