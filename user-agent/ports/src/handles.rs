//! The handles by which a skill reaches what it was granted; only the kernel has them made.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bot_base::paths::{Folder, PathError};
use kernel::grants::{Rights, Room, UserInput};
use memory::{Fact, Recall, Store};
use models::{ModelError, Piece, Request, Response, Routed, Router, TransportError, Watch, provider};
use net::frames::Fetch;
use net::{Client, Fetched, Visited};
use serde_json::{Value, json};
use shared_types::capability::Token;
use shared_types::id::{SkillName, WorkflowName};
use shared_types::scheduled::{self, Over};

use super::Shared;
use super::actions::Actions;
use super::further::Further;
use super::pins::{Pins, Wires};
use super::talk::Talk;
use super::voice::{Audio, Voice};
use crate::{ByKernel, KernelContext};

/// Everything that there is to grant.
pub struct Services {
    /// The profile's `memory/`, for the records of skills.
    pub memory: Arc<Folder>,
    /// The facts and conversations of the person.
    pub store: Arc<dyn Store>,
    /// The profile's `workspace/`.
    pub workspace: Arc<Folder>,
    /// The further folders, in the order of [`Shared::further`].
    pub further: Vec<Arc<Folder>>,
    /// The profile's proposals.
    pub proposals: Arc<Folder>,
    /// The admin's mirror of them, once there is one.
    pub status: Option<Arc<Folder>>,
    /// The model providers.
    pub router: Arc<Router>,
    /// What counts the tokens of models.
    pub talk: Arc<Talk>,
    /// The way to the network process.
    pub net: Option<Arc<Client>>,
    /// The conversation by voice, where this is one.
    pub voice: Option<Arc<dyn Voice>>,
    /// The lines of a GPIO chip, where a skill of the profile may use them.
    pub pins: Option<Arc<Wires>>,
}

/// Why a handle does not do what it is asked for.
#[derive(Debug, thiserror::Error)]
pub enum HandleError {
    /// The token was not granted, or not for everything.
    #[error("{0} was not granted")]
    NotGranted(Token),
    /// Another file than the skill's own.
    #[error("`{0}` was not granted")]
    NotOwn(String),
    /// The configuration forbids the file.
    #[error("`{0}` is forbidden in this profile")]
    Forbidden(String),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] PathError),
}

/// The handles of one skill.
#[derive(Default)]
pub struct Handles {
    memory_read: Option<MemoryRead>,
    memory_write: Option<MemoryWrite>,
    model: Option<Model>,
    outbox: Option<Outbox>,
    file_read: Option<FileRead>,
    file_write: Option<FileWrite>,
    network: Option<Network>,
    audio: Option<Audio>,
    pins: Option<Pins>,
    actions: Option<Actions>,
}

impl Handles {
    /// Makes the handles of what was decided, and no other.
    pub(crate) fn make(by: &ByKernel, rights: &Rights<'_>, services: &Services) -> Handles {
        let has = |token| rights.tokens.contains(token);
        let own = format!("skills/{}.jsonl", rights.name);
        let room = |room| match room {
            Room::Nothing => None,
            Room::Own => {
                let folder = services.workspace.make_folder(rights.name.as_str()).ok()?;
                Some((Arc::new(folder), format!("{}/", rights.name)))
            }
            Room::Workspace => Some((services.workspace.clone(), String::new())),
        };
        let further = || if rights.further { services.further.clone() } else { vec![] };
        let folder = || services.memory.clone();
        let store = || services.store.clone();
        Handles {
            memory_read: has(Token::MemoryRead).then(|| MemoryRead {
                folder: folder(),
                own: own.clone(),
                facts: rights.reads_facts.then(store),
                keeper: rights.keeps_facts,
            }),
            memory_write: has(Token::MemoryWrite).then(|| MemoryWrite {
                folder: folder(),
                own,
                store: rights.keeps_facts.then(store),
                status: services.status.clone().filter(|_| rights.keeps_facts),
            }),
            model: has(Token::LlmCall)
                .then(|| Model { router: services.router.clone(), talk: services.talk.clone() }),
            outbox: rights
                .outbox
                .then(|| Outbox { proposals: services.proposals.clone(), status: services.status.clone() }),
            file_read: room(rights.reads).map(|(folder, at)| FileRead { folder, at, further: further() }),
            file_write: room(rights.writes).map(|(folder, at)| FileWrite { folder, at, further: further() }),
            network: services
                .net
                .clone()
                .filter(|_| has(Token::NetworkRead) || has(Token::NetworkWrite))
                .map(|client| Network {
                    client,
                    skill: rights.name.clone(),
                    read: has(Token::NetworkRead),
                    write: has(Token::NetworkWrite),
                    pages: rights.pages,
                }),
            audio: (has(Token::AudioRead) || has(Token::AudioWrite)).then(|| {
                let (hears, speaks) = (has(Token::AudioRead), has(Token::AudioWrite));
                Audio::new(services.voice.clone(), rights.name.clone(), hears, speaks)
            }),
            pins: (has(Token::GpioRead) || has(Token::GpioWrite))
                .then(|| Pins::new(services.pins.clone(), has(Token::GpioRead), has(Token::GpioWrite))),
            actions: rights
                .actions
                .then(|| Actions::new(by, services.proposals.clone(), services.status.clone())),
        }
    }

