//! An editor as the other side of the driver: the Agent Client Protocol, version 1, on standard input and output.
//!
//! An editor sends what it likes, so each of its lines is a program's: it directs nothing, it counts as content from outside, and
//! what would ask a person is refused with the next step. The editor's files, its terminal and the servers of tools that it names
//! are never used. A session is a conversation of the profile, under the same id.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bot_base::error::Error;
use serde_json::{Value, json};
use shared_types::exit;
use shared_types::id::ConversationId;
use shared_types::text::cut;

use self::messages::{Cancel, LoadSession, NewSession, PROTOCOL, Prompt, read};
use crate::bodies::Turn;
use crate::frames::{Answered, Ask, Asked, Part, Refusal as Why, ToDoor};
use crate::rpc::{self, Heard, NO_METHOD, NO_PARAMETERS, NO_REQUEST, Refusal};
use crate::side::Side;

mod messages;

/// The most sessions of one run.
const MOST_SESSIONS: usize = 256;
/// The most words of the other side that an error repeats, in characters.
const MOST_REPEATED: usize = 60;
/// The protocol's number for a name that is unknown.
const NOT_FOUND: i64 = -32002;
/// The number of JSON-RPC 2.0 for what could not be done.
const FAILED: i64 = -32603;

pub struct Editor {
    /// Whether conversations are kept, so that one can be loaded.
    keeps: bool,
    state: Mutex<State>,
    writes: Mutex<()>,
}

#[derive(Default)]
struct State {
    /// The number of the last request to the driver.
    last: u64,
    sessions: HashMap<String, Session>,
    /// What the driver has not answered yet, by its number.
    open: HashMap<u64, Open>,
    /// The session of the last prompt.
    newest: Option<String>,
    /// Whether the program ends, to be started again.
    leaves: bool,
}

#[derive(Default)]
struct Session {
    /// Whether a prompt of it was answered.
    begun: bool,
    /// What the person reads before the first answer.
    note: Option<String>,
}

/// A request of the editor that is being answered.
struct Open {
    id: Value,
    session: String,
    what: What,
}

enum What {
    Load {
        note: Option<String>,
    },
    Prompt {
        /// What was sent of the reply.
        sent: String,
        /// The remarks that were sent.
        notes: Vec<String>,
    },
}

/// What a request comes to.
enum Next {
    /// It is answered at once.
    Answer(Value),
    /// The driver answers it.
    Ask(Asked),
}

impl Side for Editor {
    fn listen(&self, heard: &dyn Fn(Asked)) {
        let mut input = std::io::stdin().lock();
        // Everything that ends the input ends the program.
        while let Ok(Some(line)) = rpc::next(&mut input) {
            match rpc::heard(line.as_deref()) {
                Heard::Method { id, message } if id.is_null() => {
                    if let Some(asked) = self.notified(&message) {
                        heard(asked);
                    }
                }
                Heard::Method { id, message } => match self.asked(&id, &message) {
                    Ok(Next::Answer(result)) => self.write(&[rpc::answer(&id, Ok(result))]),
                    Ok(Next::Ask(asked)) => heard(asked),
                    Err(refusal) => self.write(&[rpc::answer(&id, Err(refusal))]),
                },
                Heard::Nothing => {}
                Heard::Refused(answer) => self.write(&[answer]),
            }
        }
    }

    fn tell(&self, told: &ToDoor) -> bool {
        if let ToDoor::Answered(Answered { id, part }) = told {
            let messages = self.messages(*id, part);
            self.write(&messages);
        }
        true
    }

    fn leave(&self) -> bool {
        let mut state = self.state();
        state.leaves = true;
        let is_idle = state.open.is_empty();
        let newest = state.newest.clone();
        drop(state);
        if let Some(session) = newest {
            let note = "\n\nSomething was installed: this agent ends now. Start it again to use what is new.";
            self.write(&[update(&session, AGENT, note)]);
        }
        is_idle
    }

    fn gone(&self) -> Result<u8, Error> {
        Ok(exit::DONE)
    }
}

impl Editor {
    /// An editor that has not said anything. `keeps` says whether the profile keeps conversations.
    pub fn new(keeps: bool) -> Editor {
        Editor { keeps, state: Mutex::default(), writes: Mutex::default() }
    }

    /// What a notification asks of the driver: only `session/cancel` does.
    fn notified(&self, message: &Value) -> Option<Asked> {
        if message["method"] != "session/cancel" {
            return None;
        }
        let Cancel { session_id } = read(&message["params"]).ok()?;
        let state = self.state();
        let (of, _) = state.open.iter().find(|(_, open)| open.session == session_id)?;
        Some(Asked { id: 0, token: None, ask: Ask::Cancel { of: *of } })
    }

