//! Scripted answers for tests by configuration.
//!
//! The script is a list, YAML or JSON; each request takes the next step, and the last step repeats:
//!
//! ```yaml
//! - {text: "Hello."}
//! - tool_calls: [{name: dice.roll, arguments: {dice: 2d6}}]
//! - {error: network}    # network auth rate timeout malformed refused
//! ```

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;
use serde_json::Value;

use crate::error::ModelError;
use crate::provider::{Kind, Provider, Watch};
use crate::request::{Request, Response, ToolCall};

/// A provider that follows a script.
#[derive(Debug)]
pub struct Mock {
    name: String,
    steps: Vec<Step>,
    next: Mutex<usize>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    #[serde(default)]
    text: String,
    #[serde(default)]
    tool_calls: Vec<Call>,
    #[serde(default)]
    error: Option<Fault>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    #[serde(default)]
    arguments: Value,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Fault {
    Network,
    Auth,
    Rate,
    Timeout,
    Malformed,
    Refused,
}

/// A script that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Not a list of steps.
    #[error("the script: {0}")]
    Unreadable(#[from] shared_types::yaml::YamlError),
    /// No step at all.
    #[error("the script has no step")]
    Empty,
}

impl Mock {
    /// Reads the script; the caller has opened the file.
    ///
    /// # Errors
    /// See [`ScriptError`].
    pub fn new(name: &str, script: &str) -> Result<Self, ScriptError> {
        let steps: Vec<Step> = shared_types::yaml::from_own(script)?;
        if steps.is_empty() {
            return Err(ScriptError::Empty);
        }
        Ok(Mock { name: name.to_owned(), steps, next: Mutex::new(0) })
    }
}

impl Provider for Mock {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        Kind::Mock
    }

    fn chat(&self, _: &Request, _: &mut Watch<'_>, cancel: &AtomicBool) -> Result<Response, ModelError> {
        let provider = self.name.clone();
        if cancel.load(Ordering::Relaxed) {
            return Err(ModelError::Cancelled { provider });
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *next;
        let step = self.steps[number.min(self.steps.len() - 1)].clone();
        *next += 1;
        let detail = "as the script says".to_owned();
        match step.error {
            Some(Fault::Network) => Err(ModelError::Network { provider, detail }),
            Some(Fault::Auth) => Err(ModelError::Auth { provider, detail }),
            Some(Fault::Rate) => Err(ModelError::Rate { provider, detail, retry_after: None }),
            Some(Fault::Timeout) => Err(ModelError::Timeout { provider, detail }),
            Some(Fault::Malformed) => Err(ModelError::Malformed { provider, detail }),
            Some(Fault::Refused) => Err(ModelError::Refused { provider, reason: detail }),
            None => Ok(Response {
                text: step.text,
                tool_calls: step
                    .tool_calls
                    .into_iter()
                    .enumerate()
                    .map(|(i, c)| ToolCall::new(format!("mock-{number}-{i}"), c.name, c.arguments))
                    .collect(),
                model: "script".to_owned(),
                provider,
                ..Response::default()
            }),
        }
    }
}

#[cfg(test)]
mod tests;
