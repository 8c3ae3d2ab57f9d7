//! The subset of JSON Schema that describes a tool's parameters.
//!
//! Taken from JSON Schema (draft 2020-12): `type`, `properties`, `required`, `enum`, `minimum`, `maximum`, `minLength`,
//! `maxLength`, `items`, `minItems`, `maxItems`, `additionalProperties` (only `false`), and the annotation `description`.
//!
//! A plugin's tool may have any other schema. Of that only the same keywords are checked here; the admin service holds
//! arguments against all of it.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The deepest nesting of a schema.
const MAX_DEPTH: usize = 4;

/// The parameters of a tool: an object schema, within the subset unless it is a plugin's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Parameters {
    schema: Value,
    /// Whether it is a plugin's: what the subset lacks is passed over.
    foreign: bool,
}

/// A place in a schema or in arguments, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct SchemaFault {
    /// Where, as in `properties.dice.type` or `dice`.
    pub path: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl Parameters {
    /// The schema of a tool without parameters.
    pub fn none() -> Self {
        let schema = serde_json::json!({"type": "object", "properties": {}});
        Parameters { schema, foreign: false }
    }

    /// The schema of a plugin's tool; nothing of it is judged here.
    pub fn foreign(schema: Value) -> Self {
        Parameters { schema, foreign: true }
    }

    /// The schema as JSON.
    pub fn as_json(&self) -> &Value {
        &self.schema
    }

    /// The parameters' names with their schemas.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(k, v)| (k.as_str(), v))
    }

    /// Whether a parameter must be given.
    pub fn is_required(&self, name: &str) -> bool {
        self.schema.get("required").and_then(Value::as_array).is_some_and(|r| r.iter().any(|v| v == name))
    }

    /// Checks arguments against the schema. A key that the schema does not name is a fault, but for a plugin's schema that
    /// takes others; there arguments that pass may still be at fault.
    ///
    /// # Errors
    /// Every fault, in one pass.
    pub fn check(&self, args: &Value) -> Result<(), Vec<SchemaFault>> {
        let mut faults = Vec::new();
        check_value(&self.schema, args, "arguments", self.foreign, &mut faults);
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

impl Parameters {
    /// Reads a schema; nothing at all stands for no parameters.
    ///
    /// # Errors
    /// Every fault, in one pass.
    pub fn parse(schema: Value) -> Result<Self, Vec<SchemaFault>> {
        let schema = if schema.is_null() { Parameters::none().schema } else { schema };
        let mut faults = Vec::new();
        validate_schema(&schema, "parameters", 0, &mut faults);
        let kind = schema.get("type").and_then(Value::as_str);
        if kind.is_some_and(|kind| kind != "object" && TYPES.contains(&kind)) {
            faults.push(fault("parameters.type", "must be `object`"));
        }
        if faults.is_empty() { Ok(Parameters { schema, foreign: false }) } else { Err(faults) }
    }
}

impl TryFrom<Value> for Parameters {
    type Error = SchemaFault;

    /// As [`Parameters::parse`], with the first fault alone.
    fn try_from(schema: Value) -> Result<Self, SchemaFault> {
        Parameters::parse(schema).map_err(|faults| {
            let first = faults.into_iter().next();
            first.unwrap_or_else(|| fault("parameters", "does not fit"))
        })
    }
}

impl From<Parameters> for Value {
    fn from(parameters: Parameters) -> Value {
        parameters.schema
    }
}

/// Reads the parameters of a plugin's tool.
pub(crate) fn read_foreign<'de, D: Deserializer<'de>>(from: D) -> Result<Parameters, D::Error> {
    Value::deserialize(from).map(Parameters::foreign)
}

/// A fault; both texts are made safe to show, since keys and allowed values come from outside.
fn fault(path: impl Into<String>, message: impl Into<String>) -> SchemaFault {
    SchemaFault { path: crate::text::cut(&path.into(), 200), message: crate::text::cut(&message.into(), 500) }
}

const TYPES: [&str; 6] = ["object", "array", "string", "integer", "number", "boolean"];
/// The keywords of a schema that a proposal may have.
pub const KEYWORDS: [&str; 13] = [
    "type",
    "description",
    "properties",
    "required",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "items",
    "minItems",
    "maxItems",
    "additionalProperties",
];

fn validate_schema(schema: &Value, path: &str, depth: usize, faults: &mut Vec<SchemaFault>) {
    if depth > MAX_DEPTH {
        return faults.push(fault(path, format!("nested deeper than {MAX_DEPTH}")));
    }
    let Some(map) = schema.as_object() else {
        return faults.push(fault(path, "must be a mapping"));
    };
    for (key, value) in map {
        validate_keyword(key, value, map, &format!("{path}.{key}"), depth, faults);
    }
    if !map.contains_key("type") {
        faults.push(fault(format!("{path}.type"), format!("missing; allowed: {}", TYPES.join(" "))));
    }
}

fn validate_keyword(
    key: &str,
    value: &Value,
    map: &Map<String, Value>,
    here: &str,
    depth: usize,
    faults: &mut Vec<SchemaFault>,
) {
    let fits = match key {
        "type" => value.as_str().is_some_and(|t| TYPES.contains(&t)),
        "description" => {
            value.as_str().is_some_and(|d| d.chars().count() <= 200 && !d.chars().any(crate::text::is_unsafe))
        }
        "properties" => return validate_properties(value, here, depth, faults),
        "required" => value.as_array().is_some_and(|names| {
            let known = |n: &str| map.get("properties").is_some_and(|p| p.get(n).is_some());
            names.iter().all(|n| n.as_str().is_some_and(known))
        }),
        "enum" => value.as_array().is_some_and(|v| {
            !v.is_empty() && v.len() <= 100 && v.iter().all(|x| !x.is_object() && !x.is_array())
        }),
        "minimum" | "maximum" => value.is_number(),
        "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
        "items" => return validate_schema(value, here, depth + 1, faults),
        "additionalProperties" => value == &Value::Bool(false),
        _ => {
            let allowed = KEYWORDS.join(" ");
            return faults
                .push(fault(here, format!("this keyword is not in the subset; allowed: {allowed}")));
        }
    };
    if !fits {
        faults.push(fault(here, expected(key)));
    }
}

fn validate_properties(value: &Value, here: &str, depth: usize, faults: &mut Vec<SchemaFault>) {
    let Some(properties) = value.as_object() else {
        return faults.push(fault(here, "must be a mapping"));
    };
    if properties.len() > 16 {
        return faults.push(fault(here, "more than 16 parameters"));
    }
    for (name, schema) in properties {
        let named = name.len() <= 63
            && name.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !named {
            faults.push(fault(
                format!("{here}.{}", crate::text::cut(name, 40)),
                "a parameter's name has lower-case letters, digits and `_`, and starts with a letter",
            ));
        }
        validate_schema(schema, &format!("{here}.{}", crate::text::cut(name, 63)), depth + 1, faults);
    }
}

fn expected(key: &str) -> String {
    match key {
        "type" => format!("allowed: {}", TYPES.join(" ")),
        "description" => "one line of at most 200 characters".to_owned(),
        "required" => "a list of names that stand in `properties`".to_owned(),
        "enum" => "a list of 1 to 100 plain values".to_owned(),
        "additionalProperties" => "only `false`".to_owned(),
        _ => "must be a number; for lengths a whole one that is not negative".to_owned(),
    }
}

fn check_value(schema: &Value, value: &Value, path: &str, foreign: bool, faults: &mut Vec<SchemaFault>) {
    // Beside a reference other keywords may mean nothing.
    if foreign && schema.get("$ref").is_some() {
        return;
    }
    let kind = schema.get("type").and_then(Value::as_str);
    let fits = match kind.unwrap_or(if foreign { "" } else { "object" }) {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" if foreign => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => foreign,
    };
    if !fits {
        faults.push(fault(path, format!("must be of type {}", kind.unwrap_or("object"))));
        return;
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.contains(value)
    {
        let words: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        faults.push(fault(path, format!("allowed: {}", words.join(" "))));
    }
    if let Some(number) = value.as_f64() {
        bound(schema, "minimum", path, faults, |limit| number >= limit);
        bound(schema, "maximum", path, faults, |limit| number <= limit);
    }
    if let Some(text) = value.as_str() {
        let length = text.chars().count() as f64;
        bound(schema, "minLength", path, faults, |limit| length >= limit);
        bound(schema, "maxLength", path, faults, |limit| length <= limit);
    }
    if let Some(items) = value.as_array() {
        let length = items.len() as f64;
        bound(schema, "minItems", path, faults, |limit| length >= limit);
        bound(schema, "maxItems", path, faults, |limit| length <= limit);
        // After `prefixItems` it is for the rest alone.
        if let Some(item_schema) = schema.get("items").filter(|_| schema.get("prefixItems").is_none()) {
            for (i, item) in items.iter().enumerate() {
                check_value(item_schema, item, &format!("{path}[{i}]"), foreign, faults);
            }
        }
    }
    if let Some(map) = value.as_object() {
        check_object(schema, map, path, foreign, faults);
    }
}

fn check_object(
    schema: &Value,
    map: &Map<String, Value>,
    path: &str,
    foreign: bool,
    faults: &mut Vec<SchemaFault>,
) {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let takes_others = foreign
        && (schema.get("additionalProperties") != Some(&Value::Bool(false))
            || schema.get("patternProperties").is_some());
    for (name, value) in map {
        match properties.get(name) {
            Some(inner) => check_value(inner, value, &format!("{path}.{name}"), foreign, faults),
            None if takes_others => {}
            None => {
                let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                let name = crate::text::cut(name, 40);
                faults
                    .push(fault(format!("{path}.{name}"), format!("unknown; allowed: {}", known.join(" "))));
            }
        }
    }
    for name in
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    {
        if !map.contains_key(name) {
            faults.push(fault(format!("{path}.{name}"), "missing"));
        }
    }
}

fn bound(schema: &Value, key: &str, path: &str, faults: &mut Vec<SchemaFault>, holds: impl Fn(f64) -> bool) {
    if let Some(limit) = schema.get(key).and_then(Value::as_f64)
        && !holds(limit)
    {
        faults.push(fault(path, format!("{key} is {limit}")));
    }
}

#[cfg(test)]
mod tests;
