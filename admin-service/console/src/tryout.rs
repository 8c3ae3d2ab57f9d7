//! A tool of a package, called by hand: the same confined child and recording host as in the trials; nothing is written.

use std::sync::atomic::AtomicBool;

use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::stop::{self, may_start};
use builder::children::{Trial, TrialRun};
use ledger::Book;
use pipeline::agent_review::inspect;
use shared_types::id::Digest;

use super::desk::Package;

/// The largest arguments, in bytes.
const LARGEST_ARGS: usize = 64 << 10;

/// Calls a tool once.
///
/// # Errors
/// Arguments that are no JSON object, no such tool, a package that has changed, or a child that could not be started.
pub fn call(home: &Home, package: &Package, tool: &str, args: &str) -> Result<TrialRun, Error> {
    let args = arguments(args)?;
    if !package.tools.iter().any(|(name, _)| name == tool) {
        let names: Vec<&str> = package.tools.iter().map(|(name, _)| name.as_str()).collect();
        let tool = shared_types::text::cut(tool, 60);
        let has = if names.is_empty() { "no tool yet".to_owned() } else { names.join(", ") };
        return Err(Error::Usage(format!("`{tool}` is no tool of {}; it has {has}", package.item.name)));
    }
    let id = &package.item.id;
    let book = Book::read(home)?;
    let ticket = book.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
    let profile = &ticket.taken().profile;
    may_start(home, Some(profile))?;
    let Some(review) = ticket.review() else {
        return Err(Error::Refused(format!("{} has no module yet", package.item.name)));
    };
    let path = home.package(id).join("skill.wasm");
    let module = std::fs::read(&path).map_err(Error::io(&path))?;
    if package.seen.as_ref().is_some_and(|seen| seen != review) || Digest::of(&module) != review.module_sha256
    {
        return Err(Error::Refused("the package has changed since it was shown: look at it again".into()));
    }
    let trial = Trial { tool: tool.to_owned(), args, expect: String::new() };
    let seconds = Config::read(home)?.limits.trial.as_secs();
    let tried = |cancel: &AtomicBool| inspect(ticket.proposal(), vec![trial], &module, seconds, cancel);
    let inspection = stop::during(home, Some(profile), &AtomicBool::new(false), tried)
        .map_err(|fault| Error::Failed(format!("the trial: {fault}")))?
        .map_err(|words| Error::Failed(format!("the module: {words}")))?;
    inspection.runs.into_iter().next().ok_or_else(|| Error::Failed("the module could not be tried".into()))
}

/// What a call came to, as lines of text.
pub fn words(run: &TrialRun) -> String {
    let calls: Vec<String> = run.host_calls.iter().map(|(name, n)| format!("{name} {n}x")).collect();
    let calls = if calls.is_empty() { "no host function".to_owned() } else { calls.join(", ") };
    let memory = run.memory.div_ceil(1024);
    format!(
        "{}\n  called {calls}; {} units of fuel, {memory} KiB of memory at most; nothing was reached or written",
        shared_types::text::block(&run.answer),
        run.fuel
    )
}

/// The arguments of a call.
fn arguments(text: &str) -> Result<serde_json::Value, Error> {
    if text.len() > LARGEST_ARGS {
        return Err(Error::Usage(format!("the arguments have more than {LARGEST_ARGS} bytes")));
    }
    match serde_json::from_str(text) {
        Ok(value @ serde_json::Value::Object(_)) => Ok(value),
        Ok(_) => {
            Err(Error::Usage("the arguments are no JSON object; write them like {\"dice\": \"2d6\"}".into()))
        }
        Err(e) => Err(Error::Usage(format!(
            "the arguments are no JSON ({e}); write them like {{\"dice\": \"2d6\"}}"
        ))),
    }
}

#[cfg(test)]
mod tests;
