//! A server of Telegram's Bot API on the loopback, as far as an assistant in private chats needs one.

use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::eventually;
use crate::http::{Request, Response, Server, asked, dead_port};
use crate::npm::{self, Npm};
use crate::run::Background;
use crate::world::{PATIENCE, Program, World};

/// The number of the person, and of their private chat.
pub const ANNA: i64 = 123_456_789;
/// The bot's token.
pub const TOKEN: &str = "987654321:AAF_companion-0123456789";

/// The server; it ends with the value.
#[derive(Debug)]
pub struct BotServer {
    server: Server,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Every update that there ever was; the number of each is its place and 1,000.
    updates: Vec<Value>,
    /// How many of them the assistant has confirmed.
    confirmed: usize,
    sent: Vec<(i64, String)>,
    asked: Vec<(String, Value)>,
    failure: Option<(u16, Value)>,
    sending: Sending,
    editing: Sending,
    /// What was to be read in a chat, each time that it changed.
    shown: Vec<(Instant, i64, String)>,
    /// Whether the next poll is answered at once.
    hurries: bool,
    /// Whether the next answer holds everything again.
    rewinds: bool,
}

/// What the server does with a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sending {
    /// It takes it.
    #[default]
    Takes,
    /// It takes it, and its answer is lost.
    Loses,
    /// It has too much to do.
    Refuses,
    /// It does not answer.
    Hangs,
    /// It does not want this.
    Forbids,
}

impl BotServer {
    /// Starts one, to which nobody has written.
    pub fn start() -> BotServer {
        let shared = Arc::<Shared>::default();
        let answering = shared.clone();
        let server = Server::start(move |request| answering.answer(&request));
        BotServer { server, shared }
    }

    /// Its host and port.
    pub fn host(&self) -> String {
        self.server.host()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().expect("no server panics")
    }

    /// A user says something to the bot in private.
    pub fn says(&self, sender: i64, words: &str) {
        self.message(sender, &json!({"text": words}));
    }

    /// A user sends the bot a message with these fields, which stand in place of those of a private chat now.
    pub fn message(&self, sender: i64, fields: &Value) {
        let chat = json!({"id": sender, "type": "private"});
        let mut message =
            json!({"message_id": 1, "from": {"id": sender, "is_bot": false}, "chat": chat, "date": now()});
        for (key, value) in fields.as_object().into_iter().flatten() {
            message[key] = value.clone();
        }
        self.update(&json!({"message": message}));
    }

    /// Any update.
    pub fn update(&self, fields: &Value) {
        let mut state = self.state();
        let mut update = fields.clone();
        update["update_id"] = json!(state.updates.len() + FIRST);
        state.updates.push(update);
        drop(state);
        self.shared.more.notify_all();
    }

    /// What the assistant said in a chat, in its order.
    pub fn sent(&self, chat: i64) -> Vec<String> {
        let state = self.state();
        state.sent.iter().filter(|(to, _)| *to == chat).map(|(_, words)| words.clone()).collect()
    }

    /// Waits until the assistant has said so much to the person, and answers all of it.
    #[track_caller]
    pub fn answers(&self, count: usize) -> Vec<String> {
        eventually(PATIENCE, &format!("{count} answers, not {:?}", self.sent(ANNA)), || {
            Some(self.sent(ANNA)).filter(|sent| sent.len() >= count)
        })
    }

    /// Waits for the answer to a line of the person.
    #[track_caller]
    pub fn answer(&self, words: &str) -> String {
        let before = self.sent(ANNA).len();
        self.says(ANNA, words);
        self.answers(before + 1).remove(before)
    }

    /// Waits until the assistant has polled after this moment; a poll that waits is answered.
    #[track_caller]
    pub fn is_polled(&self) {
        let polls = || self.state().asked.iter().filter(|(method, _)| method == "getUpdates").count();
        let before = polls();
        self.state().hurries = true;
        self.shared.more.notify_all();
        eventually(PATIENCE, "the server is polled", || (polls() > before).then_some(()));
    }

    /// Every call is answered so from now on; with nothing, as it should be.
    pub fn fails(&self, failure: Option<(u16, Value)>) {
        self.state().failure = failure;
        self.shared.more.notify_all();
    }

