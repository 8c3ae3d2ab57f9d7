//! What a model is shown of a foreign schema: the same keywords, each free text escaped and cut as a description is.
//!
//! The schema itself is kept as it came, for the arguments of each call ([`super::arguments`]). What is shown leaves out what
//! says nothing to a model or what servers of models refuse: addresses of schemas, notes for people, unknown keywords, and
//! alternatives at the top, whose parameters are listed there instead.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shared_types::text::{cut, line};

/// How deep schemas may be nested.
const DEEPEST: usize = 16;
/// How deep a value that is not a schema may be nested.
const DEEPEST_NOTE: usize = 4;
/// The most values of one `enum`, `default` or list of examples.
const MOST_VALUES: usize = 100;
/// The most characters of a parameter's name.
const LONGEST_NAME: usize = 64;

/// A schema as a model is shown it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The schema: an object without alternatives at its top.
    pub schema: Value,
    /// Parameters that are shown by another name: that one, and the server's own.
    pub names: BTreeMap<String, String>,
}

/// A schema that cannot be offered.
#[derive(Debug, Serialize, Deserialize, thiserror::Error)]
pub enum Misfit {
    /// It is nested deeper than is followed.
    #[error("its parameters are nested deeper than {DEEPEST} levels")]
    Deep,
    /// The schema does not describe an object.
    #[error("its parameters are not described as a JSON object")]
    NoObject,
    /// It wants arguments in headers in a way that the protocol does not allow, or in too many.
    #[error("it wants its parameters in headers (`x-mcp-header`) in a way that is not allowed")]
    Headers,
    /// It refers to something that is not within it.
    #[error("its parameters refer to `{0}`; only references within them are followed, as in `#/$defs/name`")]
    Reference(String),
    /// A nested parameter's name cannot be shown as it is.
    #[error(
        "its parameter `{0}` has a name of more than {LONGEST_NAME} characters, or one with invisible characters"
    )]
    Name(String),
}

/// Makes what is shown of a schema; nothing at all stands for no parameters.
///
/// # Errors
/// Why the tool cannot be offered.
pub fn shown(schema: &Value) -> Result<Shown, Misfit> {
    let Some(root) = schema.as_object() else {
        return match schema.is_null() {
            true => shown(&json!({"type": "object"})),
            false => Err(Misfit::NoObject),
        };
    };
    let mut root = object(root, 0)?;
    lift(&mut root);
    if root.insert("type".to_owned(), json!("object")).is_some_and(|kind| kind != "object") {
        return Err(Misfit::NoObject);
    }
    root.remove("description");
    let names = rename(&mut root);
    let schema = Value::Object(root);
    resolves(&schema, &schema)?;
    Ok(Shown { schema, names })
}

/// Gives arguments the server's own names.
pub fn own_names(names: &BTreeMap<String, String>, args: &Value) -> Value {
    let own = |(name, value): (&String, &Value)| (names.get(name).unwrap_or(name).clone(), value.clone());
    args.as_object().map_or_else(|| args.clone(), |args| args.iter().map(own).collect())
}

fn schema(schema: &Value, depth: usize) -> Result<Value, Misfit> {
    match schema {
        Value::Object(map) => object(map, depth).map(Value::Object),
        // What is neither is refused by the validator.
        other => Ok(json!(other != &Value::Bool(false))),
    }
}

fn object(map: &Map<String, Value>, depth: usize) -> Result<Map<String, Value>, Misfit> {
    if depth > DEEPEST {
        return Err(Misfit::Deep);
    }
    let mut shown = Map::new();
    for (key, value) in map {
        if let Some(value) = keyword(key, value, depth)? {
            shown.insert(key.clone(), value);
        }
    }
    Ok(shown)
}

