//! The conversation: whole pages, and the reply while it comes for the script.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream::{self, Stream};
use maud::{Markup, html};
use models::attachment::{MOST_BYTES, MOST_PICTURES};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::app::App;
use super::super::events::events;
use super::super::failure::Failed;
use super::super::link::Pending;
use super::super::request::{cookie, read};
use super::layout::{Instead, Visitor};
use super::markdown::shown;
use super::said::Said;
use super::words::{IN_WORDS, Words};
use crate::bodies::{AnswerRequest, ChatRequest, LONGEST_TEXT, Turn};
use crate::frames::{Ask, LONGEST_LINE, Part};
use web::html::{clean, when};

/// How often, and after which pauses, it is looked whether a reply is kept.
const LOOKS: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// The files that a browser offers: of pictures the first bytes decide, of texts the end of the name.
const KINDS: &str = "image/png,image/jpeg,image/gif,image/webp,.txt,.md,.csv,.json";

/// Which conversation is shown.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    #[serde(default)]
    c: String,
}

/// A message of a conversation.
#[derive(Debug, Deserialize)]
struct Message {
    role: String,
    #[serde(default)]
    content: String,
    #[serde(default)]
    timestamp: String,
}

/// What the page shows.
struct Talk<'a> {
    /// The conversation; empty where none has begun.
    c: &'a str,
    messages: &'a [Message],
    /// What is to be known beside the last reply.
    notes: &'a [String],
    /// What was written and not answered, and why.
    kept: &'a str,
    problem: Option<&'a str>,
}

/// `GET /`
pub(super) async fn show(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<Which>, QueryRejection>,
) -> Result<Response, Instead> {
    let visitor = Visitor::known(&app, &headers).await?;
    let Which { c } = visitor.query(query)?;
    let messages = messages(&visitor, &c).await?;
    let talk = Talk { c: &c, messages: &messages, notes: &[], kept: "", problem: None };
    Ok(visitor.page(StatusCode::OK, "/", visitor.words.chat, talk.shown(visitor.words)))
}

