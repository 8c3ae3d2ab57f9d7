//! The calls of Telegram's Bot API (version 9), as far as private chats need them. The bot's token stands in the path of each.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use models::TransportError;
use models::http::{Client, Fetch, Method, blank};
use serde_json::{Value, json};
use shared_types::id::HostName;
use shared_types::text;
use tokio::time::sleep;

use crate::messenger::frames::{Order, Outgoing, Said, What};
use crate::messenger::server::{CAPS, Failure, LONGEST_WAIT, Polled, Server, line};

/// How long the server may wait for something new, in seconds.
const POLL: u64 = 25;
/// A server that does not wait is asked no more often.
const PACE: Duration = Duration::from_secs(1);
/// After a week without updates the server numbers the next one by chance (Bot API, `Update`): after this number of seconds it is
/// asked for all that it did not hand over yet.
const RESTED: u64 = 6 * 24 * 60 * 60;
/// The kinds of updates that are asked for.
const UPDATES: [&str; 2] = ["message", "edited_message"];
/// The fields of a message with the words of somebody else.
const FOREIGN: [&str; 6] =
    ["forward_origin", "forward_date", "forward_from", "forward_from_chat", "forward_sender_name", "via_bot"];
/// The fields of a message that answers to, or quotes another one.
const QUOTES: [&str; 4] = ["quote", "external_reply", "reply_to_message", "reply_to_story"];
/// The fields of a message that holds something else than text.
const OTHER: [&str; 22] = [
    "animation",
    "audio",
    "caption",
    "checklist",
    "contact",
    "dice",
    "document",
    "game",
    "giveaway",
    "invoice",
    "location",
    "paid_media",
    "passport_data",
    "photo",
    "poll",
    "sticker",
    "story",
    "users_shared",
    "venue",
    "video",
    "video_note",
    "voice",
];

/// The server of the Bot API.
pub(super) struct BotApi {
    client: Client,
    hosts: [HostName; 1],
    /// With the token.
    base: String,
    token: String,
    people: Vec<String>,
}

impl Server for BotApi {
    fn new(order: Order) -> BotApi {
        BotApi {
            client: Client::new(order.local),
            hosts: [order.host],
            base: format!("{}/bot{}", order.server, order.token),
            token: order.token,
            people: order.people,
        }
    }

    async fn check(&self) -> Result<(), Failure> {
        self.call("getMe", &json!({})).await.map(drop)
    }

    /// Without `since`, all that the server did not hand over yet counts.
    async fn poll(&self, since: Option<&str>) -> Result<Polled, Failure> {
        let (begun, now) = (Instant::now(), now());
        let offset = offset(since.unwrap_or_default(), now);
        let mut asked = json!({"timeout": POLL, "allowed_updates": UPDATES});
        if let Some(offset) = offset {
            asked["offset"] = json!(offset);
        }
        let updates = self.call("getUpdates", &asked).await?;
        let (next, mut polled) = read(&updates, offset, now, &self.people);
        polled.since =
            next.map_or_else(|| since.unwrap_or_default().to_owned(), |next| format!("{next} {now}"));
        if (next.is_none() || next == offset) && begun.elapsed() < PACE {
            sleep(PACE).await;
        }
        Ok(polled)
    }

    async fn send(&self, outgoing: &Outgoing) -> Result<String, Failure> {
        // A private chat has the number of its user.
        if outgoing.is_private && !self.is_person(&outgoing.room) {
            return Err(Failure::Never(
                "the chat is not that of the person: nothing was said there".to_owned(),
            ));
        }
        let Ok(chat) = outgoing.room.parse::<i64>() else {
            return Err(Failure::Never("the chat has no number".to_owned()));
        };
        // A preview would have the server fetch what an answer names.
        let preview = json!({"is_disabled": true});
        let mut body = json!({"chat_id": chat, "text": outgoing.text, "link_preview_options": preview});
        let Some(message) = &outgoing.replaces else {
            let sent = self.call("sendMessage", &body).await?;
            return Ok(sent["message_id"].as_i64().map(|message| message.to_string()).unwrap_or_default());
        };
        let Ok(number) = message.parse::<i64>() else {
            return Err(Failure::Never("the message has no number".to_owned()));
        };
        body["message_id"] = json!(number);
        match self.call("editMessageText", &body).await {
            // It reads so already.
            Err(Failure::Never(why)) if why.contains("message is not modified") => Ok(message.clone()),
            edited => edited.map(|_| message.clone()),
        }
    }

    /// It stays for five seconds, or until a message comes.
    const SIGN: Duration = Duration::from_secs(4);

