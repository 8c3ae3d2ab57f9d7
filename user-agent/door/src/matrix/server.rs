//! The calls of the Client-Server API of Matrix (specification 1.11, sections 4 to 10), as far as rooms of two need them.

use std::cell::Cell;
use std::time::Duration;

use models::http::{Client, Fetch, Method};
use serde_json::{Value, json};
use shared_types::id::HostName;
use shared_types::text;

use crate::messenger::frames::{Order, Outgoing, Said, What};
use crate::messenger::server::{CAPS, Failure, LONGEST_WAIT, Polled, Server, line};

/// How long the server may wait for something new, in milliseconds.
const POLL: u64 = 25_000;
/// How often the past of a room is paged back for what one answer left out.
const MOST_PAGES: usize = 5;
/// The most of a text that stands in an edit for clients that know none, in bytes.
const LONGEST_OUTER: usize = 4_000;

pub(super) struct Homeserver {
    client: Client,
    hosts: [HostName; 1],
    base: String,
    authorization: String,
    user: String,
    people: Vec<String>,
    /// Whether the server was polled in this run.
    has_polled: Cell<bool>,
}

impl Server for Homeserver {
    fn new(order: Order) -> Homeserver {
        Homeserver {
            client: Client::new(order.local),
            hosts: [order.host],
            base: format!("{}/_matrix/client/v3", order.server),
            authorization: format!("Bearer {}", order.token),
            user: order.user,
            people: order.people,
            has_polled: Cell::new(false),
        }
    }

    async fn check(&self) -> Result<(), Failure> {
        let answer = self.call(Method::Get, "/account/whoami", None).await?;
        match answer["user_id"].as_str() {
            Some(user) if user == self.user => Ok(()),
            other => {
                let other = text::cut(&text::line(other.unwrap_or("nobody")), 100);
                Err(Failure::Account(format!(
                    "the token is that of {other}, and `matrix.user` is {}",
                    self.user
                )))
            }
        }
    }

    /// Without `since` only invitations count, and what is said from now on.
    async fn poll(&self, since: Option<&str>) -> Result<Polled, Failure> {
        let none = json!({"types": []});
        let filter = json!({
            "presence": none, "account_data": none,
            "room": {
                "account_data": none, "ephemeral": none, "state": none,
                "timeline": {"limit": 50, "types": EVENTS},
            },
        });
        // The first answer comes at once: it may hold an invitation that waits.
        let wait = if self.has_polled.replace(true) { POLL } else { 0 };
        let mut path = format!("/sync?timeout={wait}&filter={}", escaped(&filter.to_string()));
        if let Some(since) = since {
            path += &format!("&since={}", escaped(since));
        }
        let answer = self.call(Method::Get, &path, None).await?;
        let Some(next) = answer["next_batch"].as_str() else {
            return Err(Failure::Later("an answer of the server without `next_batch`".to_owned(), None));
        };
        let mut polled = Polled { since: next.to_owned(), ..Polled::default() };
        for (room, invited) in fields(&answer["rooms"]["invite"]) {
            self.invited(room, &invited["invite_state"]["events"]).await?;
        }
        if since.is_none() {
            return Ok(polled);
        }
        for (room, timeline) in joined(&answer) {
            let mut events: Vec<Value> = timeline["events"].as_array().cloned().unwrap_or_default();
            if timeline["limited"] == true
                && let (Some(from), Some(since)) = (timeline["prev_batch"].as_str(), since)
            {
                events.splice(0..0, self.missed(room, from, since).await?);
            }
            self.said_in(room, &events, &mut polled).await?;
        }
        Ok(polled)
    }

