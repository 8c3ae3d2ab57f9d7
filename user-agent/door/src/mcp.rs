//! `cl-bot mcp`: the approved skills as tools of any client of the Model Context Protocol, on standard input and output.
//!
//! Offered is what a person approved: learned skills and plugins, never what is part of the bot and knows the person. Each call is
//! judged by the gate as any other and leaves a receipt. What a client says was typed by nobody, so it counts as content from outside:
//! a call that a person's own line would excuse needs a yes, and nobody is here to give one.

use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use bot_base::config::Overrides;
use bot_base::config::channel::BUILT_IN;
use bot_base::error::{Error, say};
use kernel::skill::{Called, Outcome};
use ports::offered::{self, Listed};
use ports::{KernelContext, guard};
use serde_json::{Value, json};
use shared_types::exit;
use shared_types::provenance::Provenance;
use shared_types::text::cut;
use skills::reasoning;
use user_agent::start::Options;
use user_agent::start::mind::{Purpose, become_mind};

use crate::rpc::{self, Heard, Line, NO_METHOD, NO_PARAMETERS, Refusal};

/// The versions that are spoken, the newest first. The first has no greeting.
const VERSIONS: [&str; 5] = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const STATELESS: &str = "2026-07-28";
/// Where a request of that version says so.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What each request of that version says of its client.
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Where each result of that version names this program.
const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// The number of the error for a version that is not spoken.
const NO_VERSION: i64 = -32022;
/// How many messages wait while a call runs; a client that sends more waits itself.
const WAITING: usize = 16;

/// Serves until standard input ends.
///
/// # Errors
/// What forbids the start, a terminal as standard input, or the admin's reason to end all talk.
pub fn run(options: &Options, readonly: bool) -> Result<u8, Error> {
    if io::stdin().is_terminal() {
        return Err(Error::Usage {
            what: "`mcp` speaks with a program on standard input and output, and this is a terminal"
                .to_owned(),
            hint: "a client starts it: its configuration names the command `cl-bot` with the argument `mcp`"
                .to_owned(),
        });
    }
    let overrides = Overrides { readonly, ..Overrides::default() };
    let purpose = Purpose { talks: true, json: true, overrides, ..Purpose::default() };
    let (kernel, warnings) = become_mind(options, purpose)?;
    for warning in warnings {
        say(&warning);
    }
    let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
    ctx.brings(Provenance::OUTSIDE);
    let tools = offered::listed(&ctx).into_iter().filter(is_approved).collect();
    let served = Served { ctx, tools, running: Arc::default() };
    let (sender, lines) = sync_channel(WAITING);
    let ears = Ears { running: served.running.clone(), cancel: served.ctx.cancel().clone() };
    Builder::new()
        .name("client".into())
        .spawn(move || ears.listen(&sender))
        .map_err(Error::io("a thread".as_ref()))?;
    served.serve(&lines)?;
    Ok(exit::DONE)
}

/// Reads what the client says, also while a call runs.
struct Ears {
    running: Arc<Mutex<Option<Value>>>,
    cancel: Arc<AtomicBool>,
}

impl Ears {
    fn listen(&self, sender: &SyncSender<Line>) {
        let mut input = io::stdin().lock();
        // Everything that ends the input ends the service.
        while let Ok(Some(line)) = rpc::next(&mut input) {
            if !line.as_deref().is_some_and(|line| self.cancels(line)) && sender.send(line).is_err() {
                return;
            }
        }
    }

    /// Calls the running call off, where this message says so.
    fn cancels(&self, line: &[u8]) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(id) = running.as_ref() else { return false };
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return false };
        let cancels = message["method"] == "notifications/cancelled" && message["params"]["requestId"] == *id;
        if cancels {
            self.cancel.store(true, Ordering::Relaxed);
        }
        cancels
    }
}

struct Served {
    ctx: KernelContext,
    tools: Vec<Listed>,
    /// The number of the request that is being answered.
    running: Arc<Mutex<Option<Value>>>,
}

impl Served {
    /// Answers one message after the other.
    ///
    /// # Errors
    /// The admin's reason to end all talk.
    fn serve(&self, lines: &Receiver<Line>) -> Result<(), Error> {
        while let Ok(line) = lines.recv() {
            if let Some(why) = self.ctx.shared().halted() {
                return Err(Error::Halted(why));
            }
            if let Some(answer) = self.heard(line.as_deref()) {
                // A client that has gone away is not a failure.
                let _ = writeln!(io::stdout(), "{}", shared_types::json::line(&answer));
            }
        }
        Ok(())
    }

    /// What is answered to a line; notifications and lines that are not a question have no answer.
    fn heard(&self, line: Option<&[u8]>) -> Option<Value> {
        match rpc::heard(line) {
            Heard::Method { id, message } if !id.is_null() => {
                let (method, params) = (message["method"].as_str().unwrap_or_default(), &message["params"]);
                Some(
                    unspoken(&id, params)
                        .unwrap_or_else(|| rpc::answer(&id, self.answer(method, &id, params))),
                )
            }
            Heard::Method { .. } | Heard::Nothing => None,
            Heard::Refused(answer) => Some(answer),
        }
    }