    fn asked(&self, id: &Value, message: &Value) -> Result<Next, Refusal> {
        let params = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "initialize" if params["protocolVersion"].is_u64() => Ok(Next::Answer(self.greeting())),
            "initialize" => Err((NO_PARAMETERS, "`protocolVersion` is a number".to_owned())),
            "authenticate" => {
                Err((NO_PARAMETERS, "there is nothing to log in to: `authMethods` is empty".to_owned()))
            }
            "session/new" => {
                let NewSession { cwd, mcp_servers } = read(params)?;
                let note = judge(&cwd, &mcp_servers)?;
                let session = ConversationId::generate().to_string();
                self.room()?.sessions.insert(session.clone(), Session { begun: false, note });
                Ok(Next::Answer(json!({"sessionId": session})))
            }
            "session/load" if self.keeps => self.load(id, read(params)?),
            "session/prompt" => self.prompt(id, read(params)?),
            other => Err((NO_METHOD, format!("`{}` is not offered", cut(other, MOST_REPEATED)))),
        }
    }

    /// The answer to the first message. Only one version is spoken: an editor of another one ends the conversation.
    fn greeting(&self) -> Value {
        json!({
            "protocolVersion": PROTOCOL,
            "agentCapabilities": {
                "loadSession": self.keeps,
                "promptCapabilities": {"image": false, "audio": false, "embeddedContext": true},
                "mcpCapabilities": {"http": false, "sse": false},
            },
            "agentInfo": {"name": "tameclaw", "title": "TameClaw", "version": env!("CARGO_PKG_VERSION")},
            "authMethods": [],
        })
    }

    fn load(&self, id: &Value, asked: LoadSession) -> Result<Next, Refusal> {
        let LoadSession { session_id, cwd, mcp_servers } = asked;
        let note = judge(&cwd, &mcp_servers)?;
        // Anything else that memory finds by a name is not a session.
        if !session_id.parse::<ConversationId>().is_ok_and(|id| id.is_generated()) {
            return Err(unknown());
        }
        let mut state = self.room()?;
        let open = Open { id: id.clone(), session: session_id.clone(), what: What::Load { note } };
        state.ask(open, Ask::Conversation { id: session_id })
    }

    fn prompt(&self, id: &Value, asked: Prompt) -> Result<Next, Refusal> {
        let Prompt { session_id, prompt } = asked;
        let message = messages::line(&prompt)?;
        let mut state = self.state();
        let Some(session) = state.sessions.get_mut(&session_id) else { return Err(unknown()) };
        // A kept conversation of which nothing is left begins anew. Where none is kept, the driver says that it no longer has it.
        let (begins, note) = (self.keeps || !session.begun, session.note.take());
        let open = Open {
            id: id.clone(),
            session: session_id.clone(),
            what: What::Prompt { sent: String::new(), notes: Vec::new() },
        };
        let conversation = Some(session_id.clone());
        let (stream, asks, pictures, texts) = (true, false, vec![], vec![]);
        let next =
            state.ask(open, Ask::Chat { message, conversation, begins, stream, asks, pictures, texts })?;
        state.newest = Some(session_id.clone());
        drop(state);
        if let Some(note) = note {
            self.write(&[update(&session_id, AGENT, &note)]);
        }
        Ok(next)
    }

    /// The state, where one more session has room.
    fn room(&self) -> Result<MutexGuard<'_, State>, Refusal> {
        let state = self.state();
        if state.sessions.len() >= MOST_SESSIONS {
            let why = format!("{MOST_SESSIONS} sessions are open; start this agent again for more");
            return Err((FAILED, why));
        }
        Ok(state)
    }

    /// The messages that a part of an answer comes to.
    fn messages(&self, number: u64, part: &Part) -> Vec<Value> {
        let mut state = self.state();
        let Some(open) = state.open.get_mut(&number) else { return vec![] };
        let session = open.session.clone();
        let said = |text: &str| vec![update(&session, AGENT, text)];
        if let What::Prompt { sent, notes } = &mut open.what {
            match part {
                Part::Piece(text) => {
                    sent.push_str(text);
                    return said(text);
                }
                // What was sent cannot be taken back: what comes now follows after a blank line.
                Part::Again if !std::mem::take(sent).is_empty() => return said("\n\n"),
                Part::Note(note) => {
                    notes.push(note.clone());
                    return said(&format!("\n\n{note}\n\n"));
                }
                _ => {}
            }
        }
        let answer = match part {
            Part::Done(body) => Ok(body),
            Part::Refused { why, message } => Err((*why, message.as_str())),
            _ => return vec![],
        };
        let Some(Open { id, session, what }) = state.open.remove(&number) else { return vec![] };
        let (mut messages, result) = match what {
            What::Load { note } => match answer {
                Ok(body) => {
                    state.sessions.insert(session.clone(), Session { begun: true, note });
                    (replayed(&session, body), Ok(json!({})))
                }
                Err(failed) => (vec![], Err(refusal(failed))),
            },
            What::Prompt { sent, notes } => {
                if let (Ok(_), Some(session)) = (&answer, state.sessions.get_mut(&session)) {
                    session.begun = true;
                }
                ended(&session, &sent, &notes, answer)
            }
        };
        messages.push(rpc::answer(&id, result));
        messages
    }

    /// Writes messages, one a line that steers no terminal. What cannot be written is lost: the end of the input follows.
    fn write(&self, messages: &[Value]) {
        let lines: String = messages.iter().map(|message| shared_types::json::line(message) + "\n").collect();
        let _one = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut output = std::io::stdout().lock();
        let _ = output.write_all(lines.as_bytes()).and_then(|()| output.flush());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Asks the driver: one request of a session at a time, and none once the program ends.
    fn ask(&mut self, open: Open, ask: Ask) -> Result<Next, Refusal> {
        if self.leaves {
            let why = "something was installed and this agent ends; start it again";
            return Err((FAILED, why.to_owned()));
        }
        if self.open.values().any(|other| other.session == open.session) {
            let why = "this session is still answering; wait, or send `session/cancel`";
            return Err((NO_REQUEST, why.to_owned()));
        }
        self.last += 1;
        self.open.insert(self.last, open);
        Ok(Next::Ask(Asked { id: self.last, token: None, ask }))
    }
}