    /// Records to read, with `memory:read`.
    pub fn memory_read(&self) -> Option<&MemoryRead> {
        self.memory_read.as_ref()
    }

    /// Records to add to, with `memory:write`.
    pub fn memory_write(&self) -> Option<&MemoryWrite> {
        self.memory_write.as_ref()
    }

    /// All facts and conversations to read, for the skill that keeps them.
    ///
    /// # Errors
    /// A skill that does not.
    pub fn recall(&self) -> Result<&dyn Recall, HandleError> {
        let read = self.memory_read.as_ref().filter(|read| read.keeper);
        let all =
            read.and_then(|read| read.facts.as_deref()).ok_or(HandleError::NotGranted(Token::MemoryRead))?;
        Ok(all)
    }

    /// All facts and conversations to change, for the skill that keeps them.
    ///
    /// # Errors
    /// A skill that does not.
    pub fn store(&self) -> Result<&dyn Store, HandleError> {
        let write = self.memory_write.as_ref();
        write.and_then(|write| write.store.as_deref()).ok_or(HandleError::NotGranted(Token::MemoryWrite))
    }

    /// The model, with `llm:call`.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// The folder of proposals, with `file:write` and the power to send them.
    pub fn outbox(&self) -> Option<&Outbox> {
        self.outbox.as_ref()
    }

    /// The way to an effect outside of the sandbox, with the power to ask for actions and for plugins.
    pub fn actions(&self) -> Option<&Actions> {
        self.actions.as_ref()
    }

    /// The skill's own folder to read, with `file:read`.
    pub fn file_read(&self) -> Option<&FileRead> {
        self.file_read.as_ref()
    }

    /// The skill's own folder to write, with `file:write`.
    pub fn file_write(&self) -> Option<&FileWrite> {
        self.file_write.as_ref()
    }

    /// Speech, with `audio:read` or `audio:write`.
    pub fn audio(&self) -> Option<&Audio> {
        self.audio.as_ref()
    }

    /// Lines of a GPIO chip, with `gpio:read` or `gpio:write`.
    pub fn pins(&self) -> Option<&Pins> {
        self.pins.as_ref()
    }

    /// The network process, with `network:read` or `network:write`.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }
}

