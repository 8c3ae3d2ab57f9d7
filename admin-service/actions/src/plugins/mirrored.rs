//! Arguments that a server wants in headers as well, so that proxies between them can route by them: the annotation
//! `x-mcp-header` of a parameter (MCP 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters").

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

const ANNOTATION: &str = "x-mcp-header";
/// What each header's name begins with.
pub const PREFIX: &str = "mcp-param-";
/// The most headers of one tool; a client of ours sends sixteen in all.
pub const MOST: usize = 8;
/// The longest name behind the prefix, in bytes.
pub const MOST_NAME: usize = 64;
/// The longest value, in bytes.
pub const MOST_VALUE: usize = 2048;
/// The types that an annotated parameter may have.
const TYPES: [&str; 3] = ["string", "integer", "boolean"];
/// The largest whole number that a header carries: any larger is not the same in every language.
const LARGEST: u64 = (1 << 53) - 1;
/// Keywords whose values are data, not schemas.
const NO_SCHEMAS: [&str; 4] = ["const", "default", "enum", "examples"];
/// Keywords whose values are schemas by names of somebody's choice.
const BY_NAME: [&str; 4] = ["$defs", "definitions", "dependentSchemas", "patternProperties"];

/// One annotated parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirrored {
    /// The header's name, in lower case, with its prefix.
    header: String,
    /// Where its value stands among the arguments.
    path: Vec<String>,
}

/// An annotation that the protocol does not allow, or more of them than are sent; the protocol has such a tool left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misplaced;

/// A value that is longer than [`MOST_VALUE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Long;

/// The annotated parameters of a schema.
///
/// # Errors
/// An annotation of another form, at another place than a plain parameter, or used twice.
pub fn of_schema(schema: &Value) -> Result<Vec<Mirrored>, Misplaced> {
    let mut found = vec![];
    if let Value::Object(root) = schema {
        look(root, Some(&[]), &mut found)?;
    }
    Ok(found)
}

/// Looks at a schema; `path` leads to its value, where it is one that every call has at the same place.
fn look(
    schema: &Map<String, Value>,
    path: Option<&[String]>,
    found: &mut Vec<Mirrored>,
) -> Result<(), Misplaced> {
    for (key, value) in schema {
        match (key.as_str(), value) {
            (ANNOTATION, name) => {
                let path = path.filter(|path| !path.is_empty()).ok_or(Misplaced)?;
                let is_plain =
                    schema.get("type").and_then(Value::as_str).is_some_and(|kind| TYPES.contains(&kind));
                let header = name.as_str().filter(|_| is_plain).and_then(header).ok_or(Misplaced)?;
                if found.len() == MOST || found.iter().any(|other| other.header == header) {
                    return Err(Misplaced);
                }
                found.push(Mirrored { header, path: path.to_vec() });
            }
            ("properties", Value::Object(parameters)) => {
                for (name, parameter) in parameters {
                    let inner = path.map(|path| [path, std::slice::from_ref(name)].concat());
                    each(parameter, inner.as_deref(), found)?;
                }
            }
            (key, Value::Object(schemas)) if BY_NAME.contains(&key) => {
                schemas.values().try_for_each(|schema| each(schema, None, found))?;
            }
            (key, value) if !NO_SCHEMAS.contains(&key) => each(value, None, found)?,
            _ => {}
        }
    }
    Ok(())
}

/// Looks at a schema, or at each of a list.
fn each(value: &Value, path: Option<&[String]>, found: &mut Vec<Mirrored>) -> Result<(), Misplaced> {
    match value {
        Value::Object(schema) => look(schema, path, found),
        Value::Array(schemas) => schemas.iter().try_for_each(|schema| each(schema, None, found)),
        _ => Ok(()),
    }
}

/// The header of an annotation: a token of RFC 9110, section 5.6.2.
fn header(name: &str) -> Option<String> {
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    let fits = (1..=MOST_NAME).contains(&name.len()) && name.bytes().all(is_token);
    fits.then(|| format!("{PREFIX}{}", name.to_ascii_lowercase()))
}

impl Mirrored {
    /// The header for these arguments; none where the parameter is not given, or of another type than it was announced.
    ///
    /// # Errors
    /// A value that does not fit into a header.
    pub fn of(&self, args: &Value) -> Result<Option<(String, String)>, Long> {
        let value = self.path.iter().try_fold(args, |value, name| value.get(name));
        let text = match value {
            Some(Value::String(text)) => encoded(text),
            Some(Value::Bool(flag)) => flag.to_string(),
            Some(Value::Number(number)) => match whole(number) {
                Some(whole) => whole.to_string(),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        if text.len() > MOST_VALUE { Err(Long) } else { Ok(Some((self.header.clone(), text))) }
    }
}

/// A whole number, however it is written.
fn whole(number: &serde_json::Number) -> Option<i64> {
    let written = number.as_i64().or_else(|| number.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i64));
    written.filter(|whole| whole.unsigned_abs() <= LARGEST)
}

/// A text as it can stand in a header: itself, or in base64 where it has anything but visible ASCII with blanks inside, or looks like
/// such a form itself.
fn encoded(text: &str) -> String {
    let plain = text.bytes().all(|b| matches!(b, b' '..=b'~')) && text.trim_matches(' ') == text;
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    match plain && !looks_encoded {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    }
}

#[cfg(test)]
mod tests;
