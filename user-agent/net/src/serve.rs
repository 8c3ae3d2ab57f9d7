//! The loop of the process that has the network: called after confinement, in the child of the fork.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::Duration;

use bot_base::config::{Engine, Search};
use bot_base::log::{self, Event, Name};
use models::http::{Batch, Caps, Client, Exchange};
use models::{ProviderConfig, TransportError};
use shared_types::capability::Token;
use shared_types::grants::HostPattern;
use shared_types::id::{HostName, SecretName};
use shared_types::manifest::Learned;
use shared_types::sorted;
use shared_types::{exit, text};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, LocalSet};
use tokio::time::{Instant, timeout, timeout_at};

use super::frames::{self, Answer, Ask, Chat, Failure, FailureKind, Fetch, MOST_AT_ONCE, Reply};
use super::keys::{Key, Keys, Wire, host_and_port};
use super::records::{By, Leaving, Records};
use super::secrets::Secrets;
use super::visit;

/// All that `net` knows; nothing of it comes from `mind`.
#[derive(Debug)]
pub struct NetSetting {
    providers: Vec<ProviderConfig>,
    keys: Keys,
    skills: BTreeMap<String, Grant>,
    local: Vec<HostName>,
    records: Records,
    secrets: Secrets,
    pages: Vec<HostPattern>,
    engine: Option<Search>,
}

/// What one learned skill may reach.
#[derive(Debug)]
struct Grant {
    hosts: Vec<HostName>,
    secrets: Vec<SecretName>,
    read: bool,
    write: bool,
}

impl NetSetting {
    /// Takes the configured providers, their keys, the learned entries that an approver decided, the hosts of this
    /// machine or network that the configuration names, the log, and the secrets of skills.
    ///
    /// The caller has checked the manifest's signature and the decision of each entry.
    pub fn new(
        providers: Vec<ProviderConfig>,
        keys: Keys,
        learned: &[&Learned],
        local: Vec<HostName>,
        records: Records,
        secrets: Secrets,
    ) -> Self {
        let providers = providers.into_iter().filter(ProviderConfig::needs_network).collect();
        let skills = sorted::collected(learned.iter().filter(|entry| needs_network(entry)).map(|entry| {
            let grant = Grant {
                hosts: entry.network.clone(),
                secrets: entry.secrets.clone(),
                read: entry.capabilities.contains(Token::NetworkRead),
                write: entry.capabilities.contains(Token::NetworkWrite),
            };
            (entry.name.to_string(), grant)
        }));
        NetSetting { providers, keys, skills, local, records, secrets, pages: vec![], engine: None }
    }

    /// The same, reading pages for the conversation from the hosts that the profile grants.
    #[must_use]
    pub fn reading(self, pages: Vec<HostPattern>) -> Self {
        NetSetting { pages, ..self }
    }

    /// The same, asking a search engine for the conversation.
    #[must_use]
    pub fn searching(self, engine: Option<Search>) -> Self {
        NetSetting { engine, ..self }
    }

    /// Whether anything here needs a network: without it there is no fork.
    pub fn is_needed(&self) -> bool {
        !self.providers.is_empty() || !self.skills.is_empty() || !self.pages.is_empty()
    }
}

/// Whether a learned skill may use the network.
pub fn needs_network(entry: &Learned) -> bool {
    entry.capabilities.contains(Token::NetworkRead) || entry.capabilities.contains(Token::NetworkWrite)
}

/// Serves requests until `mind` closes its end; returns the exit code of the process.
///
/// Starts no thread of its own; resolving a name takes one of the runtime's helper threads.
pub fn serve(socket: OwnedFd, setting: NetSetting) -> u8 {
    let served = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(2)
        .build()
        .and_then(|runtime| LocalSet::new().block_on(&runtime, run(socket, setting)));
    match served {
        Ok(()) => exit::DONE,
        Err(_) => exit::FAILED,
    }
}

/// What one fetch of a skill may take and bring.
const FETCH_CAPS: Caps = Caps { timeout: Duration::from_secs(20), max_bytes: 512 * 1024 };

/// After so long without a request this process rests.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long the pieces of an answer are gathered before they go out together: short enough for a person to see words
/// flow, long enough for few frames.
const GATHER: Duration = Duration::from_millis(30);
/// How much is gathered at most, in bytes.
const GATHER_BYTES: usize = 64 * 1024;

