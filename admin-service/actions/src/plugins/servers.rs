//! The MCP servers that are kept for the next call: one for each plugin and profile, for as long as they are used.
//!
//! Each has a thread of its own, which starts it, and with which the kernel ends it. Its list of tools is compared with the
//! approved one before its first call.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::home::Home;
use base::scratch;
use ledger::facts::{Facts, Installed, Kind};
use serde_json::Value;
use shared_types::action::Reached;
use shared_types::id::{Digest, ProfileId, SkillName};

use super::credential::Credential;
use super::jail::{Jail, WorkFolder};
use super::mcp::client::Carrier;
use super::mcp::frames::{Answer, MOST_MESSAGE};
use super::mcp::http::Posts;
use super::mcp::stdio::Lines;
use super::mcp::{Client, Ending, Fault, Hindrance};
use super::network::Reach;
use super::run::Call;

/// How long a server is kept without a call.
pub const IDLE: Duration = Duration::from_secs(60);
/// How long a server may take to start and to list its tools.
pub const START: Duration = Duration::from_secs(20);
/// Processor time that a kept server may use in all, in seconds.
const CPU_SECONDS: u64 = 600;
/// How long a cancelled call waits for the server's last word.
const PARTING: Duration = Duration::from_secs(1);
/// How often a caller looks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(5);