    fn answer(&self, method: &str, id: &Value, params: &Value) -> Result<Value, Refusal> {
        let stateless = is_stateless(&params["_meta"])?;
        let mut result = match method {
            "initialize" | "ping" if stateless => {
                return Err((NO_METHOD, format!("`{method}` is not part of version {STATELESS}")));
            }
            "initialize" => {
                let asked = params["protocolVersion"].as_str().unwrap_or_default();
                let version = VERSIONS[1..].iter().find(|version| **version == asked).unwrap_or(&VERSIONS[1]);
                json!({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": itself()})
            }
            "server/discover" => {
                json!({"supportedVersions": VERSIONS, "capabilities": {"tools": {}}, "serverInfo": itself()})
            }
            "ping" => json!({}),
            "tools/list" => json!({"tools": self.tools.iter().map(listed).collect::<Vec<_>>()}),
            "tools/call" => self.call(id, params)?,
            other => return Err((NO_METHOD, format!("`{}` is not offered, only tools are", cut(other, 60)))),
        };
        if stateless || method == "server/discover" {
            result["_meta"][META_SERVER] = itself();
            result["resultType"] = json!("complete");
            // The answer holds at that moment only, and is for this client alone.
            result["ttlMs"] = json!(0);
            result["cacheScope"] = json!("private");
        }
        Ok(result)
    }

    /// Notes which request is being answered. What called the one before off is over with it.
    fn runs(&self, id: Option<Value>) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running = id;
        self.ctx.cancel().store(false, Ordering::Relaxed);
    }

    /// Makes a call. That a tool failed, or was denied, is a result: the caller must be able to read why.
    fn call(&self, id: &Value, params: &Value) -> Result<Value, Refusal> {
        let name = params["name"].as_str().unwrap_or_default();
        if !self.tools.iter().any(|tool| tool.name == name) {
            return Err((NO_PARAMETERS, format!("there is no tool `{}`", cut(name, 80))));
        }
        let none = json!({});
        let args = if params["arguments"].is_null() { &none } else { &params["arguments"] };
        self.runs(Some(id.clone()));
        let called = reasoning::counted(&self.ctx, || self.ctx.call_for_receipt(name, args, ""));
        self.runs(None);
        let Called { outcome, receipt_id } = match called {
            Ok(called) => called,
            Err(why) => {
                return Ok(json!({"content": [{"type": "text", "text": why.to_string()}], "isError": true}));
            }
        };
        let (failed, text) = match outcome {
            Outcome::Said(said) => (false, guard::output(&said)),
            Outcome::Denied(_, why) => (true, guard::output(&format!("denied: {why}"))),
            Outcome::Failed(why) => (true, guard::output(&why)),
            Outcome::NotMine => (true, "the tool says that these arguments are not for it".to_owned()),
        };
        let mut result = json!({"content": [{"type": "text", "text": text}], "isError": failed});
        if let Some(receipt) = receipt_id {
            result["_meta"] = json!({"tameclaw/receipt": receipt});
        }
        Ok(result)
    }
}

/// The answer to a request in a version that is not spoken.
fn unspoken(id: &Value, params: &Value) -> Option<Value> {
    let asked = params["_meta"][META_VERSION].as_str().filter(|version| !VERSIONS.contains(version))?;
    let words = format!("version `{}` is not spoken: {}", cut(asked, 40), VERSIONS.join(" "));
    let mut answer = rpc::answer(id, Err((NO_VERSION, words)));
    answer["error"]["data"] = json!({"supported": VERSIONS, "requested": asked});
    Some(answer)
}

/// Whether a request is of the version that has no greeting.
///
/// # Errors
/// Half of what each request of that version says.
fn is_stateless(meta: &Value) -> Result<bool, Refusal> {
    let lacks = |key: &str| {
        Err((NO_PARAMETERS, format!("`_meta` lacks `{key}`, which version {STATELESS} requires")))
    };
    match (meta[META_VERSION].as_str(), &meta[META_CAPABILITIES]) {
        (Some(STATELESS), Value::Object(_)) => Ok(true),
        (Some(STATELESS), _) => lacks(META_CAPABILITIES),
        (None, Value::Object(_)) => lacks(META_VERSION),
        _ => Ok(false),
    }
}

/// Whether a person approved it: it is not a part of the bot.
fn is_approved(tool: &Listed) -> bool {
    !BUILT_IN.contains(&tool.name.as_str())
}

fn listed(tool: &Listed) -> Value {
    json!({"name": tool.name, "description": tool.description, "inputSchema": tool.parameters.as_json()})
}

/// What clients read about this program.
fn itself() -> Value {
    json!({"name": "tameclaw", "version": env!("CARGO_PKG_VERSION")})
}

#[cfg(test)]
mod tests;
