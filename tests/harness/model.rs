//! A model server that follows a script, over real HTTP.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::{Request, Response, Server};

/// What the script answers to one chat request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A message of the assistant.
    Text(String),
    /// A message of the assistant, streamed piece by piece with a pause after each.
    Stream(Vec<String>, Duration),
    /// Such a message whose connection breaks after the last piece.
    Broken(Vec<String>),
    /// Calls of tools: names and arguments.
    Calls(Vec<(String, Value)>),
    /// An error with this status code.
    Status(u16),
    /// An error with this status code and message.
    Error(u16, String),
    /// A body that is not an answer, with status 200.
    Body(String),
    /// Bytes that are not HTTP.
    Garbage(Vec<u8>),
    /// No answer at all.
    Hang,
}

impl Reply {
    /// A message of the assistant.
    pub fn text(text: impl Into<String>) -> Reply {
        Reply::Text(text.into())
    }

    /// One call of a tool.
    pub fn call(tool: &str, arguments: Value) -> Reply {
        Reply::Calls(vec![(tool.to_owned(), arguments)])
    }
}

/// A chat request with shorthands for what scripts look at.
#[derive(Debug, Clone)]
pub struct Chat {
    /// The request as it came.
    pub request: Request,
    /// Its body.
    pub body: Value,
}

impl Chat {
    /// All text of the messages, in order.
    pub fn text(&self) -> String {
        let messages = self.body["messages"].as_array().cloned().unwrap_or_default();
        let contents = messages.iter().map(|m| match &m["content"] {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect(),
            _ => String::new(),
        });
        contents.collect::<Vec<_>>().join("\n")
    }

    /// The role and the text of the last message.
    pub fn last(&self) -> (String, String) {
        let last = self.body["messages"].as_array().and_then(|m| m.last()).cloned().unwrap_or_default();
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (word(&last["role"]), word(&last["content"]))
    }

    /// The names of the tools that are offered, as they travel.
    pub fn tools(&self) -> Vec<String> {
        let tools = self.body["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned)).collect()
    }
}

/// The one model that the server names when it is asked for its models.
pub const MODEL: &str = "scripted-model";

type Script = Arc<dyn Fn(&Chat) -> Reply + Send + Sync>;

/// A server that speaks OpenAI's chat completions from a script and records every request.
pub struct ModelServer {
    server: Server,
    script: Arc<Mutex<Script>>,
    seen: Arc<Mutex<Vec<Chat>>>,
}

impl ModelServer {
    /// Starts a server.
    pub fn start(script: impl Fn(&Chat) -> Reply + Send + Sync + 'static) -> ModelServer {
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Arc::new(script)));
        let seen: Arc<Mutex<Vec<Chat>>> = Arc::default();
        let (present, record) = (Arc::clone(&script), Arc::clone(&seen));
        let server = Server::start(move |request| {
            if request.method == "GET" && request.path == "/v1/models" {
                return proper(200, json!({"object": "list", "data": [{"id": MODEL, "object": "model"}]}));
            }
            let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
            let chat = Chat { request, body };
            record.lock().expect("no script panics").push(chat.clone());
            if !chat.request.path.ends_with("/chat/completions") {
                return proper(404, json!({"error": {"message": "no such path"}}));
            }
            let script = Arc::clone(&present.lock().expect("no script panics"));
            respond(script(&chat), &chat)
        });
        ModelServer { server, script, seen }
    }

    /// Follows another script from now on.
    pub fn follow(&self, script: impl Fn(&Chat) -> Reply + Send + Sync + 'static) {
        *self.script.lock().expect("no script panics") = Arc::new(script);
    }

    /// The address that a configuration names.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.server.host())
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.server.port()
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Chat> {
        self.seen.lock().expect("no script panics").clone()
    }
}

impl std::fmt::Debug for ModelServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelServer").field("server", &self.server).finish_non_exhaustive()
    }
}

fn respond(reply: Reply, chat: &Chat) -> Response {
    let message = match reply {
        Reply::Text(text) => json!({"role": "assistant", "content": text}),
        Reply::Calls(calls) => {
            let call = |(index, (name, arguments)): (usize, (String, Value))| {
                json!({"id": format!("call_{index}"), "type": "function",
                       "function": {"name": name, "arguments": arguments.to_string()}})
            };
            let calls: Vec<Value> = calls.into_iter().enumerate().map(call).collect();
            json!({"role": "assistant", "content": null, "tool_calls": calls})
        }
        Reply::Stream(pieces, pause) => return stream(&pieces, pause, true),
        Reply::Broken(pieces) => return stream(&pieces, Duration::from_millis(20), false),
        Reply::Status(status) => return respond(Reply::Error(status, "scripted".to_owned()), chat),
        Reply::Error(status, message) => return proper(status, json!({"error": {"message": message}})),
        Reply::Body(body) => {
            return Response::Proper { status: 200, kind: "application/json", body: body.into_bytes() };
        }
        Reply::Garbage(bytes) => return Response::Bytes(bytes),
        Reply::Hang => return Response::Hang,
    };
    let reason = if message["tool_calls"].is_array() { "tool_calls" } else { "stop" };
    let model = chat.body["model"].clone();
    let answer = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    });
    proper(200, answer)
}

fn stream(pieces: &[String], pause: Duration, whole: bool) -> Response {
    let event = |value: Value| format!("data: {value}\n\n").into_bytes();
    let mut parts: Vec<Vec<u8>> = pieces
        .iter()
        .map(|piece| event(json!({"choices": [{"index": 0, "delta": {"content": piece}}]})))
        .collect();
    if whole {
        parts.push(event(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})));
        parts.push(event(json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})));
        parts.push(b"data: [DONE]\n\n".to_vec());
    }
    Response::Parts { kind: "text/event-stream", parts, pause, whole }
}

fn proper(status: u16, body: Value) -> Response {
    Response::Proper { status, kind: "application/json", body: body.to_string().into_bytes() }
}

#[cfg(test)]
mod tests;
