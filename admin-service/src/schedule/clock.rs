//! Waits for the next time of any schedule, and sees to what is due; one run at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::Timestamp;

use super::fire::{self, Kept};
use crate::config::{Config, Missed, Schedule};
use crate::error::Error;
use crate::journal::schedules::Told;
use crate::service::Shared;

/// The longest sleep: a clock that leaps, a machine that slept and a changed configuration are noticed within it.
const LONGEST: Duration = Duration::from_secs(20);
/// How often a wish of a person and the end of the service are looked at.
const TICK: Duration = Duration::from_millis(250);

/// Starts the thread; it ends with the service.
pub fn start(shared: &Arc<Shared>, cancel: &'static AtomicBool) -> JoinHandle<()> {
    let shared = Arc::clone(shared);
    std::thread::spawn(move || {
        cut_off(&shared);
        while !cancel.load(Ordering::Relaxed) {
            let next = match pass(&shared, cancel) {
                Ok(next) => next,
                Err(error) => {
                    shared.say(&format!("schedules: {error}"));
                    None
                }
            };
            shared.publish_head();
            rest(&shared, next, cancel);
        }
    })
}

/// A run that began under an earlier service and has no end was cut off with it; it is told, and not repeated.
fn cut_off(shared: &Shared) {
    let schedules = Config::read(&shared.home).map(|config| config.schedules).unwrap_or_default();
    for schedule in &schedules {
        let Some(due) = shared.book().schedules().of(&schedule.name).runs else { continue };
        let words = "cut off with the service; it is not repeated by itself".to_owned();
        shared.say(&format!("the schedule {}: its run of {due} was {words}", schedule.name));
        if let Err(error) = fire::tell(shared, schedule, Told::Ended { due, exit: None, words }) {
            shared.say(&format!("schedules: {error}"));
        }
    }
}

/// Sees to everything that is due; answers when something is due next.
fn pass(shared: &Shared, cancel: &AtomicBool) -> Result<Option<Timestamp>, Error> {
    // One that cannot be read runs nothing; doctor and the driver tell.
    let Ok(config) = Config::read(&shared.home) else { return Ok(None) };
    // Taken before anything runs, so that who asks meanwhile does not wait.
    let asked = std::mem::take(&mut *shared.asked.lock().unwrap_or_else(PoisonError::into_inner));
    for name in asked {
        if let Some(schedule) = config.schedules.iter().find(|s| s.name == name) {
            fire::fire(shared, schedule, Timestamp::now(), true, cancel)?;
        }
    }
    let mut next: Option<Timestamp> = None;
    for schedule in &config.schedules {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let due = one(shared, schedule, cancel)?;
        next = [next, due].into_iter().flatten().min();
    }
    Ok(next)
}

/// Sees to one schedule; answers when it is due next.
fn one(shared: &Shared, schedule: &Schedule, cancel: &AtomicBool) -> Result<Option<Timestamp>, Error> {
    let standing = shared.book().schedules().of(&schedule.name);
    let base = match standing.base {
        Some(base) if standing.times == schedule.times.written() => base,
        _ => {
            let times = schedule.times.written().to_owned();
            fire::tell(shared, schedule, Told::Known { times })?;
            Timestamp::now()
        }
    };
    let due = schedule.times.due(base, Timestamp::now());
    if due.now.is_none() && due.missed.is_none() {
        return Ok(due.next);
    }
    // Under a stop the times stay open, and none of them is recorded: that there is a stop is said once.
    if let Err(Kept { why, by_stop: true }) = fire::allowed(&shared.home, schedule, &standing) {
        fire::hold(shared, schedule, &standing, why, None)?;
        return Ok(due.next);
    }
    if let Some((count, first, last)) = due.missed {
        let made_up = schedule.missed == Missed::Once && due.now.is_none();
        let words = if made_up { "; the last is made up for now" } else { "" };
        shared
            .say(&format!("the schedule {} missed {count} time(s), {first} to {last}{words}", schedule.name));
        fire::tell(shared, schedule, Told::Missed { count, first, last })?;
        if made_up {
            fire::fire(shared, schedule, last, false, cancel)?;
        }
    }
    if let Some(time) = due.now {
        fire::fire(shared, schedule, time, false, cancel)?;
    }
    Ok(due.next)
}

/// Sleeps until the next time, but not too long; a person's wish ends it.
fn rest(shared: &Shared, next: Option<Timestamp>, cancel: &AtomicBool) {
    let until = std::time::Instant::now() + LONGEST;
    while !cancel.load(Ordering::Relaxed) && std::time::Instant::now() < until {
        let asked = !shared.asked.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        if asked || next.is_some_and(|next| next <= Timestamp::now()) {
            return;
        }
        std::thread::sleep(TICK);
    }
}
