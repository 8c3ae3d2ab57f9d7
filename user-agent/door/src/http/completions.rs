//! The interface of OpenAI's chat completions, so that its clients talk with the bot: the last of the user's messages is the line
//! that is answered.
//!
//! Such a client sends the whole talk each time, and the bot keeps its own. A talk that begins with what was answered here
//! continues the conversation of that answer; any other begins a new one, and what it says was said before is not believed.
//! Messages of the system have no effect: the persona is the profile's.

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
use crate::bodies::{
    CompletionAnswer, CompletionChoice, CompletionMessage, CompletionReply, CompletionRequest,
    CompletionUsage, SentPicture, Speaker, Turn,
};
use crate::frames::{Ask, Part, Refusal};

/// The name of the one model.
pub(super) const MODEL: &str = "tameclaw";

/// What a request asks.
#[derive(Debug)]
struct Talk {
    /// What was said before.
    before: Vec<(Speaker, String)>,
    line: String,
    /// The pictures that go with the line, which are judged by nobody yet.
    pictures: Vec<SentPicture>,
}

impl Talk {
    fn of(messages: &[CompletionMessage]) -> Result<Talk, Failed> {
        let mut said = Vec::new();
        let mut last = None;
        for (at, message) in messages.iter().enumerate() {
            let place = format!("messages[{at}].content");
            let (text, pictures) = match message.role {
                Speaker::System | Speaker::Developer => continue,
                Speaker::User => of_user(&message.content, &place)?,
                Speaker::Assistant | Speaker::Tool => (text_of(&message.content), vec![]),
            };
            said.push((message.role, text));
            if message.role == Speaker::User {
                last = Some((said.len(), place, pictures));
            }
        }
        let Some((end, place, pictures)) = last else {
            return Err(Failed::of_field("messages", "needs one that is the user's"));
        };
        // What a client has the bot say after it is not believed.
        said.truncate(end);
        match said.pop() {
            Some((_, line)) if !line.trim().is_empty() => Ok(Talk { before: said, line, pictures }),
            _ => Err(Failed::of_field(&place, "needs a text: it is the line that is answered")),
        }
    }

    /// What the talk looks like at the client after an answer.
    fn with(&self, reply: &str) -> [u8; 32] {
        let mut said = self.before.clone();
        said.push((Speaker::User, self.line.clone()));
        said.push((Speaker::Assistant, reply.to_owned()));
        digest(&said)
    }
}

fn digest(said: &[(Speaker, String)]) -> [u8; 32] {
    // Blanks at the ends are some clients' to take away.
    let said: Vec<(Speaker, &str)> = said.iter().map(|(role, text)| (*role, text.trim())).collect();
    Sha256::digest(json!(said).to_string().as_bytes()).into()
}

/// The text of a message that is not the user's: a string, or parts of which those of type `text` count.
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

/// The text and the pictures of a message of the user; its content stands at `place`.
fn of_user(content: &Value, place: &str) -> Result<(String, Vec<SentPicture>), Failed> {
    let parts = match content {
        Value::Null => return Ok((String::new(), vec![])),
        Value::String(text) => return Ok((text.clone(), vec![])),
        Value::Array(parts) => parts,
        _ => return Err(Failed::of_field(place, "is a text, or a list of parts")),
    };
    let (mut texts, mut pictures) = (Vec::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        let field = |name: &str| format!("{place}[{at}].{name}");
        match part["type"].as_str() {
            Some("text") => match part["text"].as_str() {
                Some(text) => texts.push(text),
                None => return Err(Failed::of_field(&field("text"), "is a text")),
            },
            Some("image_url") => {
                let url = part["image_url"]["url"].as_str().unwrap_or_default();
                let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
                let Some((_, data)) = data else {
                    let why = "is an address `data:...;base64,...`: the bot fetches no picture";
                    return Err(Failed::of_field(&field("image_url.url"), why));
                };
                let name = format!("picture {}", pictures.len() + 1);
                pictures.push(SentPicture { name, data: data.to_owned() });
            }
            _ => {
                return Err(Failed::of_field(
                    &field("type"),
                    "is `text` or `image_url`; nothing else is read",
                ));
            }
        }
    }
    Ok((texts.join("\n"), pictures))
}

/// `POST /v1/chat/completions`
pub(super) async fn complete(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<CompletionRequest>, JsonRejection>,
) -> Result<Response, Failed> {
    let request = read(body)?;
    if let Some((field, why)) = request.unanswerable() {
        return Err(Failed::of_field(field, why));
    }
    let talk = Talk::of(&request.messages)?;
    let streams = request.stream.unwrap_or_default();
    let token = token(&headers);
    let conversation = if talk.before.is_empty() { None } else { app.known.find(&digest(&talk.before)) };
    let ask = |conversation| Ask::Chat {
        message: talk.line.clone(),
        conversation,
        begins: false,
        stream: streams,
        asks: false,
        pictures: talk.pictures.clone(),
        texts: vec![],
    };
    let mut pending = app.link.ask(token.clone(), ask(conversation.clone()))?;
    let mut first = pending.begun().await;
    if conversation.is_some() && matches!(first, Part::Refused { why: Refusal::NotFound, .. }) {
        // The conversation was forgotten meanwhile.
        pending = app.link.ask(token, ask(None))?;
        first = pending.begun().await;
    }
    // What is refused at once is not a stream.
    if let Part::Refused { why, message } = first {
        return Err(Failed::of(why, message));
    }
    let answer = Completion::new();
    if streams {
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
    Ok(Json(answer.whole(reply, &turn)).into_response())
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

    fn whole(self, reply: String, turn: &Turn) -> CompletionAnswer {
        let choice = CompletionChoice {
            index: 0,
            message: CompletionReply { role: "assistant".to_owned(), content: reply, refusal: () },
            logprobs: (),
            finish_reason: "stop".to_owned(),
        };
        CompletionAnswer {
            id: self.id,
            object: "chat.completion".to_owned(),
            created: self.created,
            model: MODEL.to_owned(),
            choices: vec![choice],
            usage: usage_of(turn),
        }
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": MODEL,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
        })
    }
}

fn usage_of(turn: &Turn) -> CompletionUsage {
    let (input, output) = turn.usage.map_or((0, 0), |usage| (usage.input, usage.output));
    CompletionUsage {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input.saturating_add(output),
    }
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
            last["usage"] = json!(usage_of(&turn));
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