/// `POST /page/say`
pub(super) async fn say(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Instead> {
    let visitor = Visitor::known(&app, &headers).await?;
    let said = Said::of(request).await.map_err(|failed| visitor.instead(&failed))?;
    let Said { message, c, pictures, texts } = said;
    let has_files = !pictures.is_empty() || !texts.is_empty();
    // So a form ends its lines.
    let message = message.replace("\r\n", "\n");
    let conversation = (!c.is_empty()).then(|| c.clone());
    let (begins, stream, asks) = (false, false, false);
    let ask = Ask::Chat { message: message.clone(), conversation, begins, stream, asks, pictures, texts };
    let tried = match fits(&message) {
        true => visitor.tried(ask).await.and_then(turn),
        false => Err(Failed::new(StatusCode::BAD_REQUEST, IN_WORDS, visitor.words.line_length)),
    };
    let failed = match tried {
        Ok(turn) => return answered(&app, &headers, message, has_files, turn).await,
        Err(failed) if failed.status == StatusCode::UNAUTHORIZED => return Err(visitor.instead(&failed)),
        Err(failed) => failed,
    };
    // Where the conversation is gone, the next try begins one.
    let (c, messages) = match messages(&visitor, &c).await {
        Ok(messages) => (c.as_str(), messages),
        Err(_) => ("", Vec::new()),
    };
    let why = visitor.words.of_failure(&failed);
    let talk = Talk { c, messages: &messages, notes: &[], kept: &message, problem: Some(&why) };
    Ok(visitor.page(failed.status, "/", visitor.words.chat, talk.shown(visitor.words)))
}

/// A line and its reply, as they are kept; what is not kept, as an answer to somebody in need, what became of files, or what became
/// ready for review, is shown this once.
async fn answered(
    app: &App,
    headers: &HeaderMap,
    message: String,
    has_files: bool,
    turn: Turn,
) -> Result<Response, Instead> {
    let visitor = Visitor::known(app, headers).await?;
    let c = turn.conversation_id.as_str();
    let reply = turn.reply.clone().unwrap_or_default();
    let is_kept = is_taken_down(&turn) && is_kept(&visitor, c, &reply).await;
    let of_files = turn.notes.iter().filter(|_| has_files);
    let notes: Vec<String> = of_files.chain(&turn.ready).cloned().collect();
    if is_kept && notes.is_empty() {
        return Ok(Redirect::to(&address(c)).into_response());
    }
    let mut messages = messages(&visitor, c).await.unwrap_or_default();
    if !is_kept {
        messages.extend([("user", message), ("assistant", reply)].map(|(role, content)| Message {
            role: role.to_owned(),
            content,
            timestamp: String::new(),
        }));
    }
    let talk = Talk { c, messages: &messages, notes: &notes, kept: "", problem: None };
    Ok(visitor.page(StatusCode::OK, "/", visitor.words.chat, talk.shown(visitor.words)))
}

/// Whether a reply is to be kept.
fn is_taken_down(turn: &Turn) -> bool {
    turn.turn_id.as_ref().is_some_and(|id| !id.is_empty())
}

/// Whether a conversation ends with a reply. What is said is kept a moment after it was said, and with a mark where it broke off.
async fn is_kept(visitor: &Visitor<'_>, c: &str, reply: &str) -> bool {
    for _ in 0..LOOKS {
        let last = messages(visitor, c).await.ok().and_then(|mut messages| messages.pop());
        if last.is_some_and(|last| last.role == "assistant" && last.content.starts_with(reply)) {
            return true;
        }
        tokio::time::sleep(PAUSE).await;
    }
    false
}

/// Whether a line is neither empty nor too long.
fn fits(message: &str) -> bool {
    !message.trim().is_empty() && message.len() <= LONGEST_LINE
}

/// `POST /page/stream`, for the script alone: what is refused at once is JSON.
pub(super) async fn stream(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<ChatRequest>, JsonRejection>,
) -> Result<Response, Failed> {
    let words = Words::spoken(&app, &headers);
    let ChatRequest { message, conversation_id: conversation, pictures, texts, .. } =
        read(body).map_err(|failed| words.told(failed))?;
    if !fits(&message) {
        return Err(Failed::new(StatusCode::BAD_REQUEST, "invalid_request", words.line_length));
    }
    let (begins, stream, asks) = (false, true, true);
    let ask = Ask::Chat { message, conversation, begins, stream, asks, pictures, texts };
    let pending = app.link.ask(cookie(&app, &headers), ask);
    let mut pending = pending.map_err(|failed| words.told(failed))?;
    if let Part::Refused { why, message } = pending.next().await {
        return Err(words.told(Failed::of(why, message)));
    }
    Ok(events(parts(pending, words)).into_response())
}

/// `POST /page/answer`, for the script: the person's word about a call.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<AnswerRequest>, JsonRejection>,
) -> Result<Json<Value>, Failed> {
    let words = Words::spoken(&app, &headers);
    let answered = async {
        let AnswerRequest { question, yes } = read(body)?;
        app.link.ask(cookie(&app, &headers), Ask::Answer { question, yes })?.whole().await
    };
    answered.await.map(Json).map_err(|failed| words.told(failed))
}

/// The parts of a reply as events; the last is `done` or `error`.
fn parts(pending: Pending, words: &'static Words) -> impl Stream<Item = Event> + Send {
    stream::unfold(Some(pending), move |pending| async move {
        let mut pending = pending?;
        let (name, data, goes_on) = match pending.next().await {
            Part::Taken => ("doing", json!({"text": ""}), true),
            Part::Question(facts) => ("question", facts, true),
            Part::Piece(text) => ("piece", json!({"text": clean(&text)}), true),
            Part::Again => ("again", json!({}), true),
            Part::Doing(text) => ("doing", json!({"text": clean(&text)}), true),
            Part::Note(text) => ("note", json!({"text": clean(&text)}), true),
            Part::Done(body) => {
                let (name, data) = done(body);
                (name, data, false)
            }
            Part::Refused { why, message } => {
                let Failed { code, message, .. } = words.told(Failed::of(why, message));
                ("error", json!({"message": clean(&message), "code": code}), false)
            }
        };
        Some((Event::default().event(name).data(data.to_string()), goes_on.then_some(pending)))
    })
}

