//! JSON as both programs print it: the same value, in characters that steer no terminal; and a value read as a type.

use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::Value;

use crate::text::is_unsafe;

/// A value as one line of JSON for a reader's eyes or a program.
///
/// Control, direction-changing, invisible and overlaid characters stand as `\uXXXX` within its strings, always, and so mean
/// the same to every parser.
pub fn line(value: &impl Serialize) -> String {
    // Our rows are strings, numbers, lists and maps with text for keys: those cannot fail.
    let text = serde_json::to_string(value).unwrap_or_else(|e| unprintable(&e));
    escaped(&text)
}

/// As [`line`], over several lines with indentation.
pub fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|e| unprintable(&e));
    escaped(&text)
}

/// JSON that was made elsewhere, with the same escapes.
///
/// Outside its strings JSON has no character beyond ASCII, so each unsafe one stands within a string.
pub fn escaped(json: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || !is_unsafe(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}").expect("a string can be written to");
        }
    }
    out
}

/// Reads a value as a type. It is read as the text that it is written as: texts are read anyway, and a second reader, of values,
/// costs 40 KB of `cl-bot`.
///
/// # Errors
/// It is not of that type. The error names no place: it would be one of that text.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    serde_json::from_slice(value.to_string().as_bytes()).map_err(|e| {
        let fault = e.to_string();
        let (fault, _) = fault.rsplit_once(" at line ").unwrap_or((&fault, ""));
        serde_json::Error::custom(fault)
    })
}

fn unprintable(error: &serde_json::Error) -> String {
    Value::String(format!("this value cannot be printed as JSON: {error}")).to_string()
}

#[cfg(test)]
mod tests;
