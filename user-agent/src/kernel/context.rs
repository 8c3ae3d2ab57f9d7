//! What a skill sees of the kernel: the services that its tokens grant, and `dispatch`.
//!
//! A handle exists only where its token was granted when the registry was made, so there is nothing that a skill without
//! the token could misuse.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use guest::Rest;
use memory::{Fact, Recall, Store};
use models::{ModelError, Request, Response, Routed, Router, TransportError, Watch};
use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::power::Power;
use shared_types::proposal::Scope;
use shared_types::risk::Risk;
use shared_types::schema::Parameters;

use crate::kernel::gate::Turned;
use crate::kernel::powers::Powers;
use crate::kernel::registry::{Registry, Shown};
use crate::kernel::{ByKernel, Kernel, Shared};
use crate::net::frames::Fetch;
use crate::net::{Client, Fetched, Visited};
use crate::ports::actions::Actions;
use crate::ports::guard::Guard;
use crate::ports::paths::Folder;
use crate::skills::Outcome;

/// Everything that there is to grant.
pub struct Services {
    /// The profile's `memory/`, for the records of skills.
    pub memory: Arc<Folder>,
    /// The facts and conversations of the person.
    pub store: Arc<dyn Store>,
    /// The profile's `workspace/`.
    pub workspace: Arc<Folder>,
    /// The profile's proposals.
    pub proposals: Arc<Folder>,
    /// The admin's mirror of them, once there is one.
    pub status: Option<Arc<Folder>>,
    /// The model providers.
    pub router: Arc<Router>,
    /// The way to the network process.
    pub net: Option<Arc<Client>>,
}

/// What one skill was granted.
#[derive(Default)]
pub struct Grants {
    tokens: TokenSet,
    emits: Vec<EventType>,
    handles: Vec<EventType>,
    user_input: Option<UserInput>,
    user_output: Option<UserOutput>,
    memory_read: Option<MemoryRead>,
    memory_write: Option<MemoryWrite>,
    model: Option<Model>,
    outbox: Option<Outbox>,
    file_read: Option<FileRead>,
    file_write: Option<FileWrite>,
    network: Option<Network>,
    calls_tools: bool,
    shows_for_others: bool,
    wide: bool,
    actions: Option<Actions>,
    plugin: bool,
}

/// Which skill the grants are for.
pub enum Holder<'a> {
    /// A part of the bot, with what it may do beyond its tokens.
    BuiltIn(&'a SkillName, Powers<'a>),
    /// A learned skill, with how far its memory and its files reach.
    Learned(&'a SkillName, Scope, Scope),
}