/// What was typed before, oldest first; only who has the person's answers may see it.
pub fn history(_: &UserInput, shared: &Shared) -> Vec<String> {
    shared
        .places
        .0
        .logs
        .read_text(HISTORY, MAX_HISTORY)
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// An input as one line of the history.
pub fn as_line(input: &str) -> String {
    shared_types::text::line(&input.replace('\\', "\\\\").replace('\n', "\\n"))
}

/// Keeps an input for the next time; a history that cannot be written stops nobody.
pub fn keep_line(input: &UserInput, shared: &Shared, typed: &str) {
    let logs = &shared.places.0.logs;
    if logs.stamp(HISTORY).is_some_and(|(_, size)| size > MAX_HISTORY / 2) {
        let kept = history(input, shared);
        let newest = kept[kept.len() / 2..].join("\n");
        let _ = logs.replace_secret(HISTORY, format!("{newest}\n").as_bytes());
    }
    let _ = logs.append(HISTORY, &as_line(typed));
}

/// Forgets the typed lines but for these, each as [`as_line`] writes it.
///
/// # Errors
/// A history that cannot be written.
pub fn keep_only(logs: &Folder, these: &HashSet<String>) -> Result<(), PathError> {
    let Ok(text) = logs.read_text(HISTORY, MAX_HISTORY) else { return logs.remove(HISTORY).map(drop) };
    let kept = text.lines().filter(|line| these.contains(*line)).map(|line| format!("{line}\n"));
    logs.replace_secret(HISTORY, kept.collect::<String>().as_bytes())
}

/// Forgets the typed lines that the editor offers at its next start.
///
/// # Errors
/// A history that cannot be removed.
pub fn forget_lines(shared: &Shared) -> Result<(), HandleError> {
    let logs = &shared.places.0.logs;
    logs.remove(HISTORY)?;
    Ok(())
}

/// The file of typed lines, beneath `logs/`.
const HISTORY: &str = "history";
/// The largest history, in bytes.
const MAX_HISTORY: u64 = 256 * 1024;

/// The file of the person's reminders, in `memory/`.
const REMINDERS: &str = "reminders.jsonl";
/// How far the runs of each schedule were reported, in `memory/`.
const TOLD: &str = "scheduled.json";

/// The largest log of a skill's own records that is read, in bytes.
const MAX_RECORDS: u64 = 64 * 1024 * 1024;

/// Records that may be read.
pub struct MemoryRead {
    folder: Arc<Folder>,
    own: String,
    facts: Option<Arc<dyn Store>>,
    keeper: bool,
}

impl MemoryRead {
    /// The skill's own records, oldest first; a file that is not there has none.
    ///
    /// # Errors
    /// A file that these grants do not name, or that cannot be read.
    pub fn records(&self, file: &str) -> Result<Vec<Value>, HandleError> {
        granted(&self.own, file)?;
        let text = match self.folder.read_text(file, MAX_RECORDS) {
            Ok(text) => text,
            Err(e) if e.is_missing() => return Ok(vec![]),
            Err(e) => return Err(e.into()),
        };
        Ok(text.lines().filter_map(|line| serde_json::from_slice(line.as_bytes()).ok()).collect())
    }

    /// The file of the skill's own records.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// The newest facts about the person, for who may read them.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub fn facts(&self, limit: usize) -> Option<Result<Vec<Fact>, memory::Error>> {
        Some(self.facts.as_ref()?.facts(limit))
    }
}

/// Records that may be added to.
pub struct MemoryWrite {
    folder: Arc<Folder>,
    own: String,
    store: Option<Arc<dyn Store>>,
    /// The admin's mirror, for the skill that keeps facts.
    status: Option<Arc<Folder>>,
}

impl MemoryWrite {
    /// Appends one record to the skill's own and syncs it.
    ///
    /// # Errors
    /// A file that these grants do not name, or that cannot be written.
    pub fn append(&self, file: &str, record: &Value) -> Result<(), HandleError> {
        granted(&self.own, file)?;
        self.folder.make_folder("skills")?;
        Ok(self.folder.append(file, &record.to_string())?)
    }

    /// Changes the person's reminders, one in a line of text, for the skill that keeps facts: no other process does meanwhile, and
    /// what is to be kept is on the disk before this answers. When they are due, in seconds since 1970, is written where the service
    /// reads it; of their words only where the profile's file has them leave it.
    ///
    /// # Errors
    /// A skill that keeps no facts, and a file that cannot be read or written; it is then as it was.
    pub fn reminders<T>(
        &self,
        shared: &Shared,
        change: impl FnOnce(&str) -> (Option<(String, Vec<(i64, String)>)>, T),
    ) -> Result<T, HandleError> {
        const MOST: u64 = 256 * 1024;
        let _lock = self.lock()?;
        let text = match self.folder.read_text(REMINDERS, MOST) {
            Err(e) if e.is_missing() => String::new(),
            text => text?,
        };
        let (kept, answer) = change(&text);
        if let Some((kept, due)) = kept {
            self.folder.replace_secret(REMINDERS, kept.as_bytes())?;
            publish(&due, shared);
        }
        Ok(answer)
    }

