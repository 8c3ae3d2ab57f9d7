//! Lines and their answers, whole or while they come.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};

use super::app::App;
use super::events::events;
use super::failure::Failed;
use super::link::Pending;
use super::request::{read, token, whole};
use crate::bodies::{AnswerRequest, ChatRequest};
use crate::frames::{Ask, Part};

/// `POST /chat`
pub(super) async fn chat(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<ChatRequest>, JsonRejection>,
) -> Result<Response, Failed> {
    let ChatRequest { message, conversation_id: conversation, stream, asks, pictures, texts } = read(body)?;
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let streams = stream || accepts.contains("text/event-stream");
    let ask = Ask::Chat { message, conversation, begins: false, stream: streams, asks, pictures, texts };
    let mut pending = app.link.ask(token(&headers), ask)?;
    if streams {
        // What is refused at once is not a stream.
        if let Part::Refused { why, message } = pending.next().await {
            return Err(Failed::of(why, message));
        }
        return Ok(events(parts(pending)).into_response());
    }
    Ok(Json(pending.whole().await?).into_response())
}

/// `POST /chat/answer`
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<AnswerRequest>, JsonRejection>,
) -> Result<Json<Value>, Failed> {
    let AnswerRequest { question, yes } = read(body)?;
    Ok(Json(whole(&app, &headers, Ask::Answer { question, yes }).await?))
}

/// The parts of an answer as events; the last is `done` or `error`.
fn parts(pending: Pending) -> impl Stream<Item = Event> + Send {
    stream::unfold(Some(pending), |pending| async {
        let mut pending = pending?;
        let (name, data) = told(pending.next().await);
        let goes_on = !pending.is_over();
        Some((Event::default().event(name).data(data.to_string()), goes_on.then_some(pending)))
    })
}

/// The name and the data of the event that tells a part.
pub(super) fn told(part: Part) -> (&'static str, Value) {
    match part {
        Part::Taken => ("doing", json!({"text": ""})),
        Part::Piece(text) => ("piece", json!({"text": text})),
        Part::Again => ("again", json!({})),
        Part::Doing(text) => ("doing", json!({"text": text})),
        Part::Note(text) => ("note", json!({"text": text})),
        Part::Question(facts) => ("question", facts),
        Part::Done(body) => ("done", body),
        Part::Refused { why, message } => ("error", json!(Failed::of(why, message).body())),
    }
}
