//! A look at every chain: what grew is verified and signed, what was tampered with raises an alarm.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::clock::now;
use base::error::Error;
use base::failpoints::{Point, at};
use base::home::Home;
use beneath::Look;
use ledger::{AlarmRecord, Store};
use receipts::head::Log;
use receipts::walk::Place;
use receipts::{Head, Report};
use shared_types::id::ProposalId;
use shared_types::text;

use super::evidence::{self, Evidence};
use super::heads;
use base::log::Event;

/// What seems wrong is looked at so often before it is called so: the bot may just be writing, or renaming a full file.
const LOOKS: u32 = 3;
/// The pause between those.
const PAUSE: Duration = Duration::from_millis(50);
/// At most so often is a chain read whole that looks as before: what is written through a mapping need not change its look.
const WHOLE_EVERY: Duration = Duration::from_secs(5);
/// The time between two whole readings of one chain is this many times as long as it takes to read all chains whole: one
/// part in a hundred.
const SPARING: u32 = 100;

/// What the service knows of the chains from the looks before.
#[derive(Debug, Default)]
pub struct Watcher {
    known: BTreeMap<Log, Known>,
    told: BTreeMap<Log, String>,
    /// Since when a chain cannot be read.
    unreadable: BTreeMap<Log, Instant>,
}

#[derive(Debug)]
struct Known {
    head: Head,
    looks: Vec<(String, Option<Look>)>,
    /// Where the full files end.
    full: Place,
    /// When the whole chain was read last, and how long that took.
    whole: (Instant, Duration),
}

/// What one look at a chain came to.
enum Seen {
    /// It holds, and goes so far.
    Holds(Report),
    /// It does not.
    Wrong(String),
}

impl Watcher {
    /// Looks at every chain there is or was; what cannot be looked at now is said once, and looked at again. What cannot be
    /// looked at for `patience` is an alarm: somebody may be keeping it so.
    pub fn look(&mut self, store: &Store, patience: Duration, cancel: &AtomicBool) {
        for log in logs(&store.home) {
            let seen = self.look_at(store, &log, cancel);
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let Err(error) = seen else {
                self.told.remove(&log);
                self.unreadable.remove(&log);
                continue;
            };
            let since = self.unreadable.entry(log.clone()).or_insert_with(Instant::now).elapsed();
            let mut words = format!("{log} cannot be watched: {error}");
            if since >= patience {
                let what = format!("it cannot be read for {} s now: {error}", since.as_secs());
                match self.alarm(store, &log, &what) {
                    Ok(()) => {
                        self.unreadable.remove(&log);
                        continue;
                    }
                    Err(error) => words = format!("{log}: no alarm can be recorded: {error}"),
                }
            }
            if self.told.insert(log.clone(), words.clone()).as_deref() != Some(&words) {
                store.tell(&Event::ChainUnwatched { log: &log }, &words);
            }
        }
    }

    /// Whether every chain could be read.
    pub fn is_settled(&self) -> bool {
        self.unreadable.is_empty()
    }

    fn look_at(&mut self, store: &Store, log: &Log, cancel: &AtomicBool) -> Result<(), Error> {
        // An open alarm waits for its person; nothing is signed meanwhile.
        if store.ledger().alarms().of(log).is_some() {
            self.known.remove(log);
            return Ok(());
        }
        // A head from before its profile was erased is about a chain that was removed on purpose.
        if let Log::Receipts(profile) = log
            && let Some(gone) = store.ledger().gone(profile)
            && self.known.get(log).is_some_and(|known| known.head.at.as_str() <= gone)
        {
            self.known.remove(log);
        }
        let acknowledged = store.ledger().alarms().acknowledged(log).cloned();
        let before = match self.known.get(log) {
            Some(known) => Some(known.head.clone()),
            None => match heads::own(&store.home, log) {
                Err(Error::Integrity(what)) => return self.alarm(store, log, &what.to_string()),
                other => other?,
            },
        };
        let newer = |head: &Head| before.as_ref().is_none_or(|b| b.acknowledged < head.acknowledged);
        let expected = acknowledged.filter(newer).or(before);
        let signed = expected.as_ref().is_some_and(|head| head.end.count > 0);
        let files = match evidence::of(&store.home, log) {
            Ok(Some(files)) => files,
            Ok(None) if signed => return self.alarm(store, log, "its folder is gone"),
            Ok(None) => return Ok(()),
            Err(error) if signed && is_no_folder(&error) => {
                return self.alarm(store, log, "its folder was replaced by something else");
            }
            Err(error) => return Err(error),
        };
        let failed = |e| Error::io(receipts::Files::path(&files))(e);
        let looks = files.looks().map_err(failed)?;
        let whole = self.whole_is_due(log);
        if !whole && self.known.get(log).is_some_and(|known| known.looks == looks) {
            return Ok(());
        }
        // Written out first: from then on the kernel dates everything that is written through a mapping that was there before.
        files.write_out().map_err(failed)?;
        let looks = files.looks().map_err(failed)?;
        let begun = Instant::now();
        match self.seen(log, &files, &looks, expected.as_ref(), whole, cancel).map_err(failed)? {
            Seen::Wrong(what) => self.alarm(store, log, &what),
            Seen::Holds(report) => {
                let read = match self.known.get(log) {
                    Some(known) if !whole => known.whole,
                    _ => (Instant::now(), begun.elapsed()),
                };
                self.sign(store, log, report, looks, expected, read)
            }
        }
    }

