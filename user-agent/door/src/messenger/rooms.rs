//! `mind`'s side: rooms of a messenger in the place of the terminal.
//!
//! A line of an account that the profile's file names counts as typed by the person. Nobody else is answered. A line is written down as
//! taken before it is answered, and an answer before it is sent, so that a start in between does neither twice.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use bot_base::error::{Error, say};
use bot_base::paths::Folder;
use jiff::Timestamp;
use language::fill;
use net::frames::{decode, encode};
use ports::{Kernel, Places};
use serde_json::Value;
use shared_types::home::STRANGERS;
use shared_types::id::ConversationId;
use shared_types::text;

use super::draft::Draft;
use super::frames::{Heard, Outgoing, Said, ToMessenger, What};
use super::kept::Kept;
use super::words::Words;
use crate::frames::{Answered, Ask, Asked, LONGEST_LINE, Part, ToDoor as Answer};
use crate::side::Side;

/// How long another process of the profile is waited for.
const OTHER: Duration = Duration::from_secs(10);
/// A line that is older is not acted on, in milliseconds.
const STALE: u64 = 24 * 60 * 60 * 1000;
/// After this number of seconds of silence a new conversation begins.
const REST: i64 = 6 * 60 * 60;
/// The longest arguments that are shown in a question, in bytes.
const LONGEST_SHOWN: usize = 16_000;
/// The longest identifier of an event or a room, in bytes, as Matrix has it (appendix 4.2), and the longest point of a server.
const LONGEST_ID: usize = 255;
const LONGEST_SINCE: usize = 2_048;
/// The most accounts of strangers that are named in the log of one run, and that are noted for the service.
const MOST_STRANGERS: usize = 50;
/// The largest file of them, in bytes.
const MOST_NOTED: u64 = 64 * 1024;
/// How often at most the point up to which the server was read is written where nothing was said, in seconds.
const SELDOM: i64 = 60 * 60;

/// The other process, in an error.
pub(crate) const POLLS: &str = "the process that talks to the messenger's server";

/// What `mind` knows of a messenger.
pub struct Channel {
    /// Its name, as in `cl-bot matrix`.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// The accounts of the profile's person.
    pub people: Vec<Person>,
    /// Cuts a text into parts that fit into its messages.
    pub parts: fn(&str) -> Vec<String>,
    /// Whether its server would take a message twice.
    pub repeats: bool,
    /// Whether its clients offer commands: `/start` when a chat begins.
    pub has_commands: bool,
    /// Whether an answer is shown while it comes.
    pub drafts: bool,
}

/// An account of the profile's person.
pub struct Person {
    pub id: String,
    /// Whether it is asked about calls of medium risk.
    pub may_confirm: bool,
}