/// The servers of this process.
#[derive(Debug, Default)]
pub struct Servers {
    kept: Mutex<BTreeMap<(SkillName, ProfileId), Kept>>,
    /// Those that were asked to end.
    leaving: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Kept {
    facts: Digest,
    calls: Sender<Asked>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

struct Asked {
    tool: String,
    args: Value,
    timeout: Duration,
    answer: Sender<Told>,
}

/// What a server answered, and what it exchanged with the hosts that it may reach.
type Told = (Result<Answer, Fault>, Vec<Reached>);

/// What is started or asked, and where.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    pub home: &'a Home,
    /// The plugin.
    pub facts: &'a Facts,
    /// Its files.
    pub tree: Option<&'a Path>,
    /// The workspace that it reads, where it may.
    pub workspace: Option<&'a Path>,
    /// How it reaches its hosts.
    pub reach: Option<&'a Reach>,
    /// Until when it must have greeted.
    pub until: Instant,
}

impl Servers {
    /// Makes a call by the server's name for the tool; starts the server where none is kept. After any fault but an error that the
    /// tool itself answers, the server is ended.
    pub fn call(
        &self,
        home: &Home,
        installed: &Installed,
        call: &Call<'_>,
        name: &str,
        cancel: &AtomicBool,
    ) -> Told {
        let profile = call.profile;
        let key = (installed.plugin.name.clone(), profile.clone());
        let (answer, heard) = channel();
        let asked = Asked { tool: name.to_owned(), args: call.args.clone(), timeout: call.timeout, answer };
        let stop = match self.ask(home, installed, &key, asked) {
            Ok(stop) => stop,
            Err(fault) => return (Err(fault), vec![]),
        };
        let told = loop {
            match heard.recv_timeout(GLANCE) {
                Ok((Err(fault), network)) if !matches!(fault, Fault::Error { .. }) => {
                    break (Err(fault), network);
                }
                Ok(told) => return told,
                Err(RecvTimeoutError::Disconnected) => break (Err(Fault::Ended(Ending::Silent)), vec![]),
                Err(RecvTimeoutError::Timeout) if cancel.load(Ordering::Relaxed) => {
                    stop.store(true, Ordering::Relaxed);
                    // What it exchanged until now is on record all the same.
                    let network = heard.recv_timeout(PARTING).map(|(_, network)| network).unwrap_or_default();
                    break (Err(Fault::Cancelled), network);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        self.end(&key.0, Some(profile));
        told
    }

    /// Ends the servers of a plugin: those of one profile, or all.
    pub fn end(&self, plugin: &SkillName, profile: Option<&ProfileId>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let meant = |(name, of): &(SkillName, ProfileId)| {
            name == plugin && profile.is_none_or(|profile| profile == of)
        };
        let keys: Vec<_> = kept.keys().filter(|key| meant(key)).cloned().collect();
        for server in keys.iter().filter_map(|key| kept.remove(key)) {
            self.let_go(server);
        }
    }

    /// Ends all servers.
    pub fn end_all(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for server in std::mem::take(&mut *kept).into_values() {
            self.let_go(server);
        }
    }

    fn let_go(&self, server: Kept) {
        server.stop.store(true, Ordering::Relaxed);
        let mut leaving = self.leaving.lock().unwrap_or_else(PoisonError::into_inner);
        leaving.retain(|thread| !thread.is_finished());
        leaving.push(server.thread);
    }

    /// Hands a call to the kept server, or to a new one.
    fn ask(
        &self,
        home: &Home,
        installed: &Installed,
        key: &(SkillName, ProfileId),
        asked: Asked,
    ) -> Result<Arc<AtomicBool>, Fault> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = match kept.remove(key) {
            // What was approved since is another server.
            Some(server) if server.facts != installed.plugin.facts_sha256 => {
                self.let_go(server);
                asked
            }
            Some(server) => match server.calls.send(asked) {
                Ok(()) => {
                    let stop = Arc::clone(&server.stop);
                    kept.insert(key.clone(), server);
                    return Ok(stop);
                }
                // It went idle in this moment.
                Err(refused) => {
                    self.let_go(server);
                    refused.0
                }
            },
            None => asked,
        };
        let (calls, waiting) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let place = Place {
            home: home.clone(),
            facts: installed.facts.clone(),
            workspace: home.workspace(&key.1).unguarded_path(),
        };
        let flag = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name(format!("plugin {}", key.0))
            .spawn(move || serve(&place, &waiting, &flag))
            .map_err(Hindrance::System)?;
        // The thread waits for calls before it does anything, so this one is heard.
        let _ = calls.send(asked);
        let server =
            Kept { facts: installed.plugin.facts_sha256.clone(), calls, stop: Arc::clone(&stop), thread };
        kept.insert(key.clone(), server);
        Ok(stop)
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.end_all();
        // Each looks at its mark many times a second; what it wrote goes with it.
        for thread in std::mem::take(&mut *self.leaving.lock().unwrap_or_else(PoisonError::into_inner)) {
            let _ = thread.join();
        }
    }
}

/// What a server's thread needs.
struct Place {
    home: Home,
    facts: Facts,
    workspace: PathBuf,
}

/// Starts a server at the first call, answers calls, and ends it when none comes for a while.
fn serve(place: &Place, waiting: &Receiver<Asked>, stop: &AtomicBool) {
    let Some(asked) = next(waiting, stop) else { return };
    let (home, facts) = (&place.home, &place.facts);
    let until = Instant::now() + START;
    let tree = facts.tree_sha256.as_ref().map(|tree| super::place(home, &facts.name, tree));
    let (tree, workspace) = (tree.as_deref(), Some(place.workspace.as_path()));
    let reach = match Reach::start(home, facts) {
        Ok(reach) => reach,
        Err(why) => {
            let _ = asked.answer.send((Err(Hindrance::Own(why).into()), vec![]));
            return;
        }
    };
    let mut first = Some(asked);
    let start = Start { home, facts, tree, workspace, reach: reach.as_ref(), until };
    let served = with(&start, stop, |client, cancel| {
        let listed = client.tools(until, cancel)?;
        if Some(listed.digest) != facts.listed_sha256 {
            return Err(Fault::Changed);
        }
        while let Some(asked) = first.take().or_else(|| next(waiting, cancel)) {
            // It reaches its hosts while a call runs and at no other time, so all that it exchanges is on record with a call.
            let answer = again(client, facts, reach.as_ref(), &asked, cancel);
            let network = reach.as_ref().map(Reach::close).unwrap_or_default();
            // Nobody but the watch over its folder cancels it on its own.
            let filled = matches!(answer, Err(Fault::Cancelled)) && !stop.load(Ordering::Relaxed);
            let answer = if filled { Err(Fault::Overfull(None)) } else { answer };
            let goes_on = matches!(answer, Ok(_) | Err(Fault::Error { .. }));
            // The caller may have stopped waiting.
            let _ = asked.answer.send((answer, network));
            if !goes_on {
                break;
            }
        }
        Ok(())
    });
    if let (Err(fault), Some(asked)) = (served, first) {
        let _ = asked.answer.send((Err(fault), vec![]));
    }
}

/// The next call; none where the server is to end, or was not used for a while.
fn next(waiting: &Receiver<Asked>, stop: &AtomicBool) -> Option<Asked> {
    let idle = Instant::now();
    while !stop.load(Ordering::Relaxed) && idle.elapsed() < IDLE {
        match waiting.recv_timeout(Duration::from_millis(50)) {
            Ok(asked) => return Some(asked),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    None
}

/// Calls a server that was kept; one that says that its tools changed is asked for them first.
fn again(
    client: &mut Client,
    facts: &Facts,
    reach: Option<&Reach>,
    asked: &Asked,
    stop: &AtomicBool,
) -> Result<Answer, Fault> {
    if client.says_changed(Instant::now() + START, stop)? {
        let listed = client.tools(Instant::now() + START, stop)?;
        if Some(listed.digest) != facts.listed_sha256 {
            return Err(Fault::Changed);
        }
    }
    if let Some(reach) = reach {
        reach.open();
    }
    client.call(&asked.tool, &asked.args.to_string(), Instant::now() + asked.timeout, stop)
}

/// Starts and greets a server, and does something with it; it ends with that, and with the thread that calls this. A server
/// that fills its folder is cancelled.
///
/// # Errors
/// See [`Fault`].
pub fn with<T>(
    start: &Start<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce(&mut Client, &AtomicBool) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let Start { home, facts, tree, workspace, reach, until } = *start;
    let greeted = |carrier, cancel: &AtomicBool| {
        let mut client = Client::greet(carrier, until, cancel)?;
        work(&mut client, cancel)
    };
    match facts.kind {
        Kind::McpHttp => {
            let url = facts.url.as_deref().unwrap_or_default();
            let wrong = |why| Hindrance::Address { url: url.to_owned(), why };
            let endpoint = url.parse().map_err(wrong)?;
            greeted(Carrier::Posts(Posts::new(endpoint, Credential::of(home, facts))?), cancel)
        }
        Kind::McpStdio | Kind::Exec => {
            let folder = WorkFolder::make(home).map_err(Hindrance::Own)?;
            let jail = Jail::of(home, facts, tree, workspace, &folder, &facts.argv, CPU_SECONDS)
                .map_err(Hindrance::Own)?;
            let child = jail.child(&folder, reach).map_err(Hindrance::Own)?.max_output(64 * 1024);
            let (answer, over) = scratch::within(folder.path(), scratch::OF_ONE, cancel, |cancel| {
                let live = child.start(MOST_MESSAGE).map_err(Hindrance::System)?;
                greeted(Carrier::Lines(Lines::new(live)), cancel)
            });
            over.map_or(answer, |over| Err(Fault::Overfull(Some(over))))
        }
    }
}