impl Grants {
    /// Makes the handles for these tokens, and no other.
    pub fn new(
        holder: &Holder<'_>,
        tokens: &TokenSet,
        emits: Vec<EventType>,
        handles: Vec<EventType>,
        services: &Services,
    ) -> Grants {
        let has = |token| tokens.contains(token);
        let (name, powers) = match holder {
            Holder::BuiltIn(name, powers) => (*name, *powers),
            Holder::Learned(name, ..) => (*name, Powers::default()),
        };
        let keeper = powers.has(Power::KeepFacts);
        let own = format!("skills/{name}.jsonl");
        // The facts go no further than to who keeps them, and to whom a person granted the profile's memory.
        let reads_facts = keeper || matches!(holder, Holder::Learned(_, Scope::Profile, _));
        let facts = reads_facts.then(|| services.store.clone());
        let kept = keeper.then(|| services.store.clone());
        // Who is made to send proposals or to ask for effects has no files in their place.
        let sender = powers.is_made_for(Power::Outbox);
        let acts = powers.is_made_for(Power::Actions);
        let room = || match holder {
            Holder::Learned(_, _, Scope::Profile) => Some(services.workspace.clone()),
            // The profile's grants say which files of the workspace.
            Holder::BuiltIn(..) if powers.is_made_for(Power::WholeWorkspace) => {
                powers.has(Power::WholeWorkspace).then(|| services.workspace.clone())
            }
            _ => services.workspace.make_folder(name.as_str()).ok().map(Arc::new),
        };
        let memory = || services.memory.clone();
        Grants {
            user_input: has(Token::UserInput).then_some(UserInput(())),
            user_output: has(Token::UserOutput).then_some(UserOutput(())),
            memory_read: has(Token::MemoryRead).then(|| MemoryRead {
                folder: memory(),
                own: own.clone(),
                facts,
                keeper,
            }),
            memory_write: has(Token::MemoryWrite).then(|| MemoryWrite { folder: memory(), own, store: kept }),
            model: has(Token::LlmCall).then(|| Model { router: services.router.clone() }),
            outbox: (has(Token::FileWrite) && powers.has(Power::Outbox))
                .then(|| Outbox { proposals: services.proposals.clone(), status: services.status.clone() }),
            file_read: (has(Token::FileRead) && !acts).then(room).flatten().map(FileRead),
            file_write: (has(Token::FileWrite) && !sender && !acts).then(room).flatten().map(FileWrite),
            network: services
                .net
                .clone()
                .filter(|_| has(Token::NetworkRead) || has(Token::NetworkWrite))
                .map(|client| Network {
                    client,
                    skill: name.clone(),
                    read: has(Token::NetworkRead),
                    write: has(Token::NetworkWrite),
                    pages: powers.has(Power::Pages),
                }),
            wide: match holder {
                Holder::BuiltIn(..) => false,
                Holder::Learned(_, memory, files) => {
                    (*memory == Scope::Profile && (has(Token::MemoryRead) || has(Token::MemoryWrite)))
                        || (*files == Scope::Profile && (has(Token::FileRead) || has(Token::FileWrite)))
                }
            },
            actions: (has(Token::FileWrite) && powers.has(Power::Actions))
                .then(|| Actions::new(&ByKernel(()), services.proposals.clone(), services.status.clone())),
            plugin: false,
            calls_tools: has(Token::LlmCall) && powers.has(Power::CallTools),
            shows_for_others: powers.has(Power::ShowForOthers),
            tokens: tokens.clone(),
            emits,
            handles,
        }
    }

    /// What a plugin gets: nothing but the way to ask for a call of its tools. What it can reach, it reaches in the admin's
    /// confinement.
    pub fn of_plugin(tokens: &TokenSet, services: &Services) -> Grants {
        let actions = Actions::new(&ByKernel(()), services.proposals.clone(), services.status.clone());
        Grants { tokens: tokens.clone(), actions: Some(actions), plugin: true, ..Grants::default() }
    }

    /// Whether they are a plugin's.
    pub fn is_plugin(&self) -> bool {
        self.plugin
    }

    /// The tokens.
    pub fn tokens(&self) -> &TokenSet {
        &self.tokens
    }

    /// Whether the skill gets at the person's memory or at the whole workspace, and not only at its own.
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// Whether the skill only shows and asks, always under the sender's name.
    pub fn shows_for_others(&self) -> bool {
        self.shows_for_others
    }

    /// Whether an event may reach the skill.
    pub fn handles(&self, event: &EventType) -> bool {
        self.handles.contains(event)
    }

    /// Whether the skill may send an event.
    pub fn emits(&self, event: &EventType) -> bool {
        self.emits.contains(event)
    }
}

/// The kernel as one skill sees it during one call.
#[derive(Clone)]
pub struct KernelContext {
    kernel: Arc<Kernel>,
    place: usize,
    depth: u8,
    budget: Option<Arc<Budget>>,
    /// What ends this call, where it may end without the turn.
    cancel: Option<Arc<AtomicBool>>,
    /// Whether what comes of this is only shown to the person.
    shown: bool,
}

/// What is left of a learned skill's limits while it waits for another; whoever computes for it spends from this.
#[derive(Debug)]
pub struct Budget {
    /// What was left when the dispatch began.
    pub rest: Rest,
    fuel: AtomicU64,
    micros: AtomicU64,
}

impl Budget {
    /// Starts with what is left.
    pub fn new(rest: Rest) -> Budget {
        Budget { rest, fuel: AtomicU64::new(0), micros: AtomicU64::new(0) }
    }