    async fn types(&self, room: &str, on: bool) -> Result<(), Failure> {
        match room.parse::<i64>() {
            Ok(chat) if on && self.is_person(room) => {
                self.call("sendChatAction", &json!({"chat_id": chat, "action": "typing"})).await.map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// What the updates of an answer say, and the number of the next one, where there are some.
pub(super) fn read(
    updates: &Value,
    offset: Option<u64>,
    now: u64,
    people: &[String],
) -> (Option<u64>, Polled) {
    let updates = updates.as_array().map(Vec::as_slice).unwrap_or_default();
    let newest = updates.iter().filter_map(|update| update["update_id"].as_u64()).max();
    let next = newest.map(|newest| newest.saturating_add(1).max(offset.unwrap_or_default()));
    let mut polled = Polled::default();
    updates.iter().for_each(|update| said(update, now, people, &mut polled));
    (next, polled)
}

/// What an update says, at this time in seconds since 1970.
fn said(update: &Value, now: u64, people: &[String], polled: &mut Polled) {
    let (message, is_edit) = match &update["message"] {
        Value::Null => (&update["edited_message"], true),
        message => (message, false),
    };
    let of = |key: &str| message[key]["id"].as_i64().map(|id| id.to_string());
    let (Some(id), Some(sender), Some(chat)) = (update["update_id"].as_u64(), of("from"), of("chat")) else {
        return;
    };
    if !people.contains(&sender) {
        if !polled.strangers.contains(&sender) {
            polled.strangers.push(sender);
        }
        return;
    }
    let Some(what) = what(message, is_edit) else { return };
    let sent = message[if is_edit { "edit_date" } else { "date" }].as_u64().unwrap_or(now);
    let age = now.saturating_sub(sent).saturating_mul(1_000);
    polled.said.push(Said { event: id.to_string(), room: chat, sender, age, what });
}

impl BotApi {
    fn is_person(&self, sender: &str) -> bool {
        self.people.iter().any(|person| person == sender)
    }

    async fn call(&self, method: &str, body: &Value) -> Result<Value, Failure> {
        if !is_token(&self.token) {
            return Err(not_accepted("the secret is not the token of a bot, as in 123456789:AAF..."));
        }
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let body = body.to_string().into_bytes();
        let fetch = Fetch { method: Method::Post, url: format!("{}/{method}", self.base), headers, body };
        let mut exchange = match self.client.fetch(fetch, &self.hosts, CAPS).await {
            Ok(exchange) => exchange,
            Err(error) => {
                let why = error.to_string().replace(&self.token, "...");
                return Err(match error {
                    TransportError::Unconnected(_) | TransportError::Denied(_) => Failure::Later(why, None),
                    _ => Failure::Unsure(why),
                });
            }
        };
        blank(&mut exchange.body, self.token.as_bytes());
        let mut answer: Value = serde_json::from_slice(&exchange.body).unwrap_or_default();
        if exchange.status == 200 && answer["ok"] == true {
            return Ok(answer["result"].take());
        }
        let said = text::cut(&text::line(answer["description"].as_str().unwrap_or_default()), 200);
        let why = format!("the server answered {} {said}", exchange.status);
        // What does not say `ok` comes from something before the server.
        let is_said = answer["ok"] == false;
        Err(match exchange.status {
            401 | 404 if is_said => not_accepted(&why),
            409 if is_said => Failure::Later(
                format!(
                    "{why}: another program asks with this token, or a webhook is set. End that program, or call `deleteWebhook` of the \
                     Bot API; this one keeps asking"
                ),
                None,
            ),
            429 => {
                let wait = answer["parameters"]["retry_after"].as_u64().map(Duration::from_secs);
                Failure::Later(why, wait.map(|wait| wait.min(LONGEST_WAIT)))
            }
            400..500 if is_said => Failure::Never(why),
            _ => Failure::Unsure(why),
        })
    }
}

fn not_accepted(why: &str) -> Failure {
    Failure::Account(format!(
        "{why}: the bot's token is not accepted. @BotFather gives one, and `cl-admin secret set NAME --for HOST` stores it"
    ))
}

/// Whether a text has the form of a bot's token, so that it stays one part of a path.
fn is_token(text: &str) -> bool {
    text.split_once(':').is_some_and(|(number, rest)| {
        let is_rest = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && !rest.is_empty()
            && rest.bytes().all(is_rest)
    })
}

/// The number of the first update that was not handed over, where the server still counts on from it.
fn offset(since: &str, now: u64) -> Option<u64> {
    let (offset, at) = since.split_once(' ')?;
    let (offset, at) = (offset.parse().ok()?, at.parse::<u64>().ok()?);
    (now.saturating_sub(at) < RESTED).then_some(offset)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// What a message is; nothing where it is not one of those that are read.
fn what(message: &Value, is_edit: bool) -> Option<What> {
    let has = |keys: &[&str]| keys.iter().any(|key| !message[key].is_null());
    if message["chat"]["type"] != "private" {
        return Some(What::Group);
    }
    if is_edit {
        return Some(What::Edit);
    }
    if has(&FOREIGN) {
        return Some(What::Foreign);
    }
    match message["text"].as_str() {
        Some(words) => Some(typed(words, &message["entities"], has(&QUOTES))),
        None => has(&OTHER).then_some(What::Other),
    }
}

/// The words of a message without those that it quotes: blocks of its format, and lines that begin with `>`.
fn typed(words: &str, entities: &Value, quotes: bool) -> What {
    let blocks = entities.as_array().into_iter().flatten().filter_map(|entity| {
        let from = entity["offset"].as_u64()?;
        let is_quote = matches!(entity["type"].as_str()?, "blockquote" | "expandable_blockquote");
        is_quote.then_some(from..from.saturating_add(entity["length"].as_u64()?))
    });
    let blocks: Vec<_> = blocks.collect();
    let mut at = 0;
    let own = words.chars().filter(|letter| {
        let here = at;
        at += letter.len_utf16() as u64;
        !blocks.iter().any(|block| block.contains(&here))
    });
    let quotes = quotes || !blocks.is_empty();
    match line(&own.collect::<String>()) {
        What::Line { text, quotes: more } => What::Line { text, quotes: quotes || more },
        other => other,
    }
}

#[cfg(test)]
mod tests;
