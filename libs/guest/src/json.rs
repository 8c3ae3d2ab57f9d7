//! Between a skill's values and JSON.

use serde_json::{Map, Number, Value as Json};

use crate::Value;

/// A value as JSON; a number that JSON cannot say becomes null, of a repeated key the first counts.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::from(*number),
        Value::Float(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
        Value::Text(text) => Json::String(text.clone()),
        Value::List(items) => Json::Array(items.iter().map(to_json).collect()),
        Value::Map(entries) => {
            let mut map = Map::new();
            for (key, value) in entries {
                map.entry(key.clone()).or_insert_with(|| to_json(value));
            }
            Json::Object(map)
        }
    }
}

/// JSON as a value; a whole number beyond 64 signed bits becomes a float.
pub fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::Int(whole),
            (None, Some(float)) => Value::Float(float),
            (None, None) => Value::Null,
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect()),
        Json::Object(map) => {
            Value::Map(map.iter().map(|(key, value)| (key.clone(), from_json(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests;