struct Net {
    providers: Vec<ProviderConfig>,
    keys: Keys,
    skills: BTreeMap<String, Grant>,
    secrets: Secrets,
    pages: Vec<HostPattern>,
    engine: Option<Search>,
    wire: Wire,
}

async fn run(socket: OwnedFd, setting: NetSetting) -> io::Result<()> {
    let stream = std::os::unix::net::UnixStream::from(socket);
    stream.set_nonblocking(true)?;
    let (mut reader, mut writer) = UnixStream::from_std(stream)?.into_split();
    let NetSetting { providers, keys, skills, local, records, secrets, pages, engine } = setting;
    let wire = Wire { client: Rc::new(Client::new(local)), records: Rc::new(records) };
    let net = Rc::new(Net { providers, keys, skills, secrets, pages, engine, wire });
    // While `mind` starts; of several providers the first is asked first.
    if let Some(first) = net.providers.first() {
        net.wire.client.prepare(first);
    }
    let (answers, mut outgoing) = mpsc::channel::<Vec<u8>>(MOST_AT_ONCE);
    tokio::task::spawn_local(async move {
        while let Some(frame) = outgoing.recv().await {
            if writer.write_all(&frame).await.is_err() {
                break;
            }
        }
    });
    let mut running: BTreeMap<u64, JoinHandle<()>> = BTreeMap::new();
    let mut received = Vec::new();
    loop {
        while let Some(ask) = frames::decode::<Ask>(&mut received).map_err(io::Error::other)? {
            running.retain(|_, task| !task.is_finished());
            match ask {
                Ask::Cancel { cancel } => {
                    if let Some(task) = running.remove(&cancel) {
                        task.abort();
                    }
                }
                Ask::Chat { id, .. } | Ask::Fetch { id, .. } | Ask::Visit { id, .. } => {
                    if let Some(err) = refusal(&running, id) {
                        // Sent from here and not from a task: while `mind` does not read, it is not read from either.
                        Out { id, answers: answers.clone() }.send(Answer::Err { id, err }).await;
                        continue;
                    }
                    let (net, answers) = (Rc::clone(&net), answers.clone());
                    let task = tokio::task::spawn_local(async move {
                        let out = Out { id, answers };
                        let result = net.answer(ask, &out).await;
                        out.send(end(id, result)).await;
                    });
                    running.insert(id, task);
                }
            }
        }
        let read = match timeout(PATIENCE, reader.read_buf(&mut received)).await {
            Ok(read) => read?,
            // Nothing is asked for a while: what the wait does not need is given back.
            Err(_) => {
                if running.values().all(JoinHandle::is_finished) {
                    confine::give_back();
                }
                reader.read_buf(&mut received).await?
            }
        };
        if read == 0 {
            return Ok(());
        }
    }
}

/// Where the parts of one answer go; sending waits while `mind` does not read.
struct Out {
    id: u64,
    answers: mpsc::Sender<Vec<u8>>,
}

impl Out {
    async fn send(&self, answer: Answer) {
        let frame = frames::encode(&answer).unwrap_or_else(|e| {
            let err = Failure { kind: FailureKind::Denied, message: e.to_string(), limit: None };
            frames::encode(&Answer::Err { id: self.id, err }).expect("a short failure fits into a frame")
        });
        // A closed channel means that `mind` has gone, and the loop of `run` ends.
        let _ = self.answers.send(frame).await;
    }
}

impl Net {
    async fn answer(&self, ask: Ask, out: &Out) -> Result<Reply, TransportError> {
        let answer = match ask {
            Ask::Chat { chat, .. } => self.chat(chat, out).await,
            Ask::Fetch { fetch, .. } => self.fetch(fetch).await,
            Ask::Visit { visit, .. } if visit.is_search => self.search(&visit.url).await,
            Ask::Visit { visit, .. } => visit::visit(&self.wire, &self.pages, &visit.url).await,
            Ask::Cancel { .. } => Err(denied("a cancel has no answer")),
        };
        self.wire.records.sync_soon();
        answer
    }