    /// Forgets the person's reminders, those of a file that cannot be read too; answers whether there was something.
    ///
    /// # Errors
    /// As [`MemoryWrite::reminders`].
    pub fn forget_reminders(&self, shared: &Shared) -> Result<bool, HandleError> {
        let _lock = self.lock()?;
        let was = self.folder.stamp(REMINDERS).is_some_and(|(_, bytes)| bytes > 0);
        if was {
            self.folder.replace_secret(REMINDERS, b"")?;
            publish(&[], shared);
        }
        Ok(was)
    }

    /// What scheduled runs of the profile came to and was not reported yet, with how many runs before the first of them are not
    /// kept. That they are reported is on the disk before this answers.
    ///
    /// # Errors
    /// A skill that keeps no facts, and files that cannot be read or written.
    pub fn scheduled(&self, shared: &Shared) -> Result<Vec<(Over, u64)>, HandleError> {
        const MOST: u64 = 1024 * 1024;
        let Some(status) = &self.status else { return Ok(vec![]) };
        let _lock = self.lock()?;
        let read = |folder: &Folder, name: &str| match folder.read_text(name, MOST) {
            Err(e) if e.is_missing() => Ok(String::new()),
            text => text,
        };
        let rows = read(status, scheduled::FILE)?;
        let rows: Vec<Over> =
            rows.lines().filter_map(|line| serde_json::from_slice(line.as_bytes()).ok()).collect();
        let known: BTreeMap<WorkflowName, u64> =
            serde_json::from_slice(read(&self.folder, TOLD)?.as_bytes()).unwrap_or_default();
        let mut marks = BTreeMap::new();
        for row in &rows {
            let last = marks.entry(row.schedule.clone()).or_default();
            *last = row.number.max(*last);
        }
        if marks == known {
            return Ok(vec![]);
        }
        let mut told = vec![];
        let mut before = known;
        // A number that is higher than all is of a journal that was restored since.
        before.retain(|schedule, number| marks.get(schedule).is_some_and(|last| *number <= *last));
        for row in rows {
            let last = before.entry(row.schedule.clone()).or_default();
            if row.number > *last {
                let skipped = row.number - *last - 1;
                *last = row.number;
                told.push((row, skipped));
            }
        }
        self.folder.replace_secret(TOLD, json!(marks).to_string().as_bytes())?;
        // The approver gets a digest once it was shown; where this fails, when its time is up.
        if let Some((_, number)) = marks.iter().find(|(name, _)| name.as_str() == scheduled::DIGEST) {
            let _ = shared.places.0.logs.replace(shared_types::home::SHOWN, number.to_string().as_bytes());
        }
        Ok(told)
    }

    /// Keeps other processes from the reminders. Their file is replaced, so that a lock on it would be one on the file before.
    fn lock(&self) -> Result<File, HandleError> {
        if self.store.is_none() {
            return Err(HandleError::NotGranted(Token::MemoryWrite));
        }
        let lock = self.folder.log("reminders.lock")?;
        let refused = |source| PathError::Refused { path: self.folder.path().join(REMINDERS), source };
        lock.lock().map_err(refused)?;
        Ok(lock)
    }

    /// The file of the skill's own records.
    pub fn own(&self) -> &str {
        &self.own
    }
}

/// Writes when reminders are due for the notifiers of the service. Where that fails they say nothing, and the chat tells all the same.
fn publish(due: &[(i64, String)], shared: &Shared) {
    let line = |(second, words): &(i64, String)| match shared.reminders_leave && !words.is_empty() {
        true => format!("{second} {}\n", shared_types::text::line(words)),
        false => format!("{second}\n"),
    };
    let lines: String = due.iter().map(line).collect();
    let _ = shared.places.0.logs.replace(shared_types::home::DUE, lines.as_bytes());
}

fn granted(own: &str, file: &str) -> Result<(), HandleError> {
    if own == file { Ok(()) } else { Err(HandleError::NotOwn(file.to_owned())) }
}

/// The model providers.
pub struct Model {
    router: Arc<Router>,
    talk: Arc<Talk>,
}

