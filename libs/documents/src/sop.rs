//! A workflow (standard operating procedure): a few steps, one after the other, as they stand in `SOP.toml` or `SOP.yaml`.
//!
//! The order of the file is the order of the run, and a step can use the text of an earlier one only, so that no workflow has a
//! circle. Nothing in here runs anything.

use serde_json::{Map, Value};

use shared_types::id::{StepId, WorkflowName};
use shared_types::proposal::Fault;
use shared_types::settings::{Key, Kind, NEEDED, Section, TEXT, key, word};
use shared_types::sorted;

/// The largest file, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;
/// The most steps of a workflow.
pub const MAX_STEPS: usize = 50;
/// The longest message or prompt of a step, in characters.
pub const MAX_TEXT: usize = 8_000;
/// The longest description of a workflow, in characters.
pub const MAX_DESCRIPTION: usize = 400;
/// The argument that gets the text of `content_from` where `content_to` names no other.
const CONTENT: &str = "content";
/// The longest time that a step may be given, in seconds.
pub const MAX_SECONDS: u64 = 3_600;

/// The names under which a workflow's file may be in its folder.
pub const FILES: [(&str, Form); 2] = [("SOP.toml", Form::Toml), ("SOP.yaml", Form::Yaml)];

/// What a workflow's file may say.
static SOP: &[Key] = &[
    key("name", NEEDED, "the name of its folder"),
    key("description", NEEDED, "what it is for"),
    key("steps", Kind::List { keys: STEP, default: "[]", most: MAX_STEPS }, "its steps, in order"),
];

/// What a step may say.
static STEP: &[Key] = &[
    key("id", Kind::Text { default: None, needed: Some("; each step has an id of its own") }, "its name"),
    key(
        "kind",
        Kind::Word { default: "", allowed: &["tool", "agent", "approval"], needed: true },
        "what is done",
    ),
    key("tool", TEXT, "tool: the tool that is called"),
    key("args", Kind::Keys(&[]), "tool: its arguments"),
    key("prompt", TEXT, "agent: what the assistant is asked; approval: another name of `message`"),
    key("message", TEXT, "approval: what the person is asked"),
    key("content_from", TEXT, "an earlier step whose text is used"),
    key("content_to", TEXT, "tool: the argument that gets that text"),
    key("on_failure", word("abort", &["abort", "continue"]), "what happens when it fails"),
    key(
        "timeout_s",
        Kind::Number { default: None, least: 1, most: MAX_SECONDS, unit: "seconds" },
        "how long it may take",
    ),
];

/// How a workflow is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `SOP.toml`
    Toml,
    /// `SOP.yaml`
    Yaml,
}

/// A workflow that can run.
#[derive(Debug, Clone, PartialEq)]
pub struct Sop {
    /// Its name, which is that of its folder.
    pub name: WorkflowName,
    /// What it is for, in a line.
    pub description: String,
    /// Its steps, in order; at least one.
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its name, which no other step has.
    pub id: StepId,
    /// What is done.
    pub work: Work,
    /// Whether the steps behind it still run when it fails.
    pub goes_on: bool,
    /// How long it may take, in seconds, where the step says so.
    pub timeout_s: Option<u64>,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// Calls a tool.
    Tool {
        /// Its full name.
        tool: String,
        /// Its arguments.
        args: Map<String, Value>,
        /// The step whose text becomes an argument, and the name of that.
        content: Option<(StepId, String)>,
    },
    /// Has the assistant answer.
    Agent {
        /// The prompt that it gets.
        prompt: String,
        /// The step whose text is put behind that.
        content: Option<StepId>,
    },
    /// Waits for a person's yes.
    Approval {
        /// What the person is asked.
        message: String,
    },
}

impl Work {
    /// The spelling of its kind in files.
    pub fn kind(&self) -> &'static str {
        match self {
            Work::Tool { .. } => "tool",
            Work::Agent { .. } => "agent",
            Work::Approval { .. } => "approval",
        }
    }

    /// The step whose text it uses.
    pub fn content_from(&self) -> Option<&StepId> {
        match self {
            Work::Tool { content, .. } => content.as_ref().map(|(id, _)| id),
            Work::Agent { content, .. } => content.as_ref(),
            Work::Approval { .. } => None,
        }
    }
}

impl Sop {
    /// Reads a workflow that is in the folder `name`. `offered` tells what is wrong with a tool's name, or with its arguments
    /// where they stand in the file whole.
    ///
    /// # Errors
    /// Every fault in one pass, with its step and key; a file that cannot be parsed has one.
    pub fn read(
        name: &WorkflowName,
        text: &str,
        form: Form,
        offered: &dyn Fn(&str, Option<&Value>) -> Option<String>,
    ) -> Result<Sop, Vec<Fault>> {
        let value = parse(text, form).map_err(|fault| vec![fault])?;
        let mut top = Section::document(SOP, Ok::<_, String>(value));
        if let Some(said) = top.text("name").filter(|said| said != name.as_str()) {
            top.fault("name", format!("`{said}` is in the folder `{name}`; both must be the same"));
        }
        let description = told(&mut top, "description", MAX_DESCRIPTION).unwrap_or_default();
        let listed = top.sections("steps");
        if listed.is_empty() {
            top.fault("steps", format!("a workflow has 1 to {MAX_STEPS} steps"));
        }
        let mut steps: Vec<Step> = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        for mut below in listed {
            steps.extend(step(&mut below, &mut seen, offered));
            top.close(below);
        }
        let faults = top.finish();
        if faults.is_empty() { Ok(Sop { name: name.clone(), description, steps }) } else { Err(faults) }
    }
}

