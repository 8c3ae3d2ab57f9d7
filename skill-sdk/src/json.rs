//! JSON text, for what servers and models answer.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::{float, Value};

/// Where a text is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError {
    /// The byte, counted from 0.
    pub at: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text is not JSON at byte {}", self.at)
    }
}

/// Reads one JSON value, nested 32 deep at the most.
pub fn parse(text: &str) -> Result<Value, JsonError> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0);
    parser.blanks();
    match value {
        Some(value) if parser.at == text.len() => Ok(value),
        _ => Err(JsonError { at: parser.at }),
    }
}

/// Writes a value as JSON.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.blanks();
        match self.peek()? {
            b'{' if depth < MAX_DEPTH => self.map(depth),
            b'[' if depth < MAX_DEPTH => self.list(depth),
            b'"' => self.string().map(Value::Text),
            b'n' => self.word("null").then_some(Value::Null),
            b't' => self.word("true").then_some(Value::Bool(true)),
            b'f' => self.word("false").then_some(Value::Bool(false)),
            b'-' | b'0'..=b'9' => self.number(),
            _ => None,
        }
    }

    fn map(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut entries = Vec::new();
        self.blanks();
        if self.word("}") {
            return Some(Value::Map(entries));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            self.blanks();
            if !self.word(":") {
                return None;
            }
            entries.push((key, self.value(depth + 1)?));
            self.blanks();
            if self.word("}") {
                return Some(Value::Map(entries));
            }
            if !self.word(",") {
                return None;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.word("]") {
            return Some(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.word("]") {
                return Some(Value::List(items));
            }
            if !self.word(",") {
                return None;
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        if !self.word("\"") {
            return None;
        }
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..)?;
            let stop = rest.find(|c: char| c == '"' || c == '\\' || c < ' ')?;
            out.push_str(&rest[..stop]);
            self.at += stop;
            if self.word("\"") {
                return Some(out);
            }
            if !self.word("\\") {
                return None;
            }
            let escape = self.peek()?;
            self.at += 1;
            out.push(match escape {
                b'"' | b'\\' | b'/' => escape.into(),
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.unicode()?,
                _ => return None,
            });
        }
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        if !self.word("\\u") {
            return None;
        }
        let second = self.hex()?;
        if !(0xDC00..0xE000).contains(&second) {
            return None;
        }
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn number(&mut self) -> Option<Value> {
        let rest = self.text.get(self.at..)?;
        let end =
            rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let digits = &rest[..end];
        if !is_number(digits) {
            return None;
        }
        let value = match digits.parse::<i64>() {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Float(float::parse(digits)?),
        };
        self.at += end;
        Some(value)
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

/// Whether a text has the form of a number in JSON, which is stricter than what Rust parses.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.map_or(true, digits)
        && exponent.map_or(true, |text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&number.to_string()),
        // JSON has no word for infinity.
        Value::Float(number) if !number.is_finite() => out.push_str("null"),
        Value::Float(number) => out.push_str(&float::exact(*number)),
        Value::Text(text) => write_text(text, out),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write_value(value, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
}

const MAX_DEPTH: usize = 32;

#[cfg(test)]
mod tests;