impl Model {
    /// Asks; blocks until there is an answer or `cancel` becomes true. Which providers were asked in vain is said.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn chat(&self, request: &Request, cancel: &AtomicBool) -> Result<Response, ModelError> {
        let routed = self.watched(request, &mut |_| {}, cancel)?;
        let who = &routed.response.provider;
        for note in &routed.notes {
            bot_base::error::say(&format!("{note}; {who} answers in its place"));
        }
        if routed.is_back {
            bot_base::error::say(&format!("{who} answers again"));
        }
        Ok(routed.response)
    }

    /// As [`Model::chat`], telling the pieces of the answer as they come, and which providers were asked in vain.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn watched(
        &self,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Routed, ModelError> {
        let mut written = 0;
        let mut watching = |piece: Piece<'_>| {
            if let Piece::Text(more) = piece {
                written += more.len();
            }
            watch(piece);
        };
        let routed = self.router.chat(request, &mut watching, cancel);
        self.talk.spend(match &routed {
            Ok(routed) => self.tokens(request, &routed.response),
            Err(ModelError::BrokeOff { partial, .. }) => self.tokens(request, partial),
            // What was read of an answer that nobody waited for was paid for all the same.
            Err(ModelError::Cancelled { .. }) if written > 0 => read(request) + of_bytes(written),
            Err(_) => 0,
        });
        routed
    }

    /// The tokens of an answer: as its provider counts them, or else by its length; none where no model answered.
    fn tokens(&self, request: &Request, response: &Response) -> u64 {
        let of = self.router.providers().find(|provider| provider.name() == response.provider);
        match (response.usage, of.map(|provider| provider.kind())) {
            (_, Some(provider::Kind::Embedded | provider::Kind::Human)) => 0,
            (Some(usage), _) => usage.input.saturating_add(usage.output),
            (None, _) => read(request) + of_bytes(response.text.len()),
        }
    }

    /// Whether a task would reach a model that writes free text, and not only the companion.
    pub fn writes_freely(&self, task: &str) -> bool {
        self.router.first(task).is_some_and(|p| p.kind() != provider::Kind::Embedded)
    }

    /// The router itself: which providers there are, how they fare, and which one the person prefers.
    pub fn router(&self) -> &Router {
        &self.router
    }
}

/// The tokens that a model reads with a request, by its length.
fn read(request: &Request) -> u64 {
    let messages = request.messages.iter().map(|message| {
        let beside: usize = message.memories.iter().map(String::len).sum();
        message.content.len() + beside + message.texts.iter().map(|text| text.text.len()).sum::<usize>()
    });
    of_bytes(request.system.len() + messages.sum::<usize>())
}

/// About how many tokens a number of bytes is.
fn of_bytes(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(4)
}

/// Where proposals are put, and where their status can be read.
pub struct Outbox {
    /// The profile's proposals.
    pub proposals: Arc<Folder>,
    /// The admin's mirror.
    pub status: Option<Arc<Folder>>,
}

/// A folder to read.
pub struct FileRead {
    folder: Arc<Folder>,
    /// Its path beneath the workspace: nothing, or a name and `/`.
    at: String,
    further: Vec<Arc<Folder>>,
}

impl FileRead {
    /// The folder, for callers that judge each path themselves.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// A further folder by its number, for callers that judge each path themselves.
    pub fn further(&self, number: usize) -> Option<&Folder> {
        self.further.get(number).map(Arc::as_ref)
    }

    /// The names of the files and folders in a folder beneath, or in this one, but for those that the profile forbids.
    ///
    /// # Errors
    /// A folder that is forbidden or cannot be listed.
    pub fn names(&self, below: &str, ctx: &KernelContext) -> Result<Vec<String>, HandleError> {
        let files = &ctx.shared().grants.files;
        let (names, above) = if below.is_empty() {
            (self.folder.entries()?, self.at.clone())
        } else {
            permitted(&self.at, below, ctx)?;
            (self.folder.folder(below)?.entries()?, format!("{}{below}/", self.at))
        };
        Ok(names.into_iter().filter(|name| !files.forbids(&format!("{above}{name}"))).collect())
    }

    /// A text of at most `limit` bytes beneath, unless the profile forbids it.
    ///
    /// # Errors
    /// A file that is forbidden or cannot be read.
    pub fn text(&self, path: &str, limit: u64, ctx: &KernelContext) -> Result<String, HandleError> {
        permitted(&self.at, path, ctx)?;
        Ok(self.folder.read_text(path, limit)?)
    }
}

/// A folder to write.
pub struct FileWrite {
    folder: Arc<Folder>,
    /// As in [`FileRead`].
    at: String,
    further: Vec<Arc<Folder>>,
}

