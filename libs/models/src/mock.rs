//! Scripted answers for tests by configuration.
//!
//! The script is a list, YAML or JSON; each request takes the next step, and the last step repeats:
//!
//! ```yaml
//! - {text: "Hello."}
//! - tool_calls: [{name: dice.roll, arguments: {dice: 2d6}}]
//! - {error: network}    # network auth rate timeout malformed refused
//! - {pieces: ["Hel", "lo."], piece_delay_ms: 50}                 # one after the other
//! - {pieces: ["Hel"], error: network}                           # an answer that breaks off
//! - {pieces: ["on and "], endless: true}                        # until it is cancelled or too long
//! - {text: "Fine.", delay_ms: 500, usage: {input: 10, output: 2}}
//! - {text: "Berlin.", expect: capital}                          # must be in the person's last line
//! ```

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::config::DEFAULT_BYTES;
use crate::error::ModelError;
use crate::provider::{Kind, Piece, Provider, Watch};
use crate::request::{Request, Response, Role, ToolCall};
use crate::router::pause;
use shared_types::message::Usage;

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
    /// How long to wait before anything else.
    #[serde(default)]
    delay_ms: u64,
    /// The text in pieces; `text` comes after them.
    #[serde(default)]
    pieces: Vec<String>,
    /// How long to wait after each piece.
    #[serde(default)]
    piece_delay_ms: u64,
    /// Whether the pieces begin again when they are used up.
    #[serde(default)]
    endless: bool,
    #[serde(default)]
    usage: Option<Usage>,
    /// What the person's last line must hold.
    #[serde(default)]
    expect: Option<String>,
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
    Unreadable(#[from] documents::yaml::YamlError),
    /// No step at all.
    #[error("the script has no step")]
    Empty,
    /// A step that would never end and never tell anything.
    #[error("step {0} of the script is endless but has no pieces")]
    Silent(usize),
}

impl Mock {
    /// Reads the script; the caller has opened the file.
    ///
    /// # Errors
    /// See [`ScriptError`].
    pub fn new(name: &str, script: &str) -> Result<Self, ScriptError> {
        let steps: Vec<Step> = documents::yaml::from_program(script)?;
        if steps.is_empty() {
            return Err(ScriptError::Empty);
        }
        if let Some(at) = steps.iter().position(|s| s.endless && s.pieces.iter().all(String::is_empty)) {
            return Err(ScriptError::Silent(at + 1));
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

    fn chat(
        &self,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError> {
        let cancelled = || ModelError::Cancelled { provider: self.name.clone() };
        if cancel.load(Ordering::Relaxed) {
            return Err(cancelled());
        }
        let (number, step) = self.next_step();
        if let Some(expected) = &step.expect {
            let line = request.messages.iter().rev().find(|m| m.role == Role::User);
            if !line.is_some_and(|m| m.content.contains(expected.as_str())) {
                let expected = shared_types::text::cut(expected, 80);
                let detail =
                    format!("step {} of the script expects `{expected}` in the last line", number + 1);
                return Err(ModelError::Malformed { provider: self.name.clone(), detail });
            }
        }
        if !pause(Duration::from_millis(step.delay_ms), cancel) {
            return Err(cancelled());
        }
        let mut text = String::new();
        loop {
            for piece in &step.pieces {
                watch(Piece::Text(piece));
                text.push_str(piece);
                if !pause(Duration::from_millis(step.piece_delay_ms), cancel) {
                    return Err(cancelled());
                }
            }
            if text.len() as u64 > DEFAULT_BYTES {
                return Err(ModelError::TooLarge { provider: self.name.clone(), limit: DEFAULT_BYTES });
            }
            if !step.endless {
                break;
            }
        }
        if let Some(fault) = step.error {
            return Err(self.error(fault));
        }
        if !step.text.is_empty() {
            watch(Piece::Text(&step.text));
            text.push_str(&step.text);
        }
        let call = |(i, c): (usize, Call)| ToolCall::new(format!("mock-{number}-{i}"), c.name, c.arguments);
        let tool_calls: Vec<ToolCall> = step.tool_calls.into_iter().enumerate().map(call).collect();
        tool_calls.iter().for_each(|call| watch(Piece::Call(&call.name)));
        Ok(Response {
            text,
            tool_calls,
            usage: step.usage,
            model: "script".to_owned(),
            provider: self.name.clone(),
            ..Response::default()
        })
    }
}

impl Mock {
    fn next_step(&self) -> (usize, Step) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *next;
        *next += 1;
        (number, self.steps[number.min(self.steps.len() - 1)].clone())
    }

    fn error(&self, fault: Fault) -> ModelError {
        let (provider, detail) = (self.name.clone(), "as the script says".to_owned());
        match fault {
            Fault::Network => ModelError::Network { provider, detail },
            Fault::Auth => ModelError::Auth { provider, detail },
            Fault::Rate => ModelError::Rate { provider, detail, retry_after: None },
            Fault::Timeout => ModelError::Timeout { provider, detail },
            Fault::Malformed => ModelError::Malformed { provider, detail },
            Fault::Refused => ModelError::Refused { provider, reason: detail },
        }
    }
}

#[cfg(test)]
mod tests;