    /// Whether a chain is to be read from its first receipt on, regardless of what it looks like: all chains together cost
    /// one part in a hundred of the time.
    fn whole_is_due(&self, log: &Log) -> bool {
        let Some(known) = self.known.get(log) else { return true };
        let all: Duration = self.known.values().map(|known| known.whole.1).sum();
        known.whole.0.elapsed() >= WHOLE_EVERY.max(all * SPARING)
    }

    /// Reads a chain, from the end of those full files on that look as they did.
    fn seen(
        &self,
        log: &Log,
        files: &Evidence,
        looks: &[(String, Option<Look>)],
        expected: Option<&Head>,
        whole: bool,
        cancel: &AtomicBool,
    ) -> io::Result<Seen> {
        let unchanged = |known: &&Known| {
            let full = &known.looks[..known.looks.len().saturating_sub(1)];
            looks.len() > full.len() && looks[..full.len()] == *full
        };
        let from = self.known.get(log).filter(unchanged).filter(|_| !whole).map(|known| &known.full);
        let mut tries = 0;
        loop {
            tries += 1;
            let wrong = match receipts::audit::audit_from(from, files, expected, None, cancel) {
                Ok(report) => match report.wrong() {
                    None => return Ok(Seen::Holds(report)),
                    Some(wrong) => wrong,
                },
                Err(e) if e.kind() == io::ErrorKind::InvalidData => e.to_string(),
                Err(e) => return Err(e),
            };
            if tries == LOOKS {
                return Ok(Seen::Wrong(wrong));
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn sign(
        &mut self,
        store: &Store,
        log: &Log,
        report: Report,
        looks: Vec<(String, Option<Look>)>,
        expected: Option<Head>,
        whole: (Instant, Duration),
    ) -> Result<(), Error> {
        let (begin, acknowledged) = match &expected {
            Some(head) => (head.begin.clone(), head.acknowledged),
            None => (None, 0),
        };
        let present = expected.filter(|head| head.end == report.end);
        let head = match present {
            // What a crash kept from being published, or somebody put back, is published again.
            Some(head) if self.known.contains_key(log) || stands(&store.home, &head) => head,
            Some(head) => {
                heads::publish(&store.home, &head)?;
                head
            }
            None if report.end.count == 0 => return Ok(()),
            None => {
                let head = Head { log: log.clone(), end: report.end, begin, acknowledged, at: now() };
                heads::publish(&store.home, &head)?;
                head
            }
        };
        self.known.insert(log.clone(), Known { head, looks, full: report.full, whole });
        Ok(())
    }

    /// Raises an alarm: in the journal first, which tells it from then on.
    fn alarm(&mut self, store: &Store, log: &Log, what: &str) -> Result<(), Error> {
        let what = text::cut(&text::line(what), 400);
        self.known.remove(log);
        {
            let mut ledger = store.ledger();
            if ledger.alarms().of(log).is_some() {
                return Ok(());
            }
            ledger.append(AlarmRecord::Raised {
                id: ProposalId::generate(),
                log: log.clone(),
                what: what.clone(),
            })?;
        }
        at(Point::AlarmRecorded);
        store.tell(
            &Event::Alarm { log },
            &format!("ALARM about {log}: {what}; `cl-admin audit list` says what to do"),
        );
        store.publish_head();
        store.bell.ring();
        Ok(())
    }
}

/// Whether a link or a file is where a folder should be.
fn is_no_folder(error: &Error) -> bool {
    matches!(error, Error::NotOpened { why, .. } if why.is_another_kind())
}

/// Whether both copies of a head are as they should be.
fn stands(home: &Home, head: &Head) -> bool {
    let same = |read: Result<Option<Head>, Error>| read.is_ok_and(|found| found.as_ref() == Some(head));
    same(heads::own(home, &head.log)) && (head.log == Log::Admin || same(heads::published(home, &head.log)))
}

/// Every chain of receipts there is, and those of which a head was signed.
pub fn logs(home: &Home) -> Vec<Log> {
    let mut profiles = evidence::profiles(home);
    let signed = std::fs::read_dir(home.own_heads()).into_iter().flatten();
    profiles.extend(
        signed.filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".receipts")?.parse().ok()),
    );
    profiles.sort();
    profiles.dedup();
    profiles.into_iter().map(Log::Receipts).chain([Log::Admin]).collect()
}