    /// Takes away what a call spent.
    pub fn spend(&self, fuel: u64, time: Duration) {
        self.fuel.fetch_add(fuel, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// What is left now.
    pub fn left(&self) -> Rest {
        let spent = Duration::from_micros(self.micros.load(Ordering::Relaxed));
        Rest {
            fuel: self.rest.fuel.saturating_sub(self.fuel.load(Ordering::Relaxed)),
            wall: self.rest.wall.saturating_sub(spent),
            ..self.rest.clone()
        }
    }
}

impl KernelContext {
    pub(super) fn new(kernel: Arc<Kernel>, place: usize) -> Self {
        KernelContext { kernel, place, depth: 0, budget: None, shown: false, cancel: None }
    }

    /// The context of the skill that answers this one.
    pub(super) fn onward(&self, place: usize) -> KernelContext {
        KernelContext { place, depth: self.depth + 1, ..self.clone() }
    }

    /// As [`KernelContext::onward`], for an event: what a person asks for by a command is shown, and nothing else.
    pub(super) fn onward_with(&self, place: usize, event: &Event) -> KernelContext {
        let commands = event.event_type.as_str() == core::USER_INPUT
            && event.payload["command"].as_str().is_some_and(|command| command != "retry");
        KernelContext { shown: self.shown || commands, ..self.onward(place) }
    }

    /// The same context, for what is only shown.
    pub(super) fn shown(&self) -> KernelContext {
        KernelContext { shown: true, ..self.clone() }
    }

    /// Whether what comes of this is only shown to the person.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    pub(super) fn registry(&self) -> &Registry {
        self.kernel.registry()
    }

    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// Whether the skill was learned.
    pub(super) fn is_learned(&self) -> bool {
        self.kernel.registry().entries()[self.place].learned
    }

    fn grants(&self) -> &Grants {
        &self.kernel.registry().entries()[self.place].grants
    }

    /// The skill's own name.
    pub fn skill(&self) -> &SkillName {
        self.kernel.registry().entries()[self.place].skill.name()
    }

    /// How many dispatches lie above this call.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// What the skills above, on whose behalf this call is made, have left.
    pub fn budget(&self) -> Option<&Arc<Budget>> {
        self.budget.as_ref()
    }

    /// The same context, spending from a budget.
    #[must_use]
    pub fn spending(&self, budget: Arc<Budget>) -> KernelContext {
        KernelContext { budget: Some(budget), ..self.clone() }
    }

    /// Sends an event; `None` when no skill handles it, when this skill may not send it, or four dispatches deep.
    pub fn dispatch(&self, event_type: &EventType, payload: Value) -> Option<Value> {
        if !self.grants().emits(event_type) {
            return None;
        }
        self.kernel.dispatch(self, event_type, payload)
    }

    /// Sends an event whose type stands in the source.
    pub fn send(&self, event_type: &'static str, payload: Value) -> Option<Value> {
        let event_type = event_type.parse().expect("event types in the source are well-formed");
        self.dispatch(&event_type, payload)
    }

    /// Runs a tool by its full name; only the conversation may.
    pub fn call_tool(&self, full_name: &str, args: &Value, line: &str) -> Outcome {
        if !self.grants().calls_tools {
            return Outcome::Failed("this skill may not call tools".to_owned());
        }
        self.kernel.call_tool(self, full_name, args, line)
    }

    /// Puts on record that a call is not made: its arguments cannot be read, or the conversation made it too often.
    pub fn refuse_call(&self, full_name: &str, args: &Value, rule: &'static str, why: &str) {
        if self.grants().calls_tools {
            self.kernel.turned_away(full_name, args, Turned::new(rule, Risk::Low, why));
        }
    }

    /// What boot read: the profile, the settings, the system's abilities.
    pub fn shared(&self) -> &Shared {
        self.kernel.shared()
    }

    /// The guard, as strict as the profile's audience asks for.
    pub fn guard(&self) -> Guard<'_> {
        let shared = self.shared();
        Guard::new(shared.audience, &shared.config.blocked_words)
    }

    /// The conversation.
    pub fn conversation(&self) -> ConversationId {
        self.shared().conversation()
    }