pub struct Rooms {
    channel: Channel,
    words: &'static Words,
    socket: File,
    writes: Mutex<()>,
    folder: OnceLock<Arc<Folder>>,
    logs: OnceLock<Arc<Folder>>,
    /// Held by one process of a profile: two would answer each line twice.
    lock: OnceLock<File>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kept: Kept,
    /// When it was written last, in seconds since 1970.
    written: i64,
    /// The number of the last request to the driver.
    last: u64,
    /// What the driver has not answered yet, by its number.
    open: HashMap<u64, Open>,
    /// The questions of the gate by the numbers that the person is shown, with their room and account.
    questions: BTreeMap<u32, Question>,
    asked: u32,
    strangers: BTreeSet<String>,
    /// What was explained to a room in this run.
    explained: BTreeSet<(String, &'static str)>,
    /// The message that the other process sends, by its transaction.
    sending: Option<String>,
    /// The part of an answer that it shows: its transaction, and the request.
    drafting: Option<(String, u64)>,
    /// The whole of that answer, by its transaction, where it came meanwhile.
    completes: Option<String>,
    /// Whether the program ends, to be started again: nothing more is taken.
    leaves: bool,
    /// Why the other process has ended.
    ended: Option<String>,
}

/// A request that is being answered.
struct Open {
    room: String,
    sender: String,
    /// The event of a line.
    event: Option<String>,
    /// Its answer so far.
    draft: Draft,
}

struct Question {
    number: u64,
    room: String,
    sender: String,
    /// The request whose turn asks.
    of: u64,
}

impl Rooms {
    /// The rooms behind this end of the socket.
    pub(crate) fn new(channel: Channel, words: &'static Words, socket: OwnedFd) -> Rooms {
        Rooms {
            channel,
            words,
            socket: socket.into(),
            writes: Mutex::default(),
            folder: OnceLock::new(),
            logs: OnceLock::new(),
            lock: OnceLock::new(),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a frame. What cannot be sent ends with the process, which the reader sees.
    fn write(&self, told: &ToMessenger) {
        let Ok(frame) = encode(told) else { return };
        let _one = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = (&self.socket).write_all(&frame);
    }

    /// A line of the log.
    fn log(&self, what: &str) {
        say(&format!("{}: {what}", self.channel.name));
    }

    /// Writes down what is kept; false where that is not possible, which the log says.
    fn keep(&self, state: &mut State) -> bool {
        let Some(folder) = self.folder.get() else { return false };
        match state.kept.write(self.channel.name, folder) {
            Ok(()) => {
                state.written = Timestamp::now().as_second();
                true
            }
            Err(error) => {
                self.log(&error.to_string());
                false
            }
        }
    }

    /// Begins: what is kept is read, the interrupted person is notified, and what waited is sent again.
    fn begin(&self) -> bool {
        let Some(folder) = self.folder.get() else { return false };
        if !self.is_the_only_one() {
            self.state().ended = Some(format!("another `cl-bot {}` of this profile runs", self.channel.name));
            return false;
        }
        let mut state = self.state();
        match Kept::read(self.channel.name, folder) {
            Ok(kept) => state.kept = kept,
            Err(error) => {
                state.ended = Some(error.to_string());
                return false;
            }
        }
        // The first one was on its way when the program ended.
        if let Some(first) = state.kept.outbox.front_mut() {
            first.is_unsure();
        }
        for (event, room) in std::mem::take(&mut state.kept.open) {
            let draft = state.kept.drafts.remove(&event);
            self.queue(&mut state, &room, self.words.interrupted, true, draft);
        }
        state.kept.drafts.clear();
        // Known to be writable before anything is taken.
        if !self.keep(&mut state) {
            state.ended = Some("what was answered cannot be written down in the profile's folder".to_owned());
            return false;
        }
        self.write(&ToMessenger::Begin { since: state.kept.since.clone() });
        self.send_next(&mut state);
        true
    }

    /// Has the other process send what waits first, one message after the other: so no more than one may have been sent without an
    /// answer when this program ends.
    fn send_next(&self, state: &mut State) {
        if state.sending.is_none()
            && state.drafting.is_none()
            && let Some(first) = state.kept.outbox.front()
        {
            state.sending = Some(first.key.clone());
            self.write(&ToMessenger::Send(first.clone()));
        }
    }

    /// Whether nothing is left to do before the program starts again. What is on its way to a server that would take it twice is waited
    /// for.
    fn has_left(&self) -> bool {
        let state = self.state();
        let is_sent = !self.channel.repeats || state.kept.outbox.is_empty();
        state.leaves && state.open.is_empty() && is_sent
    }

    /// Waits until no other process talks for the profile; false where one still does. One whose starter was killed ends soon.
    fn is_the_only_one(&self) -> bool {
        let Some(lock) = self.lock.get() else { return false };
        let begun = Instant::now();
        while lock.try_lock().is_err() {
            if begun.elapsed() > OTHER {
                return false;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        true
    }

    /// Notes a stranger that was not noted yet for the service, whose notifiers say that there is one.
    fn note(&self, stranger: &str) {
        let Some(logs) = self.logs.get() else { return };
        let known = logs.read_text(STRANGERS, MOST_NOTED).unwrap_or_default();
        let known: Vec<&str> = known.lines().skip(1).take(MOST_STRANGERS - 1).collect();
        if known.contains(&stranger) {
            return;
        }
        let (now, lines) = (Timestamp::now().as_second(), [&[stranger], &known[..]].concat().join("\n"));
        if let Err(error) = logs.replace(STRANGERS, format!("{now}\n{lines}\n").as_bytes()) {
            self.log(&error.to_string());
        }
    }

    /// Adds messages with these words to what is sent, the first one in the place of a message where one is named; the caller writes
    /// it down and sends it. Answers the transaction of the first.
    fn queue(
        &self,
        state: &mut State,
        room: &str,
        words: &str,
        is_private: bool,
        mut replaces: Option<String>,
    ) -> Option<String> {
        let mut first = None;
        for text in (self.channel.parts)(&text::block(words)) {
            let outgoing = Outgoing { replaces: replaces.take(), ..self.message(room, text, is_private) };
            first.get_or_insert_with(|| outgoing.key.clone());
            state.kept.sends(outgoing);
        }
        first
    }

    /// A message of its own.
    fn message(&self, room: &str, text: String, is_private: bool) -> Outgoing {
        let key = ConversationId::generate().to_string();
        let mark = self.channel.repeats.then(|| self.words.again.to_owned());
        Outgoing { key, room: room.to_owned(), text, is_private, mark, replaces: None, tried: false }
    }

    /// Takes more of an answer, and shows what there is of it where that is due and no message waits. What comes here has passed the
    /// guard, as what a terminal shows.
    fn grows(&self, state: &mut State, id: u64, part: &Part) {
        let is_free = state.drafting.is_none() && state.kept.outbox.is_empty();
        let Some(open) = state.open.get_mut(&id).filter(|open| open.event.is_some()) else { return };
        let now = Instant::now();
        match part {
            Part::Piece(piece) => open.draft.takes(piece, now),
            Part::Again => open.draft.begins_anew(),
            _ => return,
        }
        let Some(text) = open.draft.due(now).filter(|_| is_free) else { return };
        let mut parts = (self.channel.parts)(text::block(text).trim_end());
        // One that is longer than a message is shown when it is whole.
        let (Some(text), true) = (parts.pop(), parts.is_empty()) else { return };
        open.draft.is_shown(now);
        let draft = Outgoing {
            replaces: open.draft.message.clone(),
            ..self.message(&open.room, format!("{text} …"), true)
        };
        state.drafting = Some((draft.key.clone(), id));
        self.write(&ToMessenger::Draft(draft));
    }

    /// What became of the part of an answer that was to be shown.
    fn drafted(&self, key: &str, message: Option<String>, more: bool) {
        let mut state = self.state();
        let Some((_, id)) = state.drafting.take_if(|(drafting, _)| *drafting == key) else { return };
        let message = message.filter(|message| (1..=LONGEST_ID).contains(&message.len()));
        let state = &mut *state;
        let is_new = match state.open.get_mut(&id) {
            Some(open) => {
                open.draft.came_to(message.clone(), more);
                open.event.as_ref().is_some_and(|event| state.kept.grows(event, message))
            }
            // The whole answer came meanwhile.
            None => {
                let whole = state.completes.take();
                let whole =
                    state.kept.outbox.iter_mut().find(|outgoing| Some(&outgoing.key) == whole.as_ref());
                whole.map(|whole| whole.replaces = message).is_some()
            }
        };
        if is_new {
            self.keep(state);
        }
        self.send_next(state);
    }

    /// Shows in a room that a line is being answered, or no longer.
    fn types(&self, state: &State, room: &str) {
        if self.channel.drafts {
            let on = state.open.values().any(|open| open.room == room && open.event.is_some());
            self.write(&ToMessenger::Typing { room: room.to_owned(), on });
        }
    }

    /// Says something to the person in a room. Where it cannot be written down it is sent all the same.
    fn say_to(&self, state: &mut State, room: &str, words: &str) {
        self.put(state, room, words, true);
    }

    fn put(&self, state: &mut State, room: &str, words: &str, is_private: bool) {
        self.queue(state, room, words, is_private, None);
        self.keep(state);
        self.send_next(state);
    }

    /// Explains something to a room, once in a run.
    fn explain(&self, state: &mut State, room: &str, words: &'static str) {
        if state.explained.insert((room.to_owned(), words)) {
            self.put(state, room, words, false);
        }
    }

    /// What an account of the person said.
    fn said(&self, said: Said, heard: &dyn Fn(Asked)) {
        let Said { event, room, sender, age, what } = said;
        // The other process may be owned: the profile's file decides.
        let Some(account) = self.channel.people.iter().find(|person| person.id == sender) else { return };
        if event.len().max(room.len()) > LONGEST_ID {
            return;
        }
        let mut state = self.state();
        if state.leaves || !state.kept.takes(&event) {
            return;
        }
        let (line, quotes) = match what {
            _ if age > STALE => return self.explain(&mut state, &room, self.words.stale),
            What::Edit => return self.explain(&mut state, &room, self.words.edit),
            What::Other => return self.explain(&mut state, &room, self.words.other),
            What::Encrypted => return self.explain(&mut state, &room, self.words.encrypted),
            What::Crowd => return self.explain(&mut state, &room, self.words.crowd),
            What::Group => return self.explain(&mut state, &room, self.words.group),
            What::Foreign => return self.explain(&mut state, &room, self.words.foreign),
            What::Line { text, .. } if text.len() > LONGEST_LINE => {
                return self.say_to(&mut state, &room, self.words.long);
            }
            What::Line { text, quotes } => (text, quotes),
        };
        state.kept.rooms.insert(sender.clone(), room.clone());
        if quotes {
            self.explain(&mut state, &room, self.words.quoted);
        }
        if line.trim().is_empty() {
            self.keep(&mut state);
            return;
        }
        // A command is a word with a slash, and `/start` may have what a link brought.
        let command = line.strip_prefix('/').filter(|_| self.channel.has_commands).unwrap_or_default();
        if command.split_whitespace().next() == Some("start") {
            return self.say_to(&mut state, &room, self.words.hello);
        }
        let ask = if is_stop(&line) || is_stop(command) {
            Ask::Stop { reason: format!("{sender} said so through {}", self.channel.title) }
        } else if let Some((number, yes)) = word(&line, !state.questions.is_empty()) {
            let known = number.and_then(|number| {
                let question = state.questions.get(&number)?;
                (question.room == room && question.sender == sender).then_some(question.number)
            });
            let Some(question) = known else {
                return self.say_to(&mut state, &room, self.words.which);
            };
            state.questions.retain(|_, other| other.number != question);
            Ask::Answer { question, yes }
        } else {
            let conversation = state.kept.conversation(&sender, Timestamp::now().as_second(), REST);
            let (conversation, asks) = (Some(conversation), account.may_confirm);
            let (begins, stream, pictures, texts) = (true, true, vec![], vec![]);
            Ask::Chat { message: line, conversation, begins, stream, asks, pictures, texts }
        };
        let of_line = matches!(ask, Ask::Chat { .. }).then(|| event.clone());
        if of_line.is_some() {
            state.kept.open.insert(event.clone(), room.clone());
        }
        // Before it is answered: after a start it is not answered a second time.
        if !self.keep(&mut state) {
            state.kept.gives_back(&event);
            self.say_to(&mut state, &room, self.words.unkept);
            return;
        }
        state.last += 1;
        let id = state.last;
        let is_line = of_line.is_some();
        state.open.insert(id, Open { room: room.clone(), sender, event: of_line, draft: Draft::default() });
        if is_line {
            self.types(&state, &room);
        }
        drop(state);
        heard(Asked { id, token: None, ask });
    }

    fn heard(&self, frame: Heard, heard: &dyn Fn(Asked)) {
        match frame {
            Heard::Said(said) => self.said(said, heard),
            Heard::Stranger { sender } => {
                let mut state = self.state();
                let sender = text::cut(&text::line(&sender), 255);
                if state.strangers.len() < MOST_STRANGERS && state.strangers.insert(sender.clone()) {
                    self.log(&format!(
                        "{sender} wrote and got no answer: the profile's file does not name this account"
                    ));
                    self.note(&sender);
                }
            }
            Heard::Since { since } => {
                let mut state = self.state();
                // What was not taken stays with the server for the next start.
                if state.leaves {
                    return;
                }
                if since.len() <= LONGEST_SINCE {
                    state.kept.since = Some(since);
                }
                // What the server gives once more since then is known by its events.
                if Timestamp::now().as_second() - state.written > SELDOM {
                    self.keep(&mut state);
                }
                self.write(&ToMessenger::Taken);
            }
            Heard::Sent { key, refused } => {
                let mut state = self.state();
                state.kept.outbox.retain(|outgoing| outgoing.key != key);
                if let Some(why) = refused {
                    self.log(&format!("the server takes no message: {}", text::cut(&text::line(&why), 300)));
                }
                self.keep(&mut state);
                state.sending = state.sending.take().filter(|sending| *sending != key);
                self.send_next(&mut state);
            }
            Heard::Drafted { key, message, more } => self.drafted(&key, message, more),
            Heard::Trouble { why, is_end } => {
                let why = text::cut(&text::line(&why), 300);
                self.log(&why);
                if is_end {
                    self.state().ended = Some(why);
                }
            }
        }
    }

    /// The words that a part of an answer comes to.
    fn words_of(&self, state: &mut State, id: u64, part: &Part) -> Option<String> {
        let words = self.words;
        match part {
            Part::Question(facts) => {
                let open = state.open.get(&id)?;
                let (room, sender) = (open.room.clone(), open.sender.clone());
                let number = facts["question"].as_u64()?;
                let arguments = facts["arguments"].to_string();
                // Nobody says yes to what is not shown.
                if arguments.len() > LONGEST_SHOWN {
                    return Some(words.unasked.to_owned());
                }
                state.asked += 1;
                state.questions.insert(state.asked, Question { number, room, sender, of: id });
                Some(question(words, state.asked, facts, &arguments))
            }
            _ => words.end(part),
        }
    }
}

impl Side for Rooms {
    fn attached(&self, kernel: &Arc<Kernel>) {
        let places = Places::of(kernel);
        if let Some(folder) = &places.profile {
            let _ = self.folder.set(folder.clone());
        }
        let _ = self.logs.set(places.logs.clone());
        match places.logs.log(&format!("{}.lock", self.channel.name)) {
            Ok(lock) => drop(self.lock.set(lock)),
            Err(error) => self.log(&error.to_string()),
        }
    }

    fn listen(&self, heard: &dyn Fn(Asked)) {
        if !self.begin() {
            return;
        }
        let (mut received, mut piece) = (Vec::new(), vec![0; 64 * 1024]);
        while !self.has_left() {
            match decode::<Heard>(&mut received) {
                Ok(Some(frame)) => {
                    self.heard(frame, heard);
                    continue;
                }
                Ok(None) => {}
                Err(_) => break,
            }
            match (&self.socket).read(&mut piece) {
                Ok(0) => break,
                Ok(read) => received.extend_from_slice(&piece[..read]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }

    fn tell(&self, told: &Answer) -> bool {
        let Answer::Answered(Answered { id, part }) = told else { return true };
        let mut state = self.state();
        let words = self.words_of(&mut state, *id, part);
        let is_end = matches!(part, Part::Done(_) | Part::Refused { .. });
        if self.channel.drafts {
            self.grows(&mut state, *id, part);
        }
        let room = state.open.get(id).map(|open| open.room.clone());
        let mut draft = None;
        if is_end && let Some(open) = state.open.remove(id) {
            // A question that was not answered in its turn is a no.
            state.questions.retain(|_, question| question.of != *id);
            if let Some(event) = open.event {
                state.kept.open.remove(&event);
                state.kept.drafts.remove(&event);
                self.types(&state, &open.room);
            }
            draft = open.draft.message;
        }
        match (room, words.filter(|words| !words.is_empty())) {
            (Some(room), Some(words)) => {
                let first = self.queue(&mut state, &room, &words, true, draft);
                if is_end && state.drafting.as_ref().is_some_and(|(_, of)| of == id) {
                    state.completes = first;
                }
                self.keep(&mut state);
                self.send_next(&mut state);
            }
            _ if is_end => {
                self.keep(&mut state);
            }
            _ => {}
        }
        true
    }

    fn announces(&self) -> bool {
        let state = self.state();
        !state.leaves && !state.kept.rooms.is_empty()
    }

    fn announce(&self, news: &[String]) {
        let mut state = self.state();
        let rooms: BTreeSet<String> = state.kept.rooms.values().cloned().collect();
        for room in rooms {
            self.say_to(&mut state, &room, &news.join("\n"));
        }
    }

    fn leave(&self) -> bool {
        self.state().leaves = true;
        self.has_left()
    }

    fn gone(&self) -> Result<u8, Error> {
        let why = self.state().ended.take().unwrap_or_else(|| "it has ended".to_owned());
        Err(Error::System { what: POLLS, source: std::io::Error::other(why) })
    }
}

/// The question of the gate about a call, with what to answer.
fn question(words: &Words, number: u32, facts: &Value, arguments: &str) -> String {
    let of = |key: &str| facts[key].as_str().map(|text| text::cut(text, 300)).unwrap_or_default();
    let mut lines = vec![
        fill(words.question, &[("number", &number.to_string()), ("tool", &of("tool"))]),
        format!("{} · {}", of("risk"), of("reason")),
    ];
    lines.extend(facts["to"].as_str().map(|to| format!("→ {}", text::cut(to, 300))));
    lines.push(arguments.to_owned());
    lines.push(fill(words.answer, &[("number", &number.to_string())]));
    lines.join("\n")
}

/// Whether a line is the emergency stop.
pub(crate) fn is_stop(line: &str) -> bool {
    ["stop", "stopp", "halt"].contains(&line.trim().trim_end_matches(['!', '.']).to_lowercase().as_str())
}

/// A yes or a no, and the number of its question. A bare one is one only where something is `asked`.
pub(crate) fn word(line: &str, asked: bool) -> Option<(Option<u32>, bool)> {
    let lower = line.trim().trim_end_matches(['!', '.']).to_lowercase();
    let (word, number) = match lower.split_once(char::is_whitespace) {
        Some((word, number)) => (word, Some(number.trim().parse::<u32>().ok()?)),
        None => (lower.as_str(), None),
    };
    let yes = match word {
        "y" | "yes" | "j" | "ja" => true,
        "n" | "no" | "nein" => false,
        _ => return None,
    };
    (number.is_some() || asked).then_some((number, yes))
}

#[cfg(test)]
mod tests;
