//! A homeserver of Matrix on the loopback, as far as an assistant in rooms of two needs one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::eventually;
use crate::http::{Request, Response, Server};
use crate::world::{PATIENCE, Program, World};

/// The account of the assistant.
pub const BOT: &str = "@bot:example.org";
/// The account of the person.
pub const ANNA: &str = "@anna:example.org";
/// The access token.
pub const TOKEN: &str = "syt_companion_0123456789";

/// The homeserver; it ends with the value.
#[derive(Debug)]
pub struct Homeserver {
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
    rooms: BTreeMap<String, BTreeSet<String>>,
    invitations: BTreeMap<String, String>,
    events: Vec<(String, Value)>,
    sent: Vec<(String, String)>,
    /// What was to be read in a room, each time that it changed.
    shown: Vec<(Instant, String, String)>,
    /// The rooms in which the assistant is seen to type.
    typing: BTreeSet<String>,
    /// Whether edits are refused.
    forbids: bool,
    transactions: BTreeSet<String>,
    asked: Vec<String>,
    /// What every call is answered, where the server fails.
    failure: Option<(u16, Value)>,
    /// Whether the answer to a message that was taken is lost.
    loses: bool,
    /// Whether messages are refused with a failure that passes.
    refuses: bool,
    /// Whether the next poll is answered at once.
    hurries: bool,
    /// Whether the next answer holds everything again.
    rewinds: bool,
}

impl Homeserver {
    /// Starts one, with no rooms.
    pub fn start() -> Homeserver {
        let shared = Arc::<Shared>::default();
        let asked = shared.clone();
        let server = Server::start(move |request| asked.answer(&request));
        Homeserver { server, shared }
    }

    /// Its host and port.
    pub fn host(&self) -> String {
        self.server.host()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().expect("no server panics")
    }

    /// A room with the assistant and these.
    pub fn room(&self, others: &[&str]) -> String {
        let mut state = self.state();
        let room = format!("!room{}:example.org", state.rooms.len());
        let members = others.iter().chain([&BOT]).map(|member| (*member).to_owned()).collect();
        state.rooms.insert(room.clone(), members);
        room
    }

    /// A room of this account, which invites the assistant.
    pub fn invitation(&self, from: &str) -> String {
        let mut state = self.state();
        let room = format!("!room{}:example.org", state.rooms.len());
        state.rooms.insert(room.clone(), BTreeSet::from([from.to_owned()]));
        state.invitations.insert(room.clone(), from.to_owned());
        drop(state);
        self.shared.more.notify_all();
        room
    }

    /// Somebody joins a room.
    pub fn joins(&self, room: &str, who: &str) {
        self.state().rooms.entry(room.to_owned()).or_default().insert(who.to_owned());
    }

    /// Somebody says something; answers the event.
    pub fn says(&self, room: &str, sender: &str, words: &str) -> String {
        self.event(room, sender, "m.room.message", &json!({"msgtype": "m.text", "body": words}), 0)
    }

    /// Any event, with an age in milliseconds.
    pub fn event(&self, room: &str, sender: &str, kind: &str, content: &Value, age: u64) -> String {
        let mut state = self.state();
        let id = format!("$event{}", state.events.len());
        let event = json!({
            "event_id": id, "sender": sender, "type": kind, "content": content, "unsigned": {"age": age},
        });
        state.events.push((room.to_owned(), event));
        drop(state);
        self.shared.more.notify_all();
        id
    }

    /// What the assistant said in a room, in its order.
    pub fn sent(&self, room: &str) -> Vec<String> {
        let state = self.state();
        state.sent.iter().filter(|(to, _)| to == room).map(|(_, words)| words.clone()).collect()
    }

    /// What was to be read of the assistant in a room, and when: each message, and each of its edits.
    pub fn shown(&self, room: &str) -> Vec<(Instant, String)> {
        let state = self.state();
        let here = state.shown.iter().filter(|(_, of, _)| of == room);
        here.map(|(when, _, words)| (*when, words.clone())).collect()
    }

    /// Whether the assistant is seen to type in a room.
    pub fn types(&self, room: &str) -> bool {
        self.state().typing.contains(room)
    }

    /// Whether edits are refused.
    pub fn forbids(&self, forbids: bool) {
        self.state().forbids = forbids;
    }

    /// Waits until the assistant has said so much in a room, and answers all of it.
    #[track_caller]
    pub fn answers(&self, room: &str, count: usize) -> Vec<String> {
        eventually(PATIENCE, &format!("{count} answers in {room}, not {:?}", self.sent(room)), || {
            Some(self.sent(room)).filter(|sent| sent.len() >= count)
        })
    }

