//! A tool of a package, called by hand: what is asked, and how the answer reads.

use base::error::Error;
use builder::workers::TrialRun;

use crate::queue::Package;

/// The largest arguments, in bytes.
const LARGEST_ARGS: usize = 64 << 10;

/// Why a tool is not called by hand.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{skill} has no tool `{tool}`; it has {}", if .has.is_empty() { "no tool yet".to_owned() } else { .has.join(", ") })]
    NoTool { skill: String, tool: String, has: Vec<String> },
    #[error("the arguments have more than {LARGEST_ARGS} bytes")]
    TooLong,
    #[error("the arguments are not a JSON object; write them like {{\"dice\": \"2d6\"}}")]
    NotAnObject,
    #[error("the arguments are not JSON ({0}); write them like {{\"dice\": \"2d6\"}}")]
    NotJson(serde_json::Error),
}

/// The arguments of a call of one of the package's tools.
///
/// # Errors
/// Arguments that are not a JSON object, or an unknown tool.
pub fn asked(package: &Package, tool: &str, args: &str) -> Result<serde_json::Value, Error> {
    let args = arguments(args)?;
    if !package.tools.iter().any(|(name, _)| name == tool) {
        let tool = shared_types::text::cut(tool, 60);
        let has = package.tools.iter().map(|(name, _)| name.clone()).collect();
        return Err(Error::usage(Fault::NoTool { skill: package.item.name.clone(), tool, has }));
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
        return Err(Error::usage(Fault::TooLong));
    }
    match serde_json::from_str(text) {
        Ok(value @ serde_json::Value::Object(_)) => Ok(value),
        Ok(_) => Err(Error::usage(Fault::NotAnObject)),
        Err(e) => Err(Error::usage(Fault::NotJson(e))),
    }
}

#[cfg(test)]
mod tests;
