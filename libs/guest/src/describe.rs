//! What a module says about itself, within bounds: it is shown to people and to models.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use shared_types::described::{Described, DescribedTool};
use shared_types::id::{EventType, ToolName};
use shared_types::schema::Parameters;
use shared_types::text;

use crate::error::DescribeError;
use crate::imports::HostFn;
use crate::json::to_json;
use crate::limits::{Grants, Limits};
use crate::{Host, HostError, Module, Value};

/// Asks a module to describe itself; everything that it asks of the host meanwhile is refused.
///
/// # Errors
/// If it does not answer, or its answer is beyond the bounds.
pub fn describe(
    module: &dyn Module,
    grants: &Grants,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Described, DescribeError> {
    let message = Value::map([("op", "describe".into())]);
    let reply = module.call(grants, &mut Mute, &message, limits, cancel)?;
    read(&reply.value)
}

/// Reads a module's description.
///
/// # Errors
/// If it is beyond the bounds, with the first place that is.
pub fn read(value: &Value) -> Result<Described, DescribeError> {
    let described = Described {
        description: line(value, "", "description", MAX_DESCRIPTION)?,
        tools: items(value, "", "tools", MAX_TOOLS, tool)?,
        handles: items(value, "", "handles", MAX_EVENTS, event)?,
        emits: items(value, "", "emits", MAX_EVENTS, event)?,
    };
    let mut names = BTreeSet::new();
    for (index, tool) in described.tools.iter().enumerate() {
        if !names.insert(&tool.name) {
            return Err(fault(&format!("tools.{index}.name"), format!("`{}` is there twice", tool.name)));
        }
    }
    Ok(described)
}

fn tool(value: &Value, path: &str) -> Result<DescribedTool, DescribeError> {
    let name = line(value, path, "name", MAX_TEXT)?;
    let name = name.parse::<ToolName>().map_err(|error| fault(&join(path, "name"), error.to_string()))?;
    let parameters = to_json(value.get("parameters").unwrap_or(&Value::Null));
    let parameters = Parameters::try_from(parameters).map_err(|error| fault(path, error.to_string()))?;
    if parameters.properties().count() > MAX_PARAMETERS {
        return Err(fault(&join(path, "parameters"), format!("more than {MAX_PARAMETERS} parameters")));
    }
    Ok(DescribedTool {
        name,
        description: line(value, path, "description", MAX_DESCRIPTION)?,
        parameters,
        phrases: items(value, path, "phrases", MAX_PHRASES, phrase)?,
        examples: items(value, path, "examples", MAX_PHRASES, |value, path| {
            checked(Some(value), path, MAX_TEXT)
        })?,
    })
}

fn phrase(value: &Value, path: &str) -> Result<(String, String), DescribeError> {
    let language = line(value, path, "language", MAX_LANGUAGE)?;
    let known =
        !language.is_empty() && language.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if !known {
        return Err(fault(&join(path, "language"), "must be a language code such as `en`"));
    }
    Ok((language, line(value, path, "pattern", MAX_TEXT)?))
}

fn event(value: &Value, path: &str) -> Result<EventType, DescribeError> {
    let name = checked(Some(value), path, MAX_TEXT)?;
    name.parse().map_err(|error: shared_types::id::InvalidId| fault(path, error.to_string()))
}

/// The list `key`, each item read by `read`; a missing list is empty.
fn items<T>(
    value: &Value,
    path: &str,
    key: &str,
    most: usize,
    read: impl Fn(&Value, &str) -> Result<T, DescribeError>,
) -> Result<Vec<T>, DescribeError> {
    let path = join(path, key);
    let list = match value.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(list) => list.as_list().ok_or_else(|| fault(&path, "must be a list"))?,
    };
    if list.len() > most {
        return Err(fault(&path, format!("has {} items; at most {most} are allowed", list.len())));
    }
    list.iter().enumerate().map(|(index, item)| read(item, &format!("{path}.{index}"))).collect()
}

fn line(value: &Value, path: &str, key: &str, most: usize) -> Result<String, DescribeError> {
    checked(value.get(key), &join(path, key), most)
}

/// One line of visible characters.
fn checked(value: Option<&Value>, path: &str, most: usize) -> Result<String, DescribeError> {
    let line = value.and_then(Value::as_text).ok_or_else(|| fault(path, "must be a text"))?;
    if line.chars().count() > most {
        return Err(fault(path, format!("longer than {most} characters")));
    }
    if line.chars().any(text::is_refused) {
        return Err(fault(path, "holds a line break, a control or an invisible character"));
    }
    Ok(line.to_owned())
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn fault(path: &str, message: impl Into<String>) -> DescribeError {
    DescribeError::Fault { path: path.to_owned(), message: message.into() }
}

/// What a skill hears that calls its host too early.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not available while the skill describes itself")]
struct TooEarly(HostFn);

/// A host that refuses everything.
struct Mute;

impl Host for Mute {
    fn call(&mut self, function: HostFn, _: Value, _: Instant) -> Result<Value, HostError> {
        Err(TooEarly(function).into())
    }
}

const MAX_TOOLS: usize = 16;
const MAX_PARAMETERS: usize = 8;
const MAX_PHRASES: usize = 32;
const MAX_EVENTS: usize = 16;
const MAX_TEXT: usize = 200;
const MAX_DESCRIPTION: usize = 2_000;
const MAX_LANGUAGE: usize = 8;

#[cfg(test)]
mod tests;