/// What is shown of one keyword; none where it is left out.
fn keyword(key: &str, value: &Value, depth: usize) -> Result<Option<Value>, Misfit> {
    let of_all = |values: &[Value]| -> Result<Vec<Value>, Misfit> {
        values.iter().map(|value| schema(value, depth + 1)).collect()
    };
    Ok(match (key, value) {
        (
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
            Value::Object(map),
        ) => Some(Value::Object(named(map, key == "properties" && depth == 0, depth)?)),
        ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(values)) => {
            Some(Value::Array(of_all(values)?))
        }
        (
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contains"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else",
            Value::Object(_) | Value::Bool(_),
        ) => Some(schema(value, depth + 1)?),
        ("description" | "title", Value::String(text)) => {
            Some(short(text)).filter(|t| !t.is_empty()).map(Value::from)
        }
        ("$ref", Value::String(to)) if to == "#" || to.starts_with("#/") => Some(value.clone()),
        ("$ref" | "$dynamicRef" | "$recursiveRef", _) => {
            return Err(Misfit::Reference(cut(value.as_str().unwrap_or("something else"), 100)));
        }
        ("type" | "format" | "required" | "default" | "examples", _) => note(value, 0),
        ("enum", Value::Array(values)) => {
            // One that cannot be shown as it is cannot be sent as it is.
            let same =
                values.iter().take(MOST_VALUES).filter(|value| note(value, 0).as_ref() == Some(*value));
            let same: Vec<Value> = same.cloned().collect();
            (!same.is_empty()).then_some(Value::Array(same))
        }
        ("const", _) => note(value, 0).filter(|shown| shown == value),
        // Servers of models take no other patterns.
        ("pattern", Value::String(text)) => {
            let whole = text.starts_with('^') && text.ends_with('$') && short(text) == *text;
            whole.then(|| value.clone())
        }
        (
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength"
            | "maxLength" | "minItems" | "maxItems" | "minContains" | "maxContains" | "minProperties"
            | "maxProperties" | "uniqueItems" | "deprecated",
            Value::Number(_) | Value::Bool(_),
        ) => note(value, 0),
        _ => None,
    })
}

/// Schemas by name. At the top a name that cannot be shown is exchanged later.
fn named(map: &Map<String, Value>, top: bool, depth: usize) -> Result<Map<String, Value>, Misfit> {
    let mut shown = Map::new();
    for (name, value) in map {
        let plain = name.chars().count() <= LONGEST_NAME && line(name) == *name;
        if !plain && !top {
            return Err(Misfit::Name(cut(name, 80)));
        }
        shown.insert(name.clone(), schema(value, depth + 1)?);
    }
    Ok(shown)
}

/// A value that is not a schema, with its texts made safe. `None` if it is nested too deep, or changes when it is written and read.
fn note(value: &Value, depth: usize) -> Option<Value> {
    match value {
        Value::String(text) => Some(json!(short(text))),
        Value::Array(_) | Value::Object(_) if depth >= DEEPEST_NOTE => None,
        Value::Array(values) => values.iter().take(MOST_VALUES).map(|value| note(value, depth + 1)).collect(),
        Value::Object(map) => {
            let shown = |(name, value): (&String, &Value)| Some((short(name), note(value, depth + 1)?));
            map.iter().map(shown).collect::<Option<Map<_, _>>>().map(Value::Object)
        }
        Value::Number(number) => {
            // A signed number must read the same everywhere, so it may have only the digits that a double holds.
            let exact = number.as_f64().is_some_and(|n| n.abs() <= MOST_EXACT);
            let same = serde_json::from_str::<Value>(&number.to_string()).is_ok_and(|again| again == *value);
            (exact && same).then(|| value.clone())
        }
        Value::Bool(_) | Value::Null => Some(value.clone()),
    }
}

/// The largest whole number up to which a double holds each.
const MOST_EXACT: f64 = 9_007_199_254_740_991.0;