/// Text to value within a budget.
fn parse(text: &str, form: Form) -> Result<Value, Fault> {
    if text.len() > MAX_BYTES {
        let why = format!("the file has {} bytes; at most {MAX_BYTES} are read", text.len());
        return Err(Fault::new("", why));
    }
    let value = match form {
        Form::Yaml => crate::yaml::from_outside(text).map_err(|e| Fault::new("", e.to_string()))?,
        // The parser itself ends at 80 levels.
        Form::Toml => toml::from_str(text).map_err(|e| Fault::new("", at_line(text, &e)))?,
    };
    if has_date(&value) {
        return Err(Fault::new("", "a date without quotes is not allowed; write it in quotes"));
    }
    Ok(value)
}

fn at_line(text: &str, error: &toml::de::Error) -> String {
    let line =
        error.span().map(|span| text.as_bytes()[..span.start.min(text.len())].split(|b| *b == b'\n').count());
    match line {
        Some(line) => format!("line {line}: {}", error.message()),
        None => error.message().to_owned(),
    }
}

/// Whether a date of TOML's own kind is in it, which no argument can be.
fn has_date(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(key, value)| key.starts_with("$__toml") || has_date(value)),
        Value::Array(list) => list.iter().any(has_date),
        _ => false,
    }
}

fn step(
    below: &mut Section,
    seen: &mut Vec<String>,
    offered: &dyn Fn(&str, Option<&Value>) -> Option<String>,
) -> Option<Step> {
    let id: Option<StepId> =
        below.text("id").and_then(|id| id.parse().map_err(|e| below.fault("id", format!("{e}"))).ok());
    if let Some(twice) = id.as_ref().filter(|id| seen.iter().any(|s| s == id.as_str())) {
        below.fault("id", format!("`{twice}` is the id of an earlier step"));
    }
    let kind = below.text("kind").unwrap_or_default();
    let content = below.text("content_from").and_then(|from| earlier(below, &from, seen));
    let goes_on = below.word("on_failure") == "continue";
    let every = ["id", "kind", "content_from", "on_failure", "timeout_s"];
    let own: &[&str] = match kind.as_str() {
        "tool" => &["tool", "args", "content_to"],
        "agent" => &["prompt"],
        _ if below.has("message") => &["message"],
        _ => &["message", "prompt"],
    };
    if !kind.is_empty() {
        below.only(&[&every[..], own].concat(), &format!("a step of the kind `{kind}`"));
    }
    let work = match kind.as_str() {
        "tool" => tool(below, content, offered),
        "agent" => told(below, "prompt", MAX_TEXT).map(|prompt| Work::Agent { prompt, content }),
        "approval" => {
            if content.is_some() {
                below.fault("content_from", "an approval shows its message alone");
            }
            if goes_on {
                below.fault("on_failure", "a no ends the run; only `abort` is allowed for an approval");
            }
            // `prompt` is the other name under which files of others have it.
            let key = if below.has("prompt") && !below.has("message") { "prompt" } else { "message" };
            told(below, key, MAX_TEXT).map(|message| Work::Approval { message })
        }
        _ => None,
    };
    seen.extend(id.as_ref().map(|id| id.as_str().to_owned()));
    Some(Step { id: id?, work: work?, goes_on, timeout_s: below.optional_number("timeout_s") })
}

/// The id of an earlier step; a later one, the step itself and an unknown one are faults.
fn earlier(below: &mut Section, from: &str, seen: &[String]) -> Option<StepId> {
    if seen.iter().any(|id| id == from) {
        return from.parse().ok();
    }
    let known = if seen.is_empty() { "none".to_owned() } else { seen.join(" ") };
    below.fault("content_from", format!("`{from}` is not an earlier step; earlier steps: {known}"));
    None
}

fn tool(
    below: &mut Section,
    content: Option<StepId>,
    offered: &dyn Fn(&str, Option<&Value>) -> Option<String>,
) -> Option<Work> {
    let tool = told(below, "tool", 127);
    let args = below.value("args").as_object().cloned().unwrap_or_default();
    let to = below.text("content_to").or_else(|| content.is_some().then(|| CONTENT.to_owned()));
    let content = match (content, to) {
        (None, Some(_)) => {
            below.fault("content_to", "needs `content_from`, an earlier step");
            None
        }
        (Some(_), Some(to)) if args.contains_key(&to) => {
            below.fault("content_to", format!("`args` has a value for `{to}` already"));
            None
        }
        (from, to) => from.zip(to),
    };
    let tool = tool?;
    // Any text stands for the one of the earlier step.
    let text = content.iter().map(|(_, to)| (to.clone(), Value::from("text")));
    let whole = Value::Object(sorted::collected(args.clone().into_iter().chain(text)));
    if let Some(why) = offered(&tool, Some(&whole)) {
        below.fault("tool", why);
    }
    Some(Work::Tool { tool, args, content })
}

/// A text that must be there.
fn told(below: &mut Section, key: &str, limit: usize) -> Option<String> {
    let had = below.has(key);
    let text = below.text(key);
    match &text {
        Some(text) if text.trim().is_empty() || text.chars().count() > limit => {
            below.fault(key, format!("must have 1 to {limit} characters"));
            None
        }
        None => {
            // The text that must be there in every step is missed by the table.
            if !had && below.is_optional(key) {
                below.fault(key, "missing");
            }
            None
        }
        Some(_) => text,
    }
}

#[cfg(test)]
mod tests;
