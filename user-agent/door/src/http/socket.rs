//! `GET /chat/ws`: lines and their answers, one after the other, over a WebSocket.
//!
//! A client sends a line, a word about a question of the gate, or the end of the answer that is being given. It gets the events of
//! `POST /chat`, each as one message. `done` and `error` end an answer. `refused` says that a message was not taken, and ends nothing:
//! a second line has to wait for the end of the first one's answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseCode, CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use shared_types::text;
use tokio::time::{Instant, interval_at, sleep_until, timeout};
use tungstenite::Error as Fault;
use web::limits::Kind;
use web::server::Connection;

use super::app::App;
use super::chat::told;
use super::failure::Failed;
use super::guards::LARGEST;
use super::link::Pending;
use super::request::token_of_handshake;
use crate::bodies::{ChatRequest, SocketEvent, SocketMessage};
use crate::frames::{Ask, Part};

/// How often a client is asked for a sign of life.
const PING: Duration = Duration::from_secs(30);
/// How long a client may be silent, and how long it may take nothing of what is sent.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a client is waited for when the socket is closed.
const CLOSING: Duration = Duration::from_secs(2);
/// How much is read at a time, in bytes.
const PIECE: usize = 16 * 1024;

/// `GET /chat/ws`
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Failed> {
    let token = token_of_handshake(&app, &headers);
    app.link.ask(token.clone(), Ask::Known)?.whole().await?;
    let upgrade = upgrade.map_err(|why| {
        let message = format!("this path is a WebSocket: {}", text::line(&why.body_text()));
        match why {
            WebSocketUpgradeRejection::InvalidConnectionHeader(_)
            | WebSocketUpgradeRejection::InvalidUpgradeHeader(_)
            | WebSocketUpgradeRejection::InvalidWebSocketVersionHeader(_) => {
                Failed::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required", message)
            }
            _ => Failed::new(StatusCode::BAD_REQUEST, "invalid_request", message),
        }
    })?;
    let upgrade = upgrade.read_buffer_size(PIECE).max_message_size(LARGEST).max_frame_size(LARGEST);
    Ok(upgrade.on_upgrade(async move |socket| {
        let mut talk = Talk { app, token, socket, turn: None, heard: Instant::now() };
        let mut connection = connection;
        let end = talk.run(&mut connection).await;
        // Nobody waits for the answer any more.
        talk.turn = None;
        talk.close(end).await;
        // Until here it kept its place, and a door that leaves waited for it.
        drop(connection);
    }))
}

/// Why a socket is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The client closed it, or is gone.
    Gone,
    /// The client was silent for too long.
    Silent,
    /// Its token counts no more.
    Unauthorized,
    /// The door ends.
    Restart,
    /// It sent a binary message.
    Binary,
    /// It sent a message that is too long.
    TooLong,
    /// It sent a text that is not UTF-8.
    NoText,
    /// It sent what the protocol does not have.
    NoProtocol,
}

impl End {
    /// What is wrong with what a client sent.
    fn of(error: axum::Error) -> End {
        match error.into_inner().downcast_ref::<Fault>() {
            Some(Fault::Capacity(_)) => End::TooLong,
            Some(Fault::Utf8(_)) => End::NoText,
            Some(Fault::Protocol(_)) => End::NoProtocol,
            _ => End::Gone,
        }
    }

    /// What the client gets; nothing where there is none.
    fn told(self) -> Option<(CloseCode, &'static str)> {
        match self {
            End::Gone => None,
            End::Silent => Some((close_code::AWAY, "nothing came for 60 s")),
            End::Unauthorized => Some((close_code::POLICY, "the token counts no more")),
            End::Restart => Some((close_code::RESTART, "the door starts again; connect anew")),
            End::Binary => Some((close_code::UNSUPPORTED, "messages are text")),
            End::TooLong => Some((close_code::SIZE, "a message has at most 1048576 bytes")),
            End::NoText => Some((close_code::INVALID, "a text message is UTF-8")),
            End::NoProtocol => Some((close_code::PROTOCOL, "this is not the protocol")),
        }
    }
}

/// One open socket.
struct Talk {
    app: Arc<App>,
    /// It is judged by `mind` at each message.
    token: Option<String>,
    socket: WebSocket,
    /// The answer that is being given.
    turn: Option<Pending>,
    /// When something came last.
    heard: Instant,
}