/// Moves what alternatives at the top contain into the one object that servers of models take: the parameters of each, and
/// of what always holds also which must be given.
fn lift(root: &mut Map<String, Value>) {
    let whole = Value::Object(root.clone());
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut required: Vec<Value> = vec![];
    take(&Value::Object(root.clone()), true, &mut found, &mut required);
    for (key, always) in [
        ("$ref", true),
        ("allOf", true),
        ("anyOf", false),
        ("oneOf", false),
        ("then", false),
        ("else", false),
    ] {
        let branches = match root.remove(key) {
            Some(Value::Array(branches)) => branches,
            Some(to @ Value::String(_)) => vec![json!({"$ref": to})],
            Some(other) => vec![other],
            None => continue,
        };
        for branch in branches {
            let to = branch.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'));
            let branch = to.and_then(|to| whole.pointer(to)).unwrap_or(&branch);
            take(branch, always, &mut found, &mut required);
        }
    }
    for key in ["if", "not", "enum", "const"] {
        root.remove(key);
    }
    let one = |mut schemas: Vec<Value>| match schemas.len() {
        1 => schemas.swap_remove(0),
        _ => json!({"anyOf": schemas}),
    };
    let properties: Map<String, Value> =
        found.into_iter().map(|(name, schemas)| (name, one(schemas))).collect();
    required.retain(|name| name.as_str().is_some_and(|name| properties.contains_key(name)));
    root.insert("properties".to_owned(), Value::Object(properties));
    match required.is_empty() {
        true => root.remove("required"),
        false => root.insert("required".to_owned(), Value::Array(required)),
    };
}

/// Takes the parameters of one alternative.
fn take(branch: &Value, always: bool, found: &mut BTreeMap<String, Vec<Value>>, required: &mut Vec<Value>) {
    for (name, schema) in branch.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let known = found.entry(name.clone()).or_default();
        if !known.contains(schema) {
            known.push(schema.clone());
        }
    }
    for name in branch.get("required").and_then(Value::as_array).into_iter().flatten() {
        if always && !required.contains(name) {
            required.push(name.clone());
        }
    }
}

/// Exchanges names at the top that the servers of models refuse.
fn rename(root: &mut Map<String, Value>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let Some(Value::Object(properties)) = root.remove("properties") else { return names };
    let taken: Vec<String> = properties.keys().filter(|name| is_plain(name)).cloned().collect();
    let mut renamed = Map::new();
    for (own, schema) in properties {
        let mut name = own.clone();
        if !is_plain(&own) {
            let plain: String =
                own.chars().map(|c| if is_taken(c) { c } else { '_' }).take(LONGEST_NAME - 4).collect();
            name.clone_from(&plain);
            let mut n = 2;
            while name.is_empty() || taken.contains(&name) || names.contains_key(&name) {
                name = format!("{plain}_{n}");
                n += 1;
            }
            names.insert(name.clone(), own);
        }
        renamed.insert(name, schema);
    }
    let shown = |own: &Value| {
        names.iter().find(|(_, known)| *own == json!(known)).map_or(own.clone(), |(n, _)| json!(n))
    };
    if let Some(Value::Array(required)) = root.get("required") {
        let required = required.iter().map(shown).collect();
        root.insert("required".to_owned(), required);
    }
    root.insert("properties".to_owned(), Value::Object(renamed));
    names
}

/// Whether a parameter's name is one that every server of a model takes.
fn is_plain(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_taken)
}

fn is_taken(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Checks that every reference leads to a schema that is shown.
fn resolves(part: &Value, whole: &Value) -> Result<(), Misfit> {
    let inner: Vec<&Value> = match part {
        Value::Array(values) => values.iter().collect(),
        Value::Object(map) => map.values().collect(),
        _ => return Ok(()),
    };
    if let Some(to) = part.get("$ref").and_then(Value::as_str) {
        let found = to.strip_prefix('#').and_then(|to| whole.pointer(to));
        if !found.is_some_and(|found| found.is_object() || found.is_boolean()) {
            return Err(Misfit::Reference(cut(to, 100)));
        }
    }
    inner.into_iter().try_for_each(|inner| resolves(inner, whole))
}

/// A description that is safe to show: one line of at most 200 characters; a cut is marked.
pub fn short(text: &str) -> String {
    let shown = line(text.trim());
    if shown.chars().count() <= 200 {
        return shown;
    }
    let head: String = shown.chars().take(197).collect();
    format!("{head}...")
}

#[cfg(test)]
mod tests;
