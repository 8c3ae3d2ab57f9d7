//! Arguments for the tools of others, validated against the server's own schema, in a confined child.
//!
//! Schema and arguments are both from outside, and what a validator spends on them is theirs to choose; the child's processor
//! time and memory bound it. Patterns run on an engine whose time grows with the text alone.

use std::sync::atomic::AtomicBool;

use base::error::Error;
use builder::workers::{self, ChildFault, Job};
use jsonschema::{Draft, PatternOptions, ValidationError, ValidationOptions, Validator};
use ledger::facts::Facts;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared_types::id::{SkillName, ToolName};
use shared_types::text::cut;

use super::mirrored;
use super::schema::{Misfit, Shown, own_names, shown};

/// The most faults that are reported.
const MOST_FAULTS: usize = 8;
/// The most bytes that one compiled pattern may take, and as many for its cache.
const MOST_PATTERN: usize = 1 << 20;

/// What the child is given.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    /// The schema, as JSON.
    schema: String,
    /// The arguments; without them the schema alone is looked at.
    args: Option<Value>,
}

/// What the child says of a schema that can be used.
#[derive(Debug, Serialize, Deserialize)]
pub struct Checked {
    /// What a model is shown of it.
    pub shown: Shown,
    /// What is wrong with the arguments: at most eight lines, safe to show.
    pub faults: Vec<String>,
    /// Patterns that are not checked here, since a linear engine cannot; safe to show.
    pub unchecked: Vec<String>,
}

/// Arguments with which a tool is not called.
#[derive(Debug, thiserror::Error)]
#[error("the arguments of `{plugin}.{tool}`: {why}")]
pub(super) struct Fault {
    pub plugin: SkillName,
    pub tool: ToolName,
    pub why: Unfit,
}

/// Why they do not fit.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfit {
    #[error(transparent)]
    Unusable(#[from] Unusable),
    #[error("{}", .0.join("; "))]
    Faults(Vec<String>),
}

/// A schema that cannot be used, or arguments that cannot be validated; the words are safe to show.
#[derive(Debug, Serialize, Deserialize, thiserror::Error)]
pub enum Unusable {
    /// It cannot be shown.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// No validator can be made of it.
    #[error("{0}")]
    Schema(String),
    /// It costs more than a child has.
    #[error("it takes more time or memory than is given ({0})")]
    Costs(String),
    /// The child fails at it.
    #[error("{0}")]
    Child(String),
}

/// The child's side.
///
/// # Errors
/// Why no validator can be made of the schema.
pub fn check(order: &Order) -> Result<Checked, Unusable> {
    let no_json = |e: serde_json::Error| Unusable::Schema(cut(&e.to_string(), 200));
    let mut schema: Value = serde_json::from_str(&order.schema).map_err(no_json)?;
    mirrored::of_schema(&schema).map_err(|_| Misfit::Headers)?;
    let shown = shown(&schema)?;
    let options = options(&mut schema);
    let mut unchecked = vec![];
    drop_patterns(&mut schema, &options, &mut unchecked);
    let validator = build(&options, &schema)?;
    // Without arguments a check of `{}` shows whether the schema costs too much.
    let args = order.args.as_ref().map_or_else(|| json!({}), |args| own_names(&shown.names, args));
    let errors = validator.iter_errors(&args).take(MOST_FAULTS);
    let mut faults: Vec<String> = errors.map(|error| told(&error)).collect();
    if order.args.is_none() {
        faults.clear();
    }
    Ok(Checked { shown, faults, unchecked })
}

/// One line about a fault; the value that was sent and the allowed values are left out.
fn told(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let place = place.trim_start_matches('/').replace('/', ".");
    let place = if place.is_empty() { "arguments".to_owned() } else { cut(&place, 200) };
    format!("{place}: {}", cut(&error.masked().to_string(), 200))
}

type Options = ValidationOptions<'static>;

