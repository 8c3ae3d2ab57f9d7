//! A person who answers in place of a model: for trying out what a conversation is like from the other side, and for
//! answers that nobody should leave to a machine.
//!
//! A line is the answer; `/call TOOL {JSON}` calls a tool. The person is asked anew where a call cannot be read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use shared_types::text;

use crate::error::ModelError;
use crate::provider::{Kind, Piece, Provider, Watch};
use crate::request::{Request, Response, Role, ToolCall, callable};

/// A way to ask the person.
pub trait Ask: Send + Sync {
    /// Shows `question`, which may have several lines and is safe for a terminal, and waits for one line.
    ///
    /// # Errors
    /// See [`NoAnswer`].
    fn ask(&self, question: &str, cancel: &AtomicBool) -> Result<String, NoAnswer>;
}

/// Why a person gives no answer, in words that follow "cannot be reached".
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// There is no terminal at which one could sit.
    #[error("nobody sits at a terminal to answer in place of a model")]
    Nobody,
    /// The terminal fails.
    #[error("the terminal cannot be read: {0}")]
    Terminal(Box<dyn std::error::Error + Send + Sync>),
    /// The input has ended.
    #[error("the person left")]
    Left,
    /// The caller gave up.
    #[error("cancelled")]
    Cancelled,
}

/// A person as a provider.
pub struct Human {
    name: String,
    ask: Arc<dyn Ask>,
}

impl Human {
    /// A provider of that name who is asked by `ask`.
    pub fn new(name: &str, ask: Arc<dyn Ask>) -> Self {
        Human { name: name.to_owned(), ask }
    }
}

/// How often a person is asked for the same answer.
const ATTEMPTS: usize = 3;

impl Provider for Human {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        Kind::Human
    }

    fn chat(
        &self,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError> {
        let refused = |reason: String| ModelError::Refused { provider: self.name.clone(), reason };
        let mut question = question(request);
        for _ in 0..ATTEMPTS {
            let told = self.ask.ask(&question, cancel);
            if cancel.load(Ordering::Relaxed) {
                return Err(ModelError::Cancelled { provider: self.name.clone() });
            }
            // Somebody else may be there when this person is not.
            let line = told.map_err(|why| ModelError::Network {
                provider: self.name.clone(),
                detail: why.to_string(),
            })?;
            let response =
                Response { provider: self.name.clone(), model: "person".to_owned(), ..Response::default() };
            match read(line.trim(), &callable(&request.tools, &request.named)) {
                Ok(Typed::Nothing) => question = "(an answer, or /call TOOL {JSON})".to_owned(),
                Ok(Typed::Text(text)) => {
                    watch(Piece::Text(&text));
                    return Ok(Response { text, ..response });
                }
                Ok(Typed::Call(name, arguments)) => {
                    watch(Piece::Call(&name));
                    let id = format!("person-{}", request.messages.len());
                    return Ok(Response { tool_calls: vec![ToolCall::new(id, name, arguments)], ..response });
                }
                Err(fault) => question = fault.to_string(),
            }
        }
        Err(refused("the person gave no answer".to_owned()))
    }
}

enum Typed {
    Nothing,
    Text(String),
    Call(String, Value),
}

/// A call that cannot be read; the person is asked anew.
#[derive(Debug, thiserror::Error)]
enum CallFault {
    #[error("There is no tool `{name}`; offered: {offered}")]
    NoTool { name: String, offered: String },
    #[error("The arguments must be a JSON object, as in: /call {0} {{\"key\": \"value\"}}")]
    Arguments(String),
}

fn read(line: &str, tools: &[&str]) -> Result<Typed, CallFault> {
    if line.is_empty() {
        return Ok(Typed::Nothing);
    }
    let Some(call) = line.strip_prefix("/call").filter(|rest| rest.is_empty() || rest.starts_with(' '))
    else {
        return Ok(Typed::Text(line.to_owned()));
    };
    let (name, arguments) = call.trim().split_once(' ').unwrap_or((call.trim(), ""));
    if !tools.contains(&name) {
        let offered = if tools.is_empty() { "none".to_owned() } else { tools.join(" ") };
        return Err(CallFault::NoTool { name: text::cut(name, 80), offered });
    }
    match arguments.trim() {
        "" => Ok(Typed::Call(name.to_owned(), serde_json::json!({}))),
        json => match serde_json::from_slice::<Value>(json.as_bytes()) {
            Ok(value) if value.is_object() => Ok(Typed::Call(name.to_owned(), value)),
            _ => Err(CallFault::Arguments(name.to_owned())),
        },
    }
}

/// What is new since the person spoke last: a line of the other side, or results of tools.
fn question(request: &Request) -> String {
    let since = request.messages.iter().rposition(|m| m.role == Role::Assistant).map_or(0, |at| at + 1);
    let mut lines = Vec::new();
    for message in &request.messages[since..] {
        let who = if message.role == Role::Tool { "tool" } else { "person" };
        lines.push(format!("[{who}] {}", text::block(&message.content)));
    }
    if !request.memories.is_empty() {
        lines.push(format!("[remembered] {}", text::line(&request.memories.join("; "))));
    }
    let names = callable(&request.tools, &request.named);
    if !names.is_empty() {
        lines.push(format!("[tools] {}", text::line(&names.join(" "))));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