    /// What the person read in their chat, and when: each message, and each of its edits.
    pub fn shown(&self) -> Vec<(Instant, String)> {
        let state = self.state();
        let of_person = state.shown.iter().filter(|(_, to, _)| *to == ANNA);
        of_person.map(|(when, _, words)| (*when, words.clone())).collect()
    }

    /// What it does with edits of messages from now on.
    pub fn edits(&self, editing: Sending) {
        self.state().editing = editing;
    }

    /// What it does with messages from now on.
    pub fn sends(&self, sending: Sending) {
        self.state().sending = sending;
    }

    /// The next answer holds everything that was ever said once more.
    pub fn rewinds(&self) {
        self.state().rewinds = true;
        self.shared.more.notify_all();
    }

    /// The methods that were called, with what each was given.
    pub fn asked(&self) -> Vec<(String, Value)> {
        self.state().asked.clone()
    }

    /// Has a home talk through this server: the profile's section with these further lines, the host, and the token.
    #[track_caller]
    pub fn is_of(&self, world: &World, more: &str) {
        set_up(world, &self.host(), ANNA, TOKEN, more);
    }
}

/// Has a home talk through the server at this host and port: with a token, and the number of a person.
#[track_caller]
pub fn set_up(world: &World, host: &str, person: i64, token: &str, more: &str) {
    let home = world.home();
    let section = format!(
        "telegram:\n  server: http://{host}\n  token: TELEGRAM\n{more}  people:\n    - id: {person}\n"
    );
    let write = |path, text: String| std::fs::write(path, text).expect("a file can be written");
    write(home.profile_file(&world.profile()), section);
    write(home.bot_config(), format!("network:\n  local: [\"{host}\"]\n"));
    world.typed(Program::Admin, &["secret", "set", "TELEGRAM", "--for", host], &format!("{token}\n")).done();
}

/// A server of the package telegram-test-api from npm; it ends with the value.
#[derive(Debug)]
pub struct TestApi {
    port: u16,
    _server: Background,
}

impl TestApi {
    /// Starts one in this world, and waits until it listens.
    #[track_caller]
    pub fn start(npm: &Npm, world: &World) -> TestApi {
        let port = dead_port();
        let mut server = npm.module(world, npm::TELEGRAM);
        server.arg(port.to_string());
        let server = Background::start(server);
        eventually(PATIENCE, "it listens", || TcpStream::connect(("127.0.0.1", port)).ok());
        TestApi { port, _server: server }
    }

    /// Its host and port.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The person says something to the bot; answers what the bot says.
    #[track_caller]
    pub fn answer(&self, words: &str) -> String {
        let before = self.sent().len();
        let (from, chat) = (json!({"id": ANNA, "is_bot": false}), json!({"id": ANNA, "type": "private"}));
        self.call(
            "/sendMessage",
            &json!({"botToken": TOKEN, "from": from, "chat": chat, "date": now(), "text": words}),
        );
        eventually(PATIENCE, &format!("an answer to {words}"), || self.sent().get(before).cloned())
    }

    /// What the bot has said, in its order.
    pub fn sent(&self) -> Vec<String> {
        let history = self.call("/getUpdatesHistory", &json!({"token": TOKEN}));
        let messages = history["result"].as_array().into_iter().flatten().map(|update| &update["message"]);
        let of_bot = messages.filter(|message| message["chat_id"] == ANNA);
        of_bot.filter_map(|message| Some(message["text"].as_str()?.to_owned())).collect()
    }

    fn call(&self, path: &str, body: &Value) -> Value {
        let what = format!("POST {path}");
        asked(self.port, &what, "Content-Type: application/json", &body.to_string()).unwrap_or_default()
    }
}

/// The number of the first update.
const FIRST: usize = 1_000;

impl Shared {
    fn answer(&self, request: &Request) -> Response {
        let mut state = self.state.lock().expect("no server panics");
        let Some((token, method)) = request.path.strip_prefix("/bot").and_then(|rest| rest.split_once('/'))
        else {
            return refused(404, "Not Found");
        };
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        state.asked.push((method.to_owned(), body.clone()));
        if let Some((status, body)) = &state.failure {
            return proper(*status, body);
        }
        if token != TOKEN {
            return refused(401, "Unauthorized");
        }
        match method {
            "getMe" => proper(200, &json!({"ok": true, "result": {"id": 987_654_321, "is_bot": true}})),
            "getUpdates" => {
                drop(state);
                self.updates(&body)
            }
            "sendMessage" => state.takes(&body),
            "editMessageText" => state.changes(&body),
            "sendChatAction" => proper(200, &json!({"ok": true, "result": true})),
            _ => refused(404, "Not Found"),
        }
    }