    /// Begins or resumes a conversation; only who reads the person's lines may.
    pub fn turn_to(&self, conversation: ConversationId) {
        if self.grants().user_input.is_some() {
            self.kernel.turn_to(self, conversation);
        }
    }

    /// The same context, ended by a flag of its own.
    pub(super) fn ended_by(&self, cancel: Arc<AtomicBool>) -> KernelContext {
        KernelContext { cancel: Some(cancel), ..self.clone() }
    }

    /// Becomes true when the running turn is to end, or this call alone.
    pub fn cancel(&self) -> &Arc<AtomicBool> {
        self.cancel.as_ref().unwrap_or(&self.shared().cancel)
    }

    /// Whether the running turn is to end, or this call alone.
    pub fn is_cancelled(&self) -> bool {
        self.cancel().load(Ordering::Relaxed)
    }

    /// The active skills.
    pub fn skills(&self) -> Vec<Shown> {
        self.kernel.registry().entries().iter().map(Shown::from).collect()
    }

    /// Which calls of one round may be made beside each other.
    pub fn independent(&self, calls: &[(&str, &Value)]) -> Vec<bool> {
        self.kernel.independent(self, calls)
    }

    /// The tools with their full names, as they are offered to a model.
    pub fn tools(&self) -> Vec<models::ToolSpec> {
        let spec = |(name, tool): (&str, &crate::skills::Tool)| models::ToolSpec {
            name: name.to_owned(),
            description: tool.description.clone(),
            parameters: tool.parameters.as_json().clone(),
            phrases: tool.phrases.clone(),
        };
        self.allowed_tools().map(|(name, _, tool)| spec((name, tool))).collect()
    }

    /// The same tools as people are shown them.
    pub fn listed_tools(&self) -> Vec<Listed> {
        let listed = |(name, place, tool): (&str, usize, &crate::skills::Tool)| {
            let entry = &self.kernel.registry().entries()[place];
            Listed {
                name: name.to_owned(),
                skill: entry.skill.name().clone(),
                learned: entry.learned,
                tokens: entry.grants.tokens().clone(),
                risk: entry.skill.usual_risk(tool, &self.onward(place)),
                description: tool.description.clone(),
                parameters: tool.parameters.clone(),
            }
        };
        self.allowed_tools().map(listed).collect()
    }

    fn allowed_tools(&self) -> impl Iterator<Item = (&str, usize, &crate::skills::Tool)> {
        let registry = self.kernel.registry();
        let found =
            registry.tools().filter_map(|(name, tool)| Some((name, registry.place_of(name)?.0, tool)));
        found.filter(|(name, place, _)| {
            self.shared().config.cli.allows_of(registry.entries()[*place].skill.name().as_str(), name)
        })
    }

    /// The person's answers, with `user:input`.
    pub fn user_input(&self) -> Option<&UserInput> {
        self.grants().user_input.as_ref()
    }

    /// The screen, with `user:output`.
    pub fn user_output(&self) -> Option<&UserOutput> {
        self.grants().user_output.as_ref()
    }

    /// Records to read, with `memory:read`.
    pub fn memory_read(&self) -> Option<&MemoryRead> {
        self.grants().memory_read.as_ref()
    }

    /// Records to add to, with `memory:write`.
    pub fn memory_write(&self) -> Option<&MemoryWrite> {
        self.grants().memory_write.as_ref()
    }

    /// The model, with `llm:call`.
    pub fn model(&self) -> Option<&Model> {
        self.grants().model.as_ref()
    }

    /// The folder of proposals, with `file:write` and [`Power::Outbox`].
    pub fn outbox(&self) -> Option<&Outbox> {
        self.grants().outbox.as_ref()
    }

    /// The way to an effect outside of the sandbox, with [`Power::Actions`] and for plugins.
    pub fn actions(&self) -> Option<&Actions> {
        self.grants().actions.as_ref()
    }

    /// Tells the person for whom the running call waits, under the skill's name, for who may
    /// ask for actions; what is `told` stays on the screen.
    pub(crate) fn waiting(&self, _: &Actions, what: &str, told: bool) {
        self.kernel.show(self, json!({"waiting": what, "told": told}));
    }