impl FileWrite {
    /// The folder, for callers that judge each path themselves.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// A further folder by its number, if the configuration lets it be written.
    pub fn further(&self, number: usize, ctx: &KernelContext) -> Option<&Folder> {
        let writes = ctx.shared().further.get(number).is_some_and(Further::writes);
        self.further.get(number).filter(|_| writes).map(Arc::as_ref)
    }

    /// Replaces or makes a file directly beneath, unless the profile forbids it.
    ///
    /// # Errors
    /// A file that is forbidden or cannot be written.
    pub fn replace(&self, name: &str, bytes: &[u8], ctx: &KernelContext) -> Result<(), HandleError> {
        permitted(&self.at, name, ctx)?;
        Ok(self.folder.replace(name, bytes)?)
    }
}

/// Judges a path by its text, which no other path says as well: each part is a name.
fn permitted(at: &str, path: &str, ctx: &KernelContext) -> Result<(), HandleError> {
    let files = &ctx.shared().grants.files;
    let plain = !path.split('/').any(|part| matches!(part, "" | "." | ".."));
    if files.forbidden.is_empty() || plain && !files.forbids(&format!("{at}{path}")) {
        return Ok(());
    }
    Err(HandleError::Forbidden(path.to_owned()))
}

/// The way to the network process, which itself knows what this skill may reach.
pub struct Network {
    client: Arc<Client>,
    skill: SkillName,
    read: bool,
    write: bool,
    pages: bool,
}

impl Network {
    /// What this handle can do: ask, send, read pages.
    pub fn rights(&self) -> [(&'static str, bool); 3] {
        [("get", self.read), ("post", self.write), ("pages", self.read && self.pages)]
    }

    /// Fetches a URL, with `network:read`.
    ///
    /// # Errors
    /// See [`TransportError`]; `Denied` without the token, or where a rule of the network process forbids it.
    pub fn get(
        &self,
        url: &str,
        headers: Vec<(String, String)>,
        ctx: &KernelContext,
    ) -> Result<Fetched, TransportError> {
        if !self.read {
            return Err(denied(Token::NetworkRead));
        }
        self.fetch("GET", url, headers, String::new(), ctx)
    }

    /// Sends a body to a URL, with `network:write`.
    ///
    /// # Errors
    /// See [`TransportError`]; `Denied` without the token, or where a rule of the network process forbids it.
    pub fn post(
        &self,
        url: &str,
        headers: Vec<(String, String)>,
        body: String,
        ctx: &KernelContext,
    ) -> Result<Fetched, TransportError> {
        if !self.write {
            return Err(denied(Token::NetworkWrite));
        }
        self.fetch("POST", url, headers, body, ctx)
    }

    /// Reads a page for the conversation, with `network:read` and the power to read pages.
    ///
    /// # Errors
    /// See [`TransportError`]; `Denied` where a rule of the network process forbids it.
    pub fn visit(&self, url: &str, ctx: &KernelContext) -> Result<Visited, TransportError> {
        if !self.read || !self.pages {
            return Err(denied(Token::NetworkRead));
        }
        let deadline = Instant::now() + ctx.shared().config.limits.tool_timeout;
        self.client.visit(url, deadline, ctx.cancel())
    }

    /// Searches for the conversation, with what [`Network::visit`] needs.
    ///
    /// # Errors
    /// The same.
    pub fn search(&self, query: &str, ctx: &KernelContext) -> Result<Fetched, TransportError> {
        if !self.read || !self.pages {
            return Err(denied(Token::NetworkRead));
        }
        let deadline = Instant::now() + ctx.shared().config.limits.tool_timeout;
        self.client.search(query, deadline, ctx.cancel())
    }

    fn fetch(
        &self,
        method: &str,
        url: &str,
        headers: Vec<(String, String)>,
        body: String,
        ctx: &KernelContext,
    ) -> Result<Fetched, TransportError> {
        let skill = self.skill.to_string();
        let fetch = Fetch { skill, method: method.to_owned(), url: url.to_owned(), headers, body };
        let deadline = Instant::now() + ctx.shared().config.limits.tool_timeout;
        self.client.fetch(fetch, deadline, ctx.cancel())
    }
}

fn denied(token: Token) -> TransportError {
    TransportError::Denied(format!("{token} was not granted"))
}