    /// Waits for what is new, as long as was asked.
    fn updates(&self, asked: &Value) -> Response {
        let wait = Duration::from_secs(asked["timeout"].as_u64().unwrap_or_default());
        let mut state = self.state.lock().expect("no server panics");
        if let Some(offset) = asked["offset"].as_u64() {
            let confirmed = (offset as usize).saturating_sub(FIRST).min(state.updates.len());
            state.confirmed = state.confirmed.max(confirmed);
        }
        let is_nothing = |state: &mut State| {
            let is_quiet = state.failure.is_none() && !state.rewinds && !state.hurries;
            state.confirmed == state.updates.len() && is_quiet
        };
        let mut state = self.more.wait_timeout_while(state, wait, is_nothing).expect("no server panics").0;
        state.hurries = false;
        let first = if std::mem::take(&mut state.rewinds) { 0 } else { state.confirmed };
        let updates: Vec<&Value> = state.updates.iter().skip(first).take(100).collect();
        proper(200, &json!({"ok": true, "result": updates}))
    }
}

impl State {
    fn takes(&mut self, body: &Value) -> Response {
        let (Some(chat), Some(words)) = (body["chat_id"].as_i64(), body["text"].as_str()) else {
            return refused(400, "Bad Request: chat_id or text is missing");
        };
        match (words.trim().is_empty(), words.encode_utf16().count() > 4_096, self.sending) {
            (true, _, _) => refused(400, "Bad Request: message text is empty"),
            (_, true, _) => refused(400, "Bad Request: message is too long"),
            (_, _, Sending::Refuses) => {
                let parameters = json!({"retry_after": 1});
                let description = "Too Many Requests: retry after 1";
                let body = json!({"ok": false, "error_code": 429, "description": description, "parameters": parameters});
                proper(429, &body)
            }
            (_, _, Sending::Hangs) => Response::Hang,
            (_, _, Sending::Forbids) => refused(400, "Bad Request: message can't be sent"),
            (_, _, sending) => {
                self.sent.push((chat, words.to_owned()));
                self.shown.push((Instant::now(), chat, words.to_owned()));
                match sending {
                    Sending::Loses => Response::Bytes(Vec::new()),
                    _ => proper(200, &json!({"ok": true, "result": {"message_id": self.sent.len()}})),
                }
            }
        }
    }

    fn changes(&mut self, body: &Value) -> Response {
        let (Some(chat), Some(number), Some(words)) =
            (body["chat_id"].as_i64(), body["message_id"].as_u64(), body["text"].as_str())
        else {
            return refused(400, "Bad Request: chat_id, message_id or text is missing");
        };
        let message = (number as usize).checked_sub(1).and_then(|at| self.sent.get_mut(at));
        let Some((_, text)) = message.filter(|(of, _)| *of == chat) else {
            return refused(400, "Bad Request: message to edit not found");
        };
        match self.editing {
            Sending::Hangs => Response::Hang,
            Sending::Forbids => refused(400, "Bad Request: message can't be edited"),
            Sending::Refuses => refused(429, "Too Many Requests: retry after 1"),
            _ if text == words => refused(
                400,
                "Bad Request: message is not modified: specified new message content is the same",
            ),
            editing => {
                words.clone_into(text);
                self.shown.push((Instant::now(), chat, words.to_owned()));
                match editing {
                    Sending::Loses => Response::Bytes(Vec::new()),
                    _ => proper(200, &json!({"ok": true, "result": {"message_id": number}})),
                }
            }
        }
    }
}

fn refused(status: u16, description: &str) -> Response {
    proper(status, &json!({"ok": false, "error_code": status, "description": description}))
}

fn proper(status: u16, body: &Value) -> Response {
    Response::Proper { status, kind: "application/json", body: body.to_string().into_bytes() }
}

/// The seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock that goes").as_secs()
}
