//! The one shape of data that crosses between a skill and the host.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

/// A piece of data: what JSON can say, with whole numbers kept whole.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Values by name, in order; of a repeated name the first counts.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// Makes a map.
    pub fn map<'a>(entries: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        // Every length of an array gets code of its own, so there is little of it.
        let mut map = Vec::new();
        for (key, value) in entries {
            add(&mut map, key, value);
        }
        Value::Map(map)
    }

    /// Makes a list.
    pub fn list<T: Into<Value>>(items: impl IntoIterator<Item = T>) -> Value {
        let mut list = Vec::new();
        for item in items {
            list.push(item.into());
        }
        Value::List(list)
    }

    /// The value of `key` in a map.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value at a dotted path through maps and lists, such as `current.values.0`.
    pub fn at(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(self, |value, step| match value {
            Value::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => value.get(step),
        })
    }

    /// Takes the value of `key` out of a map; nothing if there is none.
    pub(crate) fn take(&mut self, key: &str) -> Value {
        let entry = match self {
            Value::Map(entries) => entries.iter_mut().find(|(name, _)| name == key),
            _ => None,
        };
        entry.map_or(Value::Null, |(_, value)| mem::replace(value, Value::Null))
    }

    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is nothing.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The text, if this is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, also of a fraction that is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            Value::Float(number) if exact(*number) && *number as i64 as f64 == *number => {
                Some(*number as i64)
            }
            _ => None,
        }
    }

    /// The number, whole or not.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Float(number) => Some(*number),
            Value::Int(number) if exact(*number as f64) => Some(*number as f64),
            _ => None,
        }
    }

    /// The yes or no, if this is one.
    pub fn as_flag(&self) -> Option<bool> {
        match self {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The items, if this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries, if this is a map.
    pub fn as_map(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }
}

fn add(map: &mut Vec<(String, Value)>, key: &str, value: Value) {
    map.push((key.to_owned(), value));
}

fn exact(number: f64) -> bool {
    (-EXACT..=EXACT).contains(&number)
}

/// Up to here (2^53) every whole number is exact as a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::Int(number.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Float(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Bool(flag)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::List(items)
    }
}