impl Talk {
    /// Answers messages until the socket is to be closed.
    async fn run(&mut self, connection: &mut Connection) -> End {
        let mut pings = interval_at(Instant::now() + PING, PING);
        loop {
            let has_turn = self.turn.is_some();
            let step = tokio::select! {
                biased;
                () = connection.ends(), if !has_turn => Err(End::Restart),
                () = sleep_until(self.heard + SILENCE) => Err(End::Silent),
                _ = pings.tick() => self.send(Message::Ping(axum::body::Bytes::new())).await,
                part = next(&mut self.turn), if has_turn => self.tell(part).await,
                received = self.socket.recv() => match received {
                    Some(Ok(message)) => self.hear(message).await,
                    Some(Err(error)) => Err(End::of(error)),
                    None => Err(End::Gone),
                },
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    /// Tells a part of the answer.
    async fn tell(&mut self, part: Part) -> Result<(), End> {
        if self.turn.as_ref().is_some_and(Pending::is_over) {
            self.turn = None;
        }
        let is_unauthorized = matches!(part, Part::Refused { why: crate::frames::Refusal::Unauthorized, .. });
        let (event, data) = told(part);
        self.send_event(event, data).await?;
        if is_unauthorized { Err(End::Unauthorized) } else { Ok(()) }
    }

    /// Answers a message.
    async fn hear(&mut self, message: Message) -> Result<(), End> {
        self.heard = Instant::now();
        let said = match message {
            Message::Text(said) => said,
            Message::Binary(_) => return Err(End::Binary),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(End::Gone),
        };
        match self.take(&said).await {
            Ok(None) => Ok(()),
            Ok(Some(answered)) => self.send_event("answered", answered).await,
            Err(failed) => {
                let is_unauthorized = failed.status == StatusCode::UNAUTHORIZED;
                self.send_event("refused", json!(failed.body())).await?;
                if is_unauthorized { Err(End::Unauthorized) } else { Ok(()) }
            }
        }
    }

    /// Does what a message says; answers what came of a word about a question.
    async fn take(&mut self, said: &str) -> Result<Option<Value>, Failed> {
        if !self.app.limits.take(self.token.as_deref(), Kind::Usual, None) {
            let message = "more messages than are answered; try again in a second";
            return Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
        }
        match (read(said)?, &self.turn) {
            (SocketMessage::Line(line), None) => {
                let ChatRequest { message, conversation_id: conversation, asks, pictures, texts, .. } = line;
                let (begins, stream) = (false, true);
                let ask = Ask::Chat { message, conversation, begins, stream, asks, pictures, texts };
                self.turn = Some(self.app.link.ask(self.token.clone(), ask)?);
                Ok(None)
            }
            (SocketMessage::Line(_), Some(_)) => {
                let message = "an answer is being given; send the next line after its `done` or `error`";
                Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, "busy", message))
            }
            (SocketMessage::Answer(word), _) => {
                let ask = Ask::Answer { question: word.answer.question, yes: word.answer.yes };
                self.app.link.ask(self.token.clone(), ask)?.whole().await.map(Some)
            }
            (SocketMessage::Cancel(_), Some(turn)) => {
                turn.call_off();
                Ok(None)
            }
            (SocketMessage::Cancel(_), None) => {
                let message = "no answer is being given";
                Err(Failed::new(StatusCode::NOT_FOUND, "not_found", message))
            }
        }
    }

    async fn send_event(&mut self, event: &'static str, data: Value) -> Result<(), End> {
        self.send(Message::text(json!(SocketEvent { event, data }).to_string())).await
    }

    /// Sends a message. A client that takes nothing is left.
    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(SILENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Gone),
        }
    }

    /// Closes the socket; a client that closes it as well is waited for.
    async fn close(mut self, end: End) {
        let farewell = async {
            if let Some((code, reason)) = end.told() {
                let frame = CloseFrame { code, reason: reason.into() };
                let _ = self.socket.send(Message::Close(Some(frame))).await;
            }
            // A close of the client is answered by reading on.
            while let Some(Ok(_)) = self.socket.recv().await {}
        };
        let _ = timeout(CLOSING, farewell).await;
    }
}

/// The next part of the answer that is being given.
async fn next(turn: &mut Option<Pending>) -> Part {
    match turn {
        Some(turn) => turn.next().await,
        None => std::future::pending().await,
    }
}

/// Reads a message, by the one key that only one kind of message has.
fn read(said: &str) -> Result<SocketMessage, Failed> {
    let value: Value = serde_json::from_slice(said.as_bytes()).map_err(|why| unreadable(&why))?;
    if value.get("answer").is_some() {
        return typed(value).map(SocketMessage::Answer);
    }
    if value.get("cancel").is_none() {
        return typed(value).map(SocketMessage::Line);
    }
    if value["cancel"] != json!(true) {
        let message = "`cancel` is true, or not there";
        return Err(Failed::new(StatusCode::BAD_REQUEST, "invalid_request", message));
    }
    typed(value).map(SocketMessage::Cancel)
}

fn typed<T: DeserializeOwned>(value: Value) -> Result<T, Failed> {
    serde_json::from_value(value).map_err(|why| unreadable(&why))
}

fn unreadable(why: &serde_json::Error) -> Failed {
    Failed::new(StatusCode::BAD_REQUEST, "invalid_request", text::line(&why.to_string()))
}