    /// The server takes a transaction once.
    async fn send(&self, outgoing: &Outgoing) -> Result<String, Failure> {
        // Somebody may have joined since.
        if outgoing.is_private && self.is_crowd(&outgoing.room).await? {
            return Err(Failure::Never("the room has not two members: nothing was said there".to_owned()));
        }
        let (room, key) = (escaped(&outgoing.room), escaped(&outgoing.key));
        let path = format!("/rooms/{room}/send/m.room.message/{key}");
        match &outgoing.replaces {
            // Refused, it becomes a message by the transaction itself.
            Some(message) => {
                let body = replacement(&outgoing.text, message);
                self.call(Method::Put, &format!("{path}.edit"), Some(body)).await?;
                Ok(message.clone())
            }
            None => {
                let body = json!({"msgtype": "m.text", "body": outgoing.text});
                let answer = self.call(Method::Put, &path, Some(body)).await?;
                Ok(answer["event_id"].as_str().unwrap_or_default().to_owned())
            }
        }
    }

    const SIGN: Duration = Duration::from_secs(20);

    async fn types(&self, room: &str, on: bool) -> Result<(), Failure> {
        if on && self.is_crowd(room).await? {
            return Err(Failure::Never("the room has not two members: nothing is shown there".to_owned()));
        }
        let body = match on {
            true => json!({"typing": true, "timeout": 30_000}),
            false => json!({"typing": false}),
        };
        let path = format!("/rooms/{}/typing/{}", escaped(room), escaped(&self.user));
        self.call(Method::Put, &path, Some(body)).await.map(drop)
    }
}

