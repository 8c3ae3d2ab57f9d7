//! Who runs now: a bounded number of commands at the same time, each in a thread of its own, none behind the making
//! of a skill.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use base::error::Error;
use base::stop;
use beneath::NotOpened;
use ledger::Store;
use ledger::action_ticket::ActionTicket;
use ledger::facts::Installed;
use receipts::Status;
use shared_types::action::{Action, ActionResult};
use shared_types::id::{ProfileId, ProposalId};

use super::judge::{self, ProfileRules};
use super::plan::Plan;
use super::run::{Job, NotRun, run, tidy_after};
use super::{evidence, keep, moves};
use crate::plugins;
use crate::plugins::run::Call;
use crate::plugins::servers::Servers;
use base::log::{Event, in_action};

/// The most commands at a time, and of one profile.
const MOST: usize = 8;
const MOST_OF_ONE: usize = 4;

/// The commands that run now, and the plugins' servers. A stop, or the end of the service, ends them.
#[derive(Debug, Default)]
pub struct Running {
    now: Mutex<BTreeMap<ProposalId, One>>,
    /// The plugins' servers that are kept for the next call.
    pub plugins: Servers,
    /// Set when the service begins to end: no command is started any more.
    pub ending: AtomicBool,
}

#[derive(Debug)]
struct One {
    profile: ProfileId,
    cancel: Arc<AtomicBool>,
}

impl Running {
    /// Ends every command that runs; each ends within some hundredths of a second, and its result says so.
    pub fn cancel_all(&self) {
        for one in self.now().values() {
            one.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// How many run.
    pub fn count(&self) -> usize {
        self.now().len()
    }

    /// Takes a place for an action, if there is one left.
    fn take(&self, id: &ProposalId, profile: &ProfileId) -> Option<Arc<AtomicBool>> {
        let mut now = self.now();
        let of_one = now.values().filter(|one| one.profile == *profile).count();
        if now.len() >= MOST || of_one >= MOST_OF_ONE || now.contains_key(id) {
            return None;
        }
        let cancel = Arc::new(AtomicBool::new(false));
        now.insert(id.clone(), One { profile: profile.clone(), cancel: Arc::clone(&cancel) });
        Some(cancel)
    }

    fn leave(&self, id: &ProposalId) {
        self.now().remove(id);
    }

    fn now(&self) -> MutexGuard<'_, BTreeMap<ProposalId, One>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts what is due, as far as there is room, each in a thread; one that ends starts the next.
pub fn start_due(store: &Arc<Store>, running: &Arc<Running>) {
    if running.ending.load(Ordering::Relaxed) || stop::may_start(&store.home, None).is_err() {
        return;
    }
    for (id, cancel) in places(store, running) {
        let for_thread = (Arc::clone(store), Arc::clone(running));
        let named = id.clone();
        let started = std::thread::Builder::new().name("action".to_owned()).spawn(move || {
            let (store, running) = for_thread;
            work(&store, &running, &named, &cancel);
            start_due(&store, &running);
        });
        if let Err(error) = started {
            running.leave(&id);
            store.tell(&Event::ActionFailed { proposal: &id }, &format!("{id}: no thread: {error}"));
        }
    }
}

/// Does everything that is due, and comes back when it is done: for a service that ends then.
pub fn finish_due(store: &Store, running: &Running, cancel: &AtomicBool) -> bool {
    let mut any = false;
    while !cancel.load(Ordering::Relaxed) && stop::may_start(&store.home, None).is_ok() {
        let places = places(store, running);
        if places.is_empty() {
            break;
        }
        any = true;
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                places.iter().map(|(id, flag)| scope.spawn(move || work(store, running, id, flag))).collect();
            while workers.iter().any(|w| !w.is_finished()) {
                if cancel.load(Ordering::Relaxed) {
                    running.cancel_all();
                }
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        });
    }
    any
}

/// Takes places for what is due, the oldest first.
fn places(store: &Store, running: &Running) -> Vec<(ProposalId, Arc<AtomicBool>)> {
    let ledger = store.ledger();
    let due = ledger.cases().open().filter(|case| case.is_due());
    due.filter_map(|case| Some((case.id().clone(), running.take(case.id(), &case.taken().profile)?)))
        .collect()
}

/// One action from its start to its mirror.
fn work(store: &Store, running: &Running, id: &ProposalId, cancel: &AtomicBool) {
    let _span = in_action(id);
    if let Err(error) = attempt(store, &running.plugins, id, cancel) {
        store.tell(&Event::ActionFailed { proposal: id }, &format!("{id}: {error}"));
    }
    running.leave(id);
    store.publish_head();
}

fn attempt(store: &Store, servers: &Servers, id: &ProposalId, cancel: &AtomicBool) -> Result<(), Error> {
    let Some(case) = store.ledger().cases().case(id).cloned() else { return Ok(()) };
    let profile = &case.taken().profile;
    if case.started() {
        // Begun by a service that did not live to see its end: what it did is done, and it is not done twice.
        tidy_after(&store.home, profile, id);
        let why = "interrupted: the service ended while it ran; whether it was done is not known".to_owned();
        return ended(store, &case, Ok(ActionResult { ended: Some(why), ..ActionResult::default() }));
    }
    let ready = match due(store, &case) {
        Ok(ready) => ready,
        Err(why) => return ended(store, &case, Err(why)),
    };
    if !moves::start(&mut store.ledger(), id)? {
        return Ok(());
    }
    let ran = stop::during(&store.home, Some(profile), cancel, |cancel| {
        telling(store, id, || work_off(store, servers, ready, &case, cancel))
    });
    ended(store, &case, ran)
}

/// What is to be done, if it may be started now.
fn due<'a>(store: &Store, case: &'a ActionTicket) -> Result<Ready<'a>, NotRun> {
    let ready = prepared(store, case)?;
    // What leaves no receipt is not done.
    audit::own::ready(&store.home)?;
    if withdrawn(store, case) {
        return Err(NotRun::Withdrawn);
    }
    stop::may_start(&store.home, Some(&case.taken().profile)).map_err(NotRun::Stopped)?;
    Ok(ready)
}

