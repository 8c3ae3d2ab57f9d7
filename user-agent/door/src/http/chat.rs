//! Lines and their answers, whole or while they come.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde_json::json;

use super::App;
use super::failure::Failed;
use super::link::Pending;
use super::routes::token;
use crate::bodies::ChatRequest;
use crate::frames::{Ask, Part};

/// How often a silent stream shows that it lives.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// `POST /chat`
pub(super) async fn chat(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<ChatRequest>, JsonRejection>,
) -> Result<Response, Failed> {
    let ChatRequest { message, conversation_id, stream } = read(body)?;
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let streams = stream || accepts.contains("text/event-stream");
    let ask = Ask::Chat { message, conversation: conversation_id, stream: streams };
    let pending = app.link.ask(token(&headers), ask)?;
    if streams {
        return Ok(events(parts(pending)).into_response());
    }
    Ok(Json(pending.whole().await?).into_response())
}

/// A body as JSON, or what is wrong with it.
pub(super) fn read<T>(body: Result<Json<T>, JsonRejection>) -> Result<T, Failed> {
    match body {
        Ok(Json(read)) => Ok(read),
        Err(why) => {
            let status = match why.status() {
                StatusCode::UNSUPPORTED_MEDIA_TYPE => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                _ => StatusCode::BAD_REQUEST,
            };
            Err(Failed::new(status, "invalid_request", shared_types::text::line(&why.body_text())))
        }
    }
}

/// A stream of events, which shows that it lives while nothing comes.
pub(super) fn events(
    events: impl Stream<Item = Event> + Send + 'static,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    use futures_util::StreamExt as _;
    Sse::new(events.map(Ok)).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE))
}

/// The parts of an answer as events; the last is `done` or `error`.
fn parts(pending: Pending) -> impl Stream<Item = Event> + Send {
    stream::unfold(Some(pending), |pending| async {
        let mut pending = pending?;
        let (name, data, goes_on) = match pending.next().await {
            Part::Piece(text) => ("piece", json!({"text": text}), true),
            Part::Again => ("again", json!({}), true),
            Part::Doing(text) => ("doing", json!({"text": text}), true),
            Part::Note(text) => ("note", json!({"text": text}), true),
            Part::Done(body) => ("done", body, false),
            Part::Refused { why, message } => ("error", json!(Failed::of(why, message).body()), false),
        };
        Some((Event::default().event(name).data(data.to_string()), goes_on.then_some(pending)))
    })
}