    async fn chat(&self, chat: Chat, out: &Out) -> Result<Reply, TransportError> {
        let Some(config) = self.providers.iter().find(|p| p.name == chat.provider) else {
            let name = text::cut(&chat.provider, 40);
            return Err(denied(format!("the network process knows no provider `{name}`")));
        };
        let key = self.keys.key(&self.wire, config).await?;
        let body = chat.body.into_bytes();
        let Some(held) = key.as_ref().filter(|key| key.of_login) else {
            return self.send(config, key.as_ref(), body, out).await;
        };
        let reply = self.send(config, Some(held), body.clone(), out).await?;
        if reply.status == 401
            && let Some(newer) = self.keys.renewed(&self.wire, config, held).await?
        {
            return self.send(config, Some(&newer), body, out).await;
        }
        Ok(reply)
    }

    /// One request to a provider, with its trace in the log.
    async fn send(
        &self,
        config: &ProviderConfig,
        key: Option<&Key>,
        body: Vec<u8>,
        out: &Out,
    ) -> Result<Reply, TransportError> {
        let host = config.base_url.as_ref().map(host_and_port).unwrap_or_default();
        let leaving =
            Leaving { by: By::Chat, of: &config.name, method: "POST", host: &host, out: body.len() };
        let running = self.wire.records.begin(&leaving)?;
        let since = Instant::now();
        let mut received = 0;
        let reply = self.pieces(config, key, body, out, &mut received).await;
        running.end(reply.as_ref().map(|reply| (reply.status, received)));
        log::event(Event::ProviderCall {
            provider: Name::of(&config.name),
            status: reply.as_ref().ok().map(|reply| reply.status),
            received,
            took: since.elapsed(),
        });
        reply
    }

    /// Passes an answer on as it comes; `received` counts its bytes.
    async fn pieces(
        &self,
        config: &ProviderConfig,
        key: Option<&Key>,
        body: Vec<u8>,
        out: &Out,
        received: &mut usize,
    ) -> Result<Reply, TransportError> {
        let mut answer = match self.wire.client.chat(config, key.map(|key| &key.secret), body).await {
            Err(TransportError::Status { status, body, retry_after }) => {
                *received = body.len();
                let body = Some(String::from_utf8_lossy(&body).into_owned());
                let retry_after_ms = retry_after.and_then(|d| u64::try_from(d.as_millis()).ok());
                return Ok(Reply { status, body, retry_after_ms, sheet: None });
            }
            answer => answer?,
        };
        let mut done = Reply { status: 200, body: None, retry_after_ms: None, sheet: None };
        // The first piece goes out at once; after it a short pause gathers what comes in small drops.
        let mut next_frame = Instant::now();
        let mut gathered = Vec::new();
        loop {
            let next = if gathered.is_empty() {
                answer.next().await
            } else {
                match timeout_at(next_frame, answer.next()).await {
                    Ok(next) => next,
                    Err(_) => Ok(Some(Batch::Events(Vec::new()))),
                }
            };
            let over = match next {
                Ok(Some(Batch::Events(events))) => {
                    *received += events.iter().map(String::len).sum::<usize>();
                    gathered.extend(events);
                    None
                }
                Ok(Some(Batch::Whole(body))) => {
                    *received += body.len();
                    done.body = Some(body);
                    Some(Ok(()))
                }
                Ok(None) => Some(Ok(())),
                Err(error) => Some(Err(error)),
            };
            let large = gathered.iter().map(String::len).sum::<usize>() > GATHER_BYTES;
            if !gathered.is_empty() && (over.is_some() || large || Instant::now() >= next_frame) {
                out.send(Answer::Events { id: out.id, events: std::mem::take(&mut gathered) }).await;
                next_frame = Instant::now() + GATHER;
            }
            match over {
                Some(Ok(())) => return Ok(done),
                Some(Err(error)) => return Err(error),
                None => {}
            }
        }
    }

    async fn fetch(&self, fetch: Fetch) -> Result<Reply, TransportError> {
        let skill = text::cut(&fetch.skill, 63);
        let Some(grant) = self.skills.get(&fetch.skill) else {
            return Err(denied(format!("the skill `{skill}` has no network")));
        };
        let (allowed, token) = match fetch.method.as_str() {
            "GET" => (grant.read, Token::NetworkRead),
            "POST" => (grant.write, Token::NetworkWrite),
            _ => return Err(denied("only GET and POST are there")),
        };
        if !allowed {
            return Err(denied(format!("the skill `{skill}` was not given {token}")));
        }
        let request = models::http::Fetch {
            method: if token == Token::NetworkRead {
                models::http::Method::Get
            } else {
                models::http::Method::Post
            },
            url: fetch.url,
            headers: fetch.headers,
            body: fetch.body.into_bytes(),
        };
        let from = (By::Skill, fetch.skill.as_str());
        self.send_filled(from, &fetch.method, request, &grant.secrets, &grant.hosts).await
    }