    /// Waits for the answer to a line.
    #[track_caller]
    pub fn answer(&self, room: &str, words: &str) -> String {
        let before = self.sent(room).len();
        self.says(room, ANNA, words);
        self.answers(room, before + 1).remove(before)
    }

    /// Waits until the assistant has polled after this moment; a poll that waits is answered.
    #[track_caller]
    pub fn is_polled(&self) {
        let polls = || self.state().asked.iter().filter(|path| path.contains("/sync?")).count();
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

    /// Whether the answers to messages that were taken are lost.
    pub fn loses(&self, loses: bool) {
        self.state().loses = loses;
    }

    /// Whether the server has a failure for messages alone.
    pub fn refuses(&self, refuses: bool) {
        self.state().refuses = refuses;
    }

    /// The next answer holds everything that was ever said once more.
    pub fn rewinds(&self) {
        self.state().rewinds = true;
        self.shared.more.notify_all();
    }

    /// The paths that were asked for.
    pub fn asked(&self) -> Vec<String> {
        self.state().asked.clone()
    }

    /// Has a home talk through this server: the profile's section with these further lines, the host, and the token.
    #[track_caller]
    pub fn is_of(&self, world: &World, more: &str) {
        set_up(world, &self.host(), [BOT, ANNA, TOKEN], more);
    }
}

/// Has a home talk through the server at this host and port: as one account with its token, with the account of a person.
#[track_caller]
pub fn set_up(world: &World, host: &str, [bot, person, token]: [&str; 3], more: &str) {
    let home = world.home();
    let section = format!(
        "matrix:\n  server: http://{host}\n  user: \"{bot}\"\n  token: MATRIX\n{more}  people:\n    - id: \"{person}\"\n"
    );
    let write = |path, text: String| std::fs::write(path, text).expect("a file can be written");
    write(home.profile_file(&world.profile()), section);
    write(home.bot_config(), format!("network:\n  local: [\"{host}\"]\n"));
    world.typed(Program::Admin, &["secret", "set", "MATRIX", "--for", host], &format!("{token}\n")).done();
}

impl Shared {
    fn answer(&self, request: &Request) -> Response {
        let mut state = self.state.lock().expect("no server panics");
        state.asked.push(format!("{} {}", request.method, request.path));
        if let Some((status, body)) = &state.failure {
            return proper(*status, body);
        }
        if request.header("authorization") != Some(&format!("Bearer {TOKEN}")) {
            return proper(401, &json!({"errcode": "M_UNKNOWN_TOKEN", "error": "Unknown access token"}));
        }
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let query: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let words: Vec<String> = path.split('/').skip(4).map(unescaped).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["account", "whoami"] => proper(200, &json!({"user_id": BOT})),
            ["sync"] => {
                drop(state);
                self.sync(&query)
            }
            ["rooms", room, "join"] => {
                if state.invitations.remove(*room).is_none() {
                    return proper(403, &json!({"errcode": "M_FORBIDDEN", "error": "not invited"}));
                }
                state.rooms.entry((*room).to_owned()).or_default().insert(BOT.to_owned());
                proper(200, &json!({"room_id": room}))
            }
            ["rooms", room, "joined_members"] => {
                let members = state.rooms.get(*room).into_iter().flatten();
                let members: Map<String, Value> = members.map(|member| (member.clone(), json!({}))).collect();
                proper(200, &json!({"joined": members}))
            }
            ["rooms", room, "typing", BOT] if request.method == "PUT" => {
                let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
                match body["typing"] == true {
                    true => state.typing.insert((*room).to_owned()),
                    false => state.typing.remove(*room),
                };
                proper(200, &json!({}))
            }
            ["rooms", room, "messages"] => proper(200, &state.past(room, &query)),
            ["rooms", room, "send", "m.room.message", key] if request.method == "PUT" => {
                if state.refuses {
                    return proper(502, &json!({}));
                }
                let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
                let replaces = body["m.relates_to"]["event_id"].as_str();
                if replaces.is_some() && state.forbids {
                    return proper(403, &json!({"errcode": "M_FORBIDDEN", "error": "no edits"}));
                }
                let is_new = state.transactions.insert((*key).to_owned());
                let event = format!("$sent{}", state.events.len());
                if is_new && !state.takes(room, &event, &body) {
                    return proper(400, &json!({"errcode": "M_INVALID_PARAM", "error": "no such event"}));
                }
                self.more.notify_all();
                if state.loses {
                    Response::Bytes(Vec::new())
                } else {
                    proper(200, &json!({"event_id": event}))
                }
            }
            _ => proper(404, &json!({"errcode": "M_UNRECOGNIZED", "error": path})),
        }
    }

