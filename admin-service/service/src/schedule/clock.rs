//! Waits for the next time of any schedule, and sees to what is due; one run at a time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use base::bell::Bell;
use base::config::{Config, Missed, Schedule};
use base::error::Error;
use jiff::Timestamp;
use ledger::Store;
use ledger::schedules::ScheduleEvent;
use shared_types::id::{ProfileId, WorkflowName};

use super::fire::{self, Kept, RunOutcome};
use crate::weekly;
use base::log::Event;

/// The longest sleep: a clock that leaps, a machine that slept and a changed configuration are noticed within it.
const LONGEST: Duration = Duration::from_secs(20);

/// Up to which time each schedule waited for a person, where no record says so. After a restart the first look says it again.
type Waited = BTreeMap<WorkflowName, Timestamp>;

/// Schedules that a person wants to run now.
#[derive(Debug, Default)]
pub struct Asked {
    names: Mutex<Vec<WorkflowName>>,
    bell: Bell,
}

impl Asked {
    /// One more is to run; one that waits for its run already runs once.
    pub fn add(&self, name: WorkflowName) {
        let mut names = self.names();
        if !names.contains(&name) {
            names.push(name);
        }
        drop(names);
        self.bell.ring();
    }

    fn take(&self) -> Vec<WorkflowName> {
        std::mem::take(&mut *self.names())
    }

    /// Ends the clock's sleep; it looks whether the service ends.
    pub fn wake(&self) {
        self.bell.ring();
    }

    fn names(&self) -> MutexGuard<'_, Vec<WorkflowName>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the thread; it ends with the service.
pub fn start(store: &Arc<Store>, asked: &Arc<Asked>, cancel: &'static AtomicBool) -> JoinHandle<()> {
    let (store, asked) = (Arc::clone(store), Arc::clone(asked));
    std::thread::spawn(move || {
        cut_off(&store);
        let mut waited = Waited::default();
        while !cancel.load(Ordering::Relaxed) {
            let known = asked.bell.count();
            let next = match pass(&store, &asked, &mut waited, cancel) {
                Ok(next) => next,
                Err(error) => {
                    store.tell(&Event::SchedulesFailed {}, &format!("schedules: {error}"));
                    None
                }
            };
            store.publish_head();
            asked.bell.wait(known, Some(until(next)));
        }
    })
}

/// A run that began under an earlier service and has no end was cut off with it; it is reported, and not repeated.
fn cut_off(store: &Store) {
    let counted: Vec<ProfileId> =
        store.ledger().schedules().all_digests().map(|(profile, _)| profile.clone()).collect();
    for profile in counted {
        weekly::show(store, &profile);
    }
    let schedules = Config::read(&store.home).map(|config| config.schedules).unwrap_or_default();
    for schedule in &schedules {
        // A power cut may have come between the record and what is shown of it.
        weekly::show(store, &schedule.profile);
        let Some(due) = store.ledger().schedules().of(&schedule.name).runs else { continue };
        let words = "cut off with the service; it is not repeated automatically".to_owned();
        let event = Event::ScheduleCutOff { schedule: &schedule.name };
        store.tell(&event, &format!("the schedule {}: its run of {due} was {words}", schedule.name));
        if let Err(error) = fire::ended(store, schedule, due, RunOutcome::without_exit(words)) {
            store.tell(&Event::SchedulesFailed {}, &format!("schedules: {error}"));
        }
    }
}

/// Sees to everything that is due; answers when something is due next.
fn pass(
    store: &Store,
    asked: &Asked,
    waited: &mut Waited,
    cancel: &AtomicBool,
) -> Result<Option<Timestamp>, Error> {
    // One that cannot be read runs nothing; doctor and the driver tell.
    let Ok(config) = Config::read(&store.home) else { return Ok(None) };
    // Taken before anything runs, so that who asks meanwhile does not wait.
    let asked = asked.take();
    for name in asked {
        if let Some(schedule) = config.schedules.iter().find(|s| s.name == name) {
            fire::fire(store, schedule, Timestamp::now(), true, cancel)?;
        }
    }
    let mut next: Option<Timestamp> = None;
    for schedule in &config.schedules {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let due = one(store, schedule, waited, cancel)?;
        next = [next, due].into_iter().flatten().min();
    }
    let digest = weekly::look(store, &config)?;
    Ok([next, digest].into_iter().flatten().min())
}

/// Sees to one schedule; answers when it is due next.
fn one(
    store: &Store,
    schedule: &Schedule,
    waited: &mut Waited,
    cancel: &AtomicBool,
) -> Result<Option<Timestamp>, Error> {
    let standing = store.ledger().schedules().of(&schedule.name);
    let base = match standing.base {
        Some(base) if standing.times == schedule.times.written() => base,
        _ => {
            let times = schedule.times.written().to_owned();
            fire::tell(store, schedule, ScheduleEvent::Known { times })?;
            Timestamp::now()
        }
    };
    let base = waited.get(&schedule.name).map_or(base, |waited| base.max(*waited));
    let due = schedule.times.due(base, Timestamp::now());
    let Some(last) = due.now.or(due.missed.map(|(_, _, last)| last)) else { return Ok(due.next) };
    // Under a stop the times stay open, and none of them is recorded: that there is a stop is said once.
    let allowed = fire::allowed(&store.home, schedule, &standing);
    if let Err(Kept { why, by_stop: true }) = allowed {
        fire::hold(store, schedule, &standing, why, None)?;
        return Ok(due.next);
    }
    // What waits as the journal says already needs no further record.
    let waits = match &allowed {
        Err(kept) => standing.held.as_ref() == Some(&kept.why),
        Ok(_) => fire::waits_still(store, schedule, &standing, cancel),
    };
    if waits {
        waited.insert(schedule.name.clone(), last);
        return Ok(due.next);
    }
    if let Some((count, first, last)) = due.missed {
        let made_up = schedule.missed == Missed::Once && due.now.is_none();
        let words = if made_up { "; the last is made up for now" } else { "" };
        let event = Event::ScheduleMissed { schedule: &schedule.name };
        store.tell(
            &event,
            &format!("the schedule {} missed {count} time(s), {first} to {last}{words}", schedule.name),
        );
        fire::tell(store, schedule, ScheduleEvent::Missed { count, first, last })?;
        if made_up {
            fire::fire(store, schedule, last, false, cancel)?;
        }
    }
    if let Some(time) = due.now {
        fire::fire(store, schedule, time, false, cancel)?;
    }
    Ok(due.next)
}

/// How long to sleep: until the next time, but not too long.
fn until(next: Option<Timestamp>) -> Duration {
    let left = next.map(|next| Duration::try_from(next.duration_since(Timestamp::now())).unwrap_or_default());
    left.map_or(LONGEST, |left| left.min(LONGEST))
}
