//! A tool of a package, called by hand: what is asked, and how the answer reads.

use base::error::Error;
use builder::children::TrialRun;

use crate::queue::Package;

/// The largest arguments, in bytes.
const LARGEST_ARGS: usize = 64 << 10;

/// The arguments of a call of one of the package's tools.
///
/// # Errors
/// Arguments that are no JSON object, or no such tool.
pub fn asked(package: &Package, tool: &str, args: &str) -> Result<serde_json::Value, Error> {
    let args = arguments(args)?;
    if !package.tools.iter().any(|(name, _)| name == tool) {
        let names: Vec<&str> = package.tools.iter().map(|(name, _)| name.as_str()).collect();
        let tool = shared_types::text::cut(tool, 60);
        let has = if names.is_empty() { "no tool yet".to_owned() } else { names.join(", ") };
        return Err(Error::usage(format!("{} has no tool `{tool}`; it has {has}", package.item.name)));
    }
    Ok(args)
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
        return Err(Error::usage(format!("the arguments have more than {LARGEST_ARGS} bytes")));
    }
    match serde_json::from_str(text) {
        Ok(value @ serde_json::Value::Object(_)) => Ok(value),
        Ok(_) => Err(Error::usage("the arguments are no JSON object; write them like {\"dice\": \"2d6\"}")),
        Err(e) => Err(Error::usage(format!(
            "the arguments are no JSON ({e}); write them like {{\"dice\": \"2d6\"}}"
        ))),
    }
}

#[cfg(test)]
mod tests;