impl Homeserver {
    /// Joins a room of an account of the person; no other invitation is answered.
    async fn invited(&self, room: &str, events: &Value) -> Result<(), Failure> {
        let mut events = events.as_array().into_iter().flatten();
        let is_ours = events.any(|event| {
            event["type"] == "m.room.member"
                && event["state_key"] == self.user.as_str()
                && event["content"]["membership"] == "invite"
                && event["sender"].as_str().is_some_and(|sender| self.is_person(sender))
        });
        if !is_ours {
            return Ok(());
        }
        match self.call(Method::Post, &format!("/rooms/{}/join", escaped(room)), Some(json!({}))).await {
            // An invitation that was taken back.
            Ok(_) | Err(Failure::Never(_)) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// What a room had between `since` and what one answer held, oldest first.
    async fn missed(&self, room: &str, from: &str, since: &str) -> Result<Vec<Value>, Failure> {
        let filter = escaped(&json!({"types": EVENTS}).to_string());
        let (mut from, mut missed) = (from.to_owned(), Vec::new());
        for _ in 0..MOST_PAGES {
            let path = format!(
                "/rooms/{}/messages?dir=b&limit=100&from={}&to={}&filter={filter}",
                escaped(room),
                escaped(&from),
                escaped(since)
            );
            let page = match self.call(Method::Get, &path, None).await {
                Err(Failure::Never(_)) => break,
                page => page?,
            };
            missed.extend(page["chunk"].as_array().cloned().unwrap_or_default());
            match page["end"].as_str() {
                Some(end) if end != from => from = end.to_owned(),
                _ => break,
            }
        }
        missed.reverse();
        Ok(missed)
    }

    async fn said_in(&self, room: &str, events: &[Value], polled: &mut Polled) -> Result<(), Failure> {
        let mut here = read(room, events, &self.user, &self.people);
        if !here.said.is_empty() && self.is_crowd(room).await? {
            here.said.iter_mut().for_each(|said| said.what = What::Crowd);
        }
        polled.said.extend(here.said);
        polled.strangers.extend(here.strangers);
        Ok(())
    }

    /// Whether anybody but the assistant and one account is in a room.
    async fn is_crowd(&self, room: &str) -> Result<bool, Failure> {
        match self.call(Method::Get, &format!("/rooms/{}/joined_members", escaped(room)), None).await {
            Ok(members) => Ok(fields(&members["joined"]).count() != 2),
            Err(Failure::Never(_)) => Ok(true),
            Err(failure) => Err(failure),
        }
    }

    fn is_person(&self, sender: &str) -> bool {
        self.people.iter().any(|person| person == sender)
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, Failure> {
        let mut headers = vec![("authorization".to_owned(), self.authorization.clone())];
        headers.extend(body.is_some().then(|| ("content-type".to_owned(), "application/json".to_owned())));
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        let fetch = Fetch { method, url: format!("{}{path}", self.base), headers, body };
        let exchange = self.client.fetch(fetch, &self.hosts, CAPS).await;
        let exchange = exchange.map_err(|error| Failure::Later(error.to_string(), None))?;
        let answer: Value = serde_json::from_slice(&exchange.body).unwrap_or_default();
        if exchange.status == 200 {
            return Ok(answer);
        }
        let said = |key: &str| text::cut(&text::line(answer[key].as_str().unwrap_or_default()), 200);
        let why = format!("the server answered {} {} {}", exchange.status, said("errcode"), said("error"));
        Err(match (exchange.status, answer["errcode"].as_str()) {
            (_, Some("M_UNKNOWN_TOKEN" | "M_MISSING_TOKEN" | "M_USER_DEACTIVATED")) | (401, _) => {
                Failure::Account(why)
            }
            (429, _) => {
                let wait = answer["retry_after_ms"].as_u64().map(Duration::from_millis);
                Failure::Later(why, wait.map(|wait| wait.min(LONGEST_WAIT)))
            }
            (400..500, _) => Failure::Never(why),
            _ => Failure::Later(why, None),
        })
    }
}

/// The content of an event in the place of another one (specification 1.11, section 11.17). The outer body is for clients without
/// edits, and cut: an event has at most 65,536 bytes.
fn replacement(text: &str, message: &str) -> Value {
    json!({
        "msgtype": "m.text",
        "body": format!("* {}", &text[..text.floor_char_boundary(LONGEST_OUTER)]),
        "m.new_content": {"msgtype": "m.text", "body": text},
        "m.relates_to": {"rel_type": "m.replace", "event_id": message},
    })
}

/// What the events of a room say, as if nobody but the assistant and one account were there.
pub(super) fn read(room: &str, events: &[Value], user: &str, people: &[String]) -> Polled {
    let mut polled = Polled::default();
    for event in events {
        let (Some(id), Some(sender)) = (event["event_id"].as_str(), event["sender"].as_str()) else {
            continue;
        };
        if sender == user {
            continue;
        }
        if !people.iter().any(|person| person == sender) {
            polled.strangers.push(sender.to_owned());
            continue;
        }
        let Some(what) = what(event) else { continue };
        polled.said.push(Said {
            event: id.to_owned(),
            room: room.to_owned(),
            sender: sender.to_owned(),
            age: event["unsigned"]["age"].as_u64().unwrap_or_default(),
            what,
        });
    }
    polled
}

/// The rooms of the assistant in the answer of a sync, each with its timeline.
pub(super) fn joined(answer: &Value) -> impl Iterator<Item = (&str, &Value)> {
    fields(&answer["rooms"]["join"]).map(|(room, joined)| (room, &joined["timeline"]))
}

/// The kinds of events that are asked for.
const EVENTS: [&str; 2] = ["m.room.message", "m.room.encrypted"];

/// What an event is; nothing where it is not one of those that are read.
fn what(event: &Value) -> Option<What> {
    let content = &event["content"];
    match event["type"].as_str() {
        Some("m.room.encrypted") => return Some(What::Encrypted),
        Some("m.room.message") => {}
        _ => return None,
    }
    if content["m.relates_to"]["rel_type"] == "m.replace" {
        return Some(What::Edit);
    }
    // A message that was taken back has no content. Notices are what programs say.
    let (kind, body) = (content["msgtype"].as_str()?, content["body"].as_str());
    match (kind, body) {
        ("m.notice", _) => None,
        ("m.text", Some(body)) => Some(line(body)),
        _ => Some(What::Other),
    }
}

fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// A part of a path or a query.
fn escaped(part: &str) -> String {
    form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests;
