//! `cl-bot tool`: what the skills can do, and one call of it.
//!
//! `tool run` is a conversation of its own with one call in it: the gate judges it like any other, and what stands on the
//! command line counts as typed by the person.

use std::io::Read;
use std::time::Instant;

use bot_base::config::Overrides;
use bot_base::error::{Error, say};
use clap::{Args, Subcommand};
use kernel::skill::{Called, Outcome};
use ports::guard;
use ports::offered::{self, Listed};
use serde_json::{Value, json};
use shared_types::risk::Risk;
use shared_types::{exit, text};
use skills::reasoning;

use super::Format;
use crate::start::Options;
use crate::start::mind::{Purpose, become_mind};

/// The longest arguments, in bytes.
const MAX_ARGS: u64 = 1024 * 1024;
/// The arguments that stand for standard input.
const STDIN: &str = "-";

/// What can be done with tools.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the tools that the model is offered, with their risk
    List(Format),
    /// Make one call; the gate judges it as any other
    Run(Run),
}

/// One call.
#[derive(Debug, Args)]
pub struct Run {
    /// The tool, as `tool list` names it
    name: String,

    /// The arguments as a JSON object; `-` reads it from standard input
    #[arg(long, value_name = "ARGS", default_value = "{}", allow_hyphen_values = true)]
    json: String,

    /// Allow calls of low risk only, regardless of the profile
    #[arg(long)]
    readonly: bool,

    /// Print one JSON value: success, output, error, metadata and the id of the receipt
    #[arg(long)]
    result: bool,
}

/// Lists, or runs.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::List(format) => list(options, *format),
        Verb::Run(run) => call(options, run),
    }
}

fn list(options: &Options, format: Format) -> Result<u8, Error> {
    for tool in super::looking(options, offered::listed)? {
        if format.json {
            super::print_json(&row(&tool));
        } else {
            let risk = tool.risk.map_or("varies", Risk::as_str);
            let about = text::cut(&tool.description, 200);
            super::print(&format!("{:<28} {risk:<7} {} [{}]  {about}", tool.name, tool.skill, tool.tokens));
        }
    }
    Ok(exit::DONE)
}

/// A tool as programs read it.
pub fn row(tool: &Listed) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters.as_json(),
        "risk": tool.risk,
        "skill": tool.skill,
        "origin": origin(tool),
        "tokens": tool.tokens,
    })
}

fn origin(tool: &Listed) -> &'static str {
    if tool.learned { "learned" } else { "built-in" }
}

fn call(options: &Options, run: &Run) -> Result<u8, Error> {
    // Before confinement: what is wrong with the line should cost nothing.
    let args = arguments(&run.json)?;
    let overrides = Overrides { readonly: run.readonly, ..Overrides::default() };
    let (kernel, warnings) = become_mind(options, Purpose { talks: true, overrides, ..Purpose::default() })?;
    for warning in warnings {
        say(&warning);
    }
    let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
    let tools = offered::listed(&ctx);
    let tool = tools.iter().find(|tool| tool.name == run.name);
    // One that this channel may not call is refused by the gate, as every other no.
    if tool.is_none() && !ctx.tools().any(|known| known.full_name == run.name) {
        return Err(unknown(&run.name, &tools));
    }
    if let Some(tool) = tool
        && let Err(faults) = tool.parameters.check(&args)
    {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        return Err(wrong(
            format!("these arguments do not fit `{}`: {}", run.name, faults.join("; ")),
            format!("its parameters are {}", tool.parameters.as_json()),
        ));
    }
    kernel.take_as_typed(&args);
    let begun = Instant::now();
    let called = reasoning::counted(&ctx, || ctx.call_for_receipt(&run.name, &args, ""));
    let Called { outcome, receipt_id } = called?;
    if run.result {
        let metadata = json!({
            "tool": run.name,
            "conversation_id": ctx.conversation(),
            "ms": u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        });
        return Ok(print_result(&outcome, receipt_id.as_deref(), &metadata));
    }
    Ok(match outcome {
        Outcome::Said(said) => {
            super::print(&guard::output(&said));
            exit::DONE
        }
        Outcome::Denied(_, why) => {
            say(&text::line(&format!("denied: {why}")));
            exit::REFUSED
        }
        Outcome::Failed(why) => {
            say(&text::line(&why));
            exit::FAILED
        }
        Outcome::NotMine => {
            say("the tool says that these arguments are not for it");
            exit::FAILED
        }
    })
}

/// Prints a call's result as one JSON value; answers the exit code.
fn print_result(outcome: &Outcome, receipt_id: Option<&str>, metadata: &Value) -> u8 {
    let (output, error, exit) = match outcome {
        Outcome::Said(said) => (Some(guard::output(said)), None, exit::DONE),
        Outcome::Denied(_, why) => (None, Some(guard::output(why)), exit::REFUSED),
        Outcome::Failed(why) => (None, Some(guard::output(why)), exit::FAILED),
        Outcome::NotMine => (None, Some("these arguments are not for this tool".to_owned()), exit::FAILED),
    };
    super::print_json(&json!({
        "success": error.is_none(), "output": output, "error": error,
        "denied": exit == exit::REFUSED, "metadata": metadata, "receipt_id": receipt_id,
    }));
    exit
}

fn arguments(given: &str) -> Result<Value, Error> {
    let mut read = String::new();
    let text = if given == STDIN {
        // One byte more than is allowed, so that too much is seen as such.
        std::io::stdin()
            .take(MAX_ARGS + 1)
            .read_to_string(&mut read)
            .map_err(Error::io("standard input".as_ref()))?;
        read.as_str()
    } else {
        given
    };
    if text.len() as u64 > MAX_ARGS {
        return Err(wrong(
            format!("the arguments have more than {MAX_ARGS} bytes"),
            "say less at once".to_owned(),
        ));
    }
    let hint = || "as in: cl-bot tool run time --json '{\"zone\": \"utc\"}'".to_owned();
    match serde_json::from_slice::<Value>(text.as_bytes()) {
        Ok(args) if args.is_object() => Ok(args),
        Ok(_) => Err(wrong("the arguments are JSON, and no object".to_owned(), hint())),
        Err(e) => Err(wrong(format!("the arguments are not JSON: {e}"), hint())),
    }
}

fn unknown(name: &str, tools: &[Listed]) -> Error {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).take(40).collect();
    let there = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
    wrong(
        format!("there is no tool `{}` here; there are: {there}", text::cut(name, 80)),
        "`cl-bot tool list` shows what each does".to_owned(),
    )
}

fn wrong(what: String, hint: String) -> Error {
    Error::Usage { what, hint }
}