    /// Waits for what is new, as long as was asked.
    fn sync(&self, query: &BTreeMap<String, String>) -> Response {
        let of = |key: &str| query.get(key).map(String::as_str).unwrap_or_default();
        let since = of("since").strip_prefix('s').and_then(|since| since.parse::<usize>().ok());
        let wait = of("timeout").parse().map(Duration::from_millis).unwrap_or_default();
        let filter: Value = serde_json::from_str(of("filter")).unwrap_or_default();
        let limit = filter["room"]["timeline"]["limit"].as_u64().map_or(10, |limit| limit as usize);
        let state = self.state.lock().expect("no server panics");
        let is_nothing = |state: &mut State| {
            let is_quiet =
                state.invitations.is_empty() && state.failure.is_none() && !state.rewinds && !state.hurries;
            since == Some(state.events.len()) && is_quiet
        };
        let mut state = self.more.wait_timeout_while(state, wait, is_nothing).expect("no server panics").0;
        state.hurries = false;
        let since = if std::mem::take(&mut state.rewinds) { since.map(|_| 0) } else { since };
        let end = state.events.len();
        let mut joined = Map::new();
        for (room, members) in &state.rooms {
            if !members.contains(BOT) {
                continue;
            }
            let new = state.events.iter().enumerate().skip(since.unwrap_or(0));
            let mut new: Vec<(usize, &Value)> =
                new.filter(|(_, (of, _))| of == room).map(|(at, (_, event))| (at, event)).collect();
            let is_limited = new.len() > limit;
            new.drain(..new.len().saturating_sub(limit));
            if let Some((first, _)) = new.first() {
                let events: Vec<&Value> = new.iter().map(|(_, event)| *event).collect();
                let timeline =
                    json!({"events": events, "limited": is_limited, "prev_batch": format!("s{first}")});
                joined.insert(room.clone(), json!({"timeline": timeline}));
            }
        }
        let invited: Map<String, Value> = state
            .invitations
            .iter()
            .map(|(room, from)| {
                let event = json!({
                    "type": "m.room.member", "state_key": BOT, "sender": from, "content": {"membership": "invite"},
                });
                (room.clone(), json!({"invite_state": {"events": [event]}}))
            })
            .collect();
        let body = json!({"next_batch": format!("s{end}"), "rooms": {"join": joined, "invite": invited}});
        proper(200, &body)
    }
}

impl State {
    /// Takes a message of the assistant, or an edit of one; every member sees it, the assistant as well.
    fn takes(&mut self, room: &str, id: &str, body: &Value) -> bool {
        let words = match body["m.relates_to"]["event_id"].as_str() {
            Some(replaced) => {
                let of =
                    |(_, event): &(String, Value)| event["event_id"] == replaced && event["sender"] == BOT;
                let Some((_, event)) = self.events.iter().find(|event| of(event)) else { return false };
                let at = event["unsigned"]["at"].as_u64().unwrap_or_default() as usize;
                let words = body["m.new_content"]["body"].as_str().unwrap_or_default().to_owned();
                self.sent[at].1.clone_from(&words);
                words
            }
            None => {
                let words = body["body"].as_str().unwrap_or_default().to_owned();
                self.sent.push((room.to_owned(), words.clone()));
                words
            }
        };
        let at = self.sent.len() - 1;
        let event = json!({
            "event_id": id, "sender": BOT, "type": "m.room.message", "content": body, "unsigned": {"age": 0, "at": at},
        });
        self.events.push((room.to_owned(), event));
        self.shown.push((Instant::now(), room.to_owned(), words));
        true
    }

    /// What was said in a room before one point and after another, the newest first.
    fn past(&self, room: &str, query: &BTreeMap<String, String>) -> Value {
        let point = |key: &str| {
            query.get(key).and_then(|at| at.strip_prefix('s')?.parse::<usize>().ok()).unwrap_or_default()
        };
        let limit = query.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10);
        let (from, to) = (point("from"), point("to"));
        let of_room = |(at, (of, _)): &(usize, &(String, Value))| of == room && (to..from).contains(at);
        let page: Vec<_> = self.events.iter().enumerate().rev().filter(of_room).take(limit).collect();
        let events: Vec<&Value> = page.iter().map(|(_, (_, event))| event).collect();
        match page.last() {
            Some((last, _)) if page.len() == limit => json!({"chunk": events, "end": format!("s{last}")}),
            _ => json!({"chunk": events}),
        }
    }
}

fn proper(status: u16, body: &Value) -> Response {
    Response::Proper { status, kind: "application/json", body: body.to_string().into_bytes() }
}

fn unescaped(part: &str) -> String {
    form_urlencoded::parse(format!("x={}", part.replace('+', "%2B")).as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}
