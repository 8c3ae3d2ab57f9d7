//! `/call`: a tool by its name, without a model. Arguments stand behind the name as JSON; what is missing is asked for, one
//! parameter after the other. The gate judges the call like any other.

use std::sync::PoisonError;

use language::slot;
use ports::offered::{self, Listed};
use serde_json::{Map, Value, json};
use shared_types::message::{Input, NamedCall};
use shared_types::schema::Parameters;
use shared_types::sorted;
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::{render, tongue, turn};

pub(super) const COMMAND: Command =
    Command { name: "/call", argument: "TOOL [JSON]", help: "use a tool; asks for what it needs", run };

/// The names that are shown where the tool does not exist.
const MOST_NAMES: usize = 40;

/// Why nothing is called; the texts are safe to show.
#[derive(Debug, thiserror::Error)]
enum NotCalled {
    #[error("which tool? As in: /call time. /tools shows all")]
    Unnamed,
    #[error("there is no tool {name} here{near} There are: {known}")]
    Unknown { name: String, near: String, known: String },
    #[error("{name} is a tool of several skills: {of}")]
    Ambiguous { name: String, of: String },
    #[error("the arguments are a JSON object, as in: /call time {{\"zone\": \"utc\"}}")]
    NoObject,
    #[error(
        "the arguments are not JSON ({0}); write an object as in {{\"zone\": \"utc\"}}, or nothing to be asked"
    )]
    NoJson(#[from] serde_json::Error),
    #[error("these arguments do not fit {tool}: {faults}")]
    Misfit { tool: String, faults: String },
    #[error("{0}")]
    Unanswered(&'static str),
}

fn run(here: &Here<'_>) -> Done {
    match read(here) {
        Ok(call) => Done::Handled(turn::run(here.cli, |_| Input::called(call), here.ctx).exit),
        Err(why) => {
            render::notice(&why.to_string());
            Done::Handled(exit::USAGE)
        }
    }
}

/// The call, with what the person was asked for.
fn read(here: &Here<'_>) -> Result<NamedCall, NotCalled> {
    let tools = offered::listed(here.ctx);
    let (name, given) = here.argument.split_once(char::is_whitespace).unwrap_or((here.argument, ""));
    let tool = named(name, &tools)?;
    let arguments = Value::Object(completed(here, tool, arguments(given.trim())?)?);
    if let Err(faults) = tool.parameters.check(&arguments) {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        return Err(NotCalled::Misfit { tool: tool.name.clone(), faults: faults.join("; ") });
    }
    Ok(NamedCall { tool: tool.name.clone(), arguments })
}

/// The tool of a full name, or of a name that only one skill's tool has.
fn named<'t>(name: &str, tools: &'t [Listed]) -> Result<&'t Listed, NotCalled> {
    if name.is_empty() {
        return Err(NotCalled::Unnamed);
    }
    if let Some(tool) = tools.iter().find(|tool| tool.name == name) {
        return Ok(tool);
    }
    let is_short = |tool: &&Listed| tool.name.split_once('.').is_some_and(|(_, own)| own == name);
    let found: Vec<&Listed> = tools.iter().filter(is_short).collect();
    let names = |tools: &[&Listed], by: &str| -> String {
        tools.iter().take(MOST_NAMES).map(|tool| tool.name.as_str()).collect::<Vec<_>>().join(by)
    };
    let shown = text::cut(name, 40);
    match &found[..] {
        [tool] => Ok(tool),
        [] => {
            let near = text::nearest(name, tools.iter().map(|tool| tool.name.as_str()));
            let near = near.map_or(".".to_owned(), |near| format!("; did you mean {near}?"));
            let known = names(&tools.iter().collect::<Vec<_>>(), " ");
            Err(NotCalled::Unknown { name: shown, near, known })
        }
        several => Err(NotCalled::Ambiguous { name: shown, of: names(several, ", ") }),
    }
}

/// What stands behind the name.
fn arguments(given: &str) -> Result<Option<Map<String, Value>>, NotCalled> {
    if given.is_empty() {
        return Ok(None);
    }
    match serde_json::from_slice(given.as_bytes())? {
        Value::Object(given) => Ok(Some(given)),
        _ => Err(NotCalled::NoObject),
    }
}

/// The arguments with what the person was asked for: every parameter where nothing was given, else those that must be there.
fn completed(
    here: &Here<'_>,
    tool: &Listed,
    given: Option<Map<String, Value>>,
) -> Result<Map<String, Value>, NotCalled> {
    let all = given.is_none();
    let mut arguments = given.unwrap_or_default();
    let wanted = |(name, _): &(&str, &Value)| all || tool.parameters.is_required(name);
    let mut missing: Vec<(&str, &Value)> = tool
        .parameters
        .properties()
        .filter(wanted)
        .filter(|(name, _)| !arguments.contains_key(*name))
        .collect();
    sorted::by_key(&mut missing, |(name, _)| !tool.parameters.is_required(name));
    let session = &here.ctx.shared().session;
    if !session.interactive || session.message.is_some() {
        // Nobody is there to answer: what must be there and is not, the check names.
        return Ok(arguments);
    }
    if !missing.is_empty() {
        render::show(&format!("{}: {}", tool.name, text::cut(&tool.description, 200)));
    }
    for (name, schema) in missing {
        if let Some(value) = asked(here, name, schema, tool.parameters.is_required(name))? {
            arguments.insert(name.to_owned(), value);
        }
    }
    Ok(arguments)
}

/// Asks for one parameter until the answer fits; nothing where it may be left out and is.
fn asked(here: &Here<'_>, name: &str, schema: &Value, is_required: bool) -> Result<Option<Value>, NotCalled> {
    let decimal_comma = tongue::language(here.ctx).decimal_comma();
    let own = Parameters::foreign(json!({"type": "object", "properties": {name: schema}}));
    let optional = if is_required { "" } else { "; Enter leaves it out" };
    let about =
        schema["description"].as_str().map_or(String::new(), |about| format!(": {}", text::cut(about, 200)));
    let shown = text::line(name);
    render::show(&format!("  {shown} ({}{optional}){about}", kind(schema)));
    loop {
        // What was typed before is not an answer to a question that nobody had seen.
        here.cli.lines.lock().unwrap_or_else(PoisonError::into_inner).put_aside();
        render::raw(&format!("  {shown}> "));
        let line = here.cli.answered(here.ctx).map_err(NotCalled::Unanswered)?;
        let said = line.trim();
        if said.is_empty() && !is_required {
            return Ok(None);
        }
        let value = slot::value(schema, said, decimal_comma).filter(|_| !said.is_empty());
        let fault = match &value {
            Some(value) => own
                .check(&json!({name: value}))
                .err()
                .and_then(|faults| faults.first().map(ToString::to_string)),
            None => Some(format!("`{shown}` is {}", kind(schema))),
        };
        match fault {
            None => return Ok(value),
            Some(fault) => render::notice(&format!("{fault}; Ctrl-C ends the call")),
        }
    }
}

/// What a parameter takes, in words.
fn kind(schema: &Value) -> String {
    if let Some(allowed) = schema["enum"].as_array() {
        let allowed: Vec<String> = allowed
            .iter()
            .map(|value| value.as_str().map_or_else(|| value.to_string(), text::line))
            .collect();
        return format!("one of {}", text::cut(&allowed.join(", "), 300));
    }
    match schema["type"].as_str() {
        Some("string") => "text",
        Some("integer") => "a whole number",
        Some("number") => "a number",
        Some("boolean") => "yes or no",
        Some("array") => "several, with commas between",
        _ => "JSON",
    }
    .to_owned()
}