    /// The skill's own folder to read, with `file:read`.
    pub fn file_read(&self) -> Option<&FileRead> {
        self.grants().file_read.as_ref()
    }

    /// The skill's own folder to write, with `file:write`.
    pub fn file_write(&self) -> Option<&FileWrite> {
        self.grants().file_write.as_ref()
    }

    /// The network process, with `network:read` or `network:write`.
    pub fn network(&self) -> Option<&Network> {
        self.grants().network.as_ref()
    }
}

/// A tool as people are shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The full name.
    pub name: String,
    /// The skill that has it.
    pub skill: SkillName,
    /// Whether that skill was learned.
    pub learned: bool,
    /// What the skill was granted.
    pub tokens: TokenSet,
    /// How much a call could do; `None` where the arguments decide.
    pub risk: Option<Risk>,
    /// One line.
    pub description: String,
    /// The parameters.
    pub parameters: Parameters,
}

/// The largest log of a skill's own records that is read, in bytes.
const MAX_RECORDS: u64 = 64 * 1024 * 1024;

/// The right to ask the person.
pub struct UserInput(());

impl UserInput {
    /// Asks under the skill's name and waits for the line.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    pub fn ask(&self, ctx: &KernelContext, question: &str) -> Result<String, String> {
        let answer = ctx.kernel.show(ctx, json!({"ask": question})).unwrap_or_default();
        match answer.get("answer").and_then(Value::as_str) {
            Some(line) => Ok(line.to_owned()),
            None => Err(answer["error"].as_str().unwrap_or("no one is here to answer").to_owned()),
        }
    }
}

impl UserInput {
    /// What was typed before, oldest first.
    pub fn history(&self, ctx: &KernelContext) -> Vec<String> {
        ctx.shared()
            .logs
            .read_text(HISTORY, MAX_HISTORY)
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Keeps a line for the next time; a history that cannot be written stops nobody.
    pub fn keep_line(&self, ctx: &KernelContext, line: &str) {
        let logs = &ctx.shared().logs;
        if logs.stamp(HISTORY).is_some_and(|(_, size)| size > MAX_HISTORY / 2) {
            let kept = self.history(ctx);
            let newest = kept[kept.len() / 2..].join("\n");
            let _ = logs.replace_secret(HISTORY, format!("{newest}\n").as_bytes());
        }
        let _ = logs.append(HISTORY, &shared_types::text::line(line));
    }
}

/// The file of typed lines, beneath `logs/`.
const HISTORY: &str = "history";
/// The largest history, in bytes.
const MAX_HISTORY: u64 = 256 * 1024;

/// The right to show the person something.
pub struct UserOutput(());

impl UserOutput {
    /// Shows a text under the skill's name.
    pub fn say(&self, ctx: &KernelContext, text: &str) {
        ctx.kernel.show(ctx, json!({"say": text}));
    }
}

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
    pub fn records(&self, file: &str) -> Result<Vec<Value>, String> {
        granted(&self.own, file)?;
        let text = match self.folder.read_text(file, MAX_RECORDS) {
            Ok(text) => text,
            Err(e) if e.is_missing() => return Ok(vec![]),
            Err(e) => return Err(e.to_string()),
        };
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// The file of the skill's own records.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// The newest facts about the person, for who may read them.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub fn facts(&self, limit: usize) -> Option<Result<Vec<Fact>, String>> {
        Some(self.facts.as_ref()?.facts(limit).map_err(|e| e.to_string()))
    }

    /// All facts and conversations, for the skill that keeps them.
    pub fn all(&self) -> Option<&dyn Recall> {
        let store = self.facts.as_deref().filter(|_| self.keeper)?;
        Some(store)
    }
}

/// Records that may be added to.
pub struct MemoryWrite {
    folder: Arc<Folder>,
    own: String,
    store: Option<Arc<dyn Store>>,
}

