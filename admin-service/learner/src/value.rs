//! What a step of a rule makes.

use skill_sdk::Date;

/// A value of the small language.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    List(Vec<String>),
    Date(Date),
}

/// What kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    List,
    Date,
}

impl Value {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Value::Text(_) => Kind::Text,
            Value::Number(_) => Kind::Number,
            Value::List(_) => Kind::List,
            Value::Date(_) => Kind::Date,
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// How many bytes it holds, at least 1.
    pub(crate) fn size(&self) -> usize {
        match self {
            Value::Text(text) => text.len() + 1,
            Value::List(list) => list.iter().map(|item| item.len() + 1).sum::<usize>() + 1,
            Value::Number(_) | Value::Date(_) => 1,
        }
    }

    /// The value in a form that is the same for equal values alone.
    pub(crate) fn key(&self, into: &mut Vec<u8>) {
        match self {
            Value::Text(text) => {
                into.push(1);
                into.extend_from_slice(text.as_bytes());
            }
            Value::Number(number) => {
                into.push(2);
                into.extend_from_slice(&number.to_bits().to_le_bytes());
            }
            Value::List(list) => {
                into.push(3);
                for item in list {
                    into.extend_from_slice(item.as_bytes());
                    into.push(0xff);
                }
            }
            Value::Date(date) => {
                into.push(4);
                into.extend_from_slice(&date.days().to_le_bytes());
            }
        }
        into.push(0xfe);
    }
}
