//! The tools of an MCP server, and nothing else of it: no sampling, no roots, no elicitation, no resources, no prompts.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use shared_types::action::MAX_OUTPUT;
use shared_types::text::cut;

use super::fault::{ProtocolFault, Spoken};
use super::listed::Listed;
use super::wire::{Pipes, Request, Way};
use crate::plugins::mcp::frames::{Answer, MOST_LISTED, Method, STATELESS, VERSIONS};
use crate::plugins::mirrored::{self, Long, Mirrored};

/// How long a server may take to say that its tools changed after all.
const SETTLE: Duration = Duration::from_millis(200);
/// How often the list is asked for until it stays.
const MOST_LISTS: usize = 5;
/// The most pages of a list.
const MOST_PAGES: usize = 20;

/// A server that was greeted, or that needs no greeting.
pub struct Speaker {
    way: Way,
    last: u64,
    /// Whether it speaks [`STATELESS`].
    stateless: bool,
    /// The arguments of each tool that stand in headers as well, as it was listed last.
    mirrored: BTreeMap<String, Vec<Mirrored>>,
}

impl Speaker {
    /// Greets a server; one that takes no greeting is asked what it speaks.
    ///
    /// # Errors
    /// See [`Spoken`]; a version that is not spoken here is one.
    pub fn greet(pipes: &mut Pipes<'_>, way: Way) -> Result<Speaker, Spoken> {
        let mut speaker = Speaker { way, last: 0, stateless: false, mirrored: BTreeMap::new() };
        let params = json!({"protocolVersion": VERSIONS[1], "capabilities": {}, "clientInfo": itself()});
        let result = match speaker.ask(pipes, Method::Initialize, params) {
            Err(fault) if fault.is_refusal() => return speaker.discover(pipes, fault),
            answer => answer?,
        };
        let version = result["protocolVersion"].as_str().unwrap_or_default();
        let Some(place) = (1..).zip(&VERSIONS[1..]).find_map(|(place, v)| (*v == version).then_some(place))
        else {
            return Err(ProtocolFault::Version { version: cut(version, 40), spoken: &VERSIONS }.into());
        };
        speaker.way.agreed(place);
        let greeted = json!({"jsonrpc": "2.0", "method": Method::Initialized.as_str()});
        speaker.way.tell(pipes, Method::Initialized, &greeted)?;
        Ok(speaker)
    }

    /// Asks a server that refused the greeting. If it refuses this too, the error is the first refusal.
    fn discover(mut self, pipes: &mut Pipes<'_>, refusal: Spoken) -> Result<Speaker, Spoken> {
        self.stateless = true;
        self.way.agreed(0);
        let result = match self.ask(pipes, Method::Discover, json!({})) {
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
    /// See [`Spoken`]; a list without end, or one that never stays, is one.
    pub fn tools(&mut self, pipes: &mut Pipes<'_>) -> Result<Vec<Listed>, Spoken> {
        for _ in 0..MOST_LISTS {
            let listed = self.pages(pipes)?;
            self.mirrored = listed.iter().map(mirrored).collect();
            if self.stateless || !self.way.changed(pipes, SETTLE)? {
                return Ok(listed);
            }
        }
        Err(ProtocolFault::Unsteady.into())
    }

    /// Whether its tools may be others now: it says so, or it says nothing of that unasked.
    ///
    /// # Errors
    /// See [`Spoken`].
    pub fn says_changed(&mut self, pipes: &mut Pipes<'_>) -> Result<bool, Spoken> {
        Ok(self.stateless || self.way.changed(pipes, Duration::ZERO)?)
    }

    fn pages(&mut self, pipes: &mut Pipes<'_>) -> Result<Vec<Listed>, Spoken> {
        let mut listed = vec![];
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let params = cursor.as_ref().map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
            let mut page = self.ask(pipes, Method::List, params)?;
            let Some(tools) = page.get_mut("tools").and_then(Value::as_array_mut) else {
                return Err(ProtocolFault::NoList.into());
            };
            for tool in tools {
                let Some(name) = tool["name"].as_str() else {
                    return Err(ProtocolFault::NoName.into());
                };
                let name = name.to_owned();
                let description = tool["description"].as_str().unwrap_or_default().to_owned();
                listed.push(Listed { name, description, input: tool["inputSchema"].take() });
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

    /// Calls a tool by the server's name for it; `args` is JSON.
    ///
    /// # Errors
    /// See [`Spoken`].
    pub fn call(&mut self, pipes: &mut Pipes<'_>, tool: &str, args: &str) -> Result<Answer, Spoken> {
        let args: Value = serde_json::from_str(args).map_err(std::io::Error::from)?;
        let headers = self.mirrored.get(tool).into_iter().flatten().filter(|_| self.stateless);
        let headers = headers.filter_map(|mirrored| mirrored.of(&args).transpose()).collect::<Result<_, _>>();
        let headers = headers.map_err(|Long| ProtocolFault::LongHeader)?;
        let params = json!({"name": tool, "arguments": args});
        let result = self.ask_with(pipes, Method::Call, params, headers)?;
        let Some(content) = result["content"].as_array() else {
            return Err(ProtocolFault::NoContent.into());
        };
        let part = |item: &Value| match (item["type"].as_str(), item["text"].as_str()) {
            (Some("text"), Some(text)) => text.to_owned(),
            (kind, _) => format!("[{} is not shown here]", cut(kind.unwrap_or("something"), 40)),
        };
        let mut text = content.iter().map(part).collect::<Vec<_>>().join("\n");
        let cut = text.len() > MAX_OUTPUT;
        text.truncate(text.floor_char_boundary(MAX_OUTPUT));
        Ok(Answer { text, cut, failed: result["isError"].as_bool().unwrap_or(false) })
    }

    fn ask(&mut self, pipes: &mut Pipes<'_>, method: Method, params: Value) -> Result<Value, Spoken> {
        self.ask_with(pipes, method, params, vec![])
    }

    fn ask_with(
        &mut self,
        pipes: &mut Pipes<'_>,
        method: Method,
        mut params: Value,
        mirrored: Vec<(String, String)>,
    ) -> Result<Value, Spoken> {
        self.last += 1;
        if self.stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": itself(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let request = json!({"jsonrpc": "2.0", "id": self.last, "method": method.as_str(), "params": params});
        let result = self.way.ask(pipes, Request { method, id: self.last, message: &request, mirrored })?;
        match result["resultType"].as_str() {
            None | Some("complete") => Ok(result),
            // It wants an answer of a person, a model or a folder first.
            Some(_) => Err(ProtocolFault::Incomplete.into()),
        }
    }
}

/// What of a tool's arguments stands in headers as well. One whose annotations are not allowed is not offered, and not called.
fn mirrored(listed: &Listed) -> (String, Vec<Mirrored>) {
    (listed.name.clone(), mirrored::of_schema(&listed.input).unwrap_or_default())
}

/// What this program says about itself to servers.
fn itself() -> Value {
    json!({"name": "tameclaw", "version": env!("CARGO_PKG_VERSION")})
}