/// Who says a part of a message: the bot, or the person.
const AGENT: &str = "agent_message_chunk";
const USER: &str = "user_message_chunk";

/// A part of a message, as the editor gets it.
fn update(session: &str, whose: &str, text: &str) -> Value {
    let update = json!({"sessionUpdate": whose, "content": {"type": "text", "text": text}});
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}})
}

/// What was said in a conversation, oldest first.
fn replayed(session: &str, body: &Value) -> Vec<Value> {
    let said = body["messages"].as_array().into_iter().flatten();
    said.filter_map(|said| {
        let whose = if said["role"] == "user" { USER } else { AGENT };
        Some(update(session, whose, said["content"].as_str()?))
    })
    .collect()
}

/// The end of a prompt: what is still to be said, and why it ended.
fn ended(
    session: &str,
    sent: &str,
    notes: &[String],
    answer: Result<&Value, (Why, &str)>,
) -> (Vec<Value>, Result<Value, Refusal>) {
    let stopped = |reason: &str| Ok(json!({"stopReason": reason}));
    let said = |text: &str| update(session, AGENT, text);
    match answer {
        Ok(body) => match serde_json::from_value::<Turn>(body.clone()) {
            Ok(turn) => {
                let missing = turn.missing_after(sent);
                let rest = Some(missing).filter(|missing| !missing.is_empty());
                let more = turn.notes.iter().filter(|note| !notes.contains(note));
                let messages = rest.into_iter().chain(more.map(|note| format!("\n\n{note}")));
                (messages.map(|text| said(&text)).collect(), stopped("end_turn"))
            }
            Err(e) => (vec![], Err((FAILED, format!("an answer that cannot be read: {e}")))),
        },
        Err((Why::Cancelled, _)) => (vec![], stopped("cancelled")),
        Err((Why::Forbidden, message)) => (vec![said(message)], stopped("refusal")),
        Err(failed) => (vec![], Err(refusal(failed))),
    }
}

/// The protocol's number for why there is no answer.
fn refusal((why, message): (Why, &str)) -> Refusal {
    match why {
        Why::NotFound => unknown(),
        Why::Invalid => (NO_PARAMETERS, message.to_owned()),
        _ => (FAILED, message.to_owned()),
    }
}

fn unknown() -> Refusal {
    let why = "no session has this `sessionId`; `session/new` makes one, and `session/load` takes up one that is kept";
    (NOT_FOUND, why.to_owned())
}

/// Judges what a session comes with: the folder is read by nobody, and has to be one of the protocol. Of servers of tools the
/// person reads that they are not used.
fn judge(cwd: &str, servers: &[Value]) -> Result<Option<String>, Refusal> {
    if !cwd.starts_with('/') {
        return Err((NO_PARAMETERS, "`cwd` is an absolute path".to_owned()));
    }
    Ok((!servers.is_empty()).then(|| {
        format!(
            "Note: {} MCP server(s) that this editor names are not used. Tools come through the admin alone: `cl-admin plugin \
             install`.\n\n",
            servers.len()
        )
    }))
}

#[cfg(test)]
mod tests;