/// The last event of a reply: its Markdown as HTML, and what is to be known beside it.
fn done(body: Value) -> (&'static str, Value) {
    match turn(body) {
        Ok(turn) => {
            let notes: Vec<String> =
                turn.notes.iter().chain(&turn.broke_off).chain(&turn.ready).map(|note| clean(note)).collect();
            let html = shown(turn.reply.as_deref().unwrap_or_default()).into_string();
            let (c, is_kept) = (&turn.conversation_id, is_taken_down(&turn));
            ("done", json!({"html": html, "conversation_id": c, "notes": notes, "kept": is_kept}))
        }
        Err(failed) => ("error", json!({"message": failed.message})),
    }
}

fn turn(body: Value) -> Result<Turn, Failed> {
    serde_json::from_value(body).map_err(|e| {
        Failed::new(StatusCode::BAD_GATEWAY, "failed", format!("an answer that cannot be read: {e}"))
    })
}

/// Where a conversation is shown.
fn address(c: &str) -> String {
    let fits = !c.is_empty() && c.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if fits { format!("/?c={c}") } else { "/".to_owned() }
}

async fn messages(visitor: &Visitor<'_>, c: &str) -> Result<Vec<Message>, Instead> {
    if c.is_empty() {
        return Ok(Vec::new());
    }
    visitor.rows(Ask::Conversation { id: c.to_owned() }, "messages").await
}

impl Talk<'_> {
    fn shown(&self, words: &Words) -> Markup {
        html! {
            h1 { (words.chat) }
            div id="log" role="log" aria-live="polite" aria-label=(words.talk) {
                @if self.messages.is_empty() { p class="empty" { (words.empty) } }
                @for message in self.messages { (message.shown(words)) }
                @for note in self.notes { p class="note" { (clean(note)) } }
            }
            form id="say" method="post" action="/page/say" enctype="multipart/form-data" data-you=(words.you) data-bot=(words.bot)
                data-waiting=(words.waiting) data-asked=(words.asked) data-facts=(words.asked_facts) data-yes=(words.yes)
                data-no=(words.no) data-files=(words.files) data-too-much=(words.too_much) data-most=(MOST_PICTURES)
                data-bytes=(MOST_BYTES) data-longest=(LONGEST_TEXT) data-aborted=(words.aborted) data-broken=(words.broken) {
                input type="hidden" name="c" value=(self.c);
                div class="problem" id="problem" role="alert" {
                    @if let Some(problem) = self.problem { p { (clean(problem)) } }
                }
                p class="hint" id="doing" role="status" {}
                label for="message" { (words.line) }
                textarea id="message" name="message" rows="2" maxlength="65536" required
                    aria-describedby="keys problem" { (self.kept) }
                details class="more" id="more" {
                    summary { (words.files) }
                    label for="pictures" { (words.choose) }
                    input id="pictures" name="picture" type="file" multiple accept=(KINDS) aria-describedby="kinds";
                    p class="hint" id="kinds" { (words.kinds) }
                }
                div class="row" {
                    button type="submit" { (words.send) }
                    button type="button" id="abort" class="quiet" hidden { (words.abort) }
                    a class="button quiet" href="/" { (words.begin) }
                    span class="hint" id="keys" hidden { (words.keys) }
                }
            }
        }
    }
}

impl Message {
    fn shown(&self, words: &Words) -> Markup {
        let is_reply = self.role == "assistant";
        let who = match self.role.as_str() {
            "user" => words.you,
            "assistant" => words.bot,
            other => other,
        };
        html! {
            article class=(if self.role == "user" { "message mine" } else { "message" }) {
                p class="who" { (who) " " (when(&self.timestamp)) }
                @if is_reply {
                    div class="text" { (shown(&self.content)) }
                } @else {
                    div class="text plain" { (clean(&self.content)) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
