//! Watches what the bot puts on record: signs how far each chain goes, and raises an alarm where one was tampered with. This
//! layer uses `ledger` and the layers below it.
//!
//! - [`evidence`]: the bot's logs, opened as strangers' files
//! - [`heads`]: signed heads, the admin's own copy and the published one
//! - [`watch`]: a look at every chain
//! - [`own`]: the service's own receipts
//!
//! This runs in a thread of its own beside the driver, so that a bot that writes much holds nothing up.
//!
//! # How it works
//!
//! `audit/` watches the receipts in a thread of its own, by notices, and every five seconds until half a minute passed
//! without one; from then on each minute. Where a folder is not watched it stays with the five seconds. What grew is written out to
//! the disk, verified, and its end signed with the manifest's key: `admin/heads/<profile>.receipts` is the admin's own
//! copy, which it believes, and `config/heads/` the one for readers. Each file has two places of 4 KiB that are written
//! over in turn, so that a write that a power cut tears leaves the head of before (`libs/receipts/src/head.rs`). Full
//! files that look as before are read again only with the whole chain. That happens at most every five seconds, and so
//! seldom that all chains together take 1 % of the time: a million receipts take 0.85 s to read on a desktop, so they
//! are read every 85 s there. A write through a mapping may leave a file's times as they were; only this reading finds
//! it. A chain that is shorter, differs, does not hold, is longer than the caps of `libs/receipts/src/audit.rs`, is not
//! a regular file of its folder's owner, or cannot be read for a minute becomes a record of the journal, an alarm:
//! nothing of it is signed any more, and the service, `list`, `doctor` and the notifiers report it until a person
//! acknowledges it (`cl-admin audit acknowledge`). From then on the chain is watched as it was then. An
//! acknowledgement reads without the journal's lock.
#![forbid(unsafe_code)]

pub mod evidence;
pub mod heads;
pub mod own;
pub mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::watch::{Changes, Watch};
use base::clock::now;
use base::config::Config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::home::Home;
use beneath::Folder;
use ledger::{AlarmRecord, Store};
use nix::poll::PollTimeout;
use receipts::Head;
use receipts::audit::AsItLies;
use receipts::head::Log;
use receipts::walk::Place;
use shared_types::id::ApproverId;

pub use own::record;
pub use watch::Watcher;

/// Why an alarm is not acknowledged.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("there is no alarm about {0}")]
    NoAlarm(Log),
    #[error("the alarm about {0} changed meanwhile: look at it again")]
    OtherAlarm(Log),
    #[error(
        "no chain can continue after the last line: it is not a receipt (in {}). Move the receipts away as the bot's user, then \
         acknowledge the alarm",
        .folder.display()
    )]
    NoReceipt { folder: PathBuf },
    #[error(
        "{}: {} (in {}). Move the receipts away as the bot's user, then acknowledge the alarm",
        .fault.file, .fault.what, .folder.display()
    )]
    TooLong { fault: receipts::walk::Fault, folder: PathBuf },
}

/// The least time between two looks: a bot that floods its log costs little.
const SPARING: Duration = Duration::from_secs(1);
/// The most time between two looks, regardless of the kernel's notices.
const PATIENCE: Duration = Duration::from_secs(5);
/// After this time without a notice the service is at rest.
const CALM: Duration = Duration::from_secs(30);
/// The most time between two looks then: no notice comes of what is written through a mapping.
const AT_REST: Duration = Duration::from_secs(60);
/// How long a chain may be unreadable before that is an alarm, where nothing else is configured.
const UNREADABLE: Duration = Duration::from_secs(60);

/// Starts the thread; it ends with the process, and what it was just writing is whole or not there.
pub fn start(store: &Arc<Store>, cancel: &'static AtomicBool) {
    let store = Arc::clone(store);
    let watching = move || {
        let mut watcher = Watcher::default();
        let changes = Changes::CREATE | Changes::REMOVE | Changes::MODIFY_NAME | Changes::MODIFY_DATA;
        let (mut watch, mut noticed) = (Watch::of(changes), Instant::now());
        while !cancel.load(Ordering::Relaxed) {
            // Watched from before the look, so that nothing falls between the two.
            let sees_all = renew(&mut watch, &store.home);
            let begun = Instant::now();
            watcher.look(&store, patience(&store.home), cancel);
            std::thread::sleep(SPARING.max(begun.elapsed() * 10));
            let rest = rest(sees_all && watcher.is_settled(), noticed.elapsed());
            let slept = Instant::now();
            watch.wait(&[], PollTimeout::try_from(rest).unwrap_or(PollTimeout::MAX));
            if slept.elapsed() < rest {
                noticed = Instant::now();
            }
        }
    };
    // Without a thread the service has no memory for anything else either.
    let _ = std::thread::Builder::new().name("audit".into()).spawn(watching);
}