    async fn search(&self, query: &str) -> Result<Reply, TransportError> {
        let Some(engine) = &self.engine else {
            return Err(denied("the network process knows no search engine; `web_search` names one"));
        };
        // The mind judges the same; a profile without the grant is refused here all the same.
        if !self.pages.iter().any(|granted| granted.matches(&engine.host)) {
            return Err(denied(format!("no grant names `{}`", engine.host)));
        }
        let secrets: Vec<SecretName> = engine.secret.iter().cloned().collect();
        let hosts = std::slice::from_ref(&engine.host);
        self.send_filled((By::Web, "web_search"), "GET", request(engine, query), &secrets, hosts).await
    }

    /// Sends a request with its secrets put in, which are blanked in the answer, with its trace in the log.
    async fn send_filled(
        &self,
        (by, of): (By, &str),
        method: &str,
        mut request: models::http::Fetch,
        secrets: &[SecretName],
        hosts: &[HostName],
    ) -> Result<Reply, TransportError> {
        let filled = self.secrets.fill(secrets, &mut request).map_err(|why| denied(why.to_string()))?;
        let host = request.origin().unwrap_or_default();
        let leaving = Leaving { by, of, method, host: &host, out: request.body.len() };
        let running = self.wire.records.begin(&leaving)?;
        let answer = self.wire.client.fetch(request, hosts, FETCH_CAPS).await;
        running.end_with(&answer);
        let mut exchange = answer?;
        filled.blank(&mut exchange);
        Ok(reply(exchange))
    }
}

/// A search as the engine takes it.
fn request(engine: &Search, query: &str) -> models::http::Fetch {
    let words: String = form_urlencoded::byte_serialize(query.as_bytes()).collect();
    let (path, header, before) = match engine.engine {
        Engine::Searxng => ("search?format=json", "authorization", "Bearer "),
        Engine::Brave => ("res/v1/web/search?count=8", "x-subscription-token", ""),
    };
    let key = |name: &SecretName| (header.to_owned(), format!("{before}{{{{secret:{name}}}}}"));
    models::http::Fetch {
        method: models::http::Method::Get,
        url: format!("{}&q={words}", engine.endpoint.join(path)),
        headers: engine.secret.iter().map(key).collect(),
        body: vec![],
    }
}

fn reply(exchange: Exchange) -> Reply {
    let body = match String::from_utf8(exchange.body) {
        Ok(body) => body,
        Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
    };
    Reply { status: exchange.status, body: Some(body), retry_after_ms: None, sheet: None }
}

fn end(id: u64, result: Result<Reply, TransportError>) -> Answer {
    match result {
        Ok(ok) => Answer::Ok { id, ok },
        Err(error) => Answer::Err { id, err: failure(error) },
    }
}

fn failure(error: TransportError) -> Failure {
    let message = error.to_string();
    let (kind, limit) = match error {
        TransportError::Unconnected(_)
        | TransportError::Network(_)
        | TransportError::Status { .. }
        | TransportError::Cancelled => (FailureKind::Network, None),
        TransportError::Timeout(_) => (FailureKind::Timeout, None),
        TransportError::TooLarge(limit) => (FailureKind::TooLarge, Some(limit)),
        TransportError::Denied(_) => (FailureKind::Denied, None),
        TransportError::NoKey(_) => (FailureKind::NoKey, None),
    };
    Failure { kind, message, limit }
}

fn denied(message: impl Into<String>) -> TransportError {
    TransportError::Denied(message.into())
}

/// Why a request is not begun: its number is taken, or as many run as may.
fn refusal<T>(running: &BTreeMap<u64, T>, id: u64) -> Option<Failure> {
    let (kind, message) = if running.contains_key(&id) {
        (FailureKind::Repeated, format!("a request with the number {id} runs already"))
    } else if running.len() >= MOST_AT_ONCE {
        (FailureKind::Busy, format!("the network process has {MOST_AT_ONCE} requests already"))
    } else {
        return None;
    };
    Some(Failure { kind, message, limit: None })
}