/// The rules of the draft that the schema names, else of the newest.
fn options(schema: &mut Value) -> Options {
    let named = schema.as_object_mut().and_then(|map| map.remove("$schema"));
    let named = named.as_ref().and_then(Value::as_str).unwrap_or_default();
    let known = [
        ("draft-04", Draft::Draft4),
        ("draft-06", Draft::Draft6),
        ("draft-07", Draft::Draft7),
        ("2019-09", Draft::Draft201909),
    ];
    let draft =
        known.into_iter().find(|(word, _)| named.contains(word)).map_or(Draft::Draft202012, |(_, d)| d);
    let patterns = PatternOptions::regex().size_limit(MOST_PATTERN).dfa_size_limit(MOST_PATTERN);
    jsonschema::options()
        .with_draft(draft)
        .with_pattern_options(patterns)
        .should_validate_formats(false)
        .offline()
}

fn build(options: &Options, schema: &Value) -> Result<Validator, Unusable> {
    options.build(schema).map_err(|e| Unusable::Schema(cut(&e.to_string(), 300)))
}

/// Takes out each pattern that the engine cannot take; the server checks those itself.
fn drop_patterns(schema: &mut Value, options: &Options, dropped: &mut Vec<String>) {
    match schema {
        Value::Array(values) => values.iter_mut().for_each(|value| drop_patterns(value, options, dropped)),
        Value::Object(map) => {
            let pattern = map.get("pattern").and_then(Value::as_str);
            if let Some(pattern) = pattern.filter(|p| build(options, &json!({"pattern": p})).is_err()) {
                dropped.push(cut(pattern, 200));
                map.remove("pattern");
            }
            let schemas = map
                .iter_mut()
                .filter(|(key, _)| !["const", "enum", "default", "examples"].contains(&key.as_str()));
            schemas.for_each(|(_, value)| drop_patterns(value, options, dropped));
        }
        _ => {}
    }
}

/// Has a child look at a schema; the inner refusal is one of the schema's, or of what it costs to check.
///
/// # Errors
/// A child that cannot be started, or that this machine keeps from its end.
pub fn look(schema: &str, cancel: &AtomicBool) -> Result<Result<Checked, Unusable>, Error> {
    let looked = ask(&Order { schema: schema.to_owned(), args: None }, cancel)?;
    Ok(looked.and_then(|mut checked| {
        // A child that a schema took over has no say in what a person and a model read.
        checked.shown.schema = shown(&checked.shown.schema)?.schema;
        Ok(checked)
    }))
}

/// Checks arguments against the server's own schema, and gives them its own names.
///
/// # Errors
/// Arguments that do not fit, or a child that gave no answer.
pub fn fitting(facts: &Facts, tool: &ToolName, args: &Value, cancel: &AtomicBool) -> Result<Value, Error> {
    let Some(schema) = facts.schemas.get(tool) else { return Ok(args.clone()) };
    let order = Order { schema: schema.clone(), args: Some(args.clone()) };
    let refused = |why| Error::refused(Fault { plugin: facts.name.clone(), tool: tool.clone(), why });
    let checked = ask(&order, cancel)?.map_err(|why| refused(Unfit::Unusable(why)))?;
    match checked.faults.is_empty() {
        true => Ok(own_names(&checked.shown.names, args)),
        false => Err(refused(Unfit::Faults(checked.faults))),
    }
}

fn ask(order: &Order, cancel: &AtomicBool) -> Result<Result<Checked, Unusable>, Error> {
    match workers::run(Job::Arguments, &serde_json::to_vec(order)?, cancel) {
        Err(fault @ ChildFault::Killed(_)) => Ok(Err(Unusable::Costs(fault.to_string()))),
        Err(fault) if fault.blames_input() => Ok(Err(Unusable::Child(cut(&fault.to_string(), 200)))),
        answer => answer.map_err(Error::step("the parameters of a tool cannot be checked")),
    }
}

#[cfg(test)]
mod tests;
