//! One time of a schedule: may it run, its run, and the records of both.

use std::sync::atomic::{AtomicBool, Ordering};

use base::config::Schedule;
use base::error::Error;
use base::failpoints::{Point, at};
use base::home::Home;
use base::layout::Users;
use base::stop::{self, may_start};
use jiff::Timestamp;
use ledger::schedules::{ScheduleEvent, ScheduleState};
use ledger::{ScheduleRecord, Store};
use nix::unistd::geteuid;
use shared_types::exit;
use shared_types::id::Digest;
use shared_types::text::line;

use super::order::Order;
use super::run::here;
use super::{pinned, runner};
use crate::weekly;
use base::log::Event;

pub use super::run::RunOutcome;

/// Runs a schedule for a time, unless a stop holds or its workflow is not the one that a person saw. The time is recorded as
/// seen to before anything begins, so that no restart runs it twice. A time that comes under a stop stays open: it counts as
/// missed once the stop is cleared.
///
/// # Errors
/// A journal that takes no record; then nothing runs.
pub fn fire(
    store: &Store,
    schedule: &Schedule,
    due: Timestamp,
    by_hand: bool,
    cancel: &AtomicBool,
) -> Result<Option<RunOutcome>, Error> {
    let standing = store.ledger().schedules().of(&schedule.name);
    let sha256 = match allowed(&store.home, schedule, &standing) {
        Ok(sha256) => sha256,
        Err(Kept { why, by_stop }) => {
            hold(store, schedule, &standing, why, (!by_hand && !by_stop).then_some(due))?;
            return Ok(None);
        }
    };
    at(Point::ScheduleBefore);
    tell(store, schedule, ScheduleEvent::Begun { due, by_hand })?;
    at(Point::ScheduleBegun);
    // While an earlier run waits for a person, the log says so once and not at each time.
    let still = matches!(&standing.last, Some((_, Some(exit::WAITS), _)));
    if !still {
        store.tell(
            &Event::ScheduleBegun { schedule: &schedule.name },
            &format!("the schedule {} runs", schedule.name),
        );
    }
    let came = stop::during(&store.home, Some(&schedule.profile), cancel, |cancel| {
        run(&store.home, schedule, &Order::of(&store.home, schedule, sha256.as_ref()), cancel)
            .unwrap_or_else(|error| RunOutcome::without_exit(error.to_string()))
    });
    let how = match came.exit {
        Some(exit::DONE) => "done".to_owned(),
        // The hint stands where the run is shown.
        Some(exit::WAITS) => line(came.words.lines().next().unwrap_or_default()),
        Some(code) => format!("exit code {code}"),
        None => "ended".to_owned(),
    };
    let is_known = |(_, code, words): &(_, Option<u8>, String)| (*code, words) == (came.exit, &came.words);
    if !(still && standing.last.as_ref().is_some_and(is_known)) {
        store.tell(
            &Event::ScheduleEnded { schedule: &schedule.name },
            &format!("the schedule {}: {how}", schedule.name),
        );
    }
    ended(store, schedule, due, came.clone())?;
    at(Point::ScheduleEnded);
    Ok(Some(came))
}

/// Records the end of a run, and hands it to the person of its profile and to the notifiers.
///
/// # Errors
/// A journal that takes no record.
pub(super) fn ended(
    store: &Store,
    schedule: &Schedule,
    due: Timestamp,
    came: RunOutcome,
) -> Result<(), Error> {
    let RunOutcome { exit, words, cut } = came;
    tell(
        store,
        schedule,
        ScheduleEvent::Ended { due, exit, words, cut, profile: Some(schedule.profile.clone()) },
    )?;
    weekly::show(store, &schedule.profile);
    store.bell.ring();
    Ok(())
}

/// Whether the run of a schedule's workflow that waited for a person does so still. Where the bot cannot be asked, the answer is no.
pub(super) fn waits_still(
    store: &Store,
    schedule: &Schedule,
    standing: &ScheduleState,
    cancel: &AtomicBool,
) -> bool {
    let Some(order) = Order::check(&store.home, schedule)
        .filter(|_| matches!(&standing.last, Some((_, Some(exit::WAITS), _))))
    else {
        return false;
    };
    stop::during(&store.home, Some(&schedule.profile), cancel, |cancel| {
        run(&store.home, schedule, &order, cancel).is_ok_and(|came| came.exit == Some(exit::WAITS))
    })
}

/// Records what is to be reported of a schedule.
///
/// # Errors
/// A journal that takes no record.
pub fn tell(store: &Store, schedule: &Schedule, told: ScheduleEvent) -> Result<(), Error> {
    store.ledger().append(ScheduleRecord { name: schedule.name.clone(), told })
}

/// Why a schedule does not run now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// In words, with the next step.
    pub why: String,
    /// Whether it is a stop, which passes; otherwise a person has to look at the workflow.
    pub by_stop: bool,
}

/// Asks everything that a run asks before it begins; answers the digest of the workflow that may run.
///
/// # Errors
/// Why it may not begin.
pub fn allowed(home: &Home, schedule: &Schedule, standing: &ScheduleState) -> Result<Option<Digest>, Kept> {
    may_start(home, Some(&schedule.profile))
        .map_err(|stopped| Kept { why: stopped.to_string(), by_stop: true })?;
    pinned::allowed(home, schedule, standing).map_err(|why| Kept { why: why.to_string(), by_stop: false })
}

/// Records why a schedule does not run, and says it, unless that is what is on record already. `due` is the time that is
/// seen to by that; none where it stays open.
///
/// # Errors
/// A journal that takes no record.
pub fn hold(
    store: &Store,
    schedule: &Schedule,
    standing: &ScheduleState,
    why: String,
    due: Option<Timestamp>,
) -> Result<(), Error> {
    if due.is_none() && standing.held.as_ref() == Some(&why) {
        return Ok(());
    }
    // A schedule that continues waiting is reported once, not at each of its times.
    if standing.held.as_ref() != Some(&why) {
        store.tell(
            &Event::ScheduleWaits { schedule: &schedule.name },
            &format!("the schedule {} waits: {why}", schedule.name),
        );
    }
    let due = due.or(standing.base).unwrap_or_else(Timestamp::now);
    tell(store, schedule, ScheduleEvent::Held { due, why })
}

/// Runs it here; where the bot has a user of its own and this is not root, the runner of the profile does it as that user.
fn run(home: &Home, schedule: &Schedule, order: &Order, cancel: &AtomicBool) -> Result<RunOutcome, Error> {
    let own = geteuid();
    match Users::of(home)?.bot {
        Some(bot) if !own.is_root() && own.as_raw() != bot.uid => {
            runner::ask(&schedule.profile, &bot, order, cancel)
        }
        _ => here(home, &schedule.profile, order, &|| cancel.load(Ordering::Relaxed)),
    }
}