impl MemoryWrite {
    /// Appends one record to the skill's own and syncs it.
    ///
    /// # Errors
    /// A file that these grants do not name, or that cannot be written.
    pub fn append(&self, file: &str, record: &Value) -> Result<(), String> {
        granted(&self.own, file)?;
        self.folder.make_folder("skills").map_err(|e| e.to_string())?;
        self.folder.append(file, &record.to_string()).map_err(|e| e.to_string())
    }

    /// The file of the skill's own records.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// All facts and conversations, for the skill that keeps them.
    pub fn all(&self) -> Option<&dyn Store> {
        self.store.as_deref()
    }
}

fn granted(own: &str, file: &str) -> Result<(), String> {
    if own == file { Ok(()) } else { Err(format!("`{file}` was not granted")) }
}

/// The model providers.
pub struct Model {
    router: Arc<Router>,
}

impl Model {
    /// Asks; blocks until there is an answer or `cancel` becomes true. Which providers were asked in vain is said.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn chat(&self, request: &Request, cancel: &AtomicBool) -> Result<Response, ModelError> {
        let routed = self.router.chat(request, &mut |_| {}, cancel)?;
        for note in &routed.notes {
            crate::error::say(&format!("{note}; {} answers in its place", routed.response.provider));
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
        self.router.chat(request, watch, cancel)
    }

    /// Whether a task would reach a model that writes free text, and not only the companion.
    pub fn writes_freely(&self, task: &str) -> bool {
        self.router.first(task).is_some_and(|p| p.kind() != models::provider::Kind::Embedded)
    }

    /// The router itself: which providers there are, how they fare, and which one the person prefers.
    pub fn router(&self) -> &Router {
        &self.router
    }
}

/// Where proposals are put, and where their status can be read.
pub struct Outbox {
    /// The profile's proposals.
    pub proposals: Arc<Folder>,
    /// The admin's mirror.
    pub status: Option<Arc<Folder>>,
}

/// A folder to read.
pub struct FileRead(Arc<Folder>);

impl FileRead {
    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.0
    }
}

/// A folder to write.
pub struct FileWrite(Arc<Folder>);

impl FileWrite {
    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.0
    }
}

/// The way to the network process, which knows by itself what this skill may reach.
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
    /// A sentence that says why there is no answer.
    pub fn get(
        &self,
        url: &str,
        headers: Vec<(String, String)>,
        ctx: &KernelContext,
    ) -> Result<Fetched, String> {
        if !self.read {
            return Err("network:read was not granted".to_owned());
        }
        self.fetch("GET", url, headers, String::new(), ctx)
    }

    /// Sends a body to a URL, with `network:write`.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    pub fn post(
        &self,
        url: &str,
        headers: Vec<(String, String)>,
        body: String,
        ctx: &KernelContext,
    ) -> Result<Fetched, String> {
        if !self.write {
            return Err("network:write was not granted".to_owned());
        }
        self.fetch("POST", url, headers, body, ctx)
    }

    /// Reads a page for the conversation, with `network:read` and [`Power::Pages`].
    ///
    /// # Errors
    /// See [`TransportError`]; `Denied` where a rule of the network process forbids it.
    pub fn visit(&self, url: &str, ctx: &KernelContext) -> Result<Visited, TransportError> {
        if !self.read || !self.pages {
            return Err(TransportError::Denied("network:read was not granted".to_owned()));
        }
        let deadline = Instant::now() + ctx.shared().config.limits.tool_timeout;
        self.client.visit(url, deadline, ctx.cancel())
    }

    fn fetch(
        &self,
        method: &str,
        url: &str,
        headers: Vec<(String, String)>,
        body: String,
        ctx: &KernelContext,
    ) -> Result<Fetched, String> {
        let skill = self.skill.to_string();
        let fetch = Fetch { skill, method: method.to_owned(), url: url.to_owned(), headers, body };
        let deadline = Instant::now() + ctx.shared().config.limits.tool_timeout;
        self.client.fetch(fetch, deadline, ctx.cancel()).map_err(|e: TransportError| e.to_string())
    }
}

/// The event by which something is shown.
pub(super) fn output_event() -> EventType {
    core::ASSISTANT_OUTPUT.parse().expect("the core event types are well-formed")
}
