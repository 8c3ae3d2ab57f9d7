//! How a [`Value`] becomes bytes: a tag byte, then little-endian numbers and u32 lengths.
//!
//! Both sides distrust the bytes: decoding is bounded in depth, in number of values and by what is
//! there, and never panics.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::Value;

/// The deepest nesting: a bare value has depth 1.
pub const MAX_DEPTH: usize = 16;
/// The most values in one message, so that a small message cannot become a large structure.
pub const MAX_VALUES: usize = 32_768;

/// Why a value could not be written or bytes not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodecError {
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// More than [`MAX_VALUES`] values.
    TooMany,
    /// A text, list or map longer than its length field can say.
    TooLong,
    /// The bytes end too early, or a length says more than is left.
    Truncated,
    /// A tag or truth value that does not exist.
    BadTag(u8),
    /// Text that is not UTF-8.
    BadText,
    /// Bytes after the value.
    Trailing,
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodecError::TooDeep => write!(f, "the message is nested deeper than {MAX_DEPTH} levels"),
            CodecError::TooMany => write!(f, "the message holds more than {MAX_VALUES} values"),
            CodecError::TooLong => f.write_str("a text, list or map is too long"),
            CodecError::Truncated => f.write_str("the message ends too early"),
            CodecError::BadTag(tag) => write!(f, "the message holds the unknown tag {tag}"),
            CodecError::BadText => f.write_str("a text of the message is not UTF-8"),
            CodecError::Trailing => f.write_str("bytes follow the message"),
        }
    }
}

/// Writes a value.
pub fn encode(value: &Value) -> Result<Vec<u8>, CodecError> {
    let mut writer = Writer { bytes: Vec::new(), values: 0 };
    writer.value(value, 1)?;
    Ok(writer.bytes)
}

/// Reads exactly one value.
pub fn decode(bytes: &[u8]) -> Result<Value, CodecError> {
    let mut reader = Reader { rest: bytes, values: 0 };
    let value = reader.value(1)?;
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(CodecError::Trailing)
    }
}

struct Writer {
    bytes: Vec<u8>,
    values: usize,
}

impl Writer {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), CodecError> {
        count(depth, &mut self.values)?;
        match value {
            Value::Null => self.bytes.push(NULL),
            Value::Bool(flag) => self.bytes.extend_from_slice(&[BOOL, u8::from(*flag)]),
            Value::Int(number) => {
                self.bytes.push(INT);
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            Value::Float(number) => {
                self.bytes.push(FLOAT);
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            Value::Text(text) => {
                self.bytes.push(TEXT);
                self.text(text)?;
            }
            Value::List(items) => {
                self.bytes.push(LIST);
                self.length(items.len())?;
                for item in items {
                    self.value(item, depth + 1)?;
                }
            }
            Value::Map(entries) => {
                self.bytes.push(MAP);
                self.length(entries.len())?;
                for (key, value) in entries {
                    self.text(key)?;
                    self.value(value, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), CodecError> {
        self.length(text.len())?;
        self.bytes.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn length(&mut self, length: usize) -> Result<(), CodecError> {
        let length = u32::try_from(length).map_err(|_| CodecError::TooLong)?;
        self.bytes.extend_from_slice(&length.to_le_bytes());
        Ok(())
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    values: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Result<Value, CodecError> {
        count(depth, &mut self.values)?;
        match self.array::<1>()?[0] {
            NULL => Ok(Value::Null),
            BOOL => match self.array::<1>()?[0] {
                0 => Ok(Value::Bool(false)),
                1 => Ok(Value::Bool(true)),
                other => Err(CodecError::BadTag(other)),
            },
            INT => Ok(Value::Int(i64::from_le_bytes(self.array()?))),
            FLOAT => Ok(Value::Float(f64::from_le_bytes(self.array()?))),
            TEXT => Ok(Value::Text(self.text()?)),
            LIST => {
                let length = self.length(1)?;
                let mut items = Vec::new();
                for _ in 0..length {
                    items.push(self.value(depth + 1)?);
                }
                Ok(Value::List(items))
            }
            MAP => {
                let length = self.length(5)?;
                let mut entries = Vec::new();
                for _ in 0..length {
                    let key = self.text()?;
                    entries.push((key, self.value(depth + 1)?));
                }
                Ok(Value::Map(entries))
            }
            tag => Err(CodecError::BadTag(tag)),
        }
    }

    fn text(&mut self) -> Result<String, CodecError> {
        let length = self.length(1)?;
        let bytes = self.take(length)?;
        core::str::from_utf8(bytes).map(ToOwned::to_owned).map_err(|_| CodecError::BadText)
    }

    /// A length whose items, of at least `least` bytes each, can still be there.
    fn length(&mut self, least: usize) -> Result<usize, CodecError> {
        let length = u32::from_le_bytes(self.array()?);
        let length = usize::try_from(length).map_err(|_| CodecError::TooLong)?;
        if length > self.rest.len() / least {
            return Err(CodecError::Truncated);
        }
        Ok(length)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], CodecError> {
        if length > self.rest.len() {
            return Err(CodecError::Truncated);
        }
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CodecError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }
}

fn count(depth: usize, values: &mut usize) -> Result<(), CodecError> {
    *values += 1;
    if depth > MAX_DEPTH {
        Err(CodecError::TooDeep)
    } else if *values > MAX_VALUES {
        Err(CodecError::TooMany)
    } else {
        Ok(())
    }
}

const NULL: u8 = 0;
const BOOL: u8 = 1;
const INT: u8 = 2;
const FLOAT: u8 = 3;
const TEXT: u8 = 4;
const LIST: u8 = 5;
const MAP: u8 = 6;

#[cfg(test)]
mod tests;
