//! A plugin's parameters, fitted into the subset that every tool here has.
//!
//! What only describes or decorates is dropped; a few limits that the subset lacks are left to the plugin, which checks its
//! own arguments. What would change the meaning makes the tool one that is left out.

use serde_json::{Map, Value, json};
use shared_types::schema::{Parameters, SchemaFault};
use shared_types::text::{cut, line};

/// Keywords that can go: notes, and limits that the plugin itself enforces.
const DROPPED: [&str; 18] = [
    "$schema",
    "$id",
    "$comment",
    "title",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "pattern",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "contentMediaType",
];
/// How deep a schema is followed.
const DEEPEST: usize = 8;

/// Fits a schema.
///
/// # Errors
/// Why the tool cannot be offered.
pub fn fit(schema: &Value) -> Result<Parameters, Misfit> {
    let schema = if schema.is_null() { json!({"type": "object"}) } else { schema.clone() };
    let mut fitted = node(&schema, 0)?;
    if let Some(map) = fitted.as_object_mut() {
        map.remove("description");
        map.entry("type").or_insert_with(|| json!("object"));
    }
    Parameters::parse(fitted).map_err(Misfit::Faults)
}

/// Parameters that the subset cannot hold.
#[derive(Debug, thiserror::Error)]
pub enum Misfit {
    /// They are nested deeper than is followed.
    #[error("its parameters are nested too deep")]
    Deep,
    /// They use a keyword whose meaning the subset lacks.
    #[error("its parameters use `{0}`, which is outside the subset")]
    Keyword(String),
    /// They have faults; the first is shown.
    #[error("{}", first(.0))]
    Faults(Vec<SchemaFault>),
}

fn first(faults: &[SchemaFault]) -> String {
    faults
        .first()
        .map_or_else(|| "its parameters do not fit".to_owned(), |fault| cut(&fault.to_string(), 200))
}

fn node(schema: &Value, depth: usize) -> Result<Value, Misfit> {
    if depth > DEEPEST {
        return Err(Misfit::Deep);
    }
    let Some(map) = schema.as_object() else { return Ok(schema.clone()) };
    let mut fitted = Map::new();
    for (key, value) in map {
        match key.as_str() {
            key if DROPPED.contains(&key) => {}
            "description" => {
                let text = short(value.as_str().unwrap_or_default());
                if !text.is_empty() {
                    fitted.insert(key.clone(), json!(text));
                }
            }
            "additionalProperties" => {}
            "properties" => {
                let inner = value.as_object().cloned().unwrap_or_default();
                let fit = |(name, schema): (String, Value)| Ok((name, node(&schema, depth + 1)?));
                let inner: Result<Map<String, Value>, Misfit> = inner.into_iter().map(fit).collect();
                fitted.insert(key.clone(), Value::Object(inner?));
            }
            "items" => {
                fitted.insert(key.clone(), node(value, depth + 1)?);
            }
            "const" => {
                fitted.insert("enum".to_owned(), json!([value]));
            }
            // `X or nothing`, as many programs write a parameter that may be left out.
            "anyOf" | "oneOf" => {
                let Some(Value::Object(only)) =
                    optional(value).map(|only| node(only, depth + 1)).transpose()?
                else {
                    return Err(Misfit::Keyword(key.clone()));
                };
                for (key, value) in only {
                    fitted.entry(key).or_insert(value);
                }
            }
            _ => {
                fitted.insert(key.clone(), value.clone());
            }
        }
    }
    if let Some(kind) = one_type(map.get("type")) {
        fitted.insert("type".to_owned(), json!(kind));
    }
    Ok(Value::Object(fitted))
}

/// The one alternative that is not `null`.
fn optional(alternatives: &Value) -> Option<&Value> {
    let mut real = alternatives.as_array()?.iter().filter(|a| a.get("type") != Some(&json!("null")));
    let first = real.next()?;
    real.next().is_none().then_some(first)
}

/// The one type of a list that is not `null`.
fn one_type(kind: Option<&Value>) -> Option<&str> {
    let mut real = kind?.as_array()?.iter().filter_map(Value::as_str).filter(|k| *k != "null");
    let first = real.next()?;
    real.next().is_none().then_some(first)
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
