//! The tools of an MCP server, and nothing else of it: no sampling, no roots, no elicitation, no resources, no prompts.

mod fault;
pub mod http;
pub mod message;
pub mod stdio;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shared_types::text::cut;

pub use self::fault::{Ending, Fault, Hindrance, ProtocolFault};
use super::form::MOST_TOOLS;
use super::tools::Listed;

/// The longest message that is taken from a server, in bytes.
pub const MOST_MESSAGE: usize = 1 << 20;
/// The versions of the protocol that are spoken, the newest first.
const VERSIONS: [&str; 5] = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The version without a greeting: each request says all that its answer depends on.
const STATELESS: &str = "2026-07-28";
/// How long a server may take to say that its tools changed after all.
const SETTLE: Duration = Duration::from_millis(200);
/// How often the list is asked for until it stays.
const MOST_LISTS: usize = 5;
/// The most pages of a list.
const MOST_PAGES: usize = 20;
/// The most tools that a list may have, those that are left out included.
const MOST_LISTED: usize = MOST_TOOLS * 8;

/// What carries messages to a server and back.
pub trait Wire {
    /// Sends a request and waits for the result of that very request.
    ///
    /// # Errors
    /// See [`Fault`].
    fn ask(&mut self, id: u64, request: &Value, until: Instant, cancel: &AtomicBool) -> Result<Value, Fault>;

    /// Sends what has no answer.
    ///
    /// # Errors
    /// See [`Fault`].
    fn tell(&mut self, notification: &Value, until: Instant, cancel: &AtomicBool) -> Result<(), Fault>;

    /// Whether it said that its tools changed, since this was asked last; listens for so long.
    ///
    /// # Errors
    /// See [`Fault`].
    fn changed(&mut self, _wait: Duration, _cancel: &AtomicBool) -> Result<bool, Fault> {
        Ok(false)
    }

    /// Learns which version was agreed on.
    fn agreed(&mut self, _version: &str) {}
}

/// A server that was greeted, or that needs no greeting.
pub struct Client {
    wire: Box<dyn Wire>,
    last: u64,
    /// Whether it speaks [`STATELESS`].
    stateless: bool,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its text; what is no text is named.
    pub text: String,
    /// Whether it calls that a failure.
    pub failed: bool,
}

impl Client {
    /// Greets a server; one that takes no greeting is asked what it speaks.
    ///
    /// # Errors
    /// See [`Fault`]; a version that is not spoken here is one.
    pub fn greet(wire: Box<dyn Wire>, until: Instant, cancel: &AtomicBool) -> Result<Client, Fault> {
        let mut client = Client { wire, last: 0, stateless: false };
        let params = json!({"protocolVersion": VERSIONS[1], "capabilities": {}, "clientInfo": itself()});
        let result = match client.ask("initialize", params, until, cancel) {
            Err(fault) if fault.is_refusal() => return client.discover(fault, until, cancel),
            answer => answer?,
        };
        let version = result["protocolVersion"].as_str().unwrap_or_default();
        let Some(version) = VERSIONS.into_iter().skip(1).find(|v| *v == version) else {
            return Err(ProtocolFault::Version { version: cut(version, 40), spoken: &VERSIONS }.into());
        };
        client.wire.agreed(version);
        let greeted = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        client.wire.tell(&greeted, until, cancel)?;
        Ok(client)
    }

    /// Asks a server that refused the greeting. If it refuses this too, the error is the first refusal.
    fn discover(mut self, refusal: Fault, until: Instant, cancel: &AtomicBool) -> Result<Client, Fault> {
        self.stateless = true;
        self.wire.agreed(STATELESS);
        let result = match self.ask("server/discover", json!({}), until, cancel) {
            Err(fault) if fault.is_refusal() => return Err(refusal),
            answer => answer?,
        };
        let spoken = result["supportedVersions"].as_array().map(Vec::as_slice).unwrap_or_default();
        if spoken.iter().any(|version| version == STATELESS) {
            return Ok(self);
        }
        let version = spoken.first().and_then(Value::as_str).unwrap_or_default();
        Err(ProtocolFault::Version { version: cut(version, 40), spoken: &VERSIONS }.into())
    }

    /// Its tools; some servers say after their start that there are more, so the list is asked for until it stays.
    ///
    /// # Errors
    /// See [`Fault`]; a list without end, or one that never stays, is one.
    pub fn tools(&mut self, until: Instant, cancel: &AtomicBool) -> Result<Vec<Listed>, Fault> {
        for _ in 0..MOST_LISTS {
            let listed = self.pages(until, cancel)?;
            if self.stateless || !self.wire.changed(SETTLE, cancel)? {
                return Ok(listed);
            }
        }
        Err(ProtocolFault::Unsteady.into())
    }

    /// Whether its tools may be others now: it says so, or it says nothing of that unasked.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn says_changed(&mut self, cancel: &AtomicBool) -> Result<bool, Fault> {
        Ok(self.stateless || self.wire.changed(Duration::ZERO, cancel)?)
    }

    fn pages(&mut self, until: Instant, cancel: &AtomicBool) -> Result<Vec<Listed>, Fault> {
        let mut listed = vec![];
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let params = cursor.as_ref().map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
            let page = self.ask("tools/list", params, until, cancel)?;
            let Some(tools) = page["tools"].as_array() else {
                return Err(ProtocolFault::NoList.into());
            };
            for tool in tools {
                let Some(name) = tool["name"].as_str() else {
                    return Err(ProtocolFault::NoName.into());
                };
                let description = tool["description"].as_str().unwrap_or_default().to_owned();
                listed.push(Listed {
                    name: name.to_owned(),
                    description,
                    input: tool["inputSchema"].clone(),
                });
            }
            if listed.len() > MOST_LISTED {
                return Err(ProtocolFault::Tools(MOST_LISTED).into());
            }
            match page["nextCursor"].as_str() {
                Some(next) if !next.is_empty() => cursor = Some(next.to_owned()),
                _ => return Ok(listed),
            }
        }
        Err(ProtocolFault::Pages(MOST_PAGES).into())
    }

    /// Calls a tool by the server's name for it.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn call(
        &mut self,
        tool: &str,
        args: &Value,
        until: Instant,
        cancel: &AtomicBool,
    ) -> Result<Answer, Fault> {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": args}), until, cancel)?;
        let Some(content) = result["content"].as_array() else {
            return Err(ProtocolFault::NoContent.into());
        };
        let part = |item: &Value| match (item["type"].as_str(), item["text"].as_str()) {
            (Some("text"), Some(text)) => text.to_owned(),
            (kind, _) => format!("[{} is not shown here]", cut(kind.unwrap_or("something"), 40)),
        };
        let text = content.iter().map(part).collect::<Vec<_>>().join("\n");
        Ok(Answer { text, failed: result["isError"].as_bool().unwrap_or(false) })
    }

    fn ask(
        &mut self,
        method: &str,
        mut params: Value,
        until: Instant,
        cancel: &AtomicBool,
    ) -> Result<Value, Fault> {
        self.last += 1;
        if self.stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": itself(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let request = json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        let result = self.wire.ask(self.last, &request, until, cancel)?;
        match result["resultType"].as_str() {
            None | Some("complete") => Ok(result),
            // It wants an answer of a person, a model or a folder first.
            Some(_) => Err(ProtocolFault::Incomplete.into()),
        }
    }
}

/// What servers are told of this program.
fn itself() -> Value {
    json!({"name": "tameclaw", "version": env!("CARGO_PKG_VERSION")})
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("last", &self.last).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