/// How long a look is put off at most, so long after the last notice: where every folder is watched and every chain can be read, a home
/// in which nothing happens costs next to nothing.
fn rest(sees_all: bool, quiet: Duration) -> Duration {
    let most = if sees_all && quiet >= CALM { AT_REST } else { PATIENCE };
    most.saturating_sub(SPARING)
}

/// One look, for a service that ends then.
pub fn once(store: &Store, cancel: &AtomicBool) {
    Watcher::default().look(store, patience(&store.home), cancel);
}

/// How long a chain may be unreadable; the default while the configuration cannot be read.
fn patience(home: &Home) -> Duration {
    Config::read(home).map_or(UNREADABLE, |config| config.unreadable)
}

/// A person takes note of an alarm: from now on the chain is watched as it is now.
///
/// # Errors
/// That chain has no alarm, or its last line is one after which no chain can continue.
pub fn acknowledge(
    store: &Store,
    log: &Log,
    by: &ApproverId,
    reason: &str,
    ending: &AtomicBool,
) -> Result<String, Error> {
    let Some(alarm) = store.ledger().alarms().of(log).cloned() else {
        return Err(Error::usage(Fault::NoAlarm(log.clone())));
    };
    // Without the journal's lock: the bot decides how much there is to read.
    let (begin, end) = standing(&store.home, log, ending)?;
    let mut ledger = store.ledger();
    if ledger.alarms().of(log) != Some(&alarm) {
        return Err(Error::refused(Fault::OtherAlarm(log.clone())));
    }
    let times = ledger.alarms().acknowledged(log).map_or(0, |head| head.acknowledged);
    let head = Head { log: log.clone(), end, begin, acknowledged: times + 1, at: now() };
    ledger.append(AlarmRecord::Acknowledged {
        log: log.clone(),
        by: by.clone(),
        reason: reason.to_owned(),
        head: Box::new(head.clone()),
    })?;
    at(Point::AcknowledgeRecorded);
    heads::publish(&store.home, &head)?;
    let rest = match head.begin {
        Some(_) => "existing entries are skipped from now on, and what follows is watched",
        None => "the chain is watched from now on, as it is now",
    };
    Ok(format!("the alarm about {log} is acknowledged; {rest}"))
}

/// From where to where a chain goes that is accepted as it is.
fn standing(home: &Home, log: &Log, cancel: &AtomicBool) -> Result<(Option<Place>, Place), Error> {
    let Some(files) = evidence::of(home, log)? else { return Ok((None, Place::start())) };
    let failed = |e| Error::io(receipts::Files::path(&files))(e);
    let report = receipts::audit::audit_from(None, &files, None, None, cancel).map_err(failed)?;
    if report.fault.is_none() {
        return Ok((None, report.end));
    }
    let folder = receipts::Files::path(&files).to_owned();
    match receipts::audit::as_it_lies(&files, cancel).map_err(failed)? {
        AsItLies::Ends(place) => Ok((Some(place.clone()), place)),
        AsItLies::NoReceipt => Err(Error::refused(Fault::NoReceipt { folder })),
        AsItLies::TooLong(fault) => Err(Error::refused(Fault::TooLong { fault, folder })),
    }
}

/// Watches the folders of the logs, and those in which they come and go; answers whether every one of them is watched. One that is not
/// there yet is seen to come.
fn renew(watch: &mut Watch, home: &Home) -> bool {
    let profiles = evidence::profiles(home).into_iter();
    let places = profiles.flat_map(|profile| [home.profile(&profile), home.logs(&profile)]);
    let places = [home.profiles()].into_iter().chain(places).map(|place| place.folder().ok());
    let own = [Folder::open(&home.admin()).ok().map(Some)];
    let mut all = true;
    let folders = own.into_iter().chain(places).filter_map(|folder| {
        all &= folder.is_some();
        folder.flatten()
    });
    watch.renew(folders) && all
}

#[cfg(test)]
mod tests;