/// Does something, and tells that it runs where that takes longer than a moment.
fn telling<T>(store: &Store, id: &ProposalId, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let tell = move || {
            if ended.recv_timeout(MOMENT) == Err(mpsc::RecvTimeoutError::Timeout) {
                let ledger = store.ledger();
                // The result is reported in any case, and that is what counts.
                let _ = ledger.cases().case(id).map(|case| keep::mirror(&store.home, case));
            }
        };
        // Without the thread only the result is reported.
        let _ = std::thread::Builder::new().name("telling".into()).spawn_scoped(scope, tell);
        let worked = work();
        drop(done);
        worked
    })
}

/// After how long a running action is reported.
const MOMENT: Duration = Duration::from_millis(50);

/// What is to be done.
enum Ready<'a> {
    /// A command.
    Line(Job<'a>),
    /// A call of a plugin that stands as it was judged.
    Call(Box<Installed>, Call<'a>),
}

/// Does it.
fn work_off(
    store: &Store,
    servers: &Servers,
    ready: Ready<'_>,
    case: &ActionTicket,
    cancel: &AtomicBool,
) -> Result<ActionResult, NotRun> {
    match ready {
        Ready::Line(job) => run(&store.home, job, cancel),
        Ready::Call(installed, wanted) => {
            plugins::run::call(&store.home, servers, &installed, &wanted, cancel).map_err(|error| {
                store.tell(&Event::ActionFailed { proposal: case.id() }, &format!("{}: {error}", case.id()));
                error.into()
            })
        }
    }
}

/// The call that an action asks for, where it is one of a plugin.
pub fn call_of<'a>(action: &'a Action, profile: &'a ProfileId) -> Option<Call<'a>> {
    let Action::Plugin { plugin, tool, args, timeout_s } = action else { return None };
    Some(Call { profile, plugin, tool, args, timeout: Duration::from_secs(u64::from(*timeout_s)) })
}

/// What is to be done, made anew from what was asked for; it must be what was judged.
fn prepared<'a>(store: &Store, case: &'a ActionTicket) -> Result<Ready<'a>, NotRun> {
    if let Some(call) = case.action().and_then(|action| call_of(action, &case.taken().profile)) {
        let (installed, _) = plugins::run::weigh(&store.ledger(), &call)?;
        if case.judged().plan.as_ref() != Some(&installed.plugin.facts_sha256) {
            return Err(NotRun::OtherPlugin);
        }
        let profile = &case.taken().profile;
        if let Some((_, why)) =
            judge::kept_out(&installed, profile, &ProfileRules::read(&store.home, profile)?)
        {
            return Err(NotRun::KeptOut(why));
        }
        return Ok(Ready::Call(Box::new(installed), call));
    }
    let Some(Action::Shell { line, stdin, timeout_s, network }) = case.action() else {
        return Err(NotRun::NoProgram);
    };
    let plan = Plan::read(line)?;
    if case.judged().plan != Some(plan.digest()) {
        return Err(NotRun::OtherPlan);
    }
    let standing = case.judged().allowance.as_ref();
    let pinned = match standing {
        None => vec![],
        Some(allowance) => match store.ledger().cases().allowances().get(allowance) {
            Some(allowance) => allowance.always.programs.clone(),
            None => return Err(NotRun::AllowanceGone),
        },
    };
    let (id, profile) = (case.id(), &case.taken().profile);
    let (seconds, network) = (u64::from(*timeout_s), *network);
    let forbidden = ProfileRules::read(&store.home, profile)?.profile.grants.files.forbidden;
    let forbidden = forbidden.iter().map(ToString::to_string).collect();
    Ok(Ready::Line(Job { id, profile, plan, pinned, stdin, seconds, network, forbidden }))
}

/// Whether the profile has taken it back. What cannot be looked at counts: nothing is run that may have been withdrawn.
fn withdrawn(store: &Store, case: &ActionTicket) -> bool {
    let Some(stem) = case.taken().file.strip_suffix(".yaml") else { return false };
    match store.home.proposals(&case.taken().profile).folder() {
        Ok(None) => false,
        Ok(Some(folder)) => !matches!(folder.facts_of(format!("{stem}.withdrawn")), Err(NotOpened::Gone)),
        Err(_) => true,
    }
}

/// Records how an action ended.
fn ended(store: &Store, case: &ActionTicket, ran: Result<ActionResult, NotRun>) -> Result<(), Error> {
    let status = match &ran {
        Err(_) => Status::Denied,
        Ok(result) if result.exit == Some(0) => Status::Allowed,
        Ok(_) => Status::Failed,
    };
    let result = ran.unwrap_or_else(ActionResult::from);
    evidence::done(store, case, status, &result);
    let mut ledger = store.ledger();
    moves::done(&store.home, &mut ledger, case.id(), result)?;
    ledger.cases().case(case.id()).map_or(Ok(()), |case| keep::mirror(&store.home, case))
}
