//! The interface of OpenAI's chat completions, so that its clients talk with the bot: the last message is the line that is
//! answered.
//!
//! Such a client sends the whole talk each time, and the bot keeps its own. A talk that begins with what was answered here goes on
//! with the conversation of that answer; any other begins a new one, and what it says was said before is not believed. Messages
//! of the system have no effect: the persona is the profile's.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::app::App;
use super::events::events;
use super::failure::Failed;
use super::link::Pending;
use super::request::{read, token};
use crate::bodies::{CompletionMessage, CompletionRequest, Turn};
use crate::frames::{Ask, Part, Refusal};

/// The name of the one model.
pub(super) const MODEL: &str = "tameclaw";
/// What a request asks.
struct Talk {
    /// What was said before, as messages of a role and a text.
    before: Vec<(String, String)>,
    line: String,
}

impl Talk {
    fn of(messages: &[CompletionMessage]) -> Result<Talk, Failed> {
        let wrong = |message: &str| Failed::new(StatusCode::BAD_REQUEST, "invalid_request", message);
        let mut said: Vec<(String, String)> = messages
            .iter()
            .filter(|message| message.role != "system" && message.role != "developer")
            .map(|message| (message.role.clone(), text_of(&message.content)))
            .collect();
        match said.pop() {
            Some((role, line)) if role == "user" && !line.trim().is_empty() => {
                Ok(Talk { before: said, line })
            }
            Some((role, _)) if role == "user" => Err(wrong("the last message has no text")),
            _ => Err(wrong("the last of `messages` must be the user's")),
        }
    }

    /// What the talk looks like at the client after an answer.
    fn with(&self, reply: &str) -> [u8; 32] {
        let mut said = self.before.clone();
        said.push(("user".to_owned(), self.line.clone()));
        said.push(("assistant".to_owned(), reply.to_owned()));
        digest(&said)
    }
}

fn digest(said: &[(String, String)]) -> [u8; 32] {
    // Blanks at the ends are some clients' to take away.
    let said: Vec<(&str, &str)> = said.iter().map(|(role, text)| (role.as_str(), text.trim())).collect();
    Sha256::digest(json!(said).to_string().as_bytes()).into()
}

/// The text of a message: a string, or parts of which those of type `text` count.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts =
                parts.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// `POST /v1/chat/completions`
pub(super) async fn complete(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<CompletionRequest>, JsonRejection>,
) -> Result<Response, Failed> {
    let request = read(body)?;
    let talk = Talk::of(&request.messages)?;
    let token = token(&headers);
    let conversation = if talk.before.is_empty() { None } else { app.known.find(&digest(&talk.before)) };
    let ask = |conversation| Ask::Chat {
        message: talk.line.clone(),
        conversation,
        begins: false,
        stream: request.stream,
        asks: false,
        pictures: vec![],
    };
    let mut pending = app.link.ask(token.clone(), ask(conversation.clone()))?;
    let mut first = pending.begun().await;
    if conversation.is_some() && matches!(first, Part::Refused { why: Refusal::NotFound, .. }) {
        // The conversation was forgotten meanwhile.
        pending = app.link.ask(token, ask(None))?;
        first = pending.begun().await;
    }
    // What is refused at once is no stream.
    if let Part::Refused { why, message } = first {
        return Err(Failed::of(why, message));
    }
    let answer = Completion::new();
    if request.stream {
        let usage = request.stream_options.is_some_and(|options| options.include_usage);
        let state = Coming { app, talk, answer, pending, first: Some(first), sent: String::new(), usage };
        return Ok(events(chunks(state)).into_response());
    }
    let body = match first {
        Part::Done(body) => body,
        _ => pending.whole().await?,
    };
    let turn = turn_of(body)?;
    let reply = turn.reply.clone().unwrap_or_default();
    app.known.keep(talk.with(&reply), turn.conversation_id.clone());
    Ok(Json(answer.whole(&reply, &turn)).into_response())
}

fn turn_of(body: Value) -> Result<Turn, Failed> {
    serde_json::from_value(body).map_err(|e| {
        Failed::new(StatusCode::BAD_GATEWAY, "failed", format!("an answer that cannot be read: {e}"))
    })
}

/// One answer, as its parts name it.
struct Completion {
    id: String,
    created: u64,
}

impl Completion {
    fn new() -> Completion {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Completion { id: format!("chatcmpl-{:x}", since.as_nanos()), created: since.as_secs() }
    }

    fn whole(&self, reply: &str, turn: &Turn) -> Value {
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": MODEL,
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": reply, "refusal": null},
                "logprobs": null,
                "finish_reason": "stop",
            }],
            "usage": usage_of(turn),
        })
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": MODEL,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
        })
    }
}

fn usage_of(turn: &Turn) -> Value {
    let (input, output) = turn.usage.map_or((0, 0), |usage| (usage.input, usage.output));
    json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
}

/// An answer that comes.
struct Coming {
    app: Arc<App>,
    talk: Talk,
    answer: Completion,
    pending: Pending,
    first: Option<Part>,
    /// What the client has of the reply.
    sent: String,
    usage: bool,
}

/// The events of an answer. A reply that begins anew cannot be taken back here: it follows what was sent, after a blank line.
fn chunks(state: Coming) -> impl Stream<Item = Event> + Send {
    use futures_util::StreamExt as _;
    let role = state.answer.chunk(&json!({"role": "assistant", "content": ""}), None);
    let begin = stream::iter([event(&role)]);
    let rest = stream::unfold(Some(state), |state| async {
        let mut state = state?;
        loop {
            let part = match state.first.take() {
                Some(part) => part,
                None => state.pending.next().await,
            };
            match part {
                Part::Piece(text) => {
                    state.sent.push_str(&text);
                    let chunk = event(&state.answer.chunk(&json!({"content": text}), None));
                    return Some((vec![chunk], Some(state)));
                }
                Part::Taken | Part::Question(_) | Part::Again | Part::Doing(_) | Part::Note(_) => {}
                Part::Done(body) => return Some((state.end(body), None)),
                Part::Refused { why, message } => {
                    return Some((vec![event(&json!(Failed::of(why, message).body()))], None));
                }
            }
        }
    });
    begin.chain(rest.flat_map(stream::iter))
}

impl Coming {
    /// The last events.
    fn end(&self, body: Value) -> Vec<Event> {
        let turn = match turn_of(body) {
            Ok(turn) => turn,
            Err(failed) => return vec![event(&json!(failed.body()))],
        };
        let mut events = Vec::new();
        let missing = turn.missing_after(&self.sent);
        if !missing.is_empty() {
            events.push(event(&self.answer.chunk(&json!({"content": missing}), None)));
        }
        let shown = format!("{}{missing}", self.sent);
        self.app.known.keep(self.talk.with(&shown), turn.conversation_id.clone());
        events.push(event(&self.answer.chunk(&json!({}), Some("stop"))));
        if self.usage {
            let mut last = self.answer.chunk(&json!({}), None);
            last["choices"] = json!([]);
            last["usage"] = usage_of(&turn);
            events.push(event(&last));
        }
        events.push(Event::default().data("[DONE]"));
        events
    }
}

fn event(data: &Value) -> Event {
    Event::default().data(data.to_string())
}

#[cfg(test)]
mod tests;
